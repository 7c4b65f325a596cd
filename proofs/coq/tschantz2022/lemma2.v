(** Lemma 2 with the weights of (77) and (78): setting one data point averages over the others. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Effect.

Variables (R : realFieldType) (V O : eqType) (m : mechanism R V O) (j : nat) (v : V).
Hypothesis wf : well_formed m.
Hypotheses (lt_j : (j < size (domains m))%N) (vj : v \in nth [::] (domains m) j).

Lemma one_leads r : r \in datasets (domains m) ->
  replace r j v \in datasets (domains m) /\ leads m (set_one m j v) r (replace r j v).
Proof.
move=> rr; split; first exact: replace_in.
rewrite /leads /set_one /one /D_; split.
- by rewrite -addnn eqn_add2l gtn_eqF.
- by rewrite -addnn -addnS eqn_add2l gtn_eqF // ltnW.
move=> i w lt_i; rewrite eqn_add2l; case: (eqVneq i j) => [->|neq] at_i; [left|right].
  by move: at_i; rewrite (drop_replace _ lt_j rr) => - [->].
by split=> //; rewrite -at_i (at_other_replace _ lt_j).
Qed.

Lemma effect_one (P : seq V -> R) o : o \in outputs m ->
  effect m P (set_one m j v) o =
  sigma (fun d => P d * chance m (replace d j v) o) (datasets (domains m)).
Proof.
by move=> oo; rewrite (@effectE _ _ _ m P _ o (fun r => replace r j v)) //= => r /one_leads.
Qed.

End Effect.

Theorem lemma2 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
  well_formed m -> population m P ->
  forall j v o, (j < size (domains m))%N -> v \in nth [::] (domains m) j -> o \in outputs m ->
  effect m P (set_one m j v) o =
  sigma (fun x => seen m P (fun d => others d j == x) * chance m (insert x j v) o)
    (datasets (others (domains m) j)).
Proof.
move=> R V O m P wf _ j v o lt_j vj oo; rewrite effect_one //.
have [ud _ _] := wf; have uo := uniq_datasets (uniq_others j ud).
pose F x d := (others d j == x)%:R * P d * chance m (insert x j v) o.
transitivity (sigma (fun x => sigma (F x) (datasets (domains m)))
  (datasets (others (domains m) j))); last first.
  by apply: eq_sigma => x _; rewrite /seen -sigmaMr.
rewrite sigma_exchange; apply: eq_sigma => d dd.
rewrite -(insert_others v lt_j dd).
rewrite -[LHS](sigma_point_l (fun x => P d * chance m (insert x j v) o) uo (others_in lt_j dd)).
by apply: eq_sigma => x _; rewrite /F mulrA.
Qed.
