(** Spearman's rho from its definition. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Spearman.
Variable R : realFieldType.
Variable m : nat.
Implicit Types (x : 'I_m -> R) (D : dataset (R * R) m).

(** Record [j] stands before record [i] when the column is sorted; ties go by position. *)
Definition before x (j i : 'I_m) : bool := (x j < x i) || (x j == x i) && (j < i)%N.

(** The number of records before record [i]. *)
Definition place x (i : 'I_m) : nat := \sum_(j < m) before x j i.

(** Kusner et al., section 3.3: the rank of record [i], from 1. *)
Definition rank x (i : 'I_m) : nat := (place x i).+1.

(** The sum of the squares of d_i, the difference of record i's ranks. *)
Definition squared_differences D : R :=
  \sum_(i < m) ((rank (first D) i)%:R - (rank (second D) i)%:R) ^+ 2.

(** Spearman's rho without bars: 1 - 6 sum d^2 / (m (m^2 - 1)). *)
Definition spearman_signed D : R :=
  1 - 6%:R * squared_differences D / (m%:R * (m%:R ^+ 2 - 1)).

(** Kusner et al., section 3.3: |1 - 6 sum d^2 / (m (m^2 - 1))|. *)
Definition spearman D : R := `|spearman_signed D|.

End Spearman.
