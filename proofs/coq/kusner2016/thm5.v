(** Kusner et al., Theorem 5: how far one training point moves a residual. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset inner ridge.
From Provado.lemmas Require Import algebra inner_lemmas hsic_move ridge_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Move.
Variables (R : realFieldType) (V : lmodType R) (b : inner V) (n : nat) (lam c : R).
Add Field R_field : (field_of R).
Hypotheses (roots : has_roots R) (lam0 : 0 < lam) (c0 : 0 <= c) (cE : c ^+ 2 = (2%:R * lam)^-1).
Variables (f f' : 'I_n -> V) (y y' : 'I_n -> R) (k : 'I_n) (w w' : V).
Hypotheses (f1 : forall i, b (f i) (f i) <= 1) (f1' : forall i, b (f' i) (f' i) <= 1).
Hypotheses (y1 : forall i, `|y i| <= 1) (y1' : forall i, `|y' i| <= 1).
Hypotheses (fs : forall i, i != k -> f i = f' i) (ys : forall i, i != k -> y i = y' i).
Hypotheses (least : minimises b lam f y w) (least' : minimises b lam f' y' w').

Let n0 : (0 < n)%N. Proof. exact: leq_ltn_trans (ltn_ord k). Qed.

Lemma residual_bound (u g : V) (z : R) : b u u <= c ^+ 2 -> b g g <= 1 -> `|z| <= 1 ->
  `|b u g - z| <= c + 1.
Proof.
move=> u1 g1 z1; rewrite (le_trans (ler_norm_sub _ _)) // ler_add //.
by apply: size_le => //; rewrite -[X in _ <= X]mulr1 ler_pmul ?form_pos.
Qed.

(** The weights move by at most 4 (c + 1)/(n lambda), c = 1/sqrt(2 lambda). *)
Lemma prediction_move (g : V) : b g g <= 1 ->
  `|b w g - b w' g| <= 4%:R * (c + 1) / (n%:R * lam).
Proof.
move=> g1; set v := w' - w.
have nR : 0 < n%:R :> R by rewrite ltr0n n0.
have [d d0 dE] := roots (form_pos b v).
have wn : b w w <= c ^+ 2 by rewrite cE (weight_bound n0 lam0 y1 least).
have wn' : b w' w' <= c ^+ 2 by rewrite cE (weight_bound n0 lam0 y1' least').
have near (u : V) : b u u <= 1 -> `|b v u| <= d.
  by move=> u1; apply: size_le => //; rewrite -dE ler_pimulr ?sqr_ge0.
have [st st'] := (stationary v least, stationary v least').
move: st st'; rewrite /slope (bigD1 k) //= [X in _ -> _ * _ + _ * X = _ -> _](bigD1 k) //=.
set rest := \sum_(i < n | i != k) (b w (f i) - y i) * b v (f i).
set rest' := \sum_(i < n | i != k) (b w' (f' i) - y' i) * b v (f' i).
have restE : rest' = rest + \sum_(i < n | i != k) b v (f i) ^+ 2.
  rewrite /rest /rest' -big_split; apply: eq_bigr => i ik /=.
  by rewrite -fs // -ys // /v form_add formNl; move: (b w' _) (b w _) => p q; rring R.
have vE : b v v = b w' v - b w v by rewrite {1}/v form_add formNl.
have Q0 : 0 <= \sum_(i < n | i != k) b v (f i) ^+ 2 by apply: sumr_ge0 => i _; exact: sqr_ge0.
move: restE Q0; move: (\sum_(i < n | _) _ ^+ 2) rest rest' => Q p p' -> Q0 st st'.
have key : lam * d ^+ 2 <= 2%:R / n%:R * (2%:R * ((c + 1) * d)).
  have x1 := near _ (f1 k); have x1' := near _ (f1' k).
  have r1 := residual_bound wn (f1 k) (y1 k); have r1' := residual_bound wn' (f1' k) (y1' k).
  have t1 : (b w (f k) - y k) * b v (f k) <= (c + 1) * d.
    by rewrite (le_trans (ler_norm _)) // normrM ler_pmul.
  have t1' : - ((b w' (f' k) - y' k) * b v (f' k)) <= (c + 1) * d.
    by rewrite (le_trans (ler_norm _)) // normrN normrM ler_pmul.
  move: st st' t1 t1'; move: (_ * b v (f k)) (_ * b v (f' k)) => t t' st st' t1 t1'.
  have -> : lam * d ^+ 2 = 2%:R / n%:R * (t - t' - Q).
    rewrite dE vE.
    have -> : lam * (b w' v - b w v) = (lam * b w' v + 2%:R / n%:R * (t' + (p + Q)))
      - (lam * b w v + 2%:R / n%:R * (t + p)) + 2%:R / n%:R * (t - t' - Q).
      by move: (n%:R^-1) (b w v) (b w' v) => r a a'; rring R.
    by rewrite st st' subrr add0r.
  rewrite ler_wpmul2l ?divr_ge0 ?ler0n // mulr_natl mulr2n ler_subl_addr.
  by rewrite (le_trans (ler_add t1 t1')) // ler_addl.
have dn : d <= 4%:R * (c + 1) / (n%:R * lam).
  have [d00|dn0] := eqVneq d 0.
    by rewrite d00 divr_ge0 ?mulr_ge0 ?ler0n ?addr_ge0 ?ler01 // ltW.
  have dp : 0 < d by rewrite lt_neqAle eq_sym dn0.
  rewrite ler_pdivl_mulr ?mulr_gt0 // -(ler_pmul2r dp).
  have -> : d * (n%:R * lam) * d = n%:R * (lam * d ^+ 2) by move: n%:R => a; rring R.
  rewrite (le_trans (ler_wpmul2l _ key)) ?ler0n // le_eqVlt; apply/orP; left; apply/eqP.
  by move: (lt0r_neq0 nR); move: n%:R => a a0; rfield R.
rewrite distrC (le_trans _ dn) // (_ : b w' g - b w g = b v g) ?near //.
by rewrite /v form_add formNl.
Qed.
End Move.

Section Bounds.
Variable R : rcfType.
Let K : realFieldType := Num.RealClosedField.realFieldType R.
Add Field K_field : (field_of K).

(** kusner2016/thm5, the sharper bound 4 (1 + 1/sqrt(2 lambda))/(n lambda), for every lambda > 0:
    replacing one of n training points moves a residual by no more. *)
Theorem residual_move (V : lmodType K) (b : inner V) (n : nat) (lam : K)
    (D D' : dataset (V * K) n) (w w' g : V) (target : K) :
  0 < lam -> replace_one D D' ->
  (forall i, b (D i).1 (D i).1 <= 1 /\ `|(D i).2| <= 1) ->
  (forall i, b (D' i).1 (D' i).1 <= 1 /\ `|(D' i).2| <= 1) -> b g g <= 1 ->
  minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' ->
  `|residual b w g target - residual b w' g target|
  <= 4%:R * (Num.sqrt (2%:R * lam)^-1 + 1) / (n%:R * lam).
Proof.
move=> lam0 [k same] D1 D1' g1 least least'.
have cE : Num.sqrt (2%:R * lam)^-1 ^+ 2 = (2%:R * lam)^-1.
  by rewrite sqr_sqrtr // invr_ge0 mulr_ge0 ?ler0n // ltW.
have -> : residual b w g target - residual b w' g target = b w' g - b w g.
  by rewrite /residual; move: (b w g) (b w' g) => p q; rring K.
rewrite distrC.
have f1 i : b (first D i) (first D i) <= 1 by case: (D1 i).
have f1' i : b (first D' i) (first D' i) <= 1 by case: (D1' i).
have y1 i : `|second D i| <= 1 by case: (D1 i).
have y1' i : `|second D' i| <= 1 by case: (D1' i).
have fs i : i != k -> first D i = first D' i by move=> ik; rewrite /first (same i ik).
have ys i : i != k -> second D i = second D' i by move=> ik; rewrite /second (same i ik).
have c0 : 0 <= Num.sqrt (2%:R * lam)^-1 by exact: sqrtr_ge0.
exact: (prediction_move (@real_closed_roots R) lam0 c0 cE f1 f1' y1 y1' fs ys least least' g1).
Qed.

(** kusner2016/thm5: for 0 < lambda <= 1 by no more than 8/(n lambda^(3/2)). *)
Theorem residual_sensitivity (V : lmodType K) (b : inner V) (n : nat) (lam : K)
    (D D' : dataset (V * K) n) (w w' g : V) (target : K) :
  0 < lam -> lam <= 1 -> replace_one D D' ->
  (forall i, b (D i).1 (D i).1 <= 1 /\ `|(D i).2| <= 1) ->
  (forall i, b (D' i).1 (D' i).1 <= 1 /\ `|(D' i).2| <= 1) -> b g g <= 1 ->
  minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' ->
  `|residual b w g target - residual b w' g target| <= 8%:R / (n%:R * (lam * Num.sqrt lam)).
Proof.
move=> lam0 lam1 nb D1 D1' g1 least least'.
apply: le_trans (residual_move target lam0 nb D1 D1' g1 least least') _.
have s0 : 0 < Num.sqrt lam by rewrite sqrtr_gt0.
have s1 : Num.sqrt lam <= 1 by rewrite -(sqrtr1 R) ler_wsqrtr.
have c1 : Num.sqrt (2%:R * lam)^-1 <= (Num.sqrt lam)^-1.
  by rewrite sqrtrV ?mulr_ge0 ?ler0n ?(ltW lam0) // lef_pinv ?posrE ?sqrtr_gt0 ?mulr_gt0 ?ltr0n //
     ler_wsqrtr // ler_pmull // ler1n.
have one : 1 <= (Num.sqrt lam)^-1 by rewrite invf_ge1.
case: nb => k _; have nR : 0 < n%:R :> K by rewrite ltr0n (leq_ltn_trans _ (ltn_ord k)).
have -> : 8%:R / (n%:R * (lam * Num.sqrt lam)) =
    4%:R * ((Num.sqrt lam)^-1 + (Num.sqrt lam)^-1) / (n%:R * lam) :> K.
  have fact (s a h : K) : s != 0 -> a != 0 -> h != 0 ->
    8%:R / (a * (h * s)) = 4%:R * (s^-1 + s^-1) / (a * h) by move=> s0' a0 h0; rfield K.
  by apply: fact; exact: lt0r_neq0.
rewrite ler_wpmul2r ?invr_ge0 ?mulr_ge0 ?(ltW nR) ?(ltW lam0) //.
by rewrite ler_wpmul2l ?ler0n // ler_add.
Qed.
End Bounds.

Theorem thm5 : forall (R : rcfType) (K := Num.RealClosedField.realFieldType R) (V : lmodType K)
    (b : inner V) (n : nat) (lam : K) (D D' : dataset (V * K) n) (w w' g : V) (target : K),
  0 < lam -> lam <= 1 -> replace_one D D' ->
  (forall i, b (D i).1 (D i).1 <= 1 /\ `|(D i).2| <= 1) ->
  (forall i, b (D' i).1 (D' i).1 <= 1 /\ `|(D' i).2| <= 1) ->
  b g g <= 1 ->
  minimises b lam (first D) (second D) w -> minimises b lam (first D') (second D') w' ->
  `|residual b w g target - residual b w' g target| <= 8%:R / (n%:R * (lam * Num.sqrt lam)).
Proof. by move=> R K V b n lam D D' w w' g target; exact: residual_sensitivity. Qed.
