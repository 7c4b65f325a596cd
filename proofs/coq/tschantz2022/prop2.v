(** Proposition 2: Definitions 1 and 5 are equivalent. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem prop2 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_1 t m <-> definition_5 t m.
Proof.
move=> R V O m t wf; split=> [dp P pop i d v o lt_i dd vi oo|h i d v o lt_i dd vi oo].
  by rewrite !lemma1 ?replace_in //; exact: dp.
have [ud _ _] := wf.
have pop : population m (fun x => (x == d)%:R) by apply: point_mass => //; exact: uniq_datasets.
by have := h _ pop i d v o lt_i dd vi oo; rewrite !lemma1 ?replace_in.
Qed.
