(** Wang et al., Theorem 3, repaired: the sensitivity of conditional Kendall's tau. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset kendall conditional.
From Provado.lemmas Require Import algebra strata.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : realFieldType) (Z : finType) (m : nat).
Add Field R_field : (field_of R).
Implicit Type D : dataset ((R * R) * Z) m.

Definition member D (z : Z) (i : 'I_m) : bool := (D i).2 == z.
Definition rule D (i j : 'I_m) : R := tau_a_rule (D i).1 (D j).1.

Lemma rule_bounded D i j : `|rule D i j| <= 1.
Proof. by rewrite /rule /tau_a_rule normr_sg lern1; case: (_ == _). Qed.

Lemma stratum_sumE D z : stratum_sum D z = set_sum (member D z) (rule D).
Proof. by []. Qed.

(** The weight times tau of a stratum. *)
Definition term D z : R := 9%:R * stratum_sum D z / (2%:R * (stratum_size D z)%:R + 5%:R).

Lemma stratum_sum_bound D z (n := stratum_size D z) :
  `|stratum_sum D z| <= (n * n.-1)%:R / 2%:R.
Proof. exact: (set_sum_bound (member D z) (rule_bounded D)). Qed.

Lemma termE D z : weight R (stratum_size D z) * stratum_tau D z = term D z.
Proof.
have := stratum_sum_bound D z.
rewrite weightE /stratum_tau /term /all_pairs; move: (stratum_sum D z) (stratum_size D z) => s n.
have [d0 _] := denominators R n.
case: n d0 => [|[|n]] d0 bound.
- by move: bound; rewrite mul0r normr_le0 => /eqP ->; rewrite !(mul0r, mulr0).
- by move: bound; rewrite mul0r normr_le0 => /eqP ->; rewrite !(mul0r, mulr0).
rewrite natrM /=; have -> : n.+2%:R - 1 = n.+1%:R :> R by rring R.
have a0 : n.+2%:R != 0 :> R by rewrite pnatr_eq0.
have b0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
move: (_ + 5%:R) (lt0r_neq0 d0) => d d0'; move: n.+2%:R n.+1%:R a0 b0 => a b a0 b0.
by rfield R.
Qed.

Lemma term_weight D z : `|term D z| <= weight R (stratum_size D z).
Proof.
have := stratum_sum_bound D z; rewrite /term weightE.
move: (stratum_sum D z) (stratum_size D z) => s n bound.
have [d0 _] := denominators R n; rewrite !normrM normfV.
rewrite [`|9%:R|]gtr0_norm ?ltr0n // [`|2%:R * _ + _|]gtr0_norm //.
have -> : 9%:R * (n%:R * (n%:R - 1)) / (2%:R * (2%:R * n%:R + 5%:R)) =
    9%:R * ((n * n.-1)%:R / 2%:R) / (2%:R * n%:R + 5%:R) :> R.
  have -> : n%:R * (n%:R - 1) = (n * n.-1)%:R :> R by case: (n) => [|a] /=; rring R.
  move: (_ + 5%:R) (lt0r_neq0 d0) => d d0'; move: (n * n.-1)%N => a.
  by rfield R.
by rewrite ler_wpmul2r ?invr_ge0 ?(ltW d0) // ler_wpmul2l ?ler0n.
Qed.

Lemma weight_least (n : nat) : 9%:R / 4%:R * (n%:R - 7%:R / 2%:R) <= weight R n :> R.
Proof.
have [d0 _] := denominators R n.
rewrite weightE ler_pdivl_mulr ?mulr_gt0 ?ltr0n // -subr_ge0.
set a := n%:R; have -> : 9%:R * (a * (a - 1)) - 9%:R / 4%:R * (a - 7%:R / 2%:R) *
  (2%:R * (2%:R * a + 5%:R)) = 315%:R / 4%:R by rfield R.
by rewrite divr_ge0 ?ler0n.
Qed.

Section Neighbors.
Variables (D D' : dataset ((R * R) * Z) m) (k : 'I_m).
Hypothesis same : forall i, i != k -> D i = D' i.

Let others z : nat := \sum_(i < m | i != k) member D z i.
Let rest z : R := set_sum (without k (member D z)) (rule D).

Lemma size_split E z : (forall i, i != k -> D i = E i) ->
  stratum_size E z = (member E z k + others z)%N.
Proof.
move=> sameE; rewrite /stratum_size (bigD1 k) //=; congr (_ + _)%N.
by apply: eq_bigr => i ik; rewrite /member sameE.
Qed.

Lemma sum_split E z : (forall i, i != k -> D i = E i) ->
  `|stratum_sum E z - rest z| <= (member E z k * others z)%:R.
Proof.
move=> sameE; have := set_sum_without k (member E z) (rule_bounded E).
have -> : set_sum (without k (member E z)) (rule E) = rest z.
  apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite /without /member /rule.
  have [->|ik] := eqVneq i k; first by rewrite !andbF.
  have [->|jk] := eqVneq j k; first by rewrite !andbF.
  by rewrite !sameE.
suff -> : (\sum_(i < m | i != k) member E z i = others z)%N by [].
by apply: eq_bigr => i ik; rewrite /member sameE.
Qed.

Lemma rest_bound z : `|rest z| <= (others z * (others z).-1)%:R / 2%:R.
Proof. by have := set_sum_bound (without k (member D z)) (rule_bounded D); rewrite without_size.
  Qed.

(** A record that leaves or enters stratum [z]. *)
Lemma term_changes E F z : (forall i, i != k -> D i = E i) -> (forall i, i != k -> D i = F i) ->
  member E z k -> ~~ member F z k -> `|term E z - term F z| <= term_move (others z)%:R.
Proof.
move=> sE sF ez fz; have := sum_split z sE; have := sum_split z sF.
rewrite /term (size_split z sE) (size_split z sF) ez (negPf fz) mul0n mul1n add0n add1n.
rewrite normr_le0 subr_eq0 => /eqP -> near.
have -> : 2%:R * (others z).+1%:R + 5%:R = 2%:R * (others z)%:R + 7%:R :> R by rring R.
by have := term_leaves (rest_bound z) near; rewrite [rest z + _]addrC subrK.
Qed.

(** A record that stays in stratum [z]. *)
Lemma term_stays z : member D z k -> member D' z k -> `|term D' z - term D z| <= 9%:R.
Proof.
move=> ez fz; have := sum_split z same; have := sum_split z (fun _ _ => erefl).
rewrite /term (size_split z same) (size_split z (fun _ _ => erefl)) ez fz mul1n add1n.
set s := stratum_sum D z; set s' := stratum_sum D' z; set a := others z => near near'.
have [_ d0] := denominators R a.
have dE : 2%:R * a.+1%:R + 5%:R = 2%:R * a%:R + 7%:R :> R by rring R.
rewrite dE -mulrBl -mulrBr normrM [X in _ * X]gtr0_norm ?invr_gt0 //.
rewrite ler_pdivr_mulr // normrM gtr0_norm ?ltr0n // ler_pmul2l ?ltr0n //.
have -> : s' - s = (s' - rest z) - (s - rest z) by rring R.
rewrite (le_trans (ler_norm_sub _ _)) // (le_trans (ler_add near' near)) //.
by rewrite -subr_ge0 (_ : _ - _ = 7%:R) ?ler0n //; rring R.
Qed.

