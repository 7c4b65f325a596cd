(** Models in which X, Y and Z are in sequence: what setting X does to Y and Z. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite model.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas run_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sequence.

Variables (R : realFieldType) (U : eqType).
Implicit Types (eqs : seq (equation R U)) (rs : seq (seq U)) (state : seq U).

(** The values that parents among X and Y have. *)
Definition feed (ps : seq nat) (x : nat) (u v : U) : seq U :=
  [seq (if k == x then u else v) | k <- ps].

Lemma read_feed state ps x y u v : {subset ps <= [:: x; y]} ->
  look state x = [:: u] -> look state y = [:: v] -> read state ps = feed ps x u v.
Proof.
move=> sub lx ly; rewrite /read /feed; elim: ps sub => //= k ps IH sub.
rewrite IH; last by move=> j j_in; apply: sub; rewrite inE j_in orbT.
have := sub k (mem_head _ _); rewrite !inE; case: eqP => [->|_ /= /eqP ->];
  by rewrite ?lx ?ly.
Qed.

(** The chance of [w] for Z when X is [u] and Y is [v]. *)
Definition last_chance (ez : equation R U) x u v w : R :=
  sigma (fun w' => (w' == w)%:R * law ez (feed (parents ez) x u v) w') (range ez).

(** From a state in which X and Y have values, the variable Z is drawn and the rest runs out. *)
Lemma run_last rs state ez rest x y u v g w :
  fit rs (ez :: rest) -> state \in datasets rs -> {subset parents ez <= [:: x; y]} ->
  look state x = [:: u] -> look state y = [:: v] ->
  (forall w' ext, g (rcons state w' ++ ext) = (w' == w)%:R) ->
  run (ez :: rest) state g = last_chance ez x u v w.
Proof.
move=> [u_e lt_p law_p ft] ss sub lx ly gE; rewrite [LHS]/=; apply: eq_sigma => w' w'r.
rewrite (read_feed sub lx ly) mulrC; congr (_ * _).
transitivity (run rest (rcons state w') (fun=> (w' == w)%:R)).
  by apply: (eq_run ft) => [|ext _]; [exact: rcons_in|exact: gE].
by apply: (run_const _ ft); exact: rcons_in.
Qed.

Variables (before between1 between2 after : seq (equation R U)) (ex ey ez : equation R U).
Variable bg : seq (seq U).

Let x := (size bg + size before)%N.
Let y := (x + (size between1).+1)%N.
Let z := (y + (size between2).+1)%N.
Let M := Model bg (before ++ ex :: between1 ++ ey :: between2 ++ ez :: after).

Hypothesis ok : proper M.
Hypothesis sub : {subset parents ez <= [:: x; y]}.

Let rs0 := bg ++ [seq range e | e <- before].
Let rs1 := rcons rs0 (range ex) ++ [seq range e | e <- between1].
Let rs2 := rcons rs1 (range ey) ++ [seq range e | e <- between2].

Lemma fits : [/\ fit bg before, fit rs0 (ex :: between1),
  fit rs1 (ey :: between2) & fit rs2 (ez :: after)].
Proof.
have := proper_fit ok; rewrite [background _]/= [equations _]/= => /fit_cat [f1].
rewrite -/rs0 -cat_cons => /fit_cat [f2].
rewrite (_ : rs0 ++ [seq range e | e <- ex :: between1] = rs1); last by rewrite /rs1 cat_rcons.
rewrite -cat_cons => /fit_cat [f3].
rewrite (_ : rs1 ++ [seq range e | e <- ey :: between2] = rs2); last by rewrite /rs2 cat_rcons.
by move=> f4; split.
Qed.

Lemma size0 : size rs0 = x. Proof. by rewrite size_cat size_map. Qed.
Lemma size1 : size rs1 = y. Proof. by rewrite size_cat size_rcons size_map size0 addSnnS. Qed.
Lemma size2 : size rs2 = z. Proof. by rewrite size_cat size_rcons size_map size1 addSnnS. Qed.

Lemma range_x : range ex = nth [::] (ranges M) x.
Proof. by rewrite /ranges /= map_cat /= catA nth_cat size0 ltnn subnn. Qed.

Lemma range_y : range ey = nth [::] (ranges M) y.
Proof.
rewrite /ranges /= map_cat /= catA nth_cat size0 ltnNge leq_addr /= /y addKn /= map_cat.
by rewrite nth_cat size_map ltnn subnn.
Qed.

(** do(X = u) starts with the equations before X. *)
Lemma run_x u eqs state f : u \in range ex -> state \in datasets bg ->
  run (before ++ constant ex u :: eqs) state f =
  run before state (fun s => run eqs (rcons s u) f).
Proof.
move=> ur ss; rewrite run_cat; have [f1 [u_e _ _ _] _ _] := fits.
by apply: (eq_run f1 ss) => ext _; rewrite (@run_det _ _ _ _ _ _ u).
Qed.

Lemma look_x s u ext : s \in datasets rs0 -> look (rcons s u ++ ext) x = [:: u].
Proof. by move=> ss; rewrite -size0 -(size_dataset ss) cat_rcons look_size. Qed.

(** Beyond X := u, the pair of Y and Z has the chance of Y times that of Z given both. *)
Lemma run_pair u v w s : u \in range ex -> s \in datasets rs0 ->
  run (between1 ++ ey :: between2 ++ ez :: after) (rcons s u)
    (fun s => (read s [:: y; z] == [:: v; w])%:R) =
  last_chance ez x u v w *
  run (between1 ++ ey :: between2 ++ ez :: after) (rcons s u)
    (fun s => (read s [:: y] == [:: v])%:R).
Proof.
move=> ur ss; have [_ [_ _ _ f2] f3 f4] := fits; have ss' := rcons_in ss ur.
have f23 : fit (rcons rs0 (range ex)) (between1 ++ ey :: between2) by apply/fit_cat.
rewrite -cat_cons catA !(run_cat (between1 ++ _)) -run_mul; apply: (eq_run f23 ss') => ext.
rewrite map_cat catA /= -cat_rcons -/rs1 -/rs2 => es; set state := rcons s u ++ ext in es *.
suff: run (ez :: after) state (fun s0 => (read s0 [:: y; z] == [:: v; w])%:R) =
    last_chance ez x u v w *
    run (ez :: after) state (fun s0 => (read s0 [:: y] == [:: v])%:R) by [].
have size_state : size state = z by rewrite (size_dataset es) size2.
have [a [v' [b [E sa _]]]] : exists a v' b, [/\ state = a ++ v' :: b, size a = y & True].
  have lt_y : (y < size rs2)%N by rewrite size2 /z addnS ltnS leq_addr.
  by have [a [v' [b [E sa _]]]] := split_dataset lt_y es; exists a, v', b.
have ly w' ext' : look (rcons state w' ++ ext') y = [:: v'].
  by rewrite cat_rcons E -catA /= -sa look_size.
have lz w' ext' : look (rcons state w' ++ ext') z = [:: w'].
  by rewrite cat_rcons -size_state look_size.
have ly0 : look state y = [:: v'] by rewrite E -sa look_size.
have -> : run (ez :: after) state (fun s0 => (read s0 [:: y] == [:: v])%:R) = (v' == v)%:R.
  have [_ _ _ f5] := f4.
  apply: (run_same f4 es) => -[|w' ext' _]; last first.
    by rewrite -cat_rcons /read /= ly eqseq_cons andbT.
  by rewrite cats0 => /size_dataset /eqP; rewrite size_state size_cat size2 /= addnS
    -[X in X == _]addn0 -addnS eqn_add2l.
case: eqP => [<-|neq]; last first.
  rewrite mulr0; apply: (run_same f4 es) => -[|w' ext' _]; last first.
    by rewrite -cat_rcons /read /= ly eqseq_cons (introF eqP neq).
  by rewrite cats0 => /size_dataset /eqP; rewrite size_state size_cat size2 /= addnS
    -[X in X == _]addn0 -addnS eqn_add2l.
rewrite mulr1; apply: (run_last f4 es sub (look_x u ext ss) ly0) => w' ext'.
by rewrite /read /= ly lz !eqseq_cons eqxx andbT.
Qed.

(** Beyond X := u and Y := v, Z has the chance that it has given both. *)
Lemma run_third u v w s : u \in range ex -> v \in range ey -> s \in datasets rs0 ->
  run (between1 ++ constant ey v :: between2 ++ ez :: after) (rcons s u)
    (fun s => (read s [:: z] == [:: w])%:R) = last_chance ez x u v w.
Proof.
move=> ur vr ss; have [_ [_ _ _ f2] [u_e _ _ f3] f4] := fits; have ss' := rcons_in ss ur.
rewrite run_cat; apply: (run_same f2 ss') => ext; rewrite -/rs1 => es.
rewrite (@run_det _ _ _ _ _ _ v) // run_cat; have es' := rcons_in es vr.
apply: (run_same f3 es') => ext2; rewrite -/rs2 => es2.
set state := rcons (rcons s u ++ ext) v ++ ext2 in es2 *.
apply: (run_last f4 es2 sub).
- by rewrite /state cat_rcons -catA look_x.
- by rewrite /state cat_rcons -size1 -(size_dataset es) look_size.
move=> w' ext'; rewrite /read /= cat_rcons -size2 -(size_dataset es2) look_size.
by rewrite eqseq_cons andbT.
Qed.

Variable P : seq U -> R.
Hypothesis pop : distribution (datasets bg) P.

Lemma pr_x u ys w : u \in range ex -> pr_do M P (one x u) ys w =
  sigma (fun b => P b * run before b (fun s =>
    run (between1 ++ ey :: between2 ++ ez :: after) (rcons s u) (fun s => (read s ys == w)%:R)))
    (datasets bg).
Proof.
move=> ur; rewrite /pr_do /probability do_at //.
by apply: eq_sigma => b bb; rewrite run_x.
Qed.

Lemma pair_chance u v w : u \in range ex ->
  pr_do M P (one x u) [:: y; z] [:: v; w] =
  last_chance ez x u v w * pr_do M P (one x u) [:: y] [:: v].
Proof.
move=> ur; rewrite !pr_x // -sigmaM; apply: eq_sigma => b bb; rewrite mulrCA.
congr (_ * _); rewrite -run_mul; have [f1 _ _ _] := fits.
by apply: (eq_run f1 bb) => ext es; rewrite run_pair.
Qed.

Lemma third_chance u v w : u \in range ex -> v \in range ey ->
  pr_do (submodel M (one y v)) P (one x u) [:: z] [:: w] = last_chance ez x u v w.
Proof.
move=> ur vr; rewrite /M -cat_cons catA do_at; last first.
  by rewrite size_cat /= addnA.
rewrite -catA cat_cons /pr_do /probability do_at //.
have [f1 _ _ _] := fits; have [_ P1] := pop.
transitivity (sigma (fun b => P b * last_chance ez x u v w) (datasets bg)); last first.
  by rewrite sigmaMr P1 mul1r.
apply: eq_sigma => b bb; congr (_ * _).
by rewrite run_x //; apply: (run_same f1 bb) => ext es; exact: run_third.
Qed.

Lemma nth_rs2 : nth [::] rs2 x = range ex /\ nth [::] rs2 y = range ey.
Proof.
have lt_xy : (x < y)%N by rewrite /y addnS ltnS leq_addr.
rewrite /rs2 !nth_cat !size_rcons size1 !ltnS leqnn !nth_rcons size1 ltnn eqxx (ltnW lt_xy) lt_xy.
by rewrite /rs1 nth_cat size_rcons size0 ltnSn nth_rcons size0 ltnn eqxx.
Qed.

Lemma last_ge0 u v w : u \in range ex -> v \in range ey -> 0 <= last_chance ez x u v w.
Proof.
move=> ur vr; have [_ _ _ [_ _ law_p _]] := fits; have [rx ry] := nth_rs2.
have feed_in : feed (parents ez) x u v \in datasets [seq nth [::] rs2 j | j <- parents ez].
  rewrite /feed; elim: (parents ez) sub => //= k ps IH sub_k; rewrite datasets_cons IH.
    have := sub_k k (mem_head _ _); rewrite !inE andbT.
    by case: eqP => [->|_ /= /eqP ->]; rewrite ?rx ?ry.
  by move=> j j_in; apply: sub_k; rewrite inE j_in orbT.
have [l0 _] := law_p _ feed_in.
by apply: sigma_ge0 => w' w'r; rewrite mulr_ge0 ?ler0n ?l0.
Qed.

(** Beyond X := u the equations run through states of all ranges. *)
Lemma fit_all : fit (rcons rs0 (range ex)) (between1 ++ ey :: between2 ++ ez :: after).
Proof.
have [_ [_ _ _ f2] f3 f4] := fits.
apply/fit_cat; split=> //; rewrite (_ : rcons _ _ ++ _ = rs1) // -cat_cons; apply/fit_cat.
by rewrite (_ : rs1 ++ [seq range e | e <- ey :: between2] = rs2) // /rs2 cat_rcons.
Qed.

Lemma all_ranges : rcons rs0 (range ex) ++
  [seq range e | e <- between1 ++ ey :: between2 ++ ez :: after] = ranges M.
Proof. by rewrite /rs0 /ranges /= !(map_cat, map_cons) -!cats1 -!catA. Qed.

Lemma pr_ge0 u ys w : u \in range ex -> 0 <= pr_do M P (one x u) ys w.
Proof.
move=> ur; rewrite pr_x //; have [P0 _] := pop; have [f1 _ _ _] := fits.
apply: sigma_ge0 => b bb; rewrite mulr_ge0 ?P0 //.
apply: (run_ge0 f1 bb) => ext es.
by apply: (run_ge0 fit_all (rcons_in es ur)) => ext2 _; rewrite ler0n.
Qed.

(** Nothing outside the ranges has a chance. *)
Lemma pr_none u ys w : u \in range ex -> all (fun k => k < size (ranges M))%N ys ->
  w \notin datasets [seq nth [::] (ranges M) k | k <- ys] -> pr_do M P (one x u) ys w = 0.
Proof.
move=> ur lt_ys w_out; rewrite pr_x //; apply: sigma0 => b bb.
have [f1 _ _ _] := fits; rewrite (run_same (c := 0) f1 bb) ?mulr0 // => ext es.
apply: (run_same fit_all (rcons_in es ur)) => ext2; rewrite all_ranges => es2.
by have := read_in es2 lt_ys; case: eqP => // ->; rewrite (negPf w_out).
Qed.

Lemma nth_z : nth [::] (ranges M) z = range ez.
Proof.
rewrite /ranges /= map_cat catA nth_cat size0 /z /y -addnA ltnNge leq_addr /= addKn addSn /=.
rewrite map_cat nth_cat size_map ltnNge leq_addr /= addKn /= map_cat nth_cat size_map ltnn.
by rewrite subnn.
Qed.

Lemma in_ranges : all (fun k => k < size (ranges M))%N [:: y; z].
Proof.
have -> : size (ranges M) = (z + (size after).+1)%N.
  rewrite /ranges !(size_cat, size_map) /= !(size_cat, size_map) /= !(size_cat, size_map) /=.
  by rewrite /z /y /x -!addnA !addSn.
have lt1 : (y < z)%N by rewrite /z addnS ltnS leq_addr.
have lt2 : (z < z + (size after).+1)%N by rewrite addnS ltnS leq_addr.
by rewrite /= lt2 (ltn_trans lt1 lt2).
Qed.

(** The chance of Z adds up those of the pairs. *)
Lemma last_alone u w : u \in range ex ->
  pr_do M P (one x u) [:: z] [:: w] =
  sigma (fun v => pr_do M P (one x u) [:: y; z] [:: v; w]) (range ey).
Proof.
move=> ur; rewrite pr_x //; have [f1 _ [u_e _ _ _] _] := fits.
transitivity (sigma (fun b => sigma (fun v => P b * run before b (fun s =>
    run (between1 ++ ey :: between2 ++ ez :: after) (rcons s u)
      (fun s => (read s [:: y; z] == [:: v; w])%:R))) (range ey)) (datasets bg)); last first.
  by rewrite sigma_exchange; apply: eq_sigma => v _; rewrite pr_x.
apply: eq_sigma => b bb; rewrite sigmaM -run_sigma; congr (_ * _).
apply: (eq_run f1 bb) => ext es; rewrite -run_sigma.
apply: (eq_run fit_all (rcons_in es ur)) => ext2; rewrite all_ranges => es2.
have := read_in es2 in_ranges; rewrite [map _ _]/= -range_y nth_z.
rewrite /read [map _ _]/= ![flatten _]/= !cats0.
set ly := look _ y; set lz := look _ z.
have [v' ->] : exists v', ly = [:: v'].
  have lt_y : (y < size (ranges M))%N by case/andP: in_ranges.
  have [a [v' [c [E sa _]]]] := split_dataset lt_y es2.
  by exists v'; rewrite /ly E -sa look_size.
rewrite cat1s; case: lz => [|w' [|? ?]]; rewrite ?datasets_cons ?datasets_nil ?andbF //.
move=> /andP [vr _]; rewrite -[LHS](sigma_point_l (fun=> _) u_e vr).
by apply: eq_sigma => v _; rewrite !eqseq_cons !andbT -mulnb natrM.
Qed.

End Sequence.
