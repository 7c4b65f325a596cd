(** Section 7: the posterior with a person's data against the posterior without. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative knowledge.
From Provado.lemmas Require Import finite_lemmas insert_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem sec7_posterior_change : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)
    (t : R) (prior : seq V -> R),
  well_formed m -> definition_1 t m -> population m prior ->
  forall i v o d, (i < size (domains m))%N -> v \in nth [::] (domains m) i -> o \in outputs m ->
  d \in datasets (domains m) ->
  posterior m prior o d <= t ^+ 2 * posterior_without m prior i v o d /\
  posterior_without m prior i v o d <= t ^+ 2 * posterior m prior o d.
Proof.
move=> R V O m t prior wf dp [b0 _] i v o d lt_i vi oo dd.
have quotient (a b c e : R) : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= e -> a <= t * b -> e <= t * c ->
    c <= t * e -> a / c <= t ^+ 2 * (b / e).
  move=> a0 b0' c0 e0 ab ec ce; have [->|c_neq] := eqVneq c 0.
    by rewrite invr0 mulr0 mulr_ge0 ?sqr_ge0 // divr_ge0.
  have c_pos : 0 < c by rewrite lt_def c_neq.
  have e_pos : 0 < e.
    rewrite lt_def e0 andbT; apply: contraL ce => /eqP ->.
    by rewrite mulr0 -ltNge.
  rewrite ler_pdivr_mulr // -(ler_pmul2r e_pos).
  have -> : t ^+ 2 * (b / e) * c * e = t * b * (t * c).
    rewrite expr2 -!mulrA; congr (_ * _); rewrite [t * (b * _)]mulrCA; congr (_ * (_ * _)).
    by rewrite mulrCA mulVf ?mulr1 // gt_eqF.
  exact: ler_pmul.
have there e : e \in datasets (domains m) ->
    chance m e o * prior e <= t * (chance m (replace e i v) o * prior e).
  by move=> ee; rewrite mulrA ler_wpmul2r ?b0 //; exact: dp.
have back e : e \in datasets (domains m) ->
    chance m (replace e i v) o * prior e <= t * (chance m e o * prior e).
  move=> ee; rewrite mulrA ler_wpmul2r ?b0 //; have [u ui eu] := replace_same lt_i ee.
  by rewrite -{2}eu -(replace_replace v u lt_i ee); apply: dp => //; exact: replace_in.
have c0 e : e \in datasets (domains m) -> 0 <= chance m e o * prior e.
  by move=> ee; rewrite mulr_ge0 ?b0 ?chance_ge0.
have c0' e : e \in datasets (domains m) -> 0 <= chance m (replace e i v) o * prior e.
  by move=> ee; rewrite mulr_ge0 ?b0 ?chance_ge0 // replace_in.
have s1 := ler_sigma there; have s2 := ler_sigma back.
rewrite sigmaM in s1; rewrite sigmaM in s2.
by split; apply: quotient => //; rewrite ?c0 ?c0' ?sigma_ge0 ?there ?back.
Qed.
