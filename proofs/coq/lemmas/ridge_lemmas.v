(** Kernel ridge regression: the minimiser is stationary and bounded. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner ridge.
From Provado.lemmas Require Import algebra inner_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ridge.
Variables (R : realFieldType) (V : lmodType R) (b : inner V) (n : nat) (lam : R).
Add Field R_field : (field_of R).
Implicit Types (f : 'I_n -> V) (y : 'I_n -> R) (w v : V).

Local Notation objective := (objective b lam).
Local Notation minimises := (minimises b lam).

(** How fast the objective grows along [v]. *)
Definition slope f y w v : R := lam * b w v + 2%:R / n%:R * \sum_i (b w (f i) - y i) * b v (f i).

Lemma objective_along f y w v t : objective f y (w + t *: v) =
  objective f y w + t * slope f y w v
  + t ^+ 2 * (lam / 2%:R * b v v + (\sum_i b v (f i) ^+ 2) / n%:R).
Proof.
rewrite /objective /slope.
have -> : \sum_i (b (w + t *: v) (f i) - y i) ^+ 2 = \sum_i (b w (f i) - y i) ^+ 2
    + 2%:R * t * (\sum_i (b w (f i) - y i) * b v (f i)) + t ^+ 2 * \sum_i b v (f i) ^+ 2.
  rewrite !mulr_sumr -!big_split; apply: eq_bigr => i _ /=.
  by rewrite form_add form_scale; move: (b w _) (b v _) (y i) => p q r; rring R.
have -> : b (w + t *: v) (w + t *: v) = b w w + 2%:R * t * b w v + t ^+ 2 * b v v.
  by rewrite form_add !formDr !form_scale !formZr (form_sym b v w); rring R.
move: (\sum_i _) (\sum_i _ * _) (\sum_i b v _ ^+ 2) (n%:R^-1) => A B C r.
by rfield R.
Qed.

(** At the minimum the slope vanishes. *)
Lemma stationary f y w v : minimises f y w -> slope f y w v = 0.
Proof.
move=> least; set g := slope f y w v.
set q := lam / 2%:R * b v v + (\sum_i b v (f i) ^+ 2) / n%:R.
have above t : 0 <= t * g + t ^+ 2 * q.
  by have := least (w + t *: v); rewrite objective_along -addrA ler_addl.
have [//|g0] := eqVneq g 0.
have d0 : 0 < `|q| + 1 by rewrite ltr_spaddr.
have := above (- g / (`|q| + 1)).
have -> : - g / (`|q| + 1) * g + (- g / (`|q| + 1)) ^+ 2 * q =
    - (g ^+ 2 * ((`|q| - q) + 1) / (`|q| + 1) ^+ 2).
  by move: (`|q|) (lt0r_neq0 d0) => a a0; rfield R.
rewrite oppr_ge0 leNgt divr_gt0 ?exprn_gt0 // mulr_gt0 //.
  by rewrite lt_neqAle eq_sym expf_eq0 /= g0 sqr_ge0.
by rewrite ltr_spaddr ?ltr01 // subr_ge0 ler_norm.
Qed.

(** |w|^2 <= 1/(2 lambda). *)
Lemma weight_bound f y w : (0 < n)%N -> 0 < lam -> (forall i, `|y i| <= 1) ->
  minimises f y w -> b w w <= (2%:R * lam)^-1.
Proof.
move=> n0 lam0 y1 /stationary -/(_ w); rewrite /slope => /eqP; rewrite addr_eq0 => /eqP eq.
have nR : 0 < n%:R :> R by rewrite ltr0n.
have sum : - (\sum_i (b w (f i) - y i) * b w (f i)) <= n%:R / 4%:R.
  rewrite -sumrN -[n in n%:R](card_ord n) mulr_natl -sumr_const; apply: ler_sum => i _.
  have yy : y i ^+ 2 <= 1 by rewrite -real_normK ?num_real // expr_le1.
  rewrite -subr_ge0; have -> : 4%:R^-1 - - ((b w (f i) - y i) * b w (f i)) =
    (1 - y i ^+ 2) / 4%:R + (b w (f i) - y i / 2%:R) ^+ 2 by move: (b w _) (y i) => p q; rfield R.
  by rewrite addr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n ?subr_ge0.
rewrite -(ler_pmul2l lam0) eq -mulrN (le_trans (ler_wpmul2l _ sum)) ?divr_ge0 ?ler0n //.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (lt0r_neq0 nR) (lt0r_neq0 lam0); move: n%:R => a a0 l0; rfield R.
Qed.

End Ridge.
