(** The permutation test: p-values and ranked scores. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Permutation.
Variables (R : realFieldType) (K : nat).
Implicit Types (score change : R) (permuted : 'I_K -> R).

(** The share of the K permuted scores with score < permuted + shift. *)
Definition share score permuted (shift : R) : R :=
  (\sum_(i < K) (score < permuted i + shift)%R)%:R / K%:R.

(** Zhang et al., above Theorem 4: p, the share of permuted scores above the score. *)
Definition p_value score permuted : R := share score permuted 0.

(** Zhang et al., equation (7): A, of those above it by more than 2 change. *)
Definition p_low score permuted change : R := share score permuted (- (2%:R * change)).

(** Zhang et al., equation (8): B, of those not below it by 2 change or more. *)
Definition p_high score permuted change : R := share score permuted (2%:R * change).

(** The r-th largest of K numbers, r from 1 to K. *)
Definition largest (r : nat) permuted : R :=
  nth 0 (sort (fun a b => b <= a) (codom permuted)) r.-1.

(** The query of the repaired PCD: how far the score lies below the r-th largest permuted score.
    p <= alpha says that it is not above 0, for r one more than the whole part of alpha K. *)
Definition rank_margin (r : nat) score permuted : R := largest r permuted - score.

End Permutation.
