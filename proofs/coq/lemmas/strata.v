(** How far one record moves the sums over strata. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset kendall conditional.
From Provado.lemmas Require Import algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Pairs with record [k], each weighted by the other record. *)
Lemma pairs_with_weight m (k : 'I_m) (f : 'I_m -> nat) :
  (\sum_(i < m) \sum_(j < m | i < j) ((i == k) * f j + (j == k) * f i)
   = \sum_(j < m | j != k) f j)%N.
Proof.
under eq_bigr => i _ do rewrite big_split /=.
rewrite big_split /= [X in (_ + X)%N](exchange_big_dep predT) //= -big_split /=.
rewrite (bigD1 k) //= addnC big1 ?add0n; last first.
  by move=> i /negPf ik; rewrite !big1 // => j _; rewrite ik.
under eq_bigr => i _ do rewrite eqxx mul1n.
under [X in (_ + X)%N]eq_bigr => i _ do rewrite eqxx mul1n.
rewrite big_mkcond /= [X in (_ + X)%N]big_mkcond /= -big_split /= [RHS]big_mkcond /=.
by apply: eq_bigr => i _; rewrite -val_eqE /=; case: ltngtP; rewrite ?addn0.
Qed.

(** Pairs within a set of records. *)
Lemma pairs_within m (x : 'I_m -> bool) (n := (\sum_(i < m) x i)%N) :
  (2 * (\sum_(i < m) \sum_(j < m | i < j) x i * x j) = n * n.-1)%N.
Proof.
suff : (2 * (\sum_(i < m) \sum_(j < m | i < j) x i * x j) + n = n * n)%N.
  case: (n) => [|p]; first by rewrite addn0.
  by rewrite mulnS addnC => /addnI.
rewrite {2 3}/n big_distrl /= mul2n -addnn -[X in (_ + X + _ = _)%N]/(\sum_(i < m) _)%N.
rewrite [X in (_ + X + _ = _)%N](exchange_big_dep predT) //= -!big_split /=.
apply: eq_bigr => i _; rewrite big_distrr /= [in RHS](bigD1 i) //=.
have -> : (x i * x i = x i)%N by case: (x i).
rewrite addnC; congr (_ + _)%N.
rewrite big_mkcond /= [X in (_ + X)%N]big_mkcond /= -big_split /= [RHS]big_mkcond /=.
by apply: eq_bigr => j _; rewrite -val_eqE /=; case: ltngtP; rewrite ?addn0 // mulnC.
Qed.

Section Sets.
Variables (R : realFieldType) (m : nat).
Add Field R_field : (field_of R).
Implicit Types (x : 'I_m -> bool) (c : 'I_m -> 'I_m -> R).

(** The sum over the pairs within a set of records. *)
Definition set_sum x c : R :=
  \sum_(i < m) \sum_(j < m | (i < j)%N) (if x i && x j then c i j else 0).

Lemma set_sum_bound x c (n := (\sum_(i < m) x i)%N) : (forall i j, `|c i j| <= 1) ->
  `|set_sum x c| <= (n * n.-1)%:R / 2%:R.
Proof.
move=> c1; rewrite -pairs_within natrM mulrAC divff ?pnatr_eq0 // mul1r natr_sum.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _; rewrite natr_sum.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j _.
by case: (x i); case: (x j); rewrite //= normr0.
Qed.

(** What is left of a set without record [k]. *)
Definition without (k : 'I_m) x : 'I_m -> bool := fun i => x i && (i != k).

Lemma without_size k x : (\sum_(i < m) without k x i = \sum_(i < m | i != k) x i)%N.
Proof.
rewrite [RHS]big_mkcond; apply: eq_bigr => i _.
by rewrite /without; case: (i != k); rewrite ?andbT ?andbF.
Qed.

Lemma set_sum_without k x c : (forall i j, `|c i j| <= 1) ->
  `|set_sum x c - set_sum (without k x) c| <= (x k * (\sum_(i < m | i != k) x i))%:R.
Proof.
move=> c1; rewrite -(pairs_with_weight k) big_distrr natr_sum /= -sumrB.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
rewrite big_distrr natr_sum /= -sumrB.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => j ij.
have [ik|ik] := eqVneq i k; have [jk|jk] := eqVneq j k; rewrite /without ?ik ?jk ?eqxx /=.
- by move: ij; rewrite ik jk ltnn.
- by case: (x k); case: (x j); rewrite /= ?subrr ?subr0 ?normr0 ?c1.
- by case: (x k); case: (x i); rewrite /= ?subrr ?subr0 ?normr0 ?c1.
- by rewrite !andbT subrr normr0 ler0n.
Qed.
End Sets.

Section Numbers.
Variable R : realFieldType.
Add Field R_field' : (field_of R).

(** How far a stratum's term moves at most when it loses or gains a record, [a] the others. *)
Definition term_move (a : R) : R :=
  (9%:R * (a * (a - 1)) + 9%:R * a * (2%:R * a + 5%:R))
  / ((2%:R * a + 5%:R) * (2%:R * a + 7%:R)).

(** How far its weight moves. *)
Definition weight_move (a : R) : R :=
  (18%:R * a ^+ 2 + 108%:R * a) / (2%:R * ((2%:R * a + 5%:R) * (2%:R * a + 7%:R))).

Lemma weightE (n : nat) (a := n%:R : R) :
  weight R n = 9%:R * (a * (a - 1)) / (2%:R * (2%:R * a + 5%:R)).
Proof.
rewrite /weight /a; congr (_ / _); last by rring R.
by case: (n) => [|b] /=; rring R.
Qed.

Lemma denominators (n : nat) : (0 < 2%:R * n%:R + 5%:R :> R) /\ (0 < 2%:R * n%:R + 7%:R :> R).
Proof. by rewrite -!natrM -!natrD !ltr0n !addn_gt0 !orbT. Qed.

Lemma weight_next (n : nat) : weight R n.+1 - weight R n = weight_move n%:R.
Proof.
have [p0 q0] := denominators n.
rewrite !weightE /weight_move; set a := n%:R in p0 q0 *.
have -> : 2%:R * n.+1%:R + 5%:R = 2%:R * a + 7%:R by rewrite /a; rring R.
have -> : n.+1%:R * (n.+1%:R - 1) = (a + 1) * a by rewrite /a; rring R.
have -> : 18%:R * a ^+ 2 + 108%:R * a =
    9%:R * ((a + 1) * a) * (2%:R * a + 5%:R) - 9%:R * (a * (a - 1)) * (2%:R * a + 7%:R).
  by rring R.
move: (2%:R * a + 5%:R) (2%:R * a + 7%:R) (lt0r_neq0 p0) (lt0r_neq0 q0) => p q p0' q0'.
by rfield R.
Qed.

Lemma moves_bounded (n : nat) (a := n%:R : R) :
  [/\ 0 <= weight_move a, term_move a + weight_move a <= 9%:R
    & term_move a - weight_move a <= 9%:R / 2%:R].
Proof.
have [p0 q0] := denominators n; rewrite -/a in p0 q0.
have a0 : 0 <= a by rewrite ler0n.
have c0 : 0 < 2%:R * ((2%:R * a + 5%:R) * (2%:R * a + 7%:R)) by rewrite !mulr_gt0 ?ltr0n.
have -> : term_move a = (54%:R * a ^+ 2 + 72%:R * a) /
    (2%:R * ((2%:R * a + 5%:R) * (2%:R * a + 7%:R))).
  rewrite /term_move.
  have -> : 54%:R * a ^+ 2 + 72%:R * a =
      2%:R * (9%:R * (a * (a - 1)) + 9%:R * a * (2%:R * a + 5%:R)) by rring R.
  by rewrite -mulf_div divff ?mul1r // pnatr_eq0.
rewrite /weight_move -mulrDl -mulrBl; split.
- by rewrite divr_ge0 ?(ltW c0) // addr_ge0 // mulr_ge0 ?ler0n ?exprn_ge0.
- rewrite ler_pdivr_mulr // -subr_ge0.
  have -> : 9%:R * (2%:R * ((2%:R * a + 5%:R) * (2%:R * a + 7%:R)))
    - (54%:R * a ^+ 2 + 72%:R * a + (18%:R * a ^+ 2 + 108%:R * a)) = 252%:R * a + 630%:R.
    by rring R.
  by rewrite addr_ge0 ?mulr_ge0 ?ler0n.
- rewrite ler_pdivr_mulr //.
  rewrite [9%:R / 2%:R * _]mulrA divfK ?pnatr_eq0 // [9%:R * _]mulrC -subr_ge0.
  have -> : (2%:R * a + 5%:R) * (2%:R * a + 7%:R) * 9%:R
    - (54%:R * a ^+ 2 + 72%:R * a - (18%:R * a ^+ 2 + 108%:R * a)) = 252%:R * a + 315%:R.
    by rring R.
  by rewrite addr_ge0 ?mulr_ge0 ?ler0n.
Qed.

(** A stratum of n + 1 records becomes one of n: what its records but one add up to is [q], and
    what the pairs of that one do is [p]. *)
Lemma term_leaves (n : nat) (q p : R) (a := n%:R : R) :
  `|q| <= (n * n.-1)%:R / 2%:R -> `|p| <= a ->
  `|9%:R * (q + p) / (2%:R * a + 7%:R) - 9%:R * q / (2%:R * a + 5%:R)| <= term_move a.
Proof.
have [p0 q0] := denominators n; rewrite -/a in p0 q0 => Q P.
have -> : 9%:R * (q + p) / (2%:R * a + 7%:R) - 9%:R * q / (2%:R * a + 5%:R) =
    (9%:R * (2%:R * - q) + 9%:R * p * (2%:R * a + 5%:R)) / ((2%:R * a + 5%:R) * (2%:R * a + 7%:R)).
  have -> : 9%:R * (2%:R * - q) + 9%:R * p * (2%:R * a + 5%:R) =
    9%:R * (q + p) * (2%:R * a + 5%:R) - 9%:R * q * (2%:R * a + 7%:R) by rring R.
  move: (2%:R * a + 5%:R) (2%:R * a + 7%:R) (lt0r_neq0 p0) (lt0r_neq0 q0) => u v u0 v0.
  by rfield R.
rewrite normrM [X in _ * X]gtr0_norm ?invr_gt0 ?mulr_gt0 //.
apply: ler_wpmul2r; first by rewrite invr_ge0 ltW ?mulr_gt0.
apply: le_trans (ler_norm_add _ _) _; apply: ler_add.
  rewrite normrM gtr0_norm ?ltr0n // ler_pmul2l ?ltr0n // normrM normrN gtr0_norm ?ltr0n //.
  have -> : a * (a - 1) = 2%:R * ((n * n.-1)%:R / 2%:R).
    rewrite [X in _ = X]mulrC divfK ?pnatr_eq0 //.
    by rewrite /a; case: (n) => [|b] /=; rring R.
  by rewrite ler_pmul2l ?ltr0n.
rewrite !normrM [`|9%:R|]gtr0_norm ?ltr0n // [`|2%:R * a + _|]gtr0_norm //.
by rewrite ler_wpmul2r ?(ltW p0) // ler_wpmul2l ?ler0n.
Qed.

End Numbers.
