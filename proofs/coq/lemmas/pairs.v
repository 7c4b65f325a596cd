(** Sums over pairs of records, and how far one record moves them. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Of the pairs of [m] records, m - 1 hold record [k]. *)
Lemma pairs_with m (k : 'I_m) :
  (\sum_(i < m) \sum_(j < m | i < j) ((i == k) + (j == k)) = m.-1)%N.
Proof.
under eq_bigr => i _ do rewrite big_split /=.
rewrite big_split /= [X in (_ + X)%N](exchange_big_dep predT) //= -big_split /=.
rewrite (bigD1 k) //= addnC big1 ?add0n; last first.
  move=> i ik; rewrite [X in (X + _)%N]big1 ?[X in (_ + X)%N]big1 ?addn0 //.
    by move=> j _; rewrite (negPf ik).
  by move=> j _; rewrite (negPf ik).
under eq_bigr => i _ do rewrite eqxx.
under [X in (_ + X)%N]eq_bigr => i _ do rewrite eqxx.
rewrite big_mkcond /= [X in (_ + X)%N]big_mkcond /= -big_split /=.
have -> : m.-1 = #|predC1 k| by rewrite cardC1 card_ord.
rewrite -sum1_card [RHS]big_mkcond /=.
by apply: eq_bigr => i _; rewrite !inE -val_eqE /=; case: ltngtP.
Qed.

(** There are m(m - 1)/2 pairs. *)
Lemma pairs_twice m : (2 * (\sum_(i < m) \sum_(j < m | i < j) 1) = m * m.-1)%N.
Proof.
have -> : (m * m.-1 = \sum_(k < m) m.-1)%N by rewrite sum_nat_const card_ord.
under [RHS]eq_bigr => k _ do rewrite -(pairs_with k).
rewrite exchange_big big_distrr /=; apply: eq_bigr => i _.
rewrite exchange_big big_distrr /=; apply: eq_bigr => j _.
have one (a : 'I_m) : (\sum_(k < m) (a == k) = 1)%N.
  by rewrite (bigD1 a) //= eqxx big1 // => k; rewrite eq_sym => /negPf ->.
by rewrite big_split /= !one.
Qed.

(** Numbers in [-1, 1], one for each pair, of which only those with record [k] may move: their sum
    moves by at most 2(m - 1). *)
Lemma pair_sum_move (R : realFieldType) m (k : 'I_m) (c d : 'I_m -> 'I_m -> R) :
  (forall i j, `|c i j| <= 1) -> (forall i j, `|d i j| <= 1) ->
  (forall i j, i != k -> j != k -> c i j = d i j) ->
  `|\sum_(i < m) \sum_(j < m | (i < j)%N) c i j - \sum_(i < m) \sum_(j < m | (i < j)%N) d i j|
  <= 2%:R * m.-1%:R.
Proof.
move=> c1 d1 same; rewrite -(pairs_with k) -sumrB natr_sum mulr_sumr.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
rewrite -sumrB natr_sum mulr_sumr.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j ij.
have two : `|c i j - d i j| <= 2%:R.
  by rewrite (le_trans (ler_norm_sub _ _)) // (natrD R 1 1) ler_add.
have [ik|ik] := eqVneq i k; have [jk|jk] := eqVneq j k; rewrite ?mulr0 ?mulr1 //=.
- by rewrite (le_trans two) // -natrM ler_nat.
- by rewrite same // subrr normr0.
Qed.
