(** Table 1, row 6: Definition 6 is equivalent to differential privacy. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import prop3.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem table1_row6 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)
    (P : seq V -> R) (t : R),
  well_formed m -> population m P -> definition_6 t m P <-> definition_1 t m.
Proof. by move=> R V O m P t wf pop; split=> /(prop3 _ wf pop). Qed.
