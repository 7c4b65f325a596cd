(** Bounds on half a move of HSIC: polynomial inequalities. *)


From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner hsic.
From Provado.lemmas Require Import algebra inner_lemmas hsic_inner hsic_move.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** How large half a move may be. *)
Section Numbers.
Variable R : realFieldType.
Add Field R_field' : (field_of R).

Ltac positive_sum := repeat first [done | exact: ler0n | exact: sqr_ge0
  | rewrite subr_ge0; done | apply: addr_ge0 | apply: mulr_ge0 | rewrite invr_ge0].

Lemma range_bound (s : R) : 0 <= s -> covariance_range s <= 5%:R / 2%:R.
Proof.
move=> s0; rewrite /covariance_range -subr_ge0.
have -> : 5%:R / 2%:R - ((1 - s) * (1 + s) ^+ 3 + (1 - s ^+ 2 / 2%:R) ^+ 2) =
  2%:R * (s * (s - 2%:R / 5%:R) ^+ 2) + 3%:R / 4%:R * (s ^+ 2 - 4%:R / 25%:R) ^+ 2
  + (71%:R / 25%:R * (s - 29%:R / 71%:R) ^+ 2 + 27%:R * 23%:R / (25%:R * (50%:R * 71%:R))) by
    rfield R.
by positive_sum.
Qed.

(** At least four records: from 5/m + 16/m^2. *)
Lemma half_move_general (m s : R) : 0 < m -> 0 <= s <= 1 ->
  half_move m s <= (5%:R / m + 16%:R / m ^+ 2) / 2%:R.
Proof.
move=> m0 /andP[s0 s1]; rewrite /half_move mulrDl; apply: ler_add.
  by rewrite mulrAC ler_wpmul2r ?invr_ge0 ?(ltW m0) // range_bound.
rewrite invfM mulrA [X in _ <= X]mulrAC ler_wpmul2r ?invr_ge0 ?exprn_ge0 ?(ltW m0) //.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n // (_ : 16%:R = 2%:R ^+ 4); last by rring R.
have s2 : 1 + s <= 2%:R by rewrite -[2%:R]/(1 + 1) ler_add2l.
apply: ler_expn2r s2; rewrite nnegrE ?ler0n //.
by rewrite addr_ge0 ?ler01.
Qed.

(** Two records. *)
Lemma half_move_two (s : R) : 0 <= s <= 1 -> half_move 2%:R s <= 13%:R / 6%:R.
Proof.
move=> /andP[s0 s1]; rewrite /half_move /covariance_range -subr_ge0.
have -> : 13%:R / 6%:R - (((1 - s) * (1 + s) ^+ 3 + (1 - s ^+ 2 / 2%:R) ^+ 2) / 2%:R
    + (1 + s) ^+ 4 / (2%:R * 2%:R ^+ 2)) =
  (s * (s - 9%:R / 10%:R) ^+ 2 + (s ^+ 2 - 81%:R / 100%:R) ^+ 2 / 2%:R
  + (211%:R / 100%:R * (s - 9%:R / 10%:R) ^+ 2 + (3%:R / 250%:R * (1 - s)
  + 7%:R * 293%:R / (6%:R * 100%:R * 100%:R)))) / 2%:R by rfield R.
by positive_sum.
Qed.

(** Three records. *)
Lemma half_move_three (s : R) : 0 <= s <= 1 -> half_move 3%:R s <= 25%:R / 16%:R.
Proof.
move=> /andP[s0 s1]; rewrite /half_move /covariance_range -subr_ge0.
have -> : 25%:R / 16%:R - (((1 - s) * (1 + s) ^+ 3 + (1 - s ^+ 2 / 2%:R) ^+ 2) / 3%:R
    + (1 + s) ^+ 4 / (2%:R * 3%:R ^+ 2)) =
  (8%:R / 9%:R * (s * (s - 4%:R / 5%:R) ^+ 2) + 64%:R / 45%:R * (s - 33%:R / 40%:R) ^+ 2
  + 121%:R * 53%:R / (90%:R * 100%:R) + 7%:R / 18%:R * (s ^+ 2) ^+ 2) / 2%:R by rfield R.
by positive_sum.
Qed.

(** The appendix's last line, for m >= 2. *)
Lemma half_move_bound (m : nat) (s : R) : (2 <= m)%N -> 0 <= s <= 1 ->
  half_move m%:R s <= (12%:R * m%:R - 11%:R) / (m%:R ^+ 2 - 1) / 2%:R.
Proof.
case: m => [|[|[|[|n]]]] // _ s01.
- by apply: le_trans (half_move_two s01) _; rewrite le_eqVlt; apply/orP; left; apply/eqP; rfield R.
- by apply: le_trans (half_move_three s01) _; rewrite le_eqVlt; apply/orP; left; apply/eqP;
  rfield R.
apply: le_trans (half_move_general _ s01) _; first by rewrite ltr0n.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n //; set a := n%:R : R.
have a0 : 0 <= a by rewrite ler0n.
have -> : n.+4%:R = a + 4%:R :> R by rewrite /a; rring R.
have x0 : a + 4%:R != 0 by rewrite gt_eqF // ltr_paddl ?ltr0n.
have y0 : a + 3%:R != 0 by rewrite gt_eqF // ltr_paddl ?ltr0n.
have z0 : a + 5%:R != 0 by rewrite gt_eqF // ltr_paddl ?ltr0n.
have -> : (a + 4%:R) ^+ 2 - 1 = (a + 3%:R) * (a + 5%:R) by rring R.
rewrite -subr_ge0.
have -> : (12%:R * (a + 4%:R) - 11%:R) / ((a + 3%:R) * (a + 5%:R))
    - (5%:R / (a + 4%:R) + 16%:R / (a + 4%:R) ^+ 2) =
  (7%:R * (a * (a * a)) + 57%:R * (a * a) + 125%:R * a + 52%:R)
  / ((a + 4%:R) ^+ 2 * ((a + 3%:R) * (a + 5%:R))).
  have -> : 7%:R * (a * (a * a)) + 57%:R * (a * a) + 125%:R * a + 52%:R =
    (12%:R * (a + 4%:R) - 11%:R) * (a + 4%:R) ^+ 2
    - (5%:R * (a + 4%:R) + 16%:R) * ((a + 3%:R) * (a + 5%:R)) by rring R.
  move: (12%:R * (a + 4%:R) - 11%:R) (a + 4%:R) (a + 3%:R) (a + 5%:R) x0 y0 z0 => p x y z x0 y0 z0.
  by rfield R.
by positive_sum; rewrite ?addr_ge0 ?ler0n.
Qed.
End Numbers.
