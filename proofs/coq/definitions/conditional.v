(** Kendall's tau given other columns, stratum by stratum. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset kendall.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Conditional.
Variables (R : realFieldType) (Z : finType) (m : nat).
(** A record has two numbers and its values of the conditioning columns, together one of finitely
    many that are fixed beforehand. *)
Implicit Type D : dataset ((R * R) * Z) m.

(** The number of records in a stratum. *)
Definition stratum_size D (z : Z) : nat := \sum_(i < m) ((D i).2 == z).

(** Concordant less discordant pairs of a stratum; a tied pair counts 0. *)
Definition stratum_sum D (z : Z) : R :=
  \sum_(i < m) \sum_(j < m | (i < j)%N)
    (if ((D i).2 == z) && ((D j).2 == z) then tau_a_rule (D i).1 (D j).1 else 0).

(** Tau-a of a stratum; 0 where it has fewer than two records. *)
Definition stratum_tau D (z : Z) : R := stratum_sum D z / all_pairs R (stratum_size D z).

(** The inverse of the variance of tau under independence, for n records: 9n(n - 1)/(4n + 10). *)
Definition weight (n : nat) : R := (9 * (n * n.-1))%:R / (4 * n + 10)%:R.

(** Wang et al., Definition 6, after the released code: the average of tau over the strata with
    these weights; 0 where no stratum has two records. *)
Definition conditional_tau D : R :=
  (\sum_z weight (stratum_size D z) * stratum_tau D z) / (\sum_z weight (stratum_size D z)).

End Conditional.
