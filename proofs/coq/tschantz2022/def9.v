(** Definition 9, with e^ε: bounded relative probability of all data points. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma2 prop5 sec6_1_eq28.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma nine_implies_eight (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m -> definition_9 t m -> definition_8 t m.
Proof.
move=> wf h P [P0 P1] i v w o lt_i vi wi oo; rewrite /effect /set_one.
apply: (h i lt_i (fun x => P (points x))).
- rewrite /= datasets_map; split=> [x /mapP [d dd ->]|]; first by rewrite pointsK; exact: P0.
  by rewrite sigma_map -P1; apply: eq_sigma => d _; rewrite pointsK.
- by rewrite (range_point lt_i) map_f.
by rewrite (range_point lt_i) map_f.
Qed.

Theorem def9 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_1 t m <-> definition_9 t m.
Proof.
move=> R V O m t wf; split=> [|h]; first exact: sec6_1_eq28.
by apply: eight_implies_one => //; exact: nine_implies_eight.
Qed.
