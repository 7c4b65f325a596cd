(** How far one record moves HSIC of vectors of norm at most 1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner hsic.
From Provado.lemmas Require Import algebra inner_lemmas hsic_inner.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A field in which numbers from 0 on have roots, such as the real numbers. *)
Definition has_roots (R : realFieldType) : Prop :=
  forall x : R, 0 <= x -> exists2 y, 0 <= y & y ^+ 2 = x.

Lemma real_closed_roots (R : rcfType) : has_roots (Num.RealClosedField.realFieldType R).
Proof. by move=> x x0; exists (Num.sqrt x); rewrite ?sqrtr_ge0 ?sqr_sqrtr. Qed.

Section Joint.
Variables (R : realFieldType) (V W : lmodType R) (b : inner V) (c : inner W).
Add Field R_field : (field_of R).
Hypothesis roots : has_roots R.

(** Twice the most by which the covariance of a record differs from another one's, at mean norm
  s. *)
Definition covariance_range (s : R) : R := (1 - s) * (1 + s) ^+ 3 + (1 - s ^+ 2 / 2%:R) ^+ 2.

(** How far HSIC of m records moves, by halves: one for each column, at mean norm s. *)
Definition half_move (m s : R) : R := covariance_range s / m + (1 + s) ^+ 4 / (2%:R * m ^+ 2).

