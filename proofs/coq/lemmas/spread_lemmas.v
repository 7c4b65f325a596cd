(** Scores of spread that grow without bound: by factors, and so by differences. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite spread.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** From one positive value of the score a neighbor reaches any multiple of it. *)
Lemma unbounded_twice (R : realFieldType) (score : seq R -> R) :
  (forall m, (2 <= m)%N -> exists2 v, 0 < v & forall bound, exists s s',
     [/\ neighbors m s s', score s = v & bound * v < score s']) ->
  (forall (m : nat) (bound : R), (2 <= m)%N ->
     exists s s', neighbors m s s' /\ bound < score s' - score s) /\
  log_unbounded score.
Proof.
move=> grows; split=> m bound /grows [v v0 far].
  have [s [s' [near E]]] := far ((bound + v) / v); rewrite divfK ?gt_eqF // => gap.
  by exists s, s'; split; rewrite // E ltr_subr_addr.
by have [s [s' [near E gap]]] := far bound; exists s, s'; rewrite E.
Qed.
