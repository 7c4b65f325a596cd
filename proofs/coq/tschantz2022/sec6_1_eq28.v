(** Equation (28): e^ε bounds the maximum relative probabilities where the algorithm is
    ε-differentially private, and nowhere else. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma2 prop5.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma range_point (R : realFieldType) (V O : eqType) (m : mechanism R V O) i :
  (i < size (domains m))%N ->
  nth [::] (ranges (model_of m)) (D_ m i) = map (@point V O) (nth [::] (domains m) i).
Proof.
move=> lt_i.
rewrite /ranges /= nth_cat size_map ltnNge leq_addr /= addKn map_cat nth_cat !size_map size_iota.
by rewrite lt_i -map_comp (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma one_implies_nine (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m -> definition_1 t m -> definition_9 t m.
Proof.
move=> wf dp i lt_i P [P0 _] x1 x2 y.
rewrite (range_point lt_i) => /mapP [v vi ->] /mapP [w wi ->].
have ok u := @one_leads R V O m i u lt_i.
rewrite (pr_doE P y wf (ok v vi)) (pr_doE P y wf (ok w wi)) -sigmaM.
apply: ler_sigma => d dd; rewrite mulrCA ler_wpmul2l //.
  by apply: P0; rewrite /= datasets_map map_f.
rewrite -sigmaM; apply: ler_sigma => o oo; rewrite mulrA ler_wpmul2r ?ler0n //.
rewrite -(replace_replace v w lt_i dd); apply: dp => //; exact: replace_in.
Qed.

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

Theorem sec6_1_eq28 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_1 t m <-> definition_9 t m.
Proof.
move=> R V O m t wf; split=> [|h]; first exact: one_implies_nine.
by apply: eight_implies_one => //; exact: nine_implies_eight.
Qed.
