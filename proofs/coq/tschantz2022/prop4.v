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

(** The mechanism of (18) and (19): a fair coin, unless both data points are 2. *)
Definition hidden (R : realFieldType) : mechanism R nat_eqType nat_eqType :=
  Mechanism [:: [:: 0; 1; 2]; [:: 0; 1; 2]]%N [:: 0; 1]%N
    (fun d o => if d == [:: 2; 2]%N then (o == 0%N)%:R else 2%:R^-1).

(** The population that is uniform on {0, 1} x {0, 1}. *)
Definition unaware (R : realFieldType) (d : seq nat) : R :=
  if d \in [:: [:: 0; 0]; [:: 0; 1]; [:: 1; 0]; [:: 1; 1]]%N then 4%:R^-1 else 0.

Lemma two_halves (R : realFieldType) : 2%:R^-1 + 2%:R^-1 = 1 :> R.
Proof. by rewrite -mulr2n -(mulr_natr _^-1) mulVf // pnatr_eq0. Qed.

Lemma hidden_well_formed (R : realFieldType) : well_formed (hidden R).
Proof.
split=> // d _; split=> [o _|] /=; first by case: ifP; rewrite ?invr_ge0 ler0n.
by case: ifP => _ /=; rewrite ?addr0 ?two_halves.
Qed.

Lemma unaware_population (R : realFieldType) : population (hidden R) (@unaware R).
Proof.
split=> [d _|]; first by rewrite /unaware; case: ifP; rewrite ?invr_ge0 ?ler0n.
rewrite /= /unaware /= !addr0 !add0r.
have four (c : R) : c + (c + (c + c)) = c *+ 4 by rewrite !mulrS mulr0n addr0.
by rewrite four -(mulr_natr _^-1) mulVf // pnatr_eq0.
Qed.

Lemma hidden_seven (R : realFieldType) : definition_7 1 (hidden R) (@unaware R).
Proof.
suff half i v o : (i < 2)%N -> v \in [:: 0; 1; 2]%N -> o \in [:: 0; 1]%N ->
    effect (hidden R) (@unaware R) (set_one (hidden R) i v) o = 2%:R^-1.
  move=> i v w o lt_i vi wi oo; rewrite mul1r.
  have E u : u \in nth [::] (domains (hidden R)) i -> u \in [:: 0; 1; 2]%N.
    by move: lt_i => /=; case: (i) => [|[|]].
  by rewrite !half ?E.
move=> lt_i vi oo; have [_ P1] := unaware_population R.
have vi' : v \in nth [::] (domains (hidden R)) i by move: lt_i; case: (i) => [|[|]].
rewrite (effect_one (hidden_well_formed R)) //.
transitivity (sigma (fun d => unaware R d * 2%:R^-1) (datasets (domains (hidden R)))); last first.
  by rewrite sigmaMr P1 mul1r.
apply: eq_sigma => d _; rewrite /unaware; case: ifP => [|_]; last by rewrite !mul0r.
move: lt_i vi oo; rewrite !inE; case: i {vi'} => [|[|]] // _;
  case/or3P => /eqP ->; case/orP => /eqP ->; case/or4P => /eqP -> //.
Qed.

Lemma hidden_not_one (R : realFieldType) (t : R) : ~ definition_1 t (hidden R).
Proof.
move=> /(_ 0%N [:: 0; 2]%N 2%N 1%N isT isT isT isT); rewrite /= mulr0.
by apply/negP; rewrite -ltNge invr_gt0 ltr0n.
Qed.

Theorem prop4 :
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (P : seq V -> R) (t : R),
     well_formed m -> population m P -> definition_1 t m -> definition_7 t m P) /\
  (forall R : realFieldType,
     exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R),
       [/\ well_formed m, population m P, definition_7 1 m P & forall t, ~ definition_1 t m]).
Proof.
split=> [|R]; first exact: one_implies_seven.
exists nat_eqType, nat_eqType, (hidden R), (@unaware R); split.
- exact: hidden_well_formed.
- exact: unaware_population.
- exact: hidden_seven.
exact: hidden_not_one.
Qed.
