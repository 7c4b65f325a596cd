(** Proposition 4: Definition 1 implies Definition 7, but not the other way around. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import lemma2.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma one_implies_seven (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R)
    (t : R) :
  well_formed m -> population m P -> definition_1 t m -> definition_7 t m P.
Proof.
move=> wf [P0 _] dp i v w o lt_i vi wi oo; rewrite !effect_one // -sigmaM.
apply: ler_sigma => d dd; rewrite mulrCA ler_wpmul2l ?P0 //.
rewrite -(replace_replace v w lt_i dd); apply: dp => //; exact: replace_in.
Qed.

(** Two bits; the output says whether they are the same. *)
Definition parity (R : realFieldType) : mechanism R bool_eqType bool_eqType :=
  Mechanism [:: [:: false; true]; [:: false; true]] [:: false; true]
    (fun d o => (o == (nth false d 0 == nth false d 1))%:R).

(** The uniform population. *)
Definition uniform (R : realFieldType) (d : seq bool) : R := 4%:R^-1.

Lemma two_halves (R : realFieldType) : 2%:R^-1 + 2%:R^-1 = 1 :> R.
Proof. by rewrite -mulr2n -(mulr_natr _^-1) mulVf // pnatr_eq0. Qed.

Lemma parity_well_formed (R : realFieldType) : well_formed (parity R).
Proof.
split=> // d _; split=> [o _|] /=; first exact: ler0n.
by case: (nth _ _ _ == nth _ _ _); rewrite /= !(addr0, add0r).
Qed.

Lemma four_quarters (R : realFieldType) : population (parity R) (@uniform R).
Proof.
split=> [d _|]; first by rewrite /uniform invr_ge0 ler0n.
have four (c : R) : c + (c + (c + (c + 0))) = c *+ 4 by rewrite !mulrS mulr0n.
by rewrite /= /uniform four -(mulr_natr _^-1) mulVf // pnatr_eq0.
Qed.

(** Whatever one of them is set to, the other one is the same half of the time. *)
Lemma parity_seven (R : realFieldType) : definition_7 1 (parity R) (@uniform R).
Proof.
suff half i v o : (i < 2)%N -> effect (parity R) (@uniform R) (set_one (parity R) i v) o =
    4%:R^-1 *+ 2.
  by move=> i v w o lt_i _ _ _; rewrite mul1r !half.
move=> lt_i.
have vi : v \in nth [::] (domains (parity R)) i by move: lt_i; case: (i) => [|[|]] //; case: (v).
rewrite (effect_one (parity_well_formed R)) //=; last by case: (o).
rewrite /uniform mulr2n.
by move: lt_i {vi}; case: i => [|[|]] // _; case: v; case: o;
  rewrite /= !(mulr0, mulr1, addr0, add0r).
Qed.

Lemma parity_not_one (R : realFieldType) (t : R) : ~ definition_1 t (parity R).
Proof.
move=> /(_ 0%N [:: false; false] true true isT isT isT isT); rewrite /= mulr0.
by apply/negP; rewrite -ltNge ltr01.
Qed.

Theorem prop4 :
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R) (t : R),
     well_formed m -> population m P -> definition_1 t m -> definition_7 t m P) /\
  (forall R : realFieldType,
     exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
       [/\ well_formed m,
           population m P /\ (forall d, d \in datasets (domains m) -> 0 < P d),
           [seq size values | values <- domains m] = [:: 2; 2]%N,
           definition_7 1 m P & forall t : R, ~ definition_1 t m]).
Proof.
split=> [|R]; first exact: one_implies_seven.
exists bool_eqType, bool_eqType, (parity R), (@uniform R); split=> //.
- exact: parity_well_formed.
- by split=> [|d _]; [exact: four_quarters|rewrite /uniform invr_gt0 ltr0n].
- exact: parity_seven.
exact: parity_not_one.
Qed.
