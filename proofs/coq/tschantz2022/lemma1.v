(** Lemma 1, equation (44): setting all data points gives the algorithm's own probabilities. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem lemma1 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
  well_formed m -> population m P ->
  forall d o, d \in datasets (domains m) -> o \in outputs m ->
  effect m P (set_all m d) o = chance m d o.
Proof.
move=> R V O m P wf [_ P1] d o dd oo; rewrite (@effectE _ _ _ m P _ o (fun=> d)) //.
  by rewrite sigmaMr P1 mul1r.
move=> r rr; split=> //; have sd := size_dataset dd; rewrite /leads /set_all.
set n := size (domains m).
split; first by rewrite -addnn leq_addr addnK drop_oversize // sd.
  by rewrite -addnn ltnW ?ltnS ?leq_addr // -addSn addnK drop_oversize // sd.
move=> i v lt_i; rewrite leq_addr addKn.
by case: (drop i d) => //= a b [->]; left.
Qed.
