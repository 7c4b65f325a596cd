(** Kendall's tau from its definition. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Kendall.
Variable R : realFieldType.
Variable m : nat.
Implicit Type D : dataset (R * R) m.

(** Kusner et al., section 3.3: a pair is concordant if both columns order it alike.
    The paper's "a_i > a_j and b_i > b_j" is read for unordered pairs. *)
Definition concordant (r s : R * R) : bool :=
  (r.1 > s.1) && (r.2 > s.2) || (r.1 < s.1) && (r.2 < s.2).

(** The number of concordant pairs of records. *)
Definition concordant_pairs D : nat :=
  \sum_(i < m) \sum_(j < m | (i < j)%N) concordant (D i) (D j).

(** Kusner et al., section 3.3: all other pairs are discordant, those with ties too. *)
Definition discordant_pairs D : nat :=
  \sum_(i < m) \sum_(j < m | (i < j)%N) ~~ concordant (D i) (D j).

(** The number of pairs of records, m(m - 1)/2. *)
Definition all_pairs : R := (m * m.-1)%:R / 2%:R.

(** Kusner et al., section 3.3: |C - D| over m(m - 1)/2. *)
Definition kendall D : R :=
  `|(concordant_pairs D)%:R - (discordant_pairs D)%:R| / all_pairs.

(** Any score that counts each pair of records by [rule], over the number of pairs; without bars.
    Kendall's tau-a counts a pair by [tau_a_rule]. *)
Definition pair_score (rule : R * R -> R * R -> R) D : R :=
  (\sum_(i < m) \sum_(j < m | (i < j)%N) rule (D i) (D j)) / all_pairs.

(** Kendall (1945), tau-a: 1 for a concordant pair, -1 for a discordant one, 0 for a tied one. *)
Definition tau_a_rule (r s : R * R) : R := Num.sg ((r.1 - s.1) * (r.2 - s.2)).

(** |tau-a|. *)
Definition kendall_a D : R := `|pair_score tau_a_rule D|.

(** The printed rule: 1 for a concordant pair, -1 for any other. *)
Definition printed_rule (r s : R * R) : R := if concordant r s then 1 else -1.

End Kendall.
