(** Zhang et al., after Corollary 1, repaired: both sides of the level count. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic permutation.
From Provado.lemmas Require Import algebra permutation_lemmas.
From Provado.zhang2023 Require Import thm1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variable R : realFieldType.

(** If each of the K + 1 scores moves by at most [change], the p-value moves by at most
    max{p - A, B - p}. *)
Theorem p_value_move (K : nat) (score score' change : R) (permuted permuted' : 'I_K -> R) :
  `|score - score'| <= change -> (forall i, `|permuted i - permuted' i| <= change) ->
  `|p_value score permuted - p_value score' permuted'|
  <= Num.max (p_value score permuted - p_low score permuted change)
             (p_high score permuted change - p_value score permuted).
Proof.
move=> near nears.
have below (a b c d : R) : `|a - c| <= change -> `|b - d| <= change ->
    (a < b - 2%:R * change -> c < d) /\ (c < d -> a < b + 2%:R * change).
  rewrite !ler_norml => /andP[ac1 ac2] /andP[bd1 bd2]; rewrite mulr_natl mulr2n; split=> lt.
    have : c - change <= a by rewrite ler_subl_addr -ler_subl_addl -opprB ler_oppl.
    move/le_lt_trans/(_ lt); rewrite opprD addrA ltr_add2r => /lt_le_trans -> //.
    by rewrite ler_subl_addr -ler_subl_addl.
  have : a <= c + change by rewrite -ler_subl_addl.
  move/le_lt_trans; rewrite addrA; apply; rewrite ltr_add2r (lt_le_trans lt) //.
  by rewrite -ler_subl_addl -opprB ler_oppl.
have low : p_low score permuted change <= p_value score' permuted'.
  by apply: share_mono => i; rewrite addr0; case: (below _ _ _ _ near (nears i)).
have high : p_value score' permuted' <= p_high score permuted change.
  by apply: share_mono => i; rewrite addr0; case: (below _ _ _ _ near (nears i)).
by rewrite ler_norml ler_oppl opprB le_maxr !ler_add2r high orbT le_maxr ler_add2l ler_opp2 low.
Qed.

(** zhang2023/improved-sensitivity, repaired: without a conditioning set, with kernels in [0, 1] and
    permutations that do not depend on the data, replacing one of m >= 2 records moves the p-value
    by at most max{p - A, B - p}, with equation (4) in A and B. *)
Theorem p_value_local_sensitivity (S T : Type) (m K : nat) (k : S -> S -> R) (l : T -> T -> R)
    (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m)
    (change := (12%:R * m%:R - 11%:R) / m.-1%:R ^+ 2)
    (score := fun D => hsic k l (first D) (second D))
    (permuted := fun D i => hsic_permuted k l (psi i) (first D) (second D)) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall i, injective (psi i)) ->
  replace_one D D' ->
  `|p_value (score D) (permuted D) - p_value (score D') (permuted D')|
  <= Num.max (p_value (score D) (permuted D) - p_low (score D) (permuted D) change)
             (p_high (score D) (permuted D) change - p_value (score D) (permuted D)).
Proof.
move=> m2 k01 l01 psi_inj nb; apply: p_value_move; first exact: hsic_sensitivity.
by move=> i; exact: hsic_permuted_sensitivity.
Qed.

End Bounds.

Theorem improved_sensitivity : forall (R : realFieldType) (S T : Type) (m K : nat)
    (k : S -> S -> R) (l : T -> T -> R) (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m)
    (change := (12%:R * m%:R - 11%:R) / (m%:R - 1) ^+ 2)
    (score := fun E => hsic k l (first E) (second E))
    (permuted := fun E i => hsic_permuted k l (psi i) (first E) (second E)),
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall i, injective (psi i)) ->
  replace_one D D' ->
  `|p_value (score D) (permuted D) - p_value (score D') (permuted D')|
  <= Num.max (p_value (score D) (permuted D) - p_low (score D) (permuted D) change)
             (p_high (score D) (permuted D) change - p_value (score D) (permuted D)).
Proof.
move=> R S T m K k l psi D D' change score permuted m2; rewrite /change.
rewrite -pred_natr ?(leq_trans _ m2) //.
exact: p_value_local_sensitivity.
Qed.
