(** Wang et al., Theorem 1: sieve-and-examine is ε-differentially private. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release sieve.
From Provado.lemmas Require Import algebra finite_lemmas laplace_lemmas laplace_mass subsets.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mean.

Variables (R : realFieldType) (e : R -> R) (b : R) (I : (R -> R) -> R).
Hypotheses (ex : exponential e) (b0 : 0 < b) (mean : laplace_mean e b I).

Lemma step_mass_moved (s t : R) (x : R) cells h h' : 0 < t ->
  (forall z, h z <= t * h' (z + s)) -> steps_below h x cells ->
  steps_below h' (x + s) [seq (c.1 / t, c.2 + s) | c <- cells] /\
  step_mass e b x cells <=
  t * e (`|s| / b) * step_mass e b (x + s) [seq (c.1 / t, c.2 + s) | c <- cells].
Proof.
move=> t0 le_h; elim: cells x => [|[value y] cells IH] x /=; first by rewrite mulr0.
case=> v0 xy below /IH [rest mass]; split.
  split; [by rewrite divr_ge0 // ltW|by rewrite ler_add2r| |exact: rest].
  move=> z; rewrite -ltr_subr_addr => xz; rewrite -ler_subl_addr => zy.
  rewrite ler_pdivr_mulr // mulrC; apply: le_trans (below _ xz zy) _.
  by have := le_h (z - s); rewrite subrK.
rewrite mulrDr; apply: ler_add => //.
rewrite mulrACA [t * _]mulrC divfK ?lt0r_neq0 //.
rewrite ler_wpmul2l //.
have bi : 0 < b^-1 by rewrite invr_gt0.
by have := mass_moved ex bi s xy; rewrite invrK [b^-1 * _]mulrC.
Qed.

(** If h(z) <= t h'(z + s), the means differ by the factor t e^(|s|/b) at most. *)
Lemma mean_moved (h h' : R -> R) (s t : R) : 0 < t ->
  (forall z, 0 <= h z <= 1) -> (forall z, 0 <= h' z <= 1) ->
  (forall z, h z <= t * h' (z + s)) -> I h <= t * e (`|s| / b) * I h'.
Proof.
move=> t0 h01 h'01 le_h; have [_ least] := mean h01; have [bound _] := mean h'01.
apply: least => x cells below; have [below' mass] := step_mass_moved t0 le_h below.
apply: le_trans mass _; rewrite ler_wpmul2l ?bound //.
by rewrite mulr_ge0 // ltW // exp_pos.
Qed.

Lemma mean_ge0 (h : R -> R) : (forall z, 0 <= h z <= 1) -> 0 <= I h.
Proof. by move=> h01; have [bound _] := mean h01; exact: (bound 0 [::]). Qed.

End Mean.

Section Sieve.

Variables (R : realFieldType) (e : R -> R) (b : R).
Add Field R_field : (field_of R).
Hypotheses (ex : exponential e) (b0 : 0 < b).
Notation tail := (laplace_tail e b).
Notation missed := (all_missed e b).

Lemma tail01 x : 0 <= tail x <= 1.
Proof.
have bi : 0 < b^-1 by rewrite invr_gt0.
by have := tail_ge0 ex bi x; have := tail_le1 ex bi x; rewrite invrK => -> ->.
Qed.

Lemma tail_falls_b x y : x <= y -> tail y <= tail x.
Proof.
have bi : 0 < b^-1 by rewrite invr_gt0.
by move/(tail_falls ex bi); rewrite invrK.
Qed.

Lemma tail_shift_b x s : 0 <= s -> tail x <= e (s / b) * tail (x + s).
Proof.
have bi : 0 < b^-1 by rewrite invr_gt0.
by move=> s0; have := tail_shift ex bi (x + s) s0; rewrite invrK addrK [b^-1 * _]mulrC.
Qed.

Lemma missed01 level answers : 0 <= missed level answers <= 1.
Proof.
elim: answers => [|a answers /andP [m0 m1]]; first by rewrite /= ler01 lexx.
have /andP [t0 t1] := tail01 (level - a).
rewrite /missed /= mulr_ge0 ?subr_ge0 //= mulr_ile1 ?subr_ge0 //.
by rewrite ler_subl_addr ler_addl.
Qed.

Lemma first_passed01 level answers k : 0 <= first_passed e b level answers k <= 1.
Proof.
case: k => [k|] /=; last exact: missed01.
have /andP [m0 m1] := missed01 level (take k answers).
have /andP [t0 t1] := tail01 (level - nth 0 answers k).
by rewrite mulr_ge0 // mulr_ile1.
Qed.

(** Levels that are at most c apart. *)
Lemma tail_close x y c : `|x - y| <= c -> tail x <= e (c / b) * tail y.
Proof.
move=> xy; have /andP [t0 _] := tail01 y; have c0 := le_trans (normr_ge0 _) xy.
have g1 : 1 <= e (c / b) by apply: exp_ge1 => //; rewrite divr_ge0 // ltW.
case: (leP x y) => [le_xy|lt_yx]; last first.
  by apply: le_trans (tail_falls_b (ltW lt_yx)) _; rewrite ler_pemull.
have s0 : 0 <= y - x by rewrite subr_ge0.
have := tail_shift_b x s0; have -> : x + (y - x) = y by rewrite addrC subrK.
move/le_trans; apply; rewrite ler_wpmul2r //; apply: exp_rises => //.
rewrite ler_wpmul2r ?invr_ge0 ?(ltW b0) //; apply: le_trans xy.
by rewrite distrC ger0_norm.
Qed.

Lemma tail_mirrored_b x : 1 - tail x = tail (- x).
Proof.
have bi : 0 < b^-1 by rewrite invr_gt0.
by have := tail_mirrored b^-1 ex x; rewrite invrK.
Qed.

Variables (change : R) (answers answers' : seq R).
Hypotheses (change0 : 0 <= change) (same_size : size answers = size answers').
Hypothesis near : forall k, `|nth 0 answers k - nth 0 answers' k| <= change.

Lemma missed_moved level n :
  missed level (take n answers) <= missed (level + change) (take n answers').
Proof.
elim: answers answers' same_size near n => [|a s IH] [|a' s'] //= [ss] close [|n] //=.
have /andP [m0 _] := missed01 level (take n s).
have /andP [_ t1] := tail01 (level - a).
rewrite /missed /= ler_pmul ?subr_ge0 //; last by apply: IH => // k; exact: (close k.+1).
rewrite ler_add2l ler_opp2; apply: tail_falls_b.
have := close 0%N; rewrite /= ler_norml => /andP [low _].
rewrite -addrA ler_add2l ler_subr_addr addrC.
by move: low; rewrite ler_oppl opprB.
Qed.

Lemma first_passed_moved level k : first_passed e b level answers k <=
  e (2%:R * change / b) * first_passed e b (level + change) answers' k.
Proof.
have two0 : 0 <= 2%:R * change by rewrite mulr_ge0 ?ler0n.
have g1 : 1 <= e (2%:R * change / b) by apply: exp_ge1 => //; rewrite divr_ge0 // ltW.
case: k => [k|] /=; last first.
  have := missed_moved level (size answers); rewrite take_size same_size take_size => /le_trans.
  by apply; rewrite ler_pemull //; case/andP: (missed01 (level + change) answers').
rewrite mulrCA; have /andP [m0 _] := missed01 level (take k answers).
have /andP [t0 _] := tail01 (level - nth 0 answers k).
apply: ler_pmul => //; first exact: missed_moved.
set x := level - nth 0 answers k; set x' := level + change - nth 0 answers' k.
have := near k; rewrite ler_norml => /andP [low high].
have xx : x' - x = change + (nth 0 answers k - nth 0 answers' k).
  by rewrite /x /x'; rring R.
have s0 : 0 <= x' - x by rewrite xx -ler_subl_addl sub0r.
have := tail_shift_b x s0; have -> : x + (x' - x) = x' by rewrite addrC subrK.
move/le_trans; apply.
have /andP [t'0 _] := tail01 x'.
rewrite ler_wpmul2r //; apply: exp_rises => //; rewrite ler_wpmul2r ?invr_ge0 ?(ltW b0) //.
by rewrite xx mulr_natl mulr2n ler_add2l.
Qed.

End Sieve.

Section Algorithm.

Variables (R : realFieldType) (T : eqType) (e : R -> R) (I : (R -> R) -> R).
Variables (eps eps' change threshold lowered : R) (queries : seq (seq T -> R)) (m : nat).
Variables (d : seq T) (i : nat) (v : T).
Add Field R_field2 : (field_of R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps) (eps'0 : 0 < eps') (change0 : 0 < change).
Hypotheses (m_d : (0 < m <= size d)%N) (lt_i : (i < size d)%N).
Hypothesis epsE : e eps' = (size d)%:R / m%:R * (e (eps / 2%:R) - 1) + 1.
Hypothesis mean : laplace_mean e (2%:R * change / eps') I.
Hypothesis moves : forall j n, n \in [:: m; size d] ->
  moves_at_most change (nth (fun=> 0) queries j) n.
Notation b1 := (2%:R * change / eps').
Notation b2 := (4%:R * change / eps').
Notation b3 := (2%:R * change / eps).
Notation d' := (replace d i v).
Notation sieve := (sieve e I b2 threshold lowered queries).
Notation on_subset := (sieve_on_subset e I b2 threshold lowered queries m).
Notation examined := (examined e b3 threshold queries).

Lemma b1_pos : 0 < b1. Proof. by rewrite divr_gt0 ?mulr_gt0 ?ltr0n. Qed.
Lemma b2_pos : 0 < b2. Proof. by rewrite divr_gt0 ?mulr_gt0 ?ltr0n. Qed.
Lemma b3_pos : 0 < b3. Proof. by rewrite divr_gt0 ?mulr_gt0 ?ltr0n. Qed.

Lemma answers_nth (c : seq T) k : nth 0 (answers_on queries c) k = nth (fun=> 0) queries k c.
Proof. by rewrite /answers_on; elim: queries k => [|f s IH] [|k] //=. Qed.

Lemma sieve_symmetric k : symmetric (fun c => sieve c k).
Proof.
move=> c c' cc; rewrite /sieve; have -> // : answers_on queries c = answers_on queries c'.
apply: (@eq_from_nth _ 0) => [|j _]; first by rewrite !size_map.
by rewrite !answers_nth; case: (moves j (mem_head m _)) => sym _; exact: sym.
Qed.

Lemma sieve_ge0 c k : 0 <= sieve c k.
Proof. by apply: (mean_ge0 mean) => z; apply: first_passed01 => //; exact: b2_pos. Qed.

Lemma sieve_moved c u w k : (size c).+1 = m -> sieve (u :: c) k <= e eps' * sieve (w :: c) k.
Proof.
move=> sc; have in01 := first_passed01 ex b2_pos.
have half_ : 2%:R * change / b2 = eps' / 2%:R.
  by rfield R; repeat split; rewrite ?lt0r_neq0.
have half__ : `|change| / b1 = eps' / 2%:R.
  by rewrite gtr0_norm //; rfield R; repeat split; rewrite ?lt0r_neq0.
have -> : e eps' = e (2%:R * change / b2) * e (`|change| / b1).
  by rewrite half_ half__ -(expD ex); congr e; rfield R.
apply: (mean_moved ex b1_pos mean); [exact: exp_pos|by move=> z|by move=> z|move=> z].
rewrite [_ + (z + _)]addrA; apply: first_passed_moved; rewrite ?b2_pos ?(ltW change0) //.
  by rewrite !size_map.
move=> j; rewrite !answers_nth; case: (moves j (mem_head m _)) => _; exact.
Qed.

Lemma on_subset_ge0 c k : 0 <= on_subset c k.
Proof.
by rewrite /sieve_on_subset divr_ge0 ?ler0n //; apply: sigma_all_ge0 => x; exact: sieve_ge0.
Qed.

Lemma on_subset_moved k : on_subset d k <= e (eps / 2%:R) * on_subset d' k.
Proof.
have t1 : 1 <= e eps' by apply: exp_ge1 => //; exact: ltW.
have -> : e (eps / 2%:R) = 1 + m%:R / (size d)%:R * (e eps' - 1).
  case/andP: m_d => m0 le_md; rewrite epsE.
  have m1 : 0 < m%:R :> R by rewrite ltr0n.
  have n1 : 0 < (size d)%:R :> R by rewrite ltr0n (leq_trans m0).
  by move: (size d)%:R (m%:R) m1 n1 => n' m' m1 n1; rfield R; exact: lt0r_neq0.
by apply: amplified => //; [exact: sieve_symmetric | move=> c u w sc; exact: sieve_moved].
Qed.

Lemma answers_move j :
  `|nth 0 (answers_on queries d) j - nth 0 (answers_on queries d') j| <= change.
Proof.
rewrite !answers_nth; have [|sym move_] := @moves j (size d); first by rewrite !inE eqxx orbT.
have [u E] : exists u, d = take i d ++ u :: drop i.+1 d.
  case: (d) lt_i => // w s lt; exists (nth w (w :: s) i).
  by rewrite -drop_nth // cat_take_drop.
pose r := take i d ++ drop i.+1 d.
have perm w : perm_eq (take i d ++ w :: drop i.+1 d) (w :: r).
  by apply/permP => P; rewrite /r /= !count_cat /= addnCA.
have -> : nth (fun=> 0) queries j d = nth (fun=> 0) queries j (u :: r).
  by rewrite {1}E; apply: sym; exact: perm.
have -> : nth (fun=> 0) queries j d' = nth (fun=> 0) queries j (v :: r) by apply: sym; exact: perm.
by apply: move_; rewrite [in RHS]E (perm_size (perm u)).
Qed.

Lemma examined01 c k : 0 <= examined c k <= 1.
Proof. exact: tail01 ex b3_pos _. Qed.

Lemma examined_moved k : examined d k <= e (eps / 2%:R) * examined d' k /\
  1 - examined d k <= e (eps / 2%:R) * (1 - examined d' k).
Proof.
have -> : eps / 2%:R = change / b3 by rfield R; repeat split; rewrite ?lt0r_neq0.
have near := answers_move k; rewrite /examined.
set x := nth 0 _ k in near *; set y := nth 0 _ k in near *.
have apart : threshold - x - (threshold - y) = y - x by rring R.
split; first by apply: tail_close; rewrite ?b3_pos // apart distrC.
rewrite !(tail_mirrored_b ex b3_pos); apply: tail_close; rewrite ?b3_pos //.
by rewrite -opprD normrN -[- (threshold - y)]opprK opprK apart distrC.
Qed.

Lemma private k : sieve_and_examine e I b2 b3 threshold lowered queries m d k <=
  e eps * sieve_and_examine e I b2 b3 threshold lowered queries m d' k.
Proof.
have whole : e eps = e (eps / 2%:R) * e (eps / 2%:R).
  by rewrite -(expD ex); congr e; rfield R.
have t0 : 0 <= e (eps / 2%:R) by rewrite ltW // exp_pos.
have t1 : 1 <= e (eps / 2%:R) by apply: exp_ge1 => //; rewrite divr_ge0 ?ler0n // ltW.
have both j (r r' : R) : 0 <= r -> r <= e (eps / 2%:R) * r' ->
    on_subset d (Some j) * r <= e eps * (on_subset d' (Some j) * r').
  move=> r0 rr; rewrite whole mulrACA; apply: ler_pmul => //; first exact: on_subset_ge0.
  exact: on_subset_moved.
case: k => [k|] /=.
  have [move_ _] := examined_moved k; apply: both => //.
  by case/andP: (examined01 d k).
rewrite mulrDr; apply: ler_add.
  apply: le_trans (on_subset_moved None) _; rewrite whole -(mulrA (e _)).
  by apply: ler_pemull => //; apply: mulr_ge0 => //; exact: on_subset_ge0.
rewrite -sigmaM; apply: ler_sigma_all => j; have [_ move_] := examined_moved j.
by apply: both => //; rewrite subr_ge0; case/andP: (examined01 d j).
Qed.

End Algorithm.

Theorem thm1_algorithm1 : forall (R : realFieldType) (T : eqType) (e : R -> R)
    (I : (R -> R) -> R) (eps eps' change threshold lowered : R) (queries : seq (seq T -> R))
    (m : nat) (d : seq T) (i : nat) (v : T) (k : option nat),
  exponential e -> 0 < eps -> 0 < eps' -> 0 < change ->
  (0 < m <= size d)%N -> (i < size d)%N ->
  e eps' = (size d)%:R / m%:R * (e (eps / 2%:R) - 1) + 1 ->
  laplace_mean e (2%:R * change / eps') I ->
  (forall j n, n \in [:: m; size d] -> moves_at_most change (nth (fun=> 0) queries j) n) ->
  sieve_and_examine e I (4%:R * change / eps') (2%:R * change / eps) threshold lowered queries m
    d k <=
  e eps * sieve_and_examine e I (4%:R * change / eps') (2%:R * change / eps) threshold lowered
    queries m (replace d i v) k.
Proof.
move=> R T e I eps eps' change threshold lowered queries m d i v k.
by move=> ex eps0 eps'0 change0 m_d lt_i epsE mean moves; exact: private.
Qed.
