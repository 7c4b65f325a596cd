(** Propose-test-release: a number with noise, where one of two intervals that hold it is far from
    being left.

    Source: Kusner et al. (2016), appendix, Algorithm 1. The number is log IQR there. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Propose.

Variables (R : realFieldType) (V C : eqType) (e : R -> R) (eps level : R).
Variables (domains : seq (seq V)) (value : seq V -> R) (first second : seq V -> C).
Implicit Types d : seq V.

(** A_j: how many data points must change to leave the interval. *)
Definition to_leave (interval : seq V -> C) d : option nat :=
  nearest domains (fun d' => interval d' != interval d) d.

(** The chance that neither A_j + Lap(1/eps) is above the level. *)
Definition silent d : R :=
  (1 - passes e eps level (to_leave first d)) * (1 - passes e eps level (to_leave second d)).

(** What value + Lap(1/eps) gives to an interval: above [iv.1], up to [iv.2]. *)
Definition noisy_mass d (iv : R * R) : R :=
  laplace_tail e eps^-1 (iv.1 - value d) - laplace_tail e eps^-1 (iv.2 - value d).

(** The chance that the output lies in one of the intervals, or is none if [none] says so. *)
Definition propose_test_release d (none : bool) (ivs : seq (R * R)) : R :=
  none%:R * silent d + (1 - silent d) * sigma (noisy_mass d) ivs.

(** Intervals from [x] on, one after the other. *)
Fixpoint in_a_row (x : R) (ivs : seq (R * R)) : bool :=
  if ivs is iv :: rest then [&& x <= iv.1, iv.1 <= iv.2 & in_a_row iv.2 rest] else true.

(** Where neighbors share an interval, their values are 1 apart at most. *)
Definition width_one : Prop :=
  forall i d v, (i < size domains)%N -> d \in datasets domains -> v \in nth [::] domains i ->
  first (replace d i v) = first d \/ second (replace d i v) = second d ->
  `|value (replace d i v) - value d| <= 1.

End Propose.
