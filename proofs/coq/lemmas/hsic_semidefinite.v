(** HSIC under positive semi-definite kernels with k(x, x) at most 1: its sensitivity. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset inner hsic.
From Provado.lemmas Require Import algebra inner_lemmas hsic_inner hsic_move hsic_numbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Kernels.
Variables (R : realFieldType) (S : Type).
Implicit Type k : S -> S -> R.

(** The inner product of combinations of N points. *)
Section Combinations.
Variables (k : S -> S -> R) (kp : semidefinite k) (N : nat) (p : 'I_N -> S).

Let form (u v : 'rV[R]_N) : R := \sum_i \sum_j u 0 i * v 0 j * k (p i) (p j).

Fact form_symmetric u v : form u v = form v u.
Proof.
rewrite /form exchange_big; apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite (kp.1 (p j)) [u 0 j * _]mulrC.
Qed.
Fact form_additive u v w : form (u + v) w = form u w + form v w.
Proof.
rewrite /form -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _.
by rewrite mxE !mulrDl.
Qed.
Fact form_scaled a u v : form (a *: u) v = a * form u v.
Proof.
rewrite /form mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
by rewrite mxE !mulrA.
Qed.
Fact form_nonnegative u : 0 <= form u u.
Proof. exact: (kp.2 N p (fun i => u 0 i)). Qed.

Definition combinations : inner [lmodType R of 'rV[R]_N] :=
  Inner form_symmetric form_additive form_scaled form_nonnegative.

Definition point (i : 'I_N) : 'rV[R]_N := delta_mx 0 i.

Lemma combinations_points i j : combinations (point i) (point j) = k (p i) (p j).
Proof.
rewrite /= /form (bigD1 i) //= [X in _ + X]big1 => [|a ai]; last first.
  by apply: big1 => c _; rewrite !mxE (negPf ai) andbF !mul0r.
rewrite (bigD1 j) //= [X in _ + X + _]big1 => [|c cj]; last first.
  by rewrite !mxE (negPf cj) andbF mulr0 mul0r.
by rewrite !mxE !eqxx /= !mul1r !addr0.
Qed.
End Combinations.

(** The points of a column and one more; those of a column in which record [a] is the one more. *)
Definition extended m (x : 'I_m -> S) (new : S) (i : 'I_m.+1) : S :=
  if unlift ord_max i is Some j then x j else new.

Lemma extended_old m (x : 'I_m -> S) new j : extended x new (lift ord_max j) = x j.
Proof. by rewrite /extended liftK. Qed.
Lemma extended_new m (x : 'I_m -> S) new : extended x new ord_max = new.
Proof. by rewrite /extended unlift_none. Qed.
End Kernels.

Section Move.
Variables (R : realFieldType) (S T : Type) (k : S -> S -> R) (l : T -> T -> R).
Hypotheses (roots : has_roots R) (kp : semidefinite k) (lp : semidefinite l).
Hypotheses (k1 : diagonal_bounded k) (l1 : diagonal_bounded l).

(** By two halves, one for each column. *)
Lemma hsic_half_moves n (x x' : 'I_n.+2 -> S) (y y' : 'I_n.+2 -> T) (a : 'I_n.+2) :
  (forall i, i != a -> x i = x' i) -> (forall i, i != a -> y i = y' i) ->
  exists s r, [/\ 0 <= s <= 1, 0 <= r <= 1
  & hsic k l x y - hsic k l x' y' <= half_move n.+2%:R s + half_move n.+2%:R r].
Proof.
move=> xs ys.
pose b := combinations kp (extended x (x' a)); pose c := combinations lp (extended y (y' a)).
pose F (i : 'I_n.+2) := point R (lift ord_max i).
pose F' (i : 'I_n.+2) := if i == a then point R ord_max else F i.
have bF i j : b (F i) (F j) = k (x i) (x j) by rewrite combinations_points !extended_old.
have cF i j : c (F i) (F j) = l (y i) (y j) by rewrite combinations_points !extended_old.
have bF' i j : b (F' i) (F' j) = k (x' i) (x' j).
  rewrite /F'; have [->|ia] := eqVneq i a; have [->|ja] := eqVneq j a;
  by rewrite combinations_points ?extended_old ?extended_new ?xs.
have cF' i j : c (F' i) (F' j) = l (y' i) (y' j).
  rewrite /F'; have [->|ia] := eqVneq i a; have [->|ja] := eqVneq j a;
  by rewrite combinations_points ?extended_old ?extended_new ?ys.
have same i : i != a -> F i = F' i by rewrite /F' => /negPf ->.
have shorts : [/\ forall i, b (F i) (F i) <= 1, forall i, c (F i) (F i) <= 1,
    forall i, b (F' i) (F' i) <= 1 & forall i, c (F' i) (F' i) <= 1].
  by split=> i; rewrite ?bF ?cF ?bF' ?cF'.
case: shorts => sF sG sF' sG'.
have [s [r [s01 r01 bound]]] := half_moves roots sF sG sF' sG' same same.
exists s, r; split=> //; move: bound; rewrite mulrBl /hsic.
have -> : gram b F = gram k x by apply/matrixP => i j; rewrite !mxE bF.
have -> : gram c F = gram l y by apply/matrixP => i j; rewrite !mxE cF.
have -> : gram b F' = gram k x' by apply/matrixP => i j; rewrite !mxE bF'.
by have -> : gram c F' = gram l y' by apply/matrixP => i j; rewrite !mxE cF'.
Qed.

(** Both ways: twice the largest half bounds the move. *)
Lemma hsic_semidefinite_move (m : nat) (bound : R) (D D' : dataset (S * T) m) : (2 <= m)%N ->
  (forall s, 0 <= s <= 1 -> half_move m%:R s <= bound / 2%:R) -> replace_one D D' ->
  `|hsic k l (first D) (second D) - hsic k l (first D') (second D')| <= bound.
Proof.
case: m D D' => [|[|n]] // D D' _ half [a same].
have one (E E' : dataset (S * T) n.+2) : (forall i, i != a -> E i = E' i) ->
    hsic k l (first E) (second E) - hsic k l (first E') (second E') <= bound.
  move=> sameE; have fs i : i != a -> first E i = first E' i by rewrite /first => /sameE ->.
  have ss i : i != a -> second E i = second E' i by rewrite /second => /sameE ->.
  have [s [r [s01 r01 le]]] := hsic_half_moves fs ss; apply: le_trans le _.
  rewrite (le_trans (ler_add (half _ s01) (half _ r01))) // -mulrDl -mulr2n -[bound *+ 2]mulr_natr.
  by rewrite mulfK ?pnatr_eq0.
rewrite ler_norml ler_oppl opprB !one // => i ia; by rewrite same.
Qed.
End Move.
