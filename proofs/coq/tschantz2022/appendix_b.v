(** Appendix B: Definition 10 does not imply Definition 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import prop4 table1_row3.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The mechanism of (31) to (33): a fair coin, unless the data point is 2. *)
Definition unseen (R : realFieldType) : mechanism R nat_eqType nat_eqType :=
  Mechanism [:: [:: 0; 1; 2]]%N [:: 0; 1]%N
    (fun d o => if d == [:: 2]%N then (o == 0%N)%:R else 2%:R^-1).

Lemma unseen_well_formed (R : realFieldType) : well_formed (unseen R).
Proof.
split=> // d _; split=> [o _|] /=; first by case: ifP; rewrite ?invr_ge0 ler0n.
by case: ifP => _ /=; rewrite ?addr0 ?two_halves.
Qed.

Lemma never_two (R : realFieldType) d : d \in datasets (domains (unseen R)) ->
  0 < seen (unseen R) (halves R [:: 0] [:: 1])%N (pred1 d) -> (d == [:: 2]%N) = false.
Proof.
move=> dd; rewrite (seen_one _ (unseen_well_formed R) dd).
by case: eqP => // ->; rewrite /halves /= addr0 mul0r ltxx.
Qed.

Theorem appendix_b : forall R : realFieldType,
  exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
    [/\ well_formed m, population m P, definition_10 1 m P & forall t, ~ definition_1 t m].
Proof.
move=> R; exists nat_eqType, nat_eqType, (unseen R), (halves R [:: 0] [:: 1])%N.
have wf := unseen_well_formed R; split=> //.
- by apply: halves_population.
- move=> i d v o lt_i dd vi oo pd pe; have ee := replace_in lt_i vi dd.
  by rewrite !given_one // mul1r /= (never_two dd pd) (never_two ee pe).
move=> t /(_ 0%N [:: 0]%N 2%N 1%N isT isT isT isT); rewrite /= mulr0.
by apply/negP; rewrite -ltNge invr_gt0 ltr0n.
Qed.
