(** Kusner et al., Theorem 1, part 1: the sensitivity of Spearman's rho. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset spearman.
From Provado.lemmas Require Import algebra places.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variable R : realFieldType.
Add Field R_field : (field_of R).

Lemma squared_products n (D : dataset (R * R) n.+1) (a := first D) (b := second D) :
  squared_differences D = (products a a)%:R + (products b b)%:R - 2%:R * (products a b)%:R.
Proof.
rewrite /squared_differences /products !natr_sum mulr_sumr -big_split /= -sumrB.
by apply: eq_bigr => i _; rewrite /rank -/a -/b; rring R.
Qed.

Lemma kept_same n (k : 'I_n.+1) (x x' y y' : 'I_n.+1 -> R) :
  (forall i, i != k -> x i = x' i) -> (forall i, i != k -> y i = y' i) ->
  kept k x y = kept k x' y'.
Proof.
move=> xs ys; apply: eq_bigr => i _; congr (_ * _)%N; apply: eq_bigr => j _.
  by rewrite /order /before !xs // eq_sym neq_lift.
by rewrite /order /before !ys // eq_sym neq_lift.
Qed.

(** The sum of squares moves by at most m(m - 1). *)
Lemma squared_differences_move n (D D' : dataset (R * R) n.+1) : replace_one D D' ->
  `|squared_differences D - squared_differences D'| <= n.+1%:R * n%:R.
Proof.
case=> k same; rewrite !squared_products.
have [fs ss] : (forall i, i != k -> first D i = first D' i) /\
               (forall i, i != k -> second D i = second D' i).
  by split=> i /same; rewrite /first /second => ->.
move: (first D) (first D') (second D) (second D') fs ss => a a' b b' fs ss.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have half (x y : _ -> R) : (products x y)%:R = ((2 * kept k x y)%:R + (moving k x y)%:R) / 2%:R
  :> R.
  by rewrite -natrD -products_moving natrM mulrC mulrA mulVf ?mul1r.
have -> : (products a a)%:R + (products b b)%:R - 2%:R * (products a b)%:R
  - ((products a' a')%:R + (products b' b')%:R - 2%:R * (products a' b')%:R)
  = (moving k a' b')%:R - (moving k a b)%:R :> R.
  rewrite !half !moving_same (kept_same fs fs) (kept_same fs ss) (kept_same ss ss).
  by rfield R.
have most (x y : _ -> R) : (moving k x y)%:R <= 2%:R * n%:R * n%:R :> R.
  by rewrite -!natrM ler_nat -mulnA moving_most.
have least (x y : _ -> R) : n%:R * n%:R - n%:R <= (moving k x y)%:R :> R.
  rewrite ler_subl_addr -natrM -natrD ler_nat.
  rewrite (leq_trans _ (leq_add (moving_least k x y) (leqnn n))) //.
  by case: (n) => // p; rewrite /= -mulnSr.
have gap (x y z t : _ -> R) : (moving k x y)%:R - (moving k z t)%:R <= n.+1%:R * n%:R :> R.
  rewrite (le_trans (ler_sub (most _ _) (least _ _))) //.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rring R.
rewrite ler_norml ler_oppl opprB.
by rewrite !gap.
Qed.

(** rho is |1 - 6 sum d^2 / (m (m^2 - 1))|, so it moves by at most 6/(m + 1).

    kusner2016/thm1-spearman, the sharp bound: for all m >= 2. *)
Theorem spearman_sensitivity_sharp_bound (m : nat) (D D' : dataset (R * R) m) :
  (2 <= m)%N -> replace_one D D' -> `|spearman D - spearman D'| <= 6%:R / m.+1%:R.
Proof.
case: m D D' => [|[|n]] // D D' _ nb.
rewrite /spearman (le_trans (ler_dist_dist _ _)) // /spearman_signed.
have := squared_differences_move nb.
move: (squared_differences D) (squared_differences D') => s s' move_.
set c := n.+2%:R * (n.+2%:R ^+ 2 - 1).
have cE : c = n.+3%:R * (n.+2%:R * n.+1%:R) :> R by rewrite /c; rring R.
have c0 : 0 < c by rewrite cE !mulr_gt0 ?ltr0n.
have -> : 1 - 6%:R * s / c - (1 - 6%:R * s' / c) = (s' - s) * (6%:R / c).
  by move: (c^-1) => d; rring R.
rewrite normrM distrC [X in _ * X]ger0_norm ?divr_ge0 ?(ltW c0) // ?ler0n //.
rewrite (le_trans (ler_wpmul2r _ move_)) ?divr_ge0 ?(ltW c0) ?ler0n //.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite cE; rfield R.
Qed.

(** kusner2016/thm1-spearman: replacing one of m >= 2 records moves |rho| by at most 30/m. *)
Theorem spearman_sensitivity (m : nat) (D D' : dataset (R * R) m) :
  (2 <= m)%N -> replace_one D D' -> `|spearman D - spearman D'| <= 30%:R / m%:R.
Proof.
move=> m2 nb; apply: le_trans (spearman_sensitivity_sharp_bound m2 nb) _.
have m0 : 0 < m%:R :> R by rewrite ltr0n (leq_trans _ m2).
rewrite ler_pdivr_mulr ?ltr0Sn // mulrAC ler_pdivl_mulr // -!natrM ler_nat.
by rewrite leq_mul.
Qed.

(** Neighbors whose scores differ by 6/(m + 1): in [alike] both columns order all records alike;
    in [jumped] the first record has the smallest first value and the largest second one. *)
Definition alike m : dataset (R * R) m := fun i => (i%:R, i%:R).
Definition jumped m : dataset (R * R) m :=
  fun i => if val i is 0%N then (0, m%:R) else (i%:R, i%:R).

Lemma smaller m i : (\sum_(j < m) (j < i) = minn m i)%N.
Proof.
elim: m => [|m IH]; first by rewrite big_ord0 min0n.
rewrite big_ord_recr /= IH /minn; case: (ltnP m i) => [mi|im].
  by rewrite addn1; case: ltnP => // im; apply/eqP; rewrite eqn_leq mi im.
by rewrite addn0 ltnNge leqW.
Qed.

Lemma place_up m (x : 'I_m -> R) i : (forall j : 'I_m, x j = j%:R) -> place x i = i.
Proof.
move=> xE; rewrite /place (eq_bigr (fun j : 'I_m => nat_of_bool (j < i)%N)).
  by rewrite smaller /minn ltnNge ltnW.
by move=> j _; rewrite /before !xE ltr_nat eqr_nat; case: ltngtP.
Qed.

Lemma alike_squares m : squared_differences (@alike m) = 0.
Proof.
rewrite /squared_differences big1 // => i _.
by rewrite /rank !place_up // subrr expr0n.
Qed.

Lemma jumped_squares n : squared_differences (@jumped n.+1) = n.+1%:R * n%:R.
Proof.
have firsts i : place (first (@jumped n.+1)) i = i.
  by apply: place_up => -[[|j] j_lt].
rewrite /squared_differences /rank big_ord_recl.
have -> : place (second (@jumped n.+1)) ord0 = n.
  rewrite /place big_ord_recl /before /second /jumped /= ltxx eqxx /= add0n.
  under eq_bigr => i _ do rewrite ltr_nat /bump /= add1n ltnS ltn_ord.
  by rewrite sum1_card card_ord.
have next (i : 'I_n) : place (second (@jumped n.+1)) (lift ord0 i) = i.
  rewrite /place big_ord_recl /before /second /jumped /=.
  under eq_bigr => j _ do rewrite ltr_nat eqr_nat /bump /= !add1n !ltnS.
  rewrite ltr_nat eqr_nat /bump /= add1n ltnS eqSS ltnNge ltnW ?ltn_ord //.
  rewrite gtn_eqF ?ltn_ord //= add0n.
  rewrite (eq_bigr (fun j : 'I_n => nat_of_bool (j < i)%N)) => [|j _]; last by case: (j < i)%N;
    rewrite ?andbF.
  by rewrite smaller /minn ltnNge ltnW.
under eq_bigr => i _ do rewrite firsts next /= /bump /= add1n.
rewrite firsts /= (eq_bigr (fun _ => 1)) => [|i _]; last by rring R.
by rewrite sumr_const card_ord; rring R.
Qed.

(** kusner2016/thm1-spearman: 6/(m + 1) is reached for every m >= 5, so that no smaller bound
    holds. *)
Theorem spearman_sharp (m : nat) : (5 <= m)%N ->
  exists D D' : dataset (R * R) m,
    replace_one D D' /\ `|spearman D - spearman D'| = 6%:R / m.+1%:R.
Proof.
case: m => [|[|[|[|[|n]]]]] // _; exists (@alike _), (@jumped _); split.
  by exists ord0 => [[[|i] i_lt]].
rewrite /spearman /spearman_signed alike_squares jumped_squares mulr0 mul0r subr0 normr1.
set c := n.+4.+1%:R * (n.+4.+1%:R ^+ 2 - 1).
have cE : c = n.+4%:R * (n.+4.+1%:R * n.+4.+2%:R) :> R by rewrite /c; rring R.
have -> : 6%:R * (n.+4.+1%:R * n.+4%:R) / c = 6%:R / n.+4.+2%:R :> R by rewrite cE; rfield R.
set q := 6%:R / _; have q1 : q <= 1 by rewrite ler_pdivr_mulr ?ltr0Sn // mul1r ler_nat.
have -> : `|1 - q| = 1 - q by rewrite ger0_norm ?subr_ge0.
by rewrite opprB addrC subrK ger0_norm ?divr_ge0 ?ler0n.
Qed.

End Bounds.

(** kusner2016/thm1-spearman: the printed bound, and the sharp one with where it is reached. *)
Theorem thm1_spearman : forall (R : realFieldType) (m : nat), (2 <= m)%N ->
  (forall D D' : dataset (R * R) m, replace_one D D' ->
   `|spearman D - spearman D'| <= 30%:R / m%:R /\
   `|spearman D - spearman D'| <= 6%:R / (m%:R + 1)) /\
  ((5 <= m)%N -> exists D D' : dataset (R * R) m,
   replace_one D D' /\ `|spearman D - spearman D'| = 6%:R / (m%:R + 1)).
Proof.
move=> R m m2; have -> : m%:R + 1 = m.+1%:R :> R by rewrite mulrS addrC.
split=> [D D' nb|]; last exact: spearman_sharp.
by split; [exact: spearman_sensitivity | exact: spearman_sensitivity_sharp_bound].
Qed.
