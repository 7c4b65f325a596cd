(** The utility that repairs EM-PC, and the query that repairs Priv-PC: sensitivity 1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset conditional.
From Provado.lemmas Require Import algebra.
From Provado.wang2020 Require Import thm3_conditional_kendall.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Margin.
Variables (R : realFieldType) (Z : finType) (m : nat).
Add Field R_field : (field_of R).

(** wang2020/empc-sensitivity, repaired: replacing one of m records moves the utility by at most 1,
    wherever 7K < 2m. *)
Theorem proved_margin_sensitivity (threshold : R) (D D' : dataset ((R * R) * Z) m) :
  (7 * #|Z| < 2 * m)%N -> replace_one D D' ->
  `|proved_margin threshold D - proved_margin threshold D'| <= 1.
Proof.
move=> many nb; have := conditional_tau_sensitivity many nb.
have d0 : 0 < 2%:R * m%:R - 7%:R * #|Z|%:R :> R by rewrite subr_gt0 -!natrM ltr_nat.
have u0 : 0 < 12%:R / (2%:R * m%:R - 7%:R * #|Z|%:R) :> R by rewrite divr_gt0 ?ltr0n.
move=> near; rewrite /proved_margin -mulrBl normrM normfV (gtr0_norm u0) ler_pdivr_mulr // mul1r.
have -> (t a b : R) : t - a - (t - b) = b - a by rring R.
by rewrite distrC (le_trans (ler_dist_dist _ _)).
Qed.

End Margin.
