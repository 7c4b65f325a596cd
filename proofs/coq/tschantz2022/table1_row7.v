(** Table 1, row 7: Definition 7 is strictly weaker than differential privacy. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import prop4.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem table1_row7 :
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R) (t : R),
     well_formed m -> population m P -> definition_1 t m -> definition_7 t m P) /\
  (forall R : realFieldType,
     exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
       [/\ well_formed m,
           population m P /\ (forall d, d \in datasets (domains m) -> 0 < P d),
           [seq size values | values <- domains m] = [:: 2; 2]%N,
           definition_7 1 m P & forall t : R, ~ definition_1 t m]).
Proof. exact: prop4. Qed.
