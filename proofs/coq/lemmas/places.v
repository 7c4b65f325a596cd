(** Sums of products of ranks, and how far one record moves them. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset spearman.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Order.
Variables (R : realFieldType) (m : nat) (x : 'I_m -> R).

Lemma before_irr i : before x i i = false.
Proof. by rewrite /before ltxx ltnn andbF. Qed.

Lemma before_total i j : i != j -> before x j i = ~~ before x i j.
Proof.
rewrite /before -val_eqE /= eq_sym => ij; case: ltgtP => //= _.
by rewrite ltn_neqAle leqNgt ij.
Qed.

Lemma before_trans i j k : before x i j -> before x j k -> before x i k.
Proof.
rewrite /before; case: (ltgtP (x i) (x j)) => //= [ij|ij] jk; case: (ltgtP (x j) (x k)) => //= jk'.
- by rewrite (lt_trans ij jk').
- by rewrite -jk' ij.
- by rewrite ij jk'.
- by rewrite ij jk' ltxx eqxx /= => /(ltn_trans jk).
Qed.
End Order.

Section Moved.
Variables (R : realFieldType) (n : nat) (k : 'I_n.+1).
Implicit Types (x y : 'I_n.+1 -> R).

(** Record k stands before the i-th of the others. *)
Definition ahead x (i : 'I_n) : bool := before x k (lift k i).
(** Of the others, the j-th stands before the i-th. *)
Definition order x (j i : 'I_n) : bool := before x (lift k j) (lift k i).

Definition products x y : nat := \sum_i place x i * place y i.
Definition kept x y : nat :=
  \sum_(i < n) (\sum_(j < n) order x j i) * (\sum_(j < n) order y j i).

Lemma place_lift x i : place x (lift k i) = (\sum_(j < n) order x j i + ahead x i)%N.
Proof. by rewrite /place (bigD1_ord k) //= addnC. Qed.

Lemma place_k x : place x k = (\sum_(i < n) ~~ ahead x i)%N.
Proof.
rewrite /place (bigD1_ord k) //= before_irr add0n; apply: eq_bigr => i _.
by rewrite before_total // neq_lift.
Qed.

Definition part x y (i j : 'I_n) : nat :=
  ahead x i * order y j i + ahead y j * order x i j + ~~ ahead x i * ~~ ahead y j.

Lemma products_split x y :
  (products x y = kept x y
    + (\sum_(i < n) \sum_(j < n) part x y i j + \sum_(i < n) ahead x i * ahead y i))%N.
Proof.
rewrite /products (bigD1_ord k) //= !place_k.
under [X in (_ + X)%N]eq_bigr => i _ do rewrite !place_lift mulnDl !mulnDr.
rewrite !big_split /=.
under [X in _ = (_ + (X + _))%N]eq_bigr => i _ do rewrite !big_split /=.
rewrite !big_split /= big_distrl /=.
under [X in (X + _)%N = _]eq_bigr => i _ do rewrite big_distrr /=.
under [X in (_ + (_ + X + _))%N = _]eq_bigr => i _ do rewrite big_distrl /=.
under [X in (_ + (_ + (X + _)))%N = _]eq_bigr => i _ do rewrite big_distrr /=.
rewrite [X in (_ + (_ + X + _) = _)%N]exchange_big /=.
under [X in (_ + (_ + X + _) = _)%N]eq_bigr => j _ do under eq_bigr => i _ do rewrite mulnC.
rewrite [X in (_ + (_ + X + _) = _)%N]exchange_big /=.
rewrite [X in (_ + (_ + X + _) = _)%N]exchange_big /= -/(kept x y); nat_norm; by do ?nat_congr.
Qed.

Lemma order_total x i j : i != j -> order x j i = ~~ order x i j.
Proof. by move=> ij; apply: before_total; rewrite (inj_eq lift_inj). Qed.

Lemma ahead_up x i j : order x i j ==> ahead x i ==> ahead x j.
Proof. by apply/implyP => ij; apply/implyP => ki; exact: before_trans ki ij. Qed.

Lemma part_range x y i j : i != j -> (1 <= part x y i j + part x y j i <= 2)%N.
Proof.
move=> ij; have := ahead_up x i j; have := ahead_up x j i.
have := ahead_up y i j; have := ahead_up y j i.
rewrite /part (order_total x ij) (order_total y ij).
by case: (order x i j); case: (order y i j); case: (ahead x i); case: (ahead x j);
   case: (ahead y i); case: (ahead y j).
Qed.

Lemma part_same x i j : i != j -> (part x x i j + part x x j i = 2)%N.
Proof.
move=> ij; have := ahead_up x i j; have := ahead_up x j i.
by rewrite /part (order_total x ij); case: (order x i j); case: (ahead x i); case: (ahead x j).
Qed.

(** Twice the part of the sum of products that record k has to do with. *)
Definition moving x y : nat :=
  \sum_(i < n) \sum_(j < n) (part x y i j + part x y j i + (i == j) * (2 * (ahead x i * ahead y
    i))).

Lemma products_moving x y : (2 * products x y = 2 * kept x y + moving x y)%N.
Proof.
rewrite products_split mulnDr; congr (_ + _)%N; rewrite mulnDr /moving.
under [RHS]eq_bigr => i _ do rewrite 2!big_split /=.
rewrite 2!big_split /= [X in _ = (_ + X + _)%N]exchange_big /= mul2n -addnn; congr (_ + _)%N.
rewrite big_distrr /=; apply: eq_bigr => i _.
by rewrite (bigD1 i) //= eqxx mul1n big1 ?addn0 // => j; rewrite eq_sym => /negPf ->.
Qed.

Lemma part_diagonal x y i :
  (part x y i i + part x y i i + (i == i) * (2 * (ahead x i * ahead y i)) <= 2)%N.
Proof.
rewrite eqxx mul1n /part /order !before_irr !muln0 !add0n.
by case: (ahead x i); case: (ahead y i).
Qed.

Lemma moving_most x y : (moving x y <= 2 * (n * n))%N.
Proof.
rewrite /moving [X in (_ <= X)%N](_ : _ = \sum_(i < n) \sum_(j < n) 2)%N; last first.
  by rewrite !(sum_nat_const, card_ord) [RHS]mulnA [RHS]mulnC.
apply: leq_sum => i _; apply: leq_sum => j _.
have [<-|ij] := eqVneq i j; first by have := part_diagonal x y i; rewrite eqxx.
by rewrite mul0n addn0; case/andP: (part_range x y ij).
Qed.

Lemma moving_least x y : (n * n.-1 <= moving x y)%N.
Proof.
rewrite /moving.
have -> : (n * n.-1 = \sum_(i < n) \sum_(j < n) (i != j))%N.
  rewrite -[n in (n * _)%N]card_ord -sum_nat_const; apply: eq_bigr => i _.
  rewrite -big_mkcond sum1_card -[n in LHS]card_ord -(cardC1 i); apply: eq_card => j.
  by rewrite !inE eq_sym.
apply: leq_sum => i _; apply: leq_sum => j _.
have [//|ij] := eqVneq i j.
by rewrite mul0n addn0; case/andP: (part_range x y ij).
Qed.

Lemma moving_same x : (moving x x = 2 * (n * n))%N.
Proof.
rewrite /moving [RHS](_ : _ = \sum_(i < n) \sum_(j < n) 2)%N; last first.
  by rewrite !(sum_nat_const, card_ord) [RHS]mulnA [RHS]mulnC.
apply: eq_bigr => i _; apply: eq_bigr => j _.
have [<-|ij] := eqVneq i j; last by rewrite mul0n addn0 part_same.
rewrite mul1n /part /order !before_irr !muln0 !add0n.
by case: (ahead x i).
Qed.

End Moved.
