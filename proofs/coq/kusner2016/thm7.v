(** Kusner et al., Theorem 7: the training set sensitivity of HSIC. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset inner hsic ridge.
From Provado.lemmas Require Import algebra inner_lemmas hsic_inner.
From Provado.lemmas Require Import hsic_semidefinite ridge_lemmas hsic_move.
From Provado.kusner2016 Require Import thm5.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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
  rewrite -mulr_suml big_split /= sumr_const card_ord sumrMnl -(mulr_natr (\sum_i z i) n.+1).
  by move: (\sum_i z i) (n.+1%:R : R) => Z N; rfield R.
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

Section Bounds.
Variable R : rcfType.
Let K : realFieldType := Num.RealClosedField.realFieldType R.
Add Field K_field : (field_of K).

(** kusner2016/thm7: replacing one of n training points moves HSIC of m >= 2 test residuals by at
    most R 32 L sqrt(m)/n, R = 8/lambda^(3/2), for 0 < lambda <= 1, fixed positive semi-definite
    kernels with k(x, x) <= 1 and l L-Lipschitz. *)
Theorem hsic_training_sensitivity (S : Type) (V : lmodType K) (b : inner V) (n m : nat)
    (lam L : K) (k : S -> S -> K) (l : K -> K -> K) (D D' : dataset (V * K) n) (w w' : V)
    (x : 'I_m -> S) (g : 'I_m -> V) (target : 'I_m -> K)
    (r := fun i => residual b w (g i) (target i)) (r' := fun i => residual b w' (g i) (target i)) :
  (2 <= m)%N -> 0 < lam -> lam <= 1 -> 0 <= L -> replace_one D D' ->
  (forall i, b (D i).1 (D i).1 <= 1 /\ `|(D i).2| <= 1) ->
  (forall i, b (D' i).1 (D' i).1 <= 1 /\ `|(D' i).2| <= 1) -> (forall i, b (g i) (g i) <= 1) ->
  minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' ->
  semidefinite k -> semidefinite l -> diagonal_bounded k -> diagonal_bounded l -> lipschitz L l ->
  `|hsic k l x r - hsic k l x r'|
  <= 8%:R / (lam * Num.sqrt lam) * (32%:R * L * Num.sqrt m%:R) / n%:R.
Proof.
move=> m2 lam0 lam1 L0 nb D1 D1' g1 least least' kp lp k1 l1 lip.
have s0 : 0 < Num.sqrt lam by rewrite sqrtr_gt0.
have nR : 0 < n%:R :> K by case: nb => a _; rewrite ltr0n (leq_ltn_trans _ (ltn_ord a)).
set e := 8%:R / (n%:R * (lam * Num.sqrt lam)).
have e0 : 0 <= e by rewrite divr_ge0 ?ler0n // !mulr_ge0 // ltW.
have near i : `|r i - r' i| <= e by apply: (residual_sensitivity _ lam0 lam1 nb).
have root1 : 1 <= Num.sqrt m%:R :> K.
  have : Num.sqrt (1 : R) <= Num.sqrt m%:R by rewrite ler_wsqrtr // ler1n (leq_trans _ m2).
  by rewrite sqrtr1.
case: m x g target r r' m2 g1 near root1 => [|[|p]] // x g target r r' _ g1 near root1.
apply: le_trans (hsic_residuals_move kp k1 x L0 e0 lp.1 lip near) _.
have p0 : 0 < p.+1%:R :> K by rewrite ltr0n.
have ratio : p.+2%:R ^+ 2 / p.+1%:R ^+ 2 <= 4%:R :> K.
  rewrite ler_pdivr_mulr ?exprn_gt0 // -subr_ge0.
  have -> : 4%:R * p.+1%:R ^+ 2 - p.+2%:R ^+ 2 = p%:R * (3%:R * p%:R + 4%:R) :> K by rring K.
  by apply: mulr_ge0; [exact: ler0n | apply: addr_ge0; [apply: mulr_ge0 |]; exact: ler0n].
have c0 : 0 <= 2%:R * L * e.
  by apply: mulr_ge0; [apply: mulr_ge0; [exact: ler0n | exact: L0] | exact: e0].
apply: le_trans (ler_wpmul2l c0 ratio) _.
have -> : 8%:R / (lam * Num.sqrt lam) * (32%:R * L * Num.sqrt p.+2%:R) / n%:R =
    2%:R * L * e * 16%:R * Num.sqrt p.+2%:R.
  have fact (s a h t : K) : s != 0 -> a != 0 -> h != 0 -> 8%:R / (h * s) * (32%:R * L * t) / a
    = 2%:R * L * (8%:R / (a * (h * s))) * 16%:R * t by move=> s1 a1 h1; rfield K.
  by apply: fact; exact: lt0r_neq0.
rewrite -[X in _ <= X]mulrA; apply: (ler_wpmul2l c0).
apply: (@le_trans _ _ 16%:R); first by rewrite ler_nat.
by rewrite ler_pemulr ?ler0n.
Qed.
End Bounds.

Theorem thm7 : forall (R : rcfType) (K := Num.RealClosedField.realFieldType R) (S : Type)
    (V : lmodType K) (b : inner V) (n m : nat) (lam L : K) (k : S -> S -> K) (l : K -> K -> K)
    (D D' : dataset (V * K) n) (w w' : V) (x : 'I_m -> S) (g : 'I_m -> V) (target : 'I_m -> K),
  (2 <= m)%N -> 0 < lam -> lam <= 1 -> replace_one D D' ->
  (forall i, b (D i).1 (D i).1 <= 1 /\ `|(D i).2| <= 1) ->
  (forall i, b (D' i).1 (D' i).1 <= 1 /\ `|(D' i).2| <= 1) ->
  (forall i, b (g i) (g i) <= 1) ->
  minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' ->
  semidefinite k -> semidefinite l -> diagonal_bounded k -> diagonal_bounded l -> lipschitz L l ->
  `|hsic k l x (fun i => residual b w (g i) (target i))
    - hsic k l x (fun i => residual b w' (g i) (target i))|
  <= 8%:R / (lam * Num.sqrt lam) * (32%:R * Num.sqrt m%:R * L) / n%:R.
Proof.
move=> R K S V b n m lam L k l D D' w w' x g target m2 lam0 lam1 nb D1 D1' g1 least least'.
move=> kp lp k1 l1 lip.
have L0 : 0 <= L by have := lip 0 1 0; rewrite sub0r normrN normr1 mulr1; apply: le_trans.
rewrite [32%:R * _ * L]mulrAC.
exact: (hsic_training_sensitivity x target m2 lam0 lam1 L0 nb D1 D1' g1 least least' kp lp k1 l1
  lip).
Qed.
