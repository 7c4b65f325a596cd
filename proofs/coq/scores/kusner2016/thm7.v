(** Kusner et al., Theorem 7: the training set sensitivity of HSIC. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado Require Import dataset scores.algebra scores.inner scores.hsic scores.hsic_inner.
From Provado Require Import scores.kusner_hsic scores.ridge scores.hsic_move scores.kusner2016.thm5.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A kernel with |l(s, u) - l(t, u)| <= L |s - t|. *)
Definition lipschitz (R : realFieldType) (L : R) (l : R -> R -> R) : Prop :=
  forall s t u, `|l s u - l t u| <= L * `|s - t|.

Section Move.
Variables (R : realFieldType) (S : Type) (k : S -> S -> R).
Add Field R_field : (field_of R).
Hypotheses (kp : semidefinite k) (k1 : diagonal_bounded k).

(** Sizes of the entries of HKH add up to at most m^2. *)
Lemma centered_sizes n (x : 'I_n.+1 -> S) :
  \sum_i \sum_j `|(centering R n.+1 *m gram k x *m centering R n.+1) i j| <= n.+1%:R ^+ 2.
Proof.
pose b := combinations kp x; pose F i := point R i : 'rV_n.+1.
have -> : gram k x = gram b F by apply/matrixP => i j; rewrite !mxE combinations_points.
have short i : b (F i) (F i) <= 1 by rewrite combinations_points.
set z := fun i => b (F i - mean F) (F i - mean F).
have size i j : `|b (F i - mean F) (F j - mean F)| <= (z i + z j) / 2%:R.
  apply: size_le; first by rewrite divr_ge0 ?ler0n // addr_ge0 ?form_pos.
  rewrite -subr_ge0 -/(z i) -/(z j).
  have -> : ((z i + z j) / 2%:R) ^+ 2 - z i * z j = ((z i - z j) / 2%:R) ^+ 2.
    by move: (z i) (z j) => p q; rfield R.
  exact: sqr_ge0.
apply: (@le_trans _ _ (\sum_i \sum_j (z i + z j) / 2%:R)).
  by apply: ler_sum => i _; apply: ler_sum => j _; rewrite centered_gram.
have total : \sum_i z i <= n.+1%:R.
  rewrite (le_trans (variance_bound short)) // ler_pimulr ?ler0n //.
  by rewrite ler_subl_addr ler_addl form_pos.
have -> : \sum_i \sum_j (z i + z j) / 2%:R = n.+1%:R * \sum_i z i.
  under eq_bigr => i _ do rewrite -mulr_suml big_split /= sumr_const card_ord.
  rewrite -mulr_suml big_split /= sumr_const card_ord sumrMnl -!mulr_natr.
  by move: (\sum_i z i) n.+1 => Z N; rfield R.
by rewrite expr2 ler_wpmul2l ?ler0n.
Qed.

(** The second matrix moves by at most [e] in each entry. *)
Lemma trace_entries n (K L L' : 'M[R]_n) (e : R) : (forall i j, `|(L - L') i j| <= e) -> 0 <= e ->
  `|centered_trace K L - centered_trace K L'|
  <= e * \sum_i \sum_j `|(centering R n *m K *m centering R n) i j|.
Proof.
move=> near e0; rewrite /centered_trace; set H := centering R n.
have turn (A : 'M[R]_n) : \tr (K *m H *m A *m H) = \tr (H *m K *m H *m A).
  by rewrite mxtrace_mulC !mulmxA.
rewrite !turn -raddfB /= -mulmxBr /mxtrace; apply: le_trans (ler_norm_sum _ _ _) _.
rewrite mulr_sumr; apply: ler_sum => i _; rewrite mxE mulr_sumr.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
by rewrite normrM mulrC ler_wpmul2r.
Qed.

(** Residuals that move by at most [e] move HSIC by at most 2 L e (m/(m - 1))^2. *)
Lemma hsic_residuals_move n (l : R -> R -> R) (L e : R) (x : 'I_n.+2 -> S) (y y' : 'I_n.+2 -> R) :
  0 <= L -> 0 <= e -> (forall s t, l s t = l t s) -> lipschitz L l ->
  (forall i, `|y i - y' i| <= e) ->
  `|hsic k l x y - hsic k l x y'| <= 2%:R * L * e * (n.+2%:R ^+ 2 / n.+1%:R ^+ 2).
Proof.
move=> L0 e0 lsym lip near.
have entries i j : `|(gram l y - gram l y') i j| <= 2%:R * L * e.
  rewrite !mxE (_ : _ - _ = (l (y i) (y j) - l (y' i) (y j)) + (l (y j) (y' i) - l (y' j) (y' i))).
    rewrite (le_trans (ler_norm_add _ _)) // -mulrA mulr_natl mulr2n ler_add //.
      by rewrite (le_trans (lip _ _ _)) // ler_wpmul2l.
    by rewrite (le_trans (lip _ _ _)) // ler_wpmul2l.
  by rewrite (lsym (y j)) (lsym (y' j)) addrA subrK.
have c0 : 0 <= 2%:R * L * e by rewrite !mulr_ge0 ?ler0n.
rewrite /hsic -mulrBl normrM [X in _ * X]ger0_norm ?invr_ge0 ?exprn_ge0 ?ler0n // mulrA.
rewrite ler_wpmul2r ?invr_ge0 ?exprn_ge0 ?ler0n // (le_trans (trace_entries _ entries c0)) //.
by rewrite ler_wpmul2l // centered_sizes.
Qed.
End Move.