Section One.
Variables (n : nat) (k : 'I_n.+2) (F : 'I_n.+2 -> V) (G : 'I_n.+2 -> W).
Let f (i : 'I_n.+1) := F (lift k i).
Let g (i : 'I_n.+1) := G (lift k i).
Hypotheses (Fshort : forall i, b (F i) (F i) <= 1) (Gshort : forall i, c (G i) (G i) <= 1).
Variables (s r : R).
Hypotheses (s0 : 0 <= s) (sE : s ^+ 2 = b (mean f) (mean f)).
Hypotheses (r0 : 0 <= r) (rE : r ^+ 2 = c (mean g) (mean g)).

Lemma half_sum (x y : R) : x * y <= (x ^+ 2 + y ^+ 2) / 2%:R.
Proof.
rewrite -subr_ge0 (_ : _ - _ = (x - y) ^+ 2 / 2%:R); last by rfield R.
by rewrite divr_ge0 ?sqr_ge0 ?ler0n.
Qed.

Lemma joint_upper : joint b c k F G
  <= n.+1%:R * ((1 - s) * (1 + s) ^+ 3 + (1 - r) * (1 + r) ^+ 3) / 2%:R.
Proof.
apply: le_trans (ler_sum _ (fun i _ => half_sum _ _)) _.
rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?ler0n // big_split /= mulrDr.
by apply: ler_add; apply: spread_bound => //; do ?[move=> i; apply: Fshort || apply: Gshort].
Qed.

Lemma joint_lower : - joint b c k F G
  <= n.+1%:R * ((1 - s ^+ 2 / 2%:R) ^+ 2 + (1 - r ^+ 2 / 2%:R) ^+ 2) / 2%:R.
Proof.
set u := F k - mean f; set v := G k - mean g.
have [U U0 UE] := roots (form_pos b u).
have [T T0 TE] := roots (form_pos c v).
have jointE : joint b c k F G =
    \sum_i b (f i) u * c (g i) v - n.+1%:R * (b (mean f) u * c (mean g) v).
  rewrite /joint -/u -/v -/f -/g.
  under eq_bigr => i _ do rewrite [c (g i - _) v]form_add formNl mulrDr.
  rewrite big_split /= -[X in _ + X](mulr_suml) -form_suml off_mean form0l mul0r addr0.
  under eq_bigr => i _ do rewrite form_add formNl mulrDl.
  rewrite big_split /=; congr (_ + _).
  rewrite -mulr_sumr -form_mean; move: (b (mean f) u) (c (mean g) v) => x y.
  by rring R.
have pos i : 0 <= (U + b (f i) u) * (T + c (g i) v).
  by rewrite mulr_ge0 //; apply: shifted_pos => // j; (apply: Fshort || apply: Gshort).
have le1 : - joint b c k F G <= n.+1%:R * ((U + b (mean f) u) * (T + c (mean g) v)).
  have all_pos : 0 <= \sum_i (U + b (f i) u) * (T + c (g i) v) by apply: sumr_ge0 => i _.
  have all_sum : \sum_i (U + b (f i) u) * (T + c (g i) v) = n.+1%:R * (U * T)
      + U * (n.+1%:R * c (mean g) v) + T * (n.+1%:R * b (mean f) u) + \sum_i b (f i) u * c (g i) v.
    rewrite !form_mean !mulr_sumr -[n.+1 in X in X%:R * (U * T)]card_ord mulr_natl -sumr_const.
    rewrite -!big_split; apply: eq_bigr => i _ /=.
    by move: (b (f i) u) (c (g i) v) => x y; rring R.
  rewrite -subr_ge0 jointE opprK; move: all_pos; rewrite all_sum.
  move: (\sum_i _) (b (mean f) u) (c (mean g) v) => S x y.
  have -> : n.+1%:R * ((U + x) * (T + y)) + (S - n.+1%:R * (x * y)) =
      n.+1%:R * (U * T) + U * (n.+1%:R * y) + T * (n.+1%:R * x) + S by rring R.
  by [].
apply: le_trans le1 _; rewrite -mulrA ler_wpmul2l ?ler0n //.
apply: (@le_trans _ _ ((1 - s ^+ 2 / 2%:R) * (1 - r ^+ 2 / 2%:R))); last exact: half_sum.
apply: ler_pmul.
- by apply: shifted_mean_pos => // j; apply: Fshort.
- by apply: shifted_mean_pos => // j; apply: Gshort.
- by apply: shifted_mean_bound => // j; apply: Fshort.
- by apply: shifted_mean_bound => // j; apply: Gshort.
Qed.

Lemma corner_bound : 0 <= b (F k - mean f) (F k - mean f) * c (G k - mean g) (G k - mean g)
  <= ((1 + s) ^+ 4 + (1 + r) ^+ 4) / 2%:R.
Proof.
rewrite mulr_ge0 ?form_pos //=; apply: (@le_trans _ _ ((1 + s) ^+ 2 * (1 + r) ^+ 2)).
  by apply: ler_pmul; rewrite ?form_pos //; apply: distance_bound => // j;
     (apply: Fshort || apply: Gshort).
by rewrite (le_trans (half_sum _ _)) // -!exprM.
Qed.
End One.

Section Two.
Variables (n : nat) (k : 'I_n.+2) (F F' : 'I_n.+2 -> V) (G G' : 'I_n.+2 -> W).
Hypotheses (Fshort : forall i, b (F i) (F i) <= 1) (Gshort : forall i, c (G i) (G i) <= 1).
Hypotheses (Fshort' : forall i, b (F' i) (F' i) <= 1) (Gshort' : forall i, c (G' i) (G' i) <= 1).
Hypotheses (Fs : forall i, i != k -> F i = F' i) (Gs : forall i, i != k -> G i = G' i).

Lemma half_moves : exists s r, [/\ 0 <= s <= 1, 0 <= r <= 1
  & (centered_trace (gram b F) (gram c G) - centered_trace (gram b F') (gram c G'))
    / n.+1%:R ^+ 2 <= half_move n.+2%:R s + half_move n.+2%:R r].
Proof.
set f := fun i => F (lift k i); set g := fun i => G (lift k i).
have fE : (fun i => F' (lift k i)) =1 f by move=> i; rewrite /f Fs // eq_sym neq_lift.
have gE : (fun i => G' (lift k i)) =1 g by move=> i; rewrite /g Gs // eq_sym neq_lift.
have [s s0 sE] := roots (form_pos b (mean f)).
have [r r0 rE] := roots (form_pos c (mean g)).
have mf : mean (fun i => F' (lift k i)) = mean f by rewrite /mean (eq_bigr _ (fun i _ => fE i)).
have mg : mean (fun i => G' (lift k i)) = mean g by rewrite /mean (eq_bigr _ (fun i _ => gE i)).
exists s, r; split.
- by rewrite s0 (s1 _ s0 sE) // => i; exact: Fshort.
- by rewrite r0 (s1 _ r0 rE) // => i; exact: Gshort.
rewrite (trace_split _ _ k F G) (trace_split _ _ k F' G') mf mg.
have -> : products b c (fun i => F' (lift k i) - mean f) (fun i => G' (lift k i) - mean g)
    = products b c (fun i => f i - mean f) (fun i => g i - mean g).
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !fE !gE.
have sE' : s ^+ 2 = b (mean (fun i => F' (lift k i))) (mean (fun i => F' (lift k i))).
  by rewrite mf.
have rE' : r ^+ 2 = c (mean (fun i => G' (lift k i))) (mean (fun i => G' (lift k i))).
  by rewrite mg.
have up := joint_upper Fshort Gshort s0 sE r0 rE.
have low := joint_lower Fshort' Gshort' sE' rE'.
have /andP[_ corner] := corner_bound Fshort Gshort s0 sE r0 rE.
have /andP[pos _] := corner_bound Fshort' Gshort' s0 sE' r0 rE'.
rewrite mf mg in pos; move: up low corner pos; rewrite -/f -/g.
move: (joint b c k F G) (joint b c k F' G') (products _ _ _ _) => N N' A.
move: (b _ _ * c _ _) (b _ _ * c _ _) => C' C up low corner pos.
have m0 : 0 < n.+2%:R :> R by rewrite ltr0n.
have n0 : 0 < n.+1%:R :> R by rewrite ltr0n.
have -> : (A + 2%:R * (n.+1%:R / n.+2%:R) * N + (n.+1%:R / n.+2%:R) ^+ 2 * C
    - (A + 2%:R * (n.+1%:R / n.+2%:R) * N' + (n.+1%:R / n.+2%:R) ^+ 2 * C')) / n.+1%:R ^+ 2
    = 2%:R / (n.+2%:R * n.+1%:R) * (N - N') + (C - C') / n.+2%:R ^+ 2.
  by move: (lt0r_neq0 m0) (lt0r_neq0 n0); move: (n.+2%:R) (n.+1%:R) => y z y0 z0; rfield R.
have joints : N - N' <= n.+1%:R * (covariance_range s + covariance_range r) / 2%:R.
  have -> : n.+1%:R * (covariance_range s + covariance_range r) / 2%:R =
    n.+1%:R * ((1 - s) * (1 + s) ^+ 3 + (1 - r) * (1 + r) ^+ 3) / 2%:R
    + n.+1%:R * ((1 - s ^+ 2 / 2%:R) ^+ 2 + (1 - r ^+ 2 / 2%:R) ^+ 2) / 2%:R.
    by rewrite /covariance_range; rfield R.
  exact: ler_add.
have corners : C - C' <= ((1 + s) ^+ 4 + (1 + r) ^+ 4) / 2%:R.
  by rewrite ler_subl_addr (le_trans corner) // ler_addl.
have -> : half_move n.+2%:R s + half_move n.+2%:R r =
    2%:R / (n.+2%:R * n.+1%:R) * (n.+1%:R * (covariance_range s + covariance_range r) / 2%:R)
    + ((1 + s) ^+ 4 + (1 + r) ^+ 4) / 2%:R / n.+2%:R ^+ 2.
  rewrite /half_move; move: (covariance_range s) (covariance_range r) => x x'.
  by move: (lt0r_neq0 m0) (lt0r_neq0 n0); move: (n.+2%:R) (n.+1%:R) => y z y0 z0; rfield R.
by apply: ler_add; [apply: ler_wpmul2l | apply: ler_wpmul2r] => //;
   rewrite ?divr_ge0 ?invr_ge0 ?mulr_ge0 ?exprn_ge0 ?ler0n.
Qed.
End Two.
End Joint.
