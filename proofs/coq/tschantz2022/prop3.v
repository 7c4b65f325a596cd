(** Proposition 3: Definitions 1 and 6 are equivalent. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem prop3 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R)
    (t : R),
  well_formed m -> population m P -> definition_1 t m <-> definition_6 t m P.
Proof.
move=> R V O m P t wf pop; split=> h i d v o lt_i dd vi oo; have := h i d v o lt_i dd vi oo;
  by rewrite !lemma1 ?replace_in.
Qed.
