(** Scores of spread: variance and interquartile range of a column of numbers.

    Source: Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016), sections 3.3 and
    4.3. Quartiles are order statistics: those of ranks ⌈m/4⌉ and ⌈3m/4⌉. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory.
Local Open Scope ring_scope.

Section Spread.

Variable R : realFieldType.
Implicit Types s : seq R.

(** The mean squared deviation from the mean. *)
Definition mean s : R := sigma (fun x => x) s / (size s)%:R.
Definition variance s : R := mean [seq (x - mean s) ^+ 2 | x <- s].

(** ⌈k·m/4⌉. *)
Definition quartile_rank (k m : nat) : nat := (k * m + 3) %/ 4.

(** The order statistic of a rank, from 1. *)
Definition order_statistic s (rank : nat) : R := nth 0 (sort <=%O s) rank.-1.

Definition interquartile_range s : R :=
  order_statistic s (quartile_rank 3 (size s)) - order_statistic s (quartile_rank 1 (size s)).

(** Two columns of [m] numbers that differ in one. *)
Definition neighbors (m : nat) s s' : Prop :=
  size s = m /\ exists2 i, (i < m)%N & exists x, s' = replace s i x.

(** No number bounds how often a score's value goes into that of a neighbor: its logarithm has no
    finite global sensitivity, whatever the number of records from 2 on. *)
Definition log_unbounded (score : seq R -> R) : Prop :=
  forall (m : nat) (bound : R), (2 <= m)%N ->
  exists s s', [/\ neighbors m s s', 0 < score s & bound * score s < score s'].

End Spread.
