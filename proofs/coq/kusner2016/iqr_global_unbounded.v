(** Section 4.3: one record moves the interquartile range, and its logarithm, without bound. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require Import Lia.
From Provado.definitions Require Import finite spread.
From Provado.lemmas Require Import finite_lemmas spread_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Quartiles.

Variable R : realFieldType.

(** Zeros, ones, and a number of at least 1 beyond. *)
Definition steps (a b c : nat) (x : R) : seq R := nseq a 0 ++ nseq b 1 ++ nseq c x.

Lemma steps_sorted a b c x : 1 <= x -> sort <=%O (steps a b c x) = steps a b c x.
Proof.
move=> x1; apply: sorted_sort; first exact: le_trans.
have flat k (y : R) : pairwise <=%O (nseq k y).
  by elim: k => //= k ->; rewrite all_nseq lexx orbT.
have x0 : 0 <= x by apply: le_trans x1.
have below k l (y z : R) : y <= z -> allrel <=%O (nseq k y) (nseq l z).
  move=> yz; apply/allrelP => u v; rewrite !mem_nseq.
  by move=> /andP [_ /eqP ->] /andP [_ /eqP ->].
apply: pairwise_sorted; rewrite /steps !pairwise_cat !flat !andbT.
by rewrite allrel_catr !below ?ler01.
Qed.

Lemma nth_steps a b c x k :
  nth 0 (steps a b c x) k =
  if (k < a)%N then 0 else if (k < a + b)%N then 1 else if (k < a + b + c)%N then x else 0.
Proof.
rewrite /steps !nth_cat !size_nseq !nth_nseq; case: (ltnP k a) => // le_a.
rewrite ltn_subLR //; case: (ltnP k (a + b)) => // le_b.
by rewrite -subnDA ltn_subLR.
Qed.

Lemma size_steps a b c x : size (steps a b c x) = (a + (b + c))%N.
Proof. by rewrite !size_cat !size_nseq. Qed.

End Quartiles.

(** The ranks of the quartiles: 1 ≤ p < q ≤ m. *)
Lemma ranks m : (2 <= m)%N ->
  [/\ 0 < quartile_rank 1 m, quartile_rank 1 m < quartile_rank 3 m & quartile_rank 3 m <= m]%N.
Proof.
rewrite /quartile_rank mul1n => le_m; split.
- by rewrite divn_gt0 //; apply/ssrnat.leP; move/ssrnat.leP: le_m; rewrite -!plusE; lia.
- rewrite -add1n -divnMDl // leq_div2r // mul1n.
  by apply/ssrnat.leP; move/ssrnat.leP: le_m; rewrite -!plusE -!multE; lia.
rewrite -ltnS ltn_divLR //.
by apply/ssrnat.ltP; rewrite -!plusE -!multE; lia.
Qed.

Theorem iqr_global_unbounded : forall R : realFieldType,
  (forall (m : nat) (bound : R), (2 <= m)%N ->
     exists s s', neighbors m s s' /\ bound < interquartile_range s' - interquartile_range s) /\
  log_unbounded (@interquartile_range R).
Proof.
move=> R; apply: unbounded_twice => m le_m; exists 1; first exact: ltr01.
move=> bound; have [p0 pq qm] := ranks le_m.
set p := quartile_rank 1 m in p0 pq *; set q := quartile_rank 3 m in pq qm *.
pose x : R := 1 + `|bound|.
have x1 : 1 <= x by rewrite ler_addl normr_ge0.
have le_pq := ltnW pq.
have sum1 : (p + (q - p + (m - q)))%N = m by rewrite addnA !subnKC.
have [b Eb] : exists b, (q - p)%N = b.+1.
  by move: pq; rewrite -subn_gt0; case: (q - p)%N => // b _; exists b.
have sum2 : (p + (b + (m - q).+1))%N = m by rewrite -[RHS]sum1 Eb addSn addnS.
have Eq : q = (p + b).+1 by rewrite -addnS -Eb subnKC.
have iqr c d : (p + (c + d))%N = m -> interquartile_range (steps p c d x) =
    nth 0 (steps p c d x) q.-1 :> R.
  move=> E; rewrite /interquartile_range /order_statistic steps_sorted // size_steps E -/p -/q.
  rewrite [X in _ - X]nth_steps prednK // leqnn subr0.
  by [].
exists (steps p b.+1 (m - q) x), (steps p b (m - q).+1 x); split.
- split; first by rewrite size_steps -Eb.
  exists q.-1; first by move: qm; rewrite Eq.
  exists x; rewrite (_ : q.-1 = (p + b)%N); last by rewrite Eq.
  have -> : steps p b.+1 (m - q) x = (nseq p 0 ++ nseq b 1) ++ 1 :: nseq (m - q) x.
    by rewrite /steps -[b.+1]addn1 nseqD -!catA.
  by rewrite replace_cat ?size_cat ?size_nseq // -catA.
- rewrite iqr -?Eb // nth_steps (_ : q.-1 = (p + b)%N); last by rewrite Eq.
  by rewrite ltnNge leq_addr /= Eb addnS ltnSn.
rewrite mulr1 iqr // nth_steps (_ : q.-1 = (p + b)%N); last by rewrite Eq.
rewrite ltnNge leq_addr /= ltnn addnS ltnS leq_addr.
by rewrite (le_lt_trans (ler_norm bound)) // /x ltr_addr ltr01.
Qed.
