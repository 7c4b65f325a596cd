(** Section 3, repaired: one population of full support is enough. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative.
From Provado.lemmas Require Import finite_lemmas insert_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem sec3_one_distribution : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)
    (P : seq V -> R) (t : R),
  well_formed m -> population m P -> (forall d, d \in datasets (domains m) -> 0 < P d) ->
  definition_10 t m P <-> definition_1 t m.
Proof.
move=> R V O m P t wf _ full; split=> h i d v o lt_i dd vi oo; have ee := replace_in lt_i vi dd.
  by have := h i d v o lt_i dd vi oo; rewrite !seen_one ?given_one ?seen_one ?full //; apply.
by move=> pd pe; rewrite !given_one //; exact: h.
Qed.
