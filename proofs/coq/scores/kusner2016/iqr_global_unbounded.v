(** Kusner et al., section 4.3: neither the IQR nor its logarithm has a finite sensitivity. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado Require Import dataset scores.algebra scores.spread.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Unbounded.
Variable R : realFieldType.

(** [p] zeros, ones up to record [q], and [a] beyond. *)
Definition steps m (p q : nat) (a : R) : dataset R m :=
  fun i => if (i < p)%N then 0 else if (i < q)%N then 1 else a.

(** A column that is in order: its order statistics are its values. *)
Lemma in_order m (p q : nat) (a : R) (i : 'I_m) : 1 <= a ->
  order_statistic (@steps m p q a) i.+1 = @steps m p q a i.
Proof.
move=> a1; rewrite /order_statistic /= sorted_sort; last 2 first.
- by move=> x y z; exact: le_trans.
- apply: (path.homo_sorted (e := fun i j : 'I_m => (i <= j)%N)).
    move=> j k jk; rewrite /steps; case: (ltnP k p) => kp; first by rewrite (leq_ltn_trans jk).
    case: ltnP => // _; first by case: ifP => _; rewrite ?ler01 // (le_trans ler01).
    case: (ltnP k q) => kq; first by rewrite (leq_ltn_trans jk).
    by case: ifP.
  have : sorted leq (map val (enum 'I_m)) by rewrite val_enum_ord iota_sorted.
  by rewrite sorted_map.
by rewrite codomE (nth_map i) ?size_enum_ord // nth_ord_enum.
Qed.

Lemma ranks m : (2 <= m)%N ->
  [/\ (0 < lower_rank m)%N, (lower_rank m < upper_rank m)%N & (upper_rank m <= m)%N].
Proof.
move=> m2; split; first by rewrite /lower_rank divn_gt0 // addn3 !ltnS ltnW.
  have -> : (lower_rank m).+1 = ((1 * 4 + (m + 3)) %/ 4)%N by rewrite divnMDl.
  apply: leq_div2r; rewrite mul1n addnA leq_add2r mulSn addnC leq_add2l.
  by rewrite (leq_mul2l 2 2 m).
rewrite -[m in X in (_ <= X)%N](_ : (m * 4 + 3) %/ 4 = m)%N; last by rewrite divnMDl // addn0.
by apply: leq_div2r; rewrite leq_add2r mulnC leq_mul2l orbT.
Qed.

(** kusner2016/iqr-global-unbounded: for every m >= 2 and every bound there are neighbors of which
    one has the IQR 1 and the other one above the bound: the IQR moves by any amount, and so does
    its logarithm. *)
Theorem iqr_unbounded (m : nat) (bound : R) : (2 <= m)%N ->
  exists D D' : dataset R m, [/\ replace_one D D', iqr D = 1 & bound < iqr D'].
Proof.
move=> m2; have [p0 pq qm] := ranks m2.
set a := `|bound| + 1; have a1 : 1 <= a by rewrite ler_addr.
have low : ((lower_rank m).-1 < m)%N by rewrite prednK // (leq_trans (ltnW pq)).
have top : ((upper_rank m).-1 < m)%N by rewrite prednK // (leq_trans p0 (ltnW pq)).
pose D := @steps m (lower_rank m) (upper_rank m) a.
pose D' := @steps m (lower_rank m) (upper_rank m).-1 a.
have q0 : (0 < upper_rank m)%N by rewrite (leq_trans p0) // ltnW.
have pq' : (lower_rank m <= (upper_rank m).-1)%N by rewrite -ltnS prednK.
have zero q : order_statistic (@steps m (lower_rank m) q a) (lower_rank m) = 0.
  rewrite -[X in order_statistic _ X](prednK p0) (in_order _ _ (Ordinal low) a1).
  by rewrite /steps /= prednK // leqnn.
exists D, D'; split.
- exists (Ordinal top) => i iq; rewrite /D /D' /steps; case: ifP => // _.
  have : (i != (upper_rank m).-1 :> nat) by [].
  have qi : (i < upper_rank m)%N = (i <= (upper_rank m).-1)%N.
    by rewrite -[X in (i < X)%N](prednK q0) ltnS.
  rewrite neq_ltn qi => /orP[] iq'; first by rewrite iq' ltnW.
  by rewrite [(i < _)%N]ltnNge (ltnW iq') leqNgt iq'.
- rewrite /iqr zero subr0 -[X in order_statistic _ X](prednK q0).
  rewrite (in_order _ _ (Ordinal top) a1) /steps /= ltnNge pq' /= prednK // leqnn.
  by [].
- rewrite /iqr zero subr0 -[X in order_statistic _ X](prednK q0).
  rewrite (in_order _ _ (Ordinal top) a1) /steps /= ltnNge pq' /= ltnn.
  by rewrite /a (le_lt_trans (ler_norm _)) // ltr_addl ltr01.
Qed.

End Unbounded.
