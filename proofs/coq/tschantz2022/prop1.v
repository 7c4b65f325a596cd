(** Proposition 1: Definitions 1 and 2 are equivalent. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem prop1 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_1 t m <-> definition_2 t m.
Proof.
move=> R V O m t wf; split=> [dp P _ i d v o lt_i dd vi oo Pd Pe|sa i d v o lt_i dd vi oo].
  by rewrite !given_one ?replace_in //; exact: dp.
have ee := replace_in lt_i vi dd.
have pop : population m (halves R d (replace d i v)).
  split=> [x _|]; first by rewrite /halves mulr_ge0 ?addr_ge0 ?ler0n // invr_ge0 ler0n.
  have := sigma_halves (fun=> 1) wf dd ee; rewrite -(natrD _ 1 1) divff ?pnatr_eq0 // => <-.
  by apply: eq_sigma => x _; rewrite mul1r.
have pos x : (x == d) || (x == replace d i v) -> 0 < halves R d (replace d i v) x.
  by move=> h; rewrite /halves divr_gt0 ?ltr0n // -natrD ltr0n addn_gt0 !lt0b.
have Pd : 0 < seen m (halves R d (replace d i v)) (pred1 d).
  by rewrite seen_one // pos ?eqxx.
have Pe : 0 < seen m (halves R d (replace d i v)) (pred1 (replace d i v)).
  by rewrite seen_one // pos ?eqxx ?orbT.
by have := sa _ pop i d v o lt_i dd vi oo Pd Pe; rewrite !given_one.
Qed.
