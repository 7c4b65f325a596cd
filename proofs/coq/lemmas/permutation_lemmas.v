(** The permutation test: how p-values and ranked scores move. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import permutation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Permutation.
Variables (R : realFieldType) (K : nat).
Implicit Types (score change : R) (permuted : 'I_K -> R).

Lemma share_mono score score' permuted permuted' shift shift' :
  (forall i, score < permuted i + shift -> score' < permuted' i + shift') ->
  share score permuted shift <= share score' permuted' shift'.
Proof.
move=> below; apply: ler_wpmul2r; rewrite ?invr_ge0 ?ler0n // ler_nat.
by apply: leq_sum => i _; case: (boolP (_ < _)) => // /below ->.
Qed.

(** Sorted downwards, the r-th number is at least t just where r numbers are. *)
Lemma largest_geE r t permuted : (0 < r <= K)%N ->
  (t <= largest r permuted) = (r <= \sum_(i < K) (t <= permuted i)%R)%N.
Proof.
case: r => // r /= rK; rewrite /largest /=.
set s := sort _ _; have sorted_s : sorted (fun a b : R => b <= a) s.
  by apply: sort_sorted => a b; exact: le_total.
have size_s : size s = K by rewrite size_sort size_codom card_ord.
have -> : (\sum_(i < K) (t <= permuted i)%R = count (fun a => (t <= a)%R) s)%N.
  have /permP -> : perm_eq s (codom permuted) by rewrite perm_sort.
  by rewrite codomE count_map -sum1_count big_enum_cond /= [RHS]big_mkcond.
have down i j : (i <= j < K)%N -> nth 0 s j <= nth 0 s i.
  case/andP => ij jK; have := @sorted_leq_nth _ _ _ _ 0 s sorted_s i j.
  move=> -> //; rewrite ?inE ?size_s ?(leq_ltn_trans ij) //.
  by move=> a b c ba cb; exact: le_trans cb ba.
apply/idP/idP => [tr|].
  rewrite -[s](cat_take_drop r.+1) count_cat (leq_trans _ (leq_addr _ _)) //.
  have -> : count (fun a => t <= a) (take r.+1 s) = size (take r.+1 s).
    apply/eqP; rewrite -all_count; apply/(all_nthP 0) => i; rewrite size_takel ?size_s // => ir.
    by rewrite nth_take // (le_trans tr) // down // -ltnS ir.
  by rewrite size_takel ?size_s.
apply: contraLR; rewrite -ltNge -leqNgt => tr.
rewrite -[s](cat_take_drop r) count_cat.
have -> : count (fun a => t <= a) (drop r s) = 0%N.
  apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/(has_nthP 0) => -[i].
  rewrite size_drop size_s nth_drop => iK ti; move: tr; rewrite ltNge => /negP; apply.
  by rewrite (le_trans ti) // down // leq_addr /= -ltn_subRL.
by rewrite addn0 (leq_trans (count_size _ _)) // size_take; case: ltnP.
Qed.

(** An order statistic moves by no more than the numbers that it ranks. *)
Lemma largest_move r permuted permuted' change : (0 < r <= K)%N ->
  (forall i, `|permuted i - permuted' i| <= change) ->
  `|largest r permuted - largest r permuted'| <= change.
Proof.
move=> rK.
have low (v w : 'I_K -> R) : (forall i, `|v i - w i| <= change) ->
    largest r v - change <= largest r w.
  move=> near; rewrite largest_geE //.
  have : (r <= \sum_(i < K) (largest r v <= v i)%R)%N by rewrite -largest_geE.
  move=> /leq_trans -> //; apply: leq_sum => i _.
  case: (boolP (_ <= v i)) => // vi; rewrite ler_subl_addr (le_trans vi) // -ler_subl_addl.
  by rewrite (le_trans (ler_norm _)).
move=> near; rewrite ler_norml; apply/andP; split.
  rewrite ler_subr_addr addrC low // => i; by rewrite distrC.
by rewrite ler_subl_addr addrC -ler_subl_addr low.
Qed.

End Permutation.
