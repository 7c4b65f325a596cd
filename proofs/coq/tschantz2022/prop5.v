(** Proposition 5: Definitions 1 and 8 are equivalent. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma2 prop4.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma eight_implies_one (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m -> definition_8 t m -> definition_1 t m.
Proof.
move=> wf h i d v o lt_i dd vi oo; have [ud _ _] := wf; have uu := uniq_datasets ud.
have pop : population m (fun x => (x == d)%:R) by exact: point_mass.
have [w wi dw] := replace_same lt_i dd.
have := h _ pop i w v o lt_i wi vi oo; rewrite !effect_one //.
rewrite (sigma_point (fun x => chance m (replace x i w) o)) //.
by rewrite (sigma_point (fun x => chance m (replace x i v) o)) // dw.
Qed.

Theorem prop5 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_1 t m <-> definition_8 t m.
Proof.
move=> R V O m t wf; split=> [dp P pop|]; first exact: one_implies_seven.
exact: eight_implies_one.
Qed.
