(** Kusner et al., appendix, last line of the proof of the tighter bound on HSIC. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic.
From Provado.lemmas Require Import algebra hsic_move hsic_numbers hsic_semidefinite.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : rcfType) (S T : Type).
Let K : realFieldType := Num.RealClosedField.realFieldType R.
Add Field K_field : (field_of K).

(** kusner2016/appendix-hsic-final-bound: replacing one of m >= 2 records moves HSIC by at most
    (12m - 11)/(m^2 - 1), for fixed positive semi-definite kernels with k(x, x) <= 1. *)
Theorem hsic_sensitivity_appendix (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (D D' : dataset (S * T) m) :
  (2 <= m)%N -> semidefinite (R := K) k -> semidefinite (R := K) l ->
  diagonal_bounded (R := K) k -> diagonal_bounded (R := K) l -> replace_one D D' ->
  `|hsic (R := K) k l (first D) (second D) - hsic (R := K) k l (first D') (second D')|
  <= (12%:R * m%:R - 11%:R) / (m%:R ^+ 2 - 1).
Proof.
move=> m2 kp lp k1 l1 nb.
apply: (hsic_semidefinite_move (@real_closed_roots R) kp lp k1 l1 m2) nb => s s01.
exact: half_move_bound.
Qed.

(** kusner2016/thm3, the sharpening for all such kernels: 5/m + 16/m^2. *)
Theorem hsic_sensitivity_general (m : nat) (k : S -> S -> R) (l : T -> T -> R)
    (D D' : dataset (S * T) m) :
  (2 <= m)%N -> semidefinite (R := K) k -> semidefinite (R := K) l ->
  diagonal_bounded (R := K) k -> diagonal_bounded (R := K) l -> replace_one D D' ->
  `|hsic (R := K) k l (first D) (second D) - hsic (R := K) k l (first D') (second D')|
  <= 5%:R / m%:R + 16%:R / m%:R ^+ 2.
Proof.
move=> m2 kp lp k1 l1 nb.
apply: (hsic_semidefinite_move (@real_closed_roots R) kp lp k1 l1 m2) nb => s s01.
by apply: half_move_general => //; rewrite ltr0n (leq_trans _ m2).
Qed.

End Bounds.

Theorem appendix_hsic_final_bound : forall (R : rcfType) (S T : Type) (m : nat)
    (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m),
  (2 <= m)%N -> semidefinite k -> semidefinite l ->
  diagonal_bounded k -> diagonal_bounded l -> replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')|
  <= (12%:R * m%:R - 11%:R) / (m%:R ^+ 2 - 1).
Proof. by move=> R S T m k l D D'; exact: hsic_sensitivity_appendix. Qed.
