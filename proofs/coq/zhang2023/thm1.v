(** Zhang et al., Theorem 1: the global sensitivity of HSIC. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic.
From Provado.lemmas Require Import algebra hsic_unit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : realFieldType) (S T : Type).

(** zhang2023/thm1: replacing one of m >= 2 records, in one column or both, moves HSIC by at most
    (12m - 11)/(m - 1)^2, for any kernels with values in [0, 1]. *)
Theorem hsic_sensitivity (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (D D' : dataset (S * T) m) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')|
  <= (12%:R * m%:R - 11%:R) / m.-1%:R ^+ 2.
Proof.
move=> m2 k01 l01 [a same].
by apply: (@hsic_move _ _ _ _ k l _ _ _ _ _ _ _ a a) => // i ia; rewrite /first /second same.
Qed.

(** zhang2023/thm1, the sharpening: 8/(m - 1) if the kernels are 1 on the diagonal. *)
Theorem hsic_sensitivity_short (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (D D' : dataset (S * T) m) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> (forall t, l t t = 1) ->
  replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')| <= 8%:R / m.-1%:R.
Proof.
move=> m2 k01 l01 k1 l1 [a same].
by apply: (@hsic_move_short _ _ _ _ k l _ _ _ _ _ _ _ a a) => // i ia; rewrite /first /second same.
Qed.

(** zhang2023/thm1, for the score under a permutation of the first column's rows. *)
Theorem hsic_permuted_sensitivity (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (psi : 'I_m -> 'I_m) (D D' : dataset (S * T) m) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> injective psi -> replace_one D D' ->
  `|hsic_permuted k l psi (first D) (second D) - hsic_permuted k l psi (first D') (second D')|
  <= (12%:R * m%:R - 11%:R) / m.-1%:R ^+ 2.
Proof.
move=> m2 k01 l01 psi_inj [a same]; have [b ab] : exists b, psi b = a.
  by exists (invF psi_inj a); rewrite f_invF.
apply: (@hsic_move _ _ _ _ k l _ _ _ _ _ _ _ b a) => // i ib; rewrite /first /second same //.
by rewrite -ab (inj_eq psi_inj).
Qed.

(** zhang2023/thm1, the sharpening under a permutation. *)
Theorem hsic_permuted_sensitivity_short (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (psi : 'I_m -> 'I_m) (D D' : dataset (S * T) m) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> (forall s, k s s = 1) -> (forall t, l t t = 1) ->
  injective psi -> replace_one D D' ->
  `|hsic_permuted k l psi (first D) (second D) - hsic_permuted k l psi (first D') (second D')|
  <= 8%:R / m.-1%:R.
Proof.
move=> m2 k01 l01 k1 l1 psi_inj [a same]; have [b ab] : exists b, psi b = a.
  by exists (invF psi_inj a); rewrite f_invF.
apply: (@hsic_move_short _ _ _ _ k l _ _ _ _ _ _ _ b a) => // i ib; rewrite /first /second same //.
by rewrite -ab (inj_eq psi_inj).
Qed.

End Bounds.

Theorem thm1 : forall (R : realFieldType) (S T : Type) (m : nat)
    (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m),
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')|
  <= (12%:R * m%:R - 11%:R) / (m%:R - 1) ^+ 2.
Proof.
move=> R S T m k l D D' m2; rewrite -pred_natr ?(leq_trans _ m2) //.
exact: hsic_sensitivity.
Qed.
