(** Zhang et al., Corollary 1: what the bound of equation (6) costs to compute. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import permutation counted.
From Provado.lemmas Require Import permutation_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma after_value A B (a : counted A) (next : A -> counted B) : (after a next).1 = (next a.1).1.
Proof. by case: a => v c; rewrite /after /=; case: (next v). Qed.
Lemma after_cost A B (a : counted A) (next : A -> counted B) :
  (after a next).2 = (a.2 + (next a.1).2)%N.
Proof. by case: a => v c; rewrite /after /=; case: (next v). Qed.

Section Program.
Variable R : realFieldType.

Lemma count_nearE (score twice : R) (permuted : seq R) low high :
  (count_near score twice permuted low high).1 =
  (low + count (fun s => (score < s - twice)%R) permuted,
   high + count (fun s => (score < s + twice)%R) permuted)%N
  /\ ((count_near score twice permuted low high).2 <= 6 * size permuted)%N.
Proof.
elim: permuted low high => [|s rest IH] low high /=; first by rewrite !addn0.
have step1 test n : (step_if test n).1 = (n + test)%N.
  by case: test; rewrite /= ?addn1 ?addn0.
have step2 test n : ((step_if test n).2 <= 1)%N by case: test.
rewrite !(after_value, after_cost) /=.
have [-> cost] := IH (step_if (score < s - twice) low).1 (step_if (score < s + twice) high).1.
rewrite !step1 -!addnA; split=> //.
rewrite mulnS; have -> : (6 + 6 * size rest = 1 + (1 + (1 + (1 + (1 + (1 + 6 * size rest))))))%N.
  by [].
by rewrite !leq_add // -!step1.
Qed.

Lemma count_share K (permuted : 'I_K -> R) (score shift : R) :
  (count (fun s => (score < s + shift)%R) (codom permuted))%:R / (size (codom permuted))%:R
  = share score permuted shift.
Proof.
rewrite size_codom card_ord /share; congr (_%:R / _).
by rewrite codomE count_map -sum1_count big_enum_cond /= big_mkcond.
Qed.

(** zhang2023/corollary1: the bound takes at most 6K + 6 operations. *)
Theorem bound_cost (K : nat) (score p change : R) (permuted : 'I_K -> R) :
  ((bound_program score (codom permuted) p change).2 <= 6 * K + 6)%N.
Proof.
rewrite /bound_program !(after_value, after_cost) /=.
have [-> cost] := count_nearE score (change + change) (codom permuted) 0 0.
rewrite !add0n !(after_cost, after_value) /=.
by rewrite size_codom card_ord in cost; rewrite addnCA leq_add.
Qed.

(** zhang2023/corollary1: at most 12K operations for K >= 1 permuted scores. *)
Theorem bound_cost_linear (K : nat) (score p change : R) (permuted : 'I_K -> R) :
  (1 <= K)%N -> ((bound_program score (codom permuted) p change).2 <= 12 * K)%N.
Proof.
move=> K1; rewrite (leq_trans (bound_cost _ _ _ _)) //.
by rewrite (mulnDl 6%N 6%N) leq_add2l leq_pmulr.
Qed.

(** zhang2023/corollary1: what the program computes is the bound of equation (6). *)
Theorem bound_program_value (K : nat) (score p change : R) (permuted : 'I_K -> R) :
  (bound_program score (codom permuted) p change).1
  = Num.max (p - p_low score permuted change) (p_high score permuted change - p).
Proof.
rewrite /bound_program !(after_value, after_cost) /=.
have [-> _] := count_nearE score (change + change) (codom permuted) 0 0.
rewrite !add0n !(after_cost, after_value) /=.
by rewrite -!mulr2n -!(mulr_natl change) !count_share.
Qed.

End Program.

(** zhang2023/corollary1: the program computes the bound, in at most 12K operations. *)
Theorem corollary1 : forall (R : realFieldType) (K : nat) (score p change : R)
    (permuted : 'I_K -> R), (1 <= K)%N ->
  ((bound_program score (codom permuted) p change).2 <= 12 * K)%N /\
  (bound_program score (codom permuted) p change).1
  = Num.max (p - p_low score permuted change) (p_high score permuted change - p).
Proof.
move=> R K score p change permuted K1.
by split; [exact: bound_cost_linear | exact: bound_program_value].
Qed.
