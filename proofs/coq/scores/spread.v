(** The variance and the interquartile range of one column. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado Require Import dataset.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Spread.
Variables (R : realFieldType) (m : nat).
Implicit Type x : dataset R m.

(** The mean of a column. *)
Definition average x : R := (\sum_(i < m) x i) / m%:R.

(** Kusner et al., section 3.3: V, the mean squared deviation from the mean. *)
Definition variance x : R := (\sum_(i < m) (x i - average x) ^+ 2) / m%:R.

(** The r-th smallest value, r from 1. *)
Definition order_statistic x (r : nat) : R := nth 0 (sort (fun a b => a <= b) (codom x)) r.-1.

(** The quartiles' ranks, m/4 and 3m/4 rounded up. *)
Definition lower_rank : nat := (m + 3) %/ 4.
Definition upper_rank : nat := (3 * m + 3) %/ 4.

(** Kusner et al., section 4.3: the interquartile range, of quartiles that are order statistics. *)
Definition iqr x : R := order_statistic x upper_rank - order_statistic x lower_rank.

End Spread.
