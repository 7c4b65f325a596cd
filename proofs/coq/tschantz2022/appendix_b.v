(** Appendix B: Definition 10 does not imply Definition 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** One bit, told as it is. *)
Definition told (R : realFieldType) : mechanism R bool_eqType bool_eqType :=
  Mechanism [:: [:: false; true]] [:: false; true] (fun d o => (o == nth false d 0)%:R).

Lemma told_well_formed (R : realFieldType) : well_formed (told R).
Proof.
split=> // d _; split=> [o _|] /=; first exact: ler0n.
by case: (nth _ _ _); rewrite /= !(addr0, add0r).
Qed.

(** Where the bit is always [true], there is no pair to compare. *)
Theorem appendix_b : forall R : realFieldType,
  exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
    [/\ well_formed m, population m P, [seq size values | values <- domains m] = [:: 2]%N,
        definition_10 1 m P & forall t : R, ~ definition_1 t m].
Proof.
move=> R; have wf := told_well_formed R.
exists bool_eqType, bool_eqType, (told R), (fun d => (d == [:: true])%:R); split=> //.
- by apply: point_mass => //; apply: uniq_datasets.
- move=> i d v o lt_i dd vi oo; have ee := replace_in lt_i vi dd.
  by rewrite !seen_one // !ltr0n !lt0b => /eqP -> /eqP ->; rewrite mul1r.
move=> t /(_ 0%N [:: true] false true isT isT isT isT); rewrite /= mulr0.
by apply/negP; rewrite -ltNge ltr01.
Qed.