Lemma term_elsewhere z : ~~ member D z k -> ~~ member D' z k ->
  term D' z = term D z /\ stratum_size D' z = stratum_size D z.
Proof.
move=> ez fz; have := sum_split z same; have := sum_split z (fun _ _ => erefl).
rewrite /term (size_split z same) (size_split z (fun _ _ => erefl)) (negPf ez) (negPf fz) mul0n.
by rewrite !normr_le0 !subr_eq0 => /eqP -> /eqP ->.
Qed.

(** What the sum of terms moves by, with the weights counted by a number in [-1, 1]. *)
Lemma numerator_move (t : R) : `|t| <= 1 ->
  `|\sum_z term D' z - \sum_z term D z
    - t * (\sum_z weight R (stratum_size D' z) - \sum_z weight R (stratum_size D z))|
  <= 27%:R / 2%:R.
Proof.
move=> t1; set a := (D k).2; set b := (D' k).2.
rewrite -!sumrB mulr_sumr -sumrB.
have [ab|ab] := eqVneq a b.
  rewrite (bigD1 a) //= big1 ?addr0; last first.
    move=> z za; have ez : ~~ member D z k by rewrite /member eq_sym.
    have fz : ~~ member D' z k by rewrite /member -/b -ab eq_sym.
    by have [-> ->] := term_elsewhere ez fz; rewrite !subrr mulr0 subrr.
  have ea : member D a k by rewrite /member.
  have fa : member D' a k by rewrite /member -/b -ab.
  rewrite (size_split a same) (size_split a (fun _ _ => erefl)) ea fa subrr mulr0 subr0.
  apply: le_trans (term_stays ea fa) _.
  by rewrite ler_pdivl_mulr ?ltr0n // -natrM ler_nat.
have ea : member D a k by rewrite /member.
have fa : ~~ member D' a k by rewrite /member eq_sym.
have eb : ~~ member D b k by rewrite /member.
have fb : member D' b k by rewrite /member.
rewrite (bigD1 a) //= (bigD1 b) 1?eq_sym //= big1 ?addr0; last first.
  move=> z /andP[za zb]; have ez : ~~ member D z k by rewrite /member eq_sym.
  have fz : ~~ member D' z k by rewrite /member eq_sym.
  by have [-> ->] := term_elsewhere ez fz; rewrite !subrr mulr0 subrr.
rewrite !(size_split _ same) !(size_split _ (fun _ _ => erefl)) ea fb (negPf fa) (negPf eb).
rewrite !add0n !add1n -[weight R (others a) - _]opprB !weight_next.
have := term_changes (fun _ _ => erefl) same ea fa.
have := term_changes same (fun _ _ => erefl) fb eb.
have [ha0 ha1 ha2] := moves_bounded R (others a).
have [hb0 hb1 hb2] := moves_bounded R (others b).
move: (term_move (others a)%:R) (weight_move (others a)%:R) ha0 ha1 ha2 => ga ha ha0 ha1 ha2.
move: (term_move (others b)%:R) (weight_move (others b)%:R) hb0 hb1 hb2 => gb hb hb0 hb1 hb2.
move: (term D a) (term D' a) (term D b) (term D' b) => p p' q q' qs ps.
have -> : p' - p - t * - ha + (q' - q - t * hb) = (p' - p) + (q' - q) + t * (ha - hb) by rring R.
apply: le_trans (ler_norm_add _ _) _.
have pq : `|p' - p + (q' - q)| <= ga + gb.
  by rewrite (le_trans (ler_norm_add _ _)) // ler_add // distrC.
have th : `|t * (ha - hb)| <= `|ha - hb| by rewrite normrM ler_pimull.
apply: le_trans (ler_add pq th) _.
rewrite (_ : 27%:R / 2%:R = 9%:R + 9%:R / 2%:R); last by rfield R.
have [hab|hab] := leP ha hb.
  rewrite distrC ger0_norm ?subr_ge0 // (_ : ga + gb + (hb - ha) = (gb + hb) + (ga - ha)); last
    by rring R.
  exact: ler_add.
rewrite gtr0_norm ?subr_gt0 // (_ : ga + gb + (ha - hb) = (ga + ha) + (gb - hb)); last by rring R.
exact: ler_add.
Qed.

End Neighbors.
Lemma sizes D : (\sum_z stratum_size D z = m)%N.
Proof.
rewrite exchange_big /= -[RHS]card_ord -sum1_card; apply: eq_bigr => i _.
by rewrite (bigD1 (D i).2) //= eqxx big1 // => z; rewrite eq_sym => /negPf ->.
Qed.

(** The weights add up to at least 9/4 (m - 7K/2), for K strata. *)
Lemma weights_least D :
  9%:R / 4%:R * (m%:R - 7%:R * #|Z|%:R / 2%:R) <= \sum_z weight R (stratum_size D z).
Proof.
have -> : 7%:R * #|Z|%:R / 2%:R = 7%:R / 2%:R *+ #|Z| :> R by rewrite -[RHS]mulr_natr mulrAC.
apply: le_trans (ler_sum _ (fun z _ => weight_least (stratum_size D z))).
by rewrite -mulr_sumr sumrB -natr_sum sizes sumr_const.
Qed.

(** wang2020/thm3-conditional-kendall, repaired: over K strata that are fixed beforehand, replacing
    one of m records moves the average by at most 12/(2m - 7K), wherever 7K < 2m. *)
Theorem conditional_tau_sensitivity D D' :
  (7 * #|Z| < 2 * m)%N -> replace_one D D' ->
  `|conditional_tau D - conditional_tau D'| <= 12%:R / (2%:R * m%:R - 7%:R * #|Z|%:R).
Proof.
move=> many [k same]; rewrite /conditional_tau distrC.
under eq_bigr => z _ do rewrite termE.
under [X in _ - X / _]eq_bigr => z _ do rewrite termE.
have d0 : 0 < 2%:R * m%:R - 7%:R * #|Z|%:R :> R by rewrite subr_gt0 -!natrM ltr_nat.
have wE : 9%:R / 4%:R * (m%:R - 7%:R * #|Z|%:R / 2%:R)
  = 9%:R / 8%:R * (2%:R * m%:R - 7%:R * #|Z|%:R) :> R by rfield R.
have w0 (E : dataset ((R * R) * Z) m) : 0 < \sum_z weight R (stratum_size E z).
  by apply: lt_le_trans _ (weights_least E); rewrite wE mulr_gt0 // divr_gt0 ?ltr0n.
set s := \sum_z term D z; set s' := \sum_z term D' z.
have sw : `|s| <= \sum_z weight R (stratum_size D z).
  by apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => z _; exact: term_weight.
have := numerator_move same (t := s / \sum_z weight R (stratum_size D z)).
have := weights_least D'; rewrite wE -/s -/s'; move: (w0 D) (w0 D') sw.
move: (\sum_z weight _ (stratum_size D z)) (\sum_z weight _ (stratum_size D' z)) => w w'.
move=> pos pos' sw least; rewrite normrM normfV (gtr0_norm pos) ler_pdivr_mulr // mul1r.
move=> /(_ sw); rewrite mulrBr divfK ?lt0r_neq0 //.
have -> : s' - s - (s / w * w' - s) = s' - s / w * w' by rring R.
have -> : s' / w' - s / w = (s' - s / w * w') / w'.
  by rewrite mulrBl mulfK ?lt0r_neq0.
move=> move_; rewrite normrM normfV (gtr0_norm pos') ler_pdivr_mulr // (le_trans move_) //.
rewrite (_ : 27%:R / 2%:R = 12%:R / (2%:R * m%:R - 7%:R * #|Z|%:R)
  * (9%:R / 8%:R * (2%:R * m%:R - 7%:R * #|Z|%:R))); last first.
  by move: (2%:R * m%:R - _) (lt0r_neq0 d0) => d d0'; rfield R.
by rewrite ler_wpmul2l // divr_ge0 ?ler0n // ltW.
Qed.

End Bounds.

Theorem thm3_conditional_kendall : forall (R : realFieldType) (Z : finType) (m : nat)
    (D D' : dataset ((R * R) * Z) m),
  (7 * #|Z| < 2 * m)%N -> replace_one D D' ->
  `|conditional_tau D - conditional_tau D'| <= 12%:R / (2%:R * m%:R - 7%:R * #|Z|%:R).
Proof. by move=> R Z m D D'; exact: conditional_tau_sensitivity. Qed.
