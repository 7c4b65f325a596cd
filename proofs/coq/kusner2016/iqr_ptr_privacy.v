(** Kusner et al., appendix, Algorithm 1, repaired: propose-test-release of a number. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release propose.
From Provado.lemmas Require Import algebra finite_lemmas laplace_lemmas laplace_mass.
From Provado.lemmas Require Import distance_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Numbers.

Variable R : realFieldType.
Add Field R_field : (field_of R).
Implicit Types a b t : R.

(** The chance that one of two tests passes grows as each does. *)
Lemma either_moved a b a' b' t : 1 <= t -> 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= a' <= 1 ->
  0 <= b' <= 1 -> a <= t * a' -> b <= t * b' ->
  1 - (1 - a) * (1 - b) <= t * (1 - (1 - a') * (1 - b')).
Proof.
move=> t1 /andP [a0 a1] /andP [b0 b1] /andP [a'0 a'1] /andP [b'0 b'1] aa bb.
have t0 : 0 <= t := le_trans ler01 t1.
have le1 : 1 - (1 - a) * (1 - b) <= 1.
  by rewrite ler_subl_addr ler_addl mulr_ge0 ?subr_ge0.
have whole : t * (1 - (1 - a') * (1 - b')) = t * a' + t * (b' * (1 - a')) by rring R.
have whole2 : t * (1 - (1 - a') * (1 - b')) = t * b' + t * (a' * (1 - b')) by rring R.
have p1 : 0 <= t * (b' * (1 - a')) by rewrite !mulr_ge0 ?subr_ge0.
have p2 : 0 <= t * (a' * (1 - b')) by rewrite !mulr_ge0 ?subr_ge0.
case: (leP 1 (t * a')) => [big|/ltW small].
  by apply: le_trans le1 _; apply: le_trans big _; rewrite whole ler_addl.
case: (leP 1 (t * b')) => [big|/ltW small'].
  by apply: le_trans le1 _; apply: le_trans big _; rewrite whole2 ler_addl.
apply: (@le_trans _ _ (1 - (1 - t * a') * (1 - t * b'))).
  by rewrite ler_add2l ler_opp2 ler_pmul ?subr_ge0 // ler_add2l ler_opp2.
rewrite -subr_ge0; have -> : t * (1 - (1 - a') * (1 - b')) - (1 - (1 - t * a') * (1 - t * b'))
    = t * (t - 1) * (a' * b') by rring R.
by rewrite !mulr_ge0 ?subr_ge0.
Qed.

Lemma rarely (delta : R) : 0 <= delta -> 1 - (1 - delta / 2%:R) * (1 - delta / 2%:R) <= delta.
Proof.
move=> d0; rewrite -subr_ge0.
have -> : delta - (1 - (1 - delta / 2%:R) * (1 - delta / 2%:R)) = (delta / 2%:R) ^+ 2 by rfield R.
exact: sqr_ge0.
Qed.

End Numbers.

Section Release.

Variables (R : realFieldType) (V C : eqType) (e : R -> R) (domains : seq (seq V)).
Variables (value : seq V -> R) (first second : seq V -> C) (eps level delta : R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps) (delta1 : 0 < delta < 1).
Hypothesis levelE : e (eps * (level - 1)) = delta^-1.
Hypothesis width : width_one domains value first second.
Variables (i : nat) (d : seq V) (v : V).
Hypotheses (lt_i : (i < size domains)%N) (dd : d \in datasets domains).
Hypothesis vi : v \in nth [::] domains i.
Notation d' := (replace d i v).
Notation passed interval x := (passes e eps level (to_leave domains interval x)).
Notation quiet x := (silent e eps level domains first second x).
Notation mass x := (noisy_mass e eps value x).
Notation t := (e eps).

Lemma t_ge1 : 1 <= t. Proof. by apply: exp_ge1 => //; exact: ltW. Qed.

(** Where a change leaves the interval, the distance is 1. *)
Lemma leaves_next (interval : seq V -> C) (x : seq V) j w : (j < size domains)%N ->
  x \in datasets domains -> w \in nth [::] domains j -> interval (replace x j w) != interval x ->
  to_leave domains interval x = Some 1%N.
Proof.
move=> lt_j xx wj neq; have yy := replace_in lt_j wj xx.
have [n E le1] := @nearest_le _ domains (fun y => interval y != interval x) x _ yy neq.
rewrite /to_leave E; congr Some; apply/eqP; rewrite eqn_leq.
rewrite (leq_trans le1 (hamming_replace w lt_j xx)) lt0n; apply/eqP => n0.
have [z [zz far h0]] := nearest_reached E.
case/negP: far; apply/eqP; congr interval; apply/esym/hamming0; last by rewrite -h0.
by rewrite (size_dataset zz) (size_dataset xx).
Qed.

Lemma to_leave_moved (interval : seq V -> C) :
  passed interval d <= t * passed interval d' /\
  1 - passed interval d <= t * (1 - passed interval d').
Proof.
case: (eqVneq (interval d') (interval d)) => [same|neq].
  by rewrite /to_leave same; exact: nearest_passes.
have [back ui] := replace_back v lt_i dd; have ee := replace_in lt_i vi dd.
rewrite (leaves_next lt_i dd vi neq) (@leaves_next interval d' i _ lt_i ee ui) -?back 1?eq_sym //.
exact: passes_moved.
Qed.

Lemma passed01 (interval : seq V -> C) x : 0 <= passed interval x <= 1.
Proof. exact: passes_bounds. Qed.

Lemma quiet01 x : 0 <= quiet x <= 1.
Proof.
have /andP [a0 a1] := passed01 first x; have /andP [b0 b1] := passed01 second x.
by rewrite /silent mulr_ge0 ?mulr_ile1 ?subr_ge0 // ler_subl_addr ler_addl.
Qed.

Lemma masses_bounds x from ivs : in_a_row from ivs ->
  0 <= sigma (mass x) ivs <= laplace_tail e eps^-1 (from - value x).
Proof.
elim: ivs from => [|[a b] ivs IH] from /=; first by rewrite lexx tail_ge0.
case/and3P => fa ab /IH /andP [s0 s1]; rewrite /noisy_mass /= addr_ge0 //=; last first.
  by rewrite subr_ge0; apply: tail_falls => //; rewrite ler_add2r.
apply: (@le_trans _ _ (laplace_tail e eps^-1 (a - value x))).
  by rewrite -addrA ger_addl addrC subr_le0.
by apply: tail_falls => //; rewrite ler_add2r.
Qed.

Lemma masses_moved from ivs : `|value d' - value d| <= 1 -> in_a_row from ivs ->
  sigma (mass d) ivs <= t * sigma (mass d') ivs.
Proof.
move=> near; elim: ivs from => [|[a b] ivs IH] from /=; first by rewrite mulr0.
case/and3P => _ ab /IH rest; rewrite mulrDr; apply: ler_add => //; rewrite /noisy_mass /=.
have le_ab c : a - c <= b - c by rewrite ler_add2r.
have := mass_moved ex eps0 (value d - value d') (le_ab (value d)).
have shift c : c - value d + (value d - value d') = c - value d' by rewrite addrA subrK.
rewrite !shift => /le_trans; apply; rewrite ler_wpmul2r //.
  by rewrite subr_ge0; apply: tail_falls.
by apply: exp_rises => //; rewrite ger_pmulr // distrC.
Qed.

Lemma private none from ivs : in_a_row from ivs ->
  propose_test_release e eps level domains value first second d none ivs <=
  t ^+ 2 * propose_test_release e eps level domains value first second d' none ivs + delta.
Proof.
move=> row; case/andP: delta1 => delta0 delta_1; rewrite /propose_test_release.
have t1 := t_ge1; have t0 : 0 <= t := le_trans ler01 t1.
have [a_moved na_moved] := to_leave_moved first.
have [b_moved nb_moved] := to_leave_moved second.
have /andP [q0 q1] := quiet01 d; have /andP [q'0 q'1] := quiet01 d'.
have /andP [m0 m1] := masses_bounds d row; have /andP [m'0 m'1] := masses_bounds d' row.
have top : sigma (mass d) ivs <= 1 by apply: le_trans m1 _; exact: tail_le1.
have none0 : 0 <= none%:R :> R by rewrite ler0n.
have quiet_moved : quiet d <= t ^+ 2 * quiet d'.
  have /andP [a0 a1] := passed01 first d; have /andP [b0 b1] := passed01 second d.
  by rewrite /silent expr2 mulrACA ler_pmul ?subr_ge0.
have tt : t <= t ^+ 2 by rewrite expr2 ler_pemull.
case: (boolP ((first d' == first d) || (second d' == second d))) => [|apart].
  move=> same; have near : `|value d' - value d| <= 1.
    by apply: width => //; case/orP: same => /eqP ->; [left|right].
  rewrite -[X in X <= _]addr0; apply: ler_add; last exact: ltW.
  rewrite (mulrDr (t ^+ 2)); apply: ler_add.
    by rewrite [X in _ <= X]mulrCA; apply: ler_wpmul2l.
  rewrite expr2 [X in _ <= X]mulrACA.
  apply: ler_pmul; rewrite ?subr_ge0 //; last exact: masses_moved row.
  by apply: either_moved; rewrite ?passed01.
case/norP: apart => neq1 neq2; have [back ui] := replace_back v lt_i dd.
have ee := replace_in lt_i vi dd.
have one (interval : seq V -> C) : interval d' != interval d ->
    passed interval d = delta / 2%:R /\ passed interval d' = delta / 2%:R.
  move=> neq; rewrite (leaves_next lt_i dd vi neq) (@leaves_next interval d' i _ lt_i ee ui) -?back
    1?eq_sym //.
  suff -> : passes e eps level (Some 1%N) = delta / 2%:R by [].
  rewrite /passes; have ge0 : 0 <= level - 1.
    rewrite leNgt; apply/negP => neg; have := exp_le1 ex (_ : eps * (level - 1) <= 0).
    rewrite pmulr_rle0 // levelE => /(_ (ltW neg)).
    by rewrite invf_le1 // leNgt delta_1.
  by rewrite tail_right // levelE invrK.
have [p1 p1'] := one _ neq1; have [p2 p2'] := one _ neq2.
have E : quiet d' = quiet d by rewrite /silent p1 p2 p1' p2'.
apply: ler_add; last first.
  apply: (@le_trans _ _ (1 - quiet d)); first by rewrite ler_pimulr ?subr_ge0.
  by rewrite /silent p1 p2; apply: rarely; exact: ltW.
rewrite E; apply: (@le_trans _ _ (t ^+ 2 * (none%:R * quiet d))).
  apply: ler_pemull; first by rewrite mulr_ge0.
  exact: le_trans t1 tt.
by rewrite ler_wpmul2l ?exprn_ge0 // ler_addl mulr_ge0 ?subr_ge0.
Qed.

End Release.

Theorem iqr_ptr_privacy : forall (R : realFieldType) (V C : eqType) (e : R -> R)
    (domains : seq (seq V)) (value : seq V -> R) (first second : seq V -> C)
    (eps level delta : R) (i : nat) (d : seq V) (v : V) (none : bool) (from : R)
    (ivs : seq (R * R)),
  exponential e -> 0 < eps -> 0 < delta < 1 -> e (eps * (level - 1)) = delta^-1 ->
  width_one domains value first second -> (i < size domains)%N -> d \in datasets domains ->
  v \in nth [::] domains i -> in_a_row from ivs ->
  propose_test_release e eps level domains value first second d none ivs <=
  e eps ^+ 2 * propose_test_release e eps level domains value first second (replace d i v) none
    ivs + delta.
Proof.
move=> R V C e domains value first second eps level delta i d v none from ivs.
by move=> ex eps0 delta1 levelE width lt_i dd vi; exact: private.
Qed.
