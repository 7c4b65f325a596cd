(** Zhang et al., Theorem 5, repaired: the query, the r-th largest permuted score less the score. *)

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
Variables (R : realFieldType) (S T : Type).
Add Field R_field : (field_of R).

Lemma query_sensitivity (m K r : nat) (k : S -> S -> R) (l : T -> T -> R)
    (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m)
    (query := fun E => rank_margin r (hsic k l (first E) (second E))
      (fun i => hsic_permuted k l (psi i) (first E) (second E))) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> (forall t, l t t = 1) ->
  (forall i, injective (psi i)) -> (0 < r <= K)%N -> replace_one D D' ->
  `|query D - query D'| <= 16%:R / m.-1%:R.
Proof.
move=> m2 k01 l01 k1 l1 psi_inj rK nb; rewrite /query /rank_margin.
have split (a b c d : R) : a - b - (c - d) = (a - c) - (b - d).
  by rring R.
rewrite split (le_trans (ler_norm_sub _ _)) // (natrD R 8 8) mulrDl ler_add //.
  by apply: largest_move => // i; exact: hsic_permuted_sensitivity_short.
exact: hsic_sensitivity_short.
Qed.

End Bounds.

(** Kernels with values in [0, 1] that are 1 on the diagonal, permutations that do not depend on the
    data, every rank r from 1 to K. *)
Theorem thm5 : forall (R : realFieldType) (S T : Type) (m K r : nat) (k : S -> S -> R)
    (l : T -> T -> R) (psi : 'I_K -> 'I_m -> 'I_m) (D D' : dataset (S * T) m)
    (query := fun E => rank_margin r (hsic k l (first E) (second E))
      (fun i => hsic_permuted k l (psi i) (first E) (second E))),
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> (forall t, l t t = 1) ->
  (forall i, injective (psi i)) -> (0 < r <= K)%N -> replace_one D D' ->
  `|query D - query D'| <= 16%:R / (m%:R - 1).
Proof.
move=> R S T m K r k l psi D D' query m2; rewrite -pred_natr ?(leq_trans _ m2) //.
exact: query_sensitivity.
Qed.
