(** Table 1, row 4, repaired: for mutually independent data points. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import table1_row3.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Row4.

Variables (R : realFieldType) (V O : eqType) (m : mechanism R V O).
Hypothesis wf : well_formed m.

Notation n := (size (domains m)).

(** The product of the marginals, with that of data point [i] first. *)
Lemma marginals (P : seq V -> R) i d : mutually_independent m P -> (i < n)%N ->
  d \in datasets (domains m) ->
  P d = seen m P (fun e => ohead (drop i e) == ohead (drop i d)) *
    \prod_(k <- iota 0 n | k != i) seen m P (fun e => ohead (drop k e) == ohead (drop k d)).
Proof.
move=> indep lt_i dd; rewrite (indep d dd) productE (bigD1_seq i) ?iota_uniq //=.
by rewrite mem_iota.
Qed.

Lemma exchanged (P : seq V -> R) i v w x : mutually_independent m P -> (i < n)%N ->
  v \in nth [::] (domains m) i -> w \in nth [::] (domains m) i ->
  x \in datasets (others (domains m) i) ->
  P (insert x i v) * seen m P (point_is i w) = P (insert x i w) * seen m P (point_is i v).
Proof.
move=> indep lt_i vi wi xx.
rewrite !(marginals indep lt_i) ?insert_in //.
rewrite (at_insert v lt_i xx) (at_insert w lt_i xx) -/(point_is i v) -/(point_is i w).
rewrite mulrAC [RHS]mulrAC [seen m P (point_is i w) * _]mulrC; congr (_ * _).
apply: eq_bigr => k neq; apply: eq_sigma => e _.
by rewrite (at_other_insert v w lt_i xx neq).
Qed.

Lemma one_implies_mutual (t : R) : definition_1 t m -> definition_4_mutual t m.
Proof.
move=> dp P [P0 _] indep i v w o lt_i vi wi oo pv pw; have [ud _ _] := wf.
have S u : u \in nth [::] (domains m) i -> seen_with m P (point_is i u) o =
    sigma (fun x => P (insert x i u) * chance m (insert x i u) o)
      (datasets (others (domains m) i)).
  move=> ui; rewrite -(sigma_where (fun d => P d * chance m d o) ud lt_i ui).
  by apply: eq_sigma => d _; rewrite mulrA.
rewrite /given ler_pdivr_mulr // -(ler_pmul2r pw).
have -> x : t * (x / seen m P (point_is i w)) * seen m P (point_is i v) * seen m P (point_is i w)
    = t * (x * seen m P (point_is i v)).
  by rewrite -!mulrA; congr (_ * (_ * _)); rewrite mulrC mulfK ?gt_eqF.
rewrite !S // -!sigmaMr -sigmaM.
apply: ler_sigma => x xx; have iv := insert_in lt_i vi xx; have iw := insert_in lt_i wi xx.
rewrite mulrAC (exchanged indep lt_i vi wi xx) [_ * chance m _ o * _ in X in _ <= X]mulrAC mulrCA.
rewrite ler_wpmul2l ?mulr_ge0 ?(ltW pv) ?P0 //.
by rewrite -(replace_insert v w lt_i xx); exact: dp.
Qed.

Lemma halves_independent i d v : (i < n)%N -> d \in datasets (domains m) ->
  v \in nth [::] (domains m) i -> mutually_independent m (halves R d (replace d i v)).
Proof.
move=> lt_i dd vi; set d' := replace d i v; have dd' : d' \in datasets (domains m).
  exact: replace_in.
move=> e ee; have i_in : i \in iota 0 n by rewrite mem_iota.
have S k : seen m (halves R d d') (fun x => ohead (drop k x) == ohead (drop k e)) =
    ((ohead (drop k d) == ohead (drop k e))%:R + (ohead (drop k d') == ohead (drop k e))%:R) / 2%:R.
  by rewrite /seen sigma_halves.
rewrite productE (bigD1_seq i) ?iota_uniq //= S.
have -> : \prod_(k <- iota 0 n | k != i)
    seen m (halves R d d') (fun x => ohead (drop k x) == ohead (drop k e)) =
  \prod_(k <- iota 0 n | k != i) (ohead (drop k d) == ohead (drop k e))%:R.
  apply: eq_bigr => k neq; rewrite S (at_other_replace v lt_i dd neq).
  by rewrite -mulr2n -(mulr_natr (_%:R)) mulfK // pnatr_eq0.
rewrite /halves (same_dataset R dd ee) (same_dataset R dd' ee).
rewrite !(bigD1_seq i) ?iota_uniq //=.
have -> : \prod_(k <- iota 0 n | k != i) (ohead (drop k d') == ohead (drop k e))%:R =
  \prod_(k <- iota 0 n | k != i) (ohead (drop k d) == ohead (drop k e))%:R :> R.
  by apply: eq_bigr => k neq; rewrite (at_other_replace v lt_i dd neq).
by rewrite -mulrDl mulrAC.
Qed.

End Row4.

Theorem table1_row4 : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  well_formed m -> definition_4_mutual t m <-> definition_1 t m.
Proof.
move=> R V O m t wf; split=> [h|]; last exact: one_implies_mutual.
apply: halves_imply_one => // i d v lt_i dd vi; apply: h; last exact: halves_independent.
by apply: halves_population => //; exact: replace_in.
Qed.
