(** Section 6.3, group privacy: setting several data points at once adds their losses. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Group.

Variables (R : realFieldType) (V O : eqType) (m : mechanism R V O).
Hypothesis wf : well_formed m.

(** Data point [i] of [d], as a list. *)
Notation at_ d i := (ohead (drop i d)).

Lemma at_value (d : seq V) i : d \in datasets (domains m) -> (i < size (domains m))%N ->
  exists2 v, at_ d i = Some v & v \in nth [::] (domains m) i.
Proof.
move=> dd lt_i; have [a [v [b [E sa vi]]]] := split_dataset lt_i dd.
by exists v; rewrite // E drop_size_cat.
Qed.

Lemma same_points (d e : seq V) : d \in datasets (domains m) -> e \in datasets (domains m) ->
  (forall i, (i < size (domains m))%N -> at_ d i = at_ e i) -> d = e.
Proof.
move=> dd ee same; have sd := size_dataset dd; have se := size_dataset ee.
case: (posnP (size d)) => [d0|d_pos].
  by rewrite (size0nil d0); move: se; rewrite -sd d0 => /size0nil ->.
have v : V by case: (d) d_pos.
apply: (@eq_from_nth _ v) => [|i]; first by rewrite sd se.
rewrite sd => lt_i; have := same i lt_i.
by rewrite (@drop_nth _ v i d) ?sd // (@drop_nth _ v i e) ?se // => - [].
Qed.

(** Datasets that differ only in a group: one factor for each change. *)
Lemma group_bound (t : R) (group : seq nat) (d e : seq V) (o : O) : definition_1 t m ->
  all (fun i => i < size (domains m))%N group ->
  d \in datasets (domains m) -> e \in datasets (domains m) -> o \in outputs m ->
  (forall i, (i < size (domains m))%N -> i \notin group -> at_ d i = at_ e i) ->
  chance m d o <= t ^+ size group * chance m e o.
Proof.
move=> dp + + ee oo; elim: group d => [|i group IH] d /= ok dd same.
  by rewrite expr0 mul1r (same_points dd ee) // => i lt_i; exact: same.
case/andP: ok => lt_i ok; have [v ev vi] := at_value ee lt_i.
have d1 := replace_in lt_i vi dd.
have t0 : 0 <= t.
  have [_ _ /(_ d dd) [_ total]] := wf; rewrite leNgt; apply/negP => t_neg.
  have: sigma (chance m d) (outputs m) <= t * sigma (chance m (replace d i v)) (outputs m).
    by rewrite -sigmaM; apply: ler_sigma => o' oo'; exact: dp.
  rewrite total; have [_ _ /(_ _ d1) [_ ->]] := wf; rewrite mulr1 => t1.
  by have := lt_trans (le_lt_trans t1 t_neg) ltr01; rewrite ltxx.
apply: le_trans (dp i d v o lt_i dd vi oo) _; rewrite exprS -mulrA ler_wpmul2l //.
apply: IH => // j lt_j out; case: (eqVneq j i) => [->|neq].
  by rewrite (drop_replace v lt_i dd) ev.
by rewrite (at_other_replace v lt_i dd neq); apply: same => //; rewrite inE negb_or neq.
Qed.

(** The dataset that has [d] in the group and [r] elsewhere. *)
Fixpoint mixed (group : seq nat) (d r : seq V) : seq V :=
  if group is i :: rest
  then (if at_ d i is Some v then replace (mixed rest d r) i v else mixed rest d r) else r.

Lemma mixed_in group d r : all (fun i => i < size (domains m))%N group ->
  d \in datasets (domains m) -> r \in datasets (domains m) ->
  mixed group d r \in datasets (domains m).
Proof.
move=> + dd rr; elim: group => //= i group IH /andP [lt_i ok].
by have [v -> vi] := at_value dd lt_i; apply: replace_in => //; exact: IH.
Qed.

Lemma mixed_at group d r k : all (fun i => i < size (domains m))%N group ->
  d \in datasets (domains m) -> r \in datasets (domains m) -> (k < size (domains m))%N ->
  at_ (mixed group d r) k = if k \in group then at_ d k else at_ r k.
Proof.
move=> + dd rr lt_k; elim: group => //= i group IH /andP [lt_i ok].
have [v ev vi] := at_value dd lt_i; rewrite ev inE.
have mm := mixed_in ok dd rr.
case: (eqVneq k i) => [->|neq] /=; first by rewrite (drop_replace v lt_i mm) ev.
by rewrite (at_other_replace v lt_i mm neq) IH.
Qed.

Lemma group_leads group d r : all (fun i => i < size (domains m))%N group ->
  d \in datasets (domains m) -> r \in datasets (domains m) ->
  mixed group d r \in datasets (domains m) /\ leads m (set_group m group d) r (mixed group d r).
Proof.
move=> ok dd rr; split; first exact: mixed_in.
have beyond k : (size (domains m) <= k)%N ->
    set_group m group d (size (domains m) + k)%N = None.
  move=> le_k; rewrite /set_group; case: ifP => // /mapP [i ig] /eqP.
  rewrite /D_ eqn_add2l => /eqP ki; move: (allP ok i ig).
  by rewrite -ki ltnNge le_k.
split.
- by rewrite -addnn; exact: beyond.
- by rewrite -addnn -addnS; apply: beyond.
move=> i v lt_i; rewrite mixed_at // /set_group.
rewrite mem_map => [|x y /eqP]; last by rewrite /D_ eqn_add2l => /eqP.
case: ifP => _ at_i; [left|by right].
rewrite /set_all leq_addr addKn.
by move: at_i; case: (drop i d) => //= ? ? [->].
Qed.

End Group.

Theorem group_privacy : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)
    (P : seq V -> R) (t : R),
  well_formed m -> population m P -> definition_1 t m ->
  forall group d e o, all (fun i => i < size (domains m))%N group ->
  d \in datasets (domains m) -> e \in datasets (domains m) -> o \in outputs m ->
  effect m P (set_group m group d) o <=
  t ^+ size group * effect m P (set_group m group e) o.
Proof.
move=> R V O m P t wf [P0 _] dp group d e o ok dd ee oo.
rewrite (effectE P wf oo (fun r => group_leads ok dd)).
rewrite (effectE P wf oo (fun r => group_leads ok ee)).
rewrite -sigmaM; apply: ler_sigma => r rr; rewrite mulrCA ler_wpmul2l ?P0 //.
apply: (group_bound wf dp ok) => //; try exact: mixed_in.
by move=> i lt_i out; rewrite (mixed_at ok dd rr lt_i) (mixed_at ok ee rr lt_i) (negbTE out).
Qed.
