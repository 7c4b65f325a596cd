(** Kusner et al., Theorem 3: the test set sensitivity of HSIC. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic.
From Provado.lemmas Require Import algebra hsic_move hsic_numbers hsic_semidefinite.
From Provado.kusner2016 Require Import appendix_hsic_final_bound thm3_improved.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : rcfType) (S T : Type).
Let K : realFieldType := Num.RealClosedField.realFieldType R.
Add Field K_field : (field_of K).

(** kusner2016/thm3: replacing one of m >= 2 records moves HSIC by at most (16m - 8)/(m - 1)^2, for
    fixed positive semi-definite kernels with k(x, x) <= 1. *)
Theorem hsic_sensitivity (m : nat) (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m) :
  (2 <= m)%N -> semidefinite (R := K) k -> semidefinite (R := K) l ->
  diagonal_bounded (R := K) k -> diagonal_bounded (R := K) l -> replace_one D D' ->
  `|hsic (R := K) k l (first D) (second D) - hsic (R := K) k l (first D') (second D')|
  <= (16%:R * m%:R - 8%:R) / m.-1%:R ^+ 2.
Proof.
move=> m2 kp lp k1 l1 nb; apply: le_trans (hsic_sensitivity_improved m2 kp lp k1 l1 nb) _.
rewrite ler_wpmul2r ?invr_ge0 ?exprn_ge0 ?ler0n // -subr_ge0.
have -> : 16%:R * m%:R - 8%:R - (12%:R * m%:R - 11%:R) = 4%:R * m%:R + 3%:R :> K by rring K.
by rewrite addr_ge0 ?mulr_ge0 ?ler0n.
Qed.

End Bounds.

Theorem thm3 : forall (R : rcfType) (S T : Type) (m : nat)
    (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m),
  (2 <= m)%N -> semidefinite k -> semidefinite l ->
  diagonal_bounded k -> diagonal_bounded l -> replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')|
  <= (16%:R * m%:R - 8%:R) / (m%:R - 1) ^+ 2 /\
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')|
  <= 5%:R / m%:R + 16%:R / m%:R ^+ 2.
Proof.
move=> R S T m k l D D' m2; rewrite -pred_natr ?(leq_trans _ m2) // => kp lp k1 l1 nb.
by split; [exact: hsic_sensitivity | exact: hsic_sensitivity_general].
Qed.
