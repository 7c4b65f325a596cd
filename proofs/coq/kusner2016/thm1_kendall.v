(** Kusner et al., Theorem 1, part 2: the sensitivity of Kendall's tau. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset kendall.
From Provado.lemmas Require Import algebra pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variable R : realFieldType.
Add Field R_field : (field_of R).

Lemma kendallE m (D : dataset (R * R) m) : kendall D = `|pair_score (@printed_rule R) D|.
Proof.
rewrite /kendall /pair_score normrM [X in _ = _ * X]ger0_norm; last first.
  by rewrite /all_pairs invr_ge0 mulr_ge0 ?invr_ge0 ?ler0n.
congr (`|_| / _); rewrite /concordant_pairs /discordant_pairs.
rewrite 2!natr_sum -sumrB; apply: eq_bigr => i _.
rewrite 2!natr_sum -sumrB; apply: eq_bigr => j _.
by rewrite /printed_rule; case: concordant; rewrite ?subr0 ?sub0r.
Qed.

(** kusner2016/thm1-kendall, for any rule by which a pair counts between -1 and 1. *)
Theorem pair_score_sensitivity (m : nat) (rule : R * R -> R * R -> R)
    (D D' : dataset (R * R) m) :
  (2 <= m)%N -> (forall r s, `|rule r s| <= 1) -> replace_one D D' ->
  `|pair_score rule D - pair_score rule D'| <= 4%:R / m%:R.
Proof.
case: m D D' => [|[|n]] // D D' _ bounded [k same].
rewrite /pair_score -mulrBl normrM [X in _ * X]ger0_norm; last first.
  by rewrite /all_pairs invr_ge0 mulr_ge0 ?invr_ge0 ?ler0n.
have -> : 4%:R / n.+2%:R = (2%:R * n.+1%:R) / all_pairs R n.+2.
  by rewrite /all_pairs /=; rfield R.
apply: ler_wpmul2r; first by rewrite /all_pairs invr_ge0 mulr_ge0 ?invr_ge0 ?ler0n.
apply: (pair_sum_move (k := k)) => // i j ik jk; by rewrite !same.
Qed.

Lemma printed_rule_bounded (r s : R * R) : `|printed_rule r s| <= 1.
Proof. by rewrite /printed_rule; case: concordant; rewrite ?normrN normr1. Qed.

(** kusner2016/thm1-kendall: replacing one of m >= 2 records moves |tau| by at most 4/m. *)
Theorem kendall_sensitivity (m : nat) (D D' : dataset (R * R) m) :
  (2 <= m)%N -> replace_one D D' -> `|kendall D - kendall D'| <= 4%:R / m%:R.
Proof.
move=> m2 nb; rewrite !kendallE (le_trans (ler_dist_dist _ _)) //.
exact: pair_score_sensitivity m2 printed_rule_bounded nb.
Qed.

(** kusner2016/thm1-kendall: the same of Kendall's tau-a, with the bars. *)
Theorem tau_a_sensitivity (m : nat) (D D' : dataset (R * R) m) :
  (2 <= m)%N -> replace_one D D' ->
  `|kendall_a D - kendall_a D'| <= 4%:R / m%:R.
Proof.
move=> m2 nb; rewrite /kendall_a (le_trans (ler_dist_dist _ _)) //.
apply: pair_score_sensitivity m2 _ nb => r s.
by rewrite normr_sg lern1; case: (_ == _).
Qed.

(** Neighbors whose scores differ by 4/m: in [agreeing] both columns order all records alike; in
    [turned] the last record has the largest first value and the smallest second one. *)
Definition agreeing m : dataset (R * R) m := fun i => (i%:R, i%:R).
Definition turned m : dataset (R * R) m :=
  fun i => if i.+1 == m then (m%:R, -1) else (i%:R, i%:R).

Lemma agreeing_sum m :
  \sum_(i < m) \sum_(j < m | (i < j)%N) printed_rule (agreeing i) (agreeing j) = all_pairs R m.
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
rewrite /all_pairs -pairs_twice natrM mulrC mulrA mulVf // mul1r natr_sum.
apply: eq_bigr => i _; rewrite natr_sum; apply: eq_bigr => j ij.
by rewrite /printed_rule /concordant /= !ltr_nat ij orbT.
Qed.

Lemma turned_sum n :
  \sum_(i < n.+1) \sum_(j < n.+1 | (i < j)%N) printed_rule (turned i) (turned j)
  = all_pairs R n.+1 - 2%:R * n%:R.
Proof.
have -> : n%:R = (n.+1.-1)%:R :> R by [].
rewrite -agreeing_sum -(pairs_with ord_max) natr_sum mulr_sumr -sumrB; apply: eq_bigr => i _.
rewrite natr_sum mulr_sumr -sumrB; apply: eq_bigr => j ij.
rewrite /printed_rule /concordant /turned /agreeing /= -!val_eqE /= !eqSS !ltr_nat ij orbT.
have /negPf -> : i != n :> nat by rewrite neq_ltn (leq_trans ij (ltnSE (ltn_ord j))).
case: (_ == _) => /=; last by rewrite mulr0 subr0 !ltr_nat ij orbT.
have /negPf -> : ~~ (n.+1%:R < i%:R :> R) by rewrite ltr_nat -leqNgt ltnW.
have /negPf -> : ~~ (i%:R < -1 :> R) by rewrite -leNgt (le_trans (lerN10 R)) ?ler0n.
by rewrite andbF /=; rring R.
Qed.

(** kusner2016/thm1-kendall: 4/m is reached for every m >= 4, so that no smaller bound holds. *)
Theorem kendall_sharp (m : nat) : (4 <= m)%N ->
  exists D D' : dataset (R * R) m,
    replace_one D D' /\ `|kendall D - kendall D'| = 4%:R / m%:R.
Proof.
case: m => [|[|[|[|n]]]] // _; exists (@agreeing _), (@turned _); split.
  exists ord_max => i; rewrite /agreeing /turned eqSS => /negPf ik.
  by rewrite -[i == _ :> nat]/(i == ord_max) ik.
rewrite !kendallE /pair_score agreeing_sum turned_sum.
set t := all_pairs R _; have t0 : 0 < t by rewrite /t /all_pairs divr_gt0 ?ltr0n.
have rest : 0 <= t - 2%:R * n.+3%:R.
  have -> : t - 2%:R * n.+3%:R = n%:R * n.+3%:R / 2%:R by rewrite /t /all_pairs /=; rfield R.
  by rewrite divr_ge0 ?mulr_ge0 ?ler0n.
rewrite divff ?gt_eqF // normr1 [`|_ / t|]ger0_norm; last by rewrite divr_ge0 // ltW.
rewrite mulrBl divff ?gt_eqF // opprB addrC subrK.
rewrite ger0_norm; last by rewrite divr_ge0 ?(ltW t0) // mulr_ge0 ?ler0n.
by rewrite /t /all_pairs /=; rfield R.
Qed.

End Bounds.

(** kusner2016/thm1-kendall: under the printed rule for ties, for tau-a, and for every rule by which
    a pair counts between -1 and 1; and where it is reached. *)
Theorem thm1_kendall : forall (R : realFieldType) (m : nat), (2 <= m)%N ->
  (forall D D' : dataset (R * R) m, replace_one D D' ->
   [/\ `|kendall D - kendall D'| <= 4%:R / m%:R, `|kendall_a D - kendall_a D'| <= 4%:R / m%:R
   & forall rule : R * R -> R * R -> R, (forall r s, `|rule r s| <= 1) ->
     `| `|pair_score rule D| - `|pair_score rule D'| | <= 4%:R / m%:R]) /\
  ((4 <= m)%N -> exists D D' : dataset (R * R) m,
   replace_one D D' /\ `|kendall D - kendall D'| = 4%:R / m%:R).
Proof.
move=> R m m2; split=> [D D' nb|]; last exact: kendall_sharp.
split; first exact: kendall_sensitivity.
  exact: tau_a_sensitivity.
move=> rule rule1; rewrite (le_trans (ler_dist_dist _ _)) //.
exact: pair_score_sensitivity m2 rule1 nb.
Qed.
