(** Inner products: Cauchy and Schwarz, and the means of vectors. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner.
From Provado.lemmas Require Import algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Form.
Variables (R : realFieldType) (V : lmodType R) (b : inner V).
Add Field R_field : (field_of R).
Implicit Types u v w : V.

Lemma formDr u v w : b u (v + w) = b u v + b u w.
Proof. by rewrite form_sym form_add !(form_sym _ _ u). Qed.
Lemma formZr a u v : b u (a *: v) = a * b u v.
Proof. by rewrite form_sym form_scale (form_sym _ v). Qed.
Lemma form0l u : b 0 u = 0.
Proof. by have := form_scale b 0 0 u; rewrite scale0r mul0r. Qed.
Lemma form0r u : b u 0 = 0.
Proof. by rewrite form_sym form0l. Qed.
Lemma formNl u v : b (- u) v = - b u v.
Proof. by rewrite -scaleN1r form_scale mulN1r. Qed.
Lemma formNr u v : b u (- v) = - b u v.
Proof. by rewrite form_sym formNl form_sym. Qed.
Lemma form_suml I (r : seq I) P (f : I -> V) u :
  b (\sum_(i <- r | P i) f i) u = \sum_(i <- r | P i) b (f i) u.
Proof. by elim/big_rec2: _ => [|i x y _ <-]; rewrite ?form0l ?form_add. Qed.
Lemma form_sumr I (r : seq I) P (f : I -> V) u :
  b u (\sum_(i <- r | P i) f i) = \sum_(i <- r | P i) b u (f i).
Proof. by rewrite form_sym form_suml; apply: eq_bigr => i _; rewrite form_sym. Qed.

(** Cauchy and Schwarz. *)
Lemma cauchy_schwarz u v : b u v ^+ 2 <= b u u * b v v.
Proof.
have sq t : 0 <= b u u - 2%:R * t * b u v + t ^+ 2 * b v v.
  have := form_pos b (u - t *: v).
  rewrite form_add !formDr formNl !formNr form_scale !formZr formNl form_scale (form_sym b v u).
  by set x := (X in 0 <= X -> _); set y := (X in _ -> 0 <= X); rewrite (_ : x = y) // /x /y;
    rring R.
have [v0|v0] := eqVneq (b v v) 0.
  have [->|uv] := eqVneq (b u v) 0; first by rewrite v0 mulr0 expr0n.
  have := sq ((b u u + 1) / (2%:R * b u v)); rewrite v0 !mulr0 addr0.
  rewrite (_ : _ - _ = - 1) ?oppr_ge0 ?ler10 //.
  by move: (b u v) (b u u) uv => x y x0; rfield R.
have vp : 0 < b v v by rewrite lt_neqAle eq_sym v0 form_pos.
have := mulr_ge0 (sq (b u v / b v v)) (ltW vp).
have -> : (b u u - 2%:R * (b u v / b v v) * b u v + (b u v / b v v) ^+ 2 * b v v) * b v v =
    b u u * b v v - b u v ^+ 2; last by rewrite subr_ge0.
by move: (b u u) (b u v) (b v v) v0 => x z y y0; rfield R.
Qed.

(** A mean is no larger than the largest. *)
Definition mean n (f : 'I_n -> V) : V := n%:R^-1 *: \sum_i f i.
End Form.

Section Means.
Variables (R : realFieldType) (V : lmodType R) (b : inner V) (n : nat) (f : 'I_n.+1 -> V).
Add Field R_field' : (field_of R).
Implicit Types u v : V.

Lemma mean_sum : n.+1%:R *: mean f = \sum_i f i.
Proof. by rewrite /mean scalerA divff ?scale1r // pnatr_eq0. Qed.

Lemma form_mean u : n.+1%:R * b (mean f) u = \sum_i b (f i) u.
Proof. by rewrite -form_scale mean_sum form_suml. Qed.

Lemma off_mean : \sum_i (f i - mean f) = 0.
Proof. by rewrite sumrB sumr_const card_ord -scaler_nat mean_sum subrr. Qed.

(** The variance is the mean square less the square of the mean. *)
Lemma variance : \sum_i b (f i - mean f) (f i - mean f)
  = \sum_i b (f i) (f i) - n.+1%:R * b (mean f) (mean f).
Proof.
under eq_bigr => i _ do rewrite formDr formNr.
rewrite sumrB -form_suml off_mean form0l subr0.
under eq_bigr => i _ do rewrite form_add formNl.
by rewrite sumrB -form_sumr -mean_sum formZr.
Qed.

Hypothesis short : forall i, b (f i) (f i) <= 1.

Lemma variance_bound : \sum_i b (f i - mean f) (f i - mean f)
  <= n.+1%:R * (1 - b (mean f) (mean f)).
Proof.
rewrite variance mulrBr mulr1 ler_add2r -[n.+1 in X in _ <= X]card_ord -sum1_card natr_sum.
exact: ler_sum.
Qed.

Lemma mean_short : b (mean f) (mean f) <= 1.
Proof.
have := le_trans (sumr_ge0 _ (fun i _ => form_pos b (f i - mean f))) variance_bound.
by rewrite pmulr_rge0 ?ltr0n // subr_ge0.
Qed.

(** For one more vector [z] of norm at most 1, with [s] the norm of the mean. *)
Variables (z : V) (s : R).
Hypotheses (s0 : 0 <= s) (sE : s ^+ 2 = b (mean f) (mean f)) (zshort : b z z <= 1).

Lemma s1 : s <= 1.
Proof. by rewrite -(@expr_le1 _ 2) // sE mean_short. Qed.

Lemma size_le u v t : 0 <= t -> b u u * b v v <= t ^+ 2 -> `|b u v| <= t.
Proof.
move=> t0 uv; rewrite -(@ler_pexpn2r _ 2) ?nnegrE // real_normK ?num_real //.
exact: le_trans (cauchy_schwarz b u v) uv.
Qed.

(** The square of its distance from the mean. *)
Lemma distance_bound : b (z - mean f) (z - mean f) <= (1 + s) ^+ 2.
Proof.
have : `|b z (mean f)| <= s by apply: size_le => //; rewrite -sE ler_pimull ?sqr_ge0.
rewrite ler_norml => /andP[zm _].
rewrite form_add !formDr !formNl !formNr -sE (form_sym b (mean f)) -subr_ge0.
rewrite (_ : _ - _ = (1 - b z z) + 2%:R * (b z (mean f) - - s)); last by rring R.
by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?subr_ge0.
Qed.

Lemma spread_bound : \sum_i b (f i - mean f) (z - mean f) ^+ 2
  <= n.+1%:R * ((1 - s) * (1 + s) ^+ 3).
Proof.
apply: (@le_trans _ _ (\sum_i b (f i - mean f) (f i - mean f) * (1 + s) ^+ 2)).
  apply: ler_sum => i _; apply: le_trans (cauchy_schwarz b _ _) _.
  by rewrite ler_wpmul2l ?form_pos // distance_bound.
rewrite -mulr_suml (_ : _ * ((1 - s) * _) = n.+1%:R * (1 - s ^+ 2) * (1 + s) ^+ 2).
  by rewrite ler_wpmul2r ?sqr_ge0 // sE variance_bound.
by rring R.
Qed.

(** [U] is its distance from the mean. *)
Variable U : R.
Hypotheses (U0 : 0 <= U) (UE : U ^+ 2 = b (z - mean f) (z - mean f)).

Lemma shifted_pos i : 0 <= U + b (f i) (z - mean f).
Proof.
have : `|b (f i) (z - mean f)| <= U by apply: size_le => //; rewrite -UE ler_pimull ?sqr_ge0.
by rewrite ler_norml => /andP[low _]; rewrite -ler_subl_addl sub0r.
Qed.

Lemma shifted_mean_pos : 0 <= U + b (mean f) (z - mean f).
Proof.
rewrite -(pmulr_rge0 _ (ltr0Sn R n)) mulrDr form_mean -[n.+1 in X in X * U](card_ord n.+1).
by rewrite mulr_natl -sumr_const -big_split sumr_ge0 // => i _; rewrite shifted_pos.
Qed.

Lemma shifted_mean_bound : U + b (mean f) (z - mean f) <= 1 - s ^+ 2 / 2%:R.
Proof.
have zz : b z z = U ^+ 2 + 2%:R * b (mean f) (z - mean f) + s ^+ 2.
  by rewrite UE sE form_add !formDr !formNl !formNr (form_sym b (mean f)); rring R.
rewrite -subr_ge0; have -> : 1 - s ^+ 2 / 2%:R - (U + b (mean f) (z - mean f))
  = ((1 - b z z) + (1 - U) ^+ 2) / 2%:R by rewrite zz; rfield R.
by rewrite divr_ge0 ?ler0n // addr_ge0 ?sqr_ge0 ?subr_ge0.
Qed.

End Means.
