(** Table 1, row 2: Definition 2 is equivalent to differential privacy. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import prop1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem table1_row2 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_2 t m <-> definition_1 t m.
Proof. by move=> R V O m t wf; split=> /(prop1 _ wf). Qed.
