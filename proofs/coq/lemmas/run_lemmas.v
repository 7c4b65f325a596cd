(** How equations run one after the other. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite model.
From Provado.lemmas Require Import finite_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma split_at (T : Type) (s : seq T) k : (k < size s)%N ->
  exists a e b, s = a ++ e :: b /\ size a = k.
Proof.
elim: s k => // u s IH [|k] /=; first by exists [::], u, s.
by move=> /IH [a [e [b [-> sa]]]]; exists (u :: a), e, b; rewrite /= sa.
Qed.

Section Run.

Variables (R : realFieldType) (U : eqType).
Implicit Types (e : equation R U) (eqs : seq (equation R U)) (state : seq U) (rs : seq (seq U)).

Lemma run_cat eqs1 eqs2 state f :
  run (eqs1 ++ eqs2) state f = run eqs1 state (fun s => run eqs2 s f).
Proof.
elim: eqs1 state => //= e eqs1 IH state; apply: eq_sigma => u _; by rewrite IH.
Qed.

(** Equations that go on from variables with the ranges [rs] are proper. *)
Fixpoint fit rs eqs : Prop :=
  if eqs is e :: rest then
    [/\ uniq (range e), all (fun j => j < size rs)%N (parents e),
        forall us, us \in datasets [seq nth [::] rs j | j <- parents e] ->
          distribution (range e) (law e us) &
        fit (rcons rs (range e)) rest]
  else True.

Lemma fit_cat rs eqs1 eqs2 :
  fit rs (eqs1 ++ eqs2) <-> fit rs eqs1 /\ fit (rs ++ [seq range e | e <- eqs1]) eqs2.
Proof.
elim: eqs1 rs => [|e eqs1 IH] rs /=; first by rewrite cats0; split=> // - [].
by rewrite -cat_rcons; split=> [[? ? ? /IH [? ?]]|[[? ? ? ?] ?]]; do !split=> //; apply/IH.
Qed.

Lemma proper_fit (M : model R U) : proper M -> fit (background M) (equations M).
Proof.
case: M => bg eqs [/= u_all ok].
suff H done todo : eqs = done ++ todo -> fit (bg ++ [seq range e | e <- done]) todo.
  by have := H [::] eqs erefl; rewrite cats0.
elim: todo done => //= e todo IH done E.
have at_e : ohead (drop (size done) eqs) = Some e by rewrite E drop_size_cat.
have [lt_p law_p] := ok _ _ at_e.
split.
- by apply: (allP u_all); rewrite /ranges /= mem_cat E map_cat mem_cat /= mem_head !orbT.
- by rewrite size_cat size_map.
- move=> us; rewrite (_ : map _ _ = [seq nth [::] (ranges (Model bg eqs)) j | j <- parents e]).
    exact: law_p.
  apply/eq_in_map => j /(allP lt_p) lt_j; rewrite /ranges /= E map_cat catA [RHS]nth_cat.
  by rewrite size_cat size_map lt_j.
have := IH (rcons done e); rewrite cat_rcons map_rcons -rcons_cat; exact.
Qed.

Lemma read_in rs state ks : state \in datasets rs -> all (fun j => j < size rs)%N ks ->
  read state ks \in datasets [seq nth [::] rs j | j <- ks].
Proof.
move=> ss; elim: ks => //= k ks IH /andP [lt_k lt_ks].
have [a [u [b [E sa ui]]]] := split_dataset lt_k ss.
by rewrite /read /= {1}E -sa look_size /= datasets_cons sa ui; exact: IH.
Qed.

Lemma rcons_in rs values state u : state \in datasets rs -> u \in values ->
  rcons state u \in datasets (rcons rs values).
Proof.
move=> ss uv; rewrite -!cats1 datasets_cat ?(size_dataset ss) // ss datasets_cons uv.
by rewrite /= inE.
Qed.

(** What is the same on all states that the equations lead to has the same mean. *)
Lemma eq_run rs eqs state f g : fit rs eqs -> state \in datasets rs ->
  (forall ext, state ++ ext \in datasets (rs ++ [seq range e | e <- eqs]) ->
     f (state ++ ext) = g (state ++ ext)) -> run eqs state f = run eqs state g.
Proof.
elim: eqs rs state => [|e eqs IH] rs state /=.
  by move=> _ ss /(_ [::]); rewrite !cats0 => /(_ ss).
move=> [_ _ _ ft] ss fg; apply: eq_sigma => u ur; congr (_ * _).
apply: (IH (rcons rs (range e))) => //; first exact: rcons_in.
by move=> ext; rewrite !cat_rcons; exact: fg.
Qed.

(** What is one number on all of them has it for its mean. *)
Lemma run_const rs eqs state c : fit rs eqs -> state \in datasets rs ->
  run eqs state (fun=> c) = c.
Proof.
elim: eqs rs state => [|e eqs IH] rs state //= [u_e lt_p law_p ft] ss.
transitivity (sigma (fun u => law e (read state (parents e)) u * c) (range e)).
  apply: eq_sigma => u ur; congr (_ * _); apply: (IH (rcons rs (range e))) => //.
  exact: rcons_in.
by rewrite sigmaMr; have [_ ->] := law_p _ (read_in ss lt_p); rewrite mul1r.
Qed.

Lemma run_same rs eqs state f c : fit rs eqs -> state \in datasets rs ->
  (forall ext, state ++ ext \in datasets (rs ++ [seq range e | e <- eqs]) ->
     f (state ++ ext) = c) -> run eqs state f = c.
Proof. by move=> ft ss fc; rewrite (eq_run ft ss fc) (run_const _ ft ss). Qed.

Lemma run_mul eqs state c f : run eqs state (fun s => c * f s) = c * run eqs state f.
Proof.
elim: eqs state => //= e eqs IH state; rewrite -sigmaM.
by apply: eq_sigma => u _; rewrite IH mulrCA.
Qed.

Lemma run_add eqs state f g :
  run eqs state (fun s => f s + g s) = run eqs state f + run eqs state g.
Proof.
elim: eqs state => //= e eqs IH state; rewrite -sigmaD.
by apply: eq_sigma => u _; rewrite IH mulrDr.
Qed.

Lemma run_sigma (T : eqType) eqs state (f : T -> seq U -> R) (l : seq T) :
  run eqs state (fun s => sigma (f^~ s) l) = sigma (fun v => run eqs state (f v)) l.
Proof.
elim: l => [|v l IH] /=; last by rewrite -IH -run_add.
by elim: eqs state => //= e eqs IH state; apply: sigma0 => u _; rewrite IH mulr0.
Qed.

Lemma run_ge0 rs eqs state f : fit rs eqs -> state \in datasets rs ->
  (forall ext, state ++ ext \in datasets (rs ++ [seq range e | e <- eqs]) ->
     0 <= f (state ++ ext)) -> 0 <= run eqs state f.
Proof.
elim: eqs rs state => [|e eqs IH] rs state /=.
  by move=> _ ss /(_ [::]); rewrite !cats0 => /(_ ss).
move=> [_ lt_p law_p ft] ss f0; have [l0 _] := law_p _ (read_in ss lt_p).
apply: sigma_ge0 => u ur; rewrite mulr_ge0 ?l0 //.
apply: (IH (rcons rs (range e))) => // [|ext]; first exact: rcons_in.
by rewrite !cat_rcons; exact: f0.
Qed.

Lemma fit_constant rs e u rest : u \in range e -> fit rs (e :: rest) ->
  fit rs (constant e u :: rest).
Proof.
move=> ur [u_e _ _ ft]; split=> //= us _; exact: point_mass.
Qed.

Lemma set_cat k s eqs1 eqs2 : set_equations k s (eqs1 ++ eqs2) =
  set_equations k s eqs1 ++ set_equations (k + size eqs1) s eqs2.
Proof.
by elim: eqs1 k => [|e eqs1 IH] k /=; rewrite ?addn0 // IH addSnnS.
Qed.

Lemma set_none k j u eqs : (j < k)%N || (k + size eqs <= j)%N ->
  set_equations k (one j u) eqs = eqs.
Proof.
elim: eqs k => //= e eqs IH k out; rewrite IH; last first.
  by move: out; rewrite addSnnS; case/orP => [lt|->]; rewrite ?orbT // ltnS ltnW.
rewrite /one; case: eqP => // E; move: out; rewrite E ltnn /= leqNgt.
by rewrite -[X in (X < _)%N]addn0 ltn_add2l.
Qed.

Lemma set_here k e u eqs : set_equations k (one k u) (e :: eqs) = constant e u :: eqs.
Proof. by rewrite /= {1}/one eqxx set_none // ltnSn. Qed.

Lemma do_at bg eqs1 e eqs2 k u : k = (size bg + size eqs1)%N ->
  submodel (Model bg (eqs1 ++ e :: eqs2)) (one k u) = Model bg (eqs1 ++ constant e u :: eqs2).
Proof. by move=> ->; rewrite /submodel /= set_cat set_none ?leqnn ?orbT // set_here. Qed.

Lemma ranges_submodel (M : model R U) settings : ranges (submodel M settings) = ranges M.
Proof.
rewrite /ranges /=; congr (_ ++ _); elim: (equations M) (size _) => //= e eqs IH k.
by rewrite IH; case: (settings k).
Qed.

End Run.
