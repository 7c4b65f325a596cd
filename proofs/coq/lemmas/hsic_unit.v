(** How far one record moves HSIC when the kernels have values in [0, 1]. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic.
From Provado.lemmas Require Import algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Unit.
Variables (R : realFieldType) (m : nat).
Add Field R_field : (field_of R).
Implicit Types (A K L : 'M[R]_m).

Definition unit_entries A := forall i j, 0 <= A i j <= 1.

(** The mean of numbers in [0, 1] is in [0, 1]. *)
Lemma mean_unit (f : 'I_m -> R) : (forall i, 0 <= f i <= 1) -> 0 <= \sum_i m%:R^-1 * f i <= 1.
Proof.
move=> f01; have [m0|m0] := posnP m.
  by case: (m) f f01 m0 => // f _ _; rewrite big_ord0 lexx ler01.
apply/andP; split.
  by apply: sumr_ge0 => i _; rewrite mulr_ge0 ?invr_ge0 ?ler0n //; case/andP: (f01 i).
rewrite -mulr_sumr mulrC ler_pdivr_mulr ?ltr0n // mul1r -[m in X in _ <= X]card_ord -sum1_card.
by rewrite natr_sum; apply: ler_sum => i _; case/andP: (f01 i).
Qed.

(** HLH has entries in [-2, 2]. *)
Lemma centered_entries L i j : unit_entries L ->
  `|(centering R m *m L *m centering R m) i j| <= 2%:R.
Proof.
move=> L01; rewrite /centering mulmxBl mul1mx mulmxBr mulmx1 mulmxBl.
set c := const_mx _.
have left A : unit_entries A -> unit_entries (c *m A).
  move=> A01 a b; rewrite mxE; under eq_bigr => d _ do rewrite mxE.
  exact: mean_unit.
have right A : unit_entries A -> unit_entries (A *m c).
  move=> A01 a b; rewrite mxE; under eq_bigr => d _ do rewrite mxE mulrC.
  exact: mean_unit.
have sub (A B : 'M[R]_m) : (A - B) i j = A i j - B i j by rewrite !mxE.
rewrite !sub.
move/andP: (L01 i j) (left _ L01 i j) (right _ L01 i j) (right _ (left _ L01) i j).
move: (L i j) ((c *m L) i j) ((L *m c) i j) ((c *m L *m c) i j) => p q r s.
move=> [p0 p1] /andP[q0 q1] /andP[r0 r1] /andP[s0 s1].
have -> : p - q - (r - s) = (p + s) - (q + r) by rring R.
have two (a b : R) : a <= 1 -> b <= 1 -> a + b <= 2%:R.
  by move=> a1 b1; rewrite (natrD _ 1 1) ler_add.
rewrite ler_norml -[- 2%:R]add0r -[X in _ && (_ <= X)]subr0.
by rewrite !ler_sub ?addr_ge0 ?two.
Qed.

(** A matrix that is 0 outside row and column [k], with entries in [-1, 1]: its sizes add up to at
    most 2(m - 1) and the one on the diagonal. *)
Lemma cross_sum A (k : 'I_m) : (forall i j, `|A i j| <= 1) ->
  (forall i j, i != k -> j != k -> A i j = 0) ->
  \sum_i \sum_j `|A i j| <= 2%:R * m.-1%:R + `|A k k|.
Proof.
move=> A1 A0.
have others : m.-1%:R = \sum_(i < m | i != k) 1 :> R.
  by rewrite sumr_const cardC1 card_ord.
rewrite (bigD1 k) //= (bigD1 k) //=.
have -> : 2%:R * m.-1%:R + `|A k k| = `|A k k| + m.-1%:R + m.-1%:R by rring R.
rewrite others -!addrA ler_add2l ler_add //; apply: ler_sum => i ik //.
rewrite (bigD1 k) //= big1 ?addr0 // => j jk.
by rewrite A0 // normr0.
Qed.

(** The trace of such a matrix times HLH. *)
Lemma trace_move A L (k : 'I_m) : unit_entries L -> (forall i j, `|A i j| <= 1) ->
  (forall i j, i != k -> j != k -> A i j = 0) ->
  `|\tr (A *m (centering R m *m L *m centering R m))| <= 4%:R * m.-1%:R + 2%:R * `|A k k|.
Proof.
move=> L01 A1 A0; rewrite /mxtrace.
apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_i \sum_j 2%:R * `|A i j|)).
  apply: ler_sum => i _; rewrite mxE (le_trans (ler_norm_sum _ _ _)) //.
  apply: ler_sum => j _; rewrite normrM mulrC.
  by rewrite ler_wpmul2r // centered_entries.
under eq_bigr => i _ do rewrite -mulr_sumr.
rewrite -mulr_sumr; have := cross_sum A1 A0.
rewrite -(ler_pmul2l (ltr0Sn R 1)) => /le_trans -> //.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rring R.
Qed.

Lemma difference_unit K K' : unit_entries K -> unit_entries K' ->
  forall i j, `|(K' - K) i j| <= 1.
Proof.
move=> K01 K'01 i j; rewrite !mxE ler_norml.
case/andP: (K01 i j) => a0 a1; case/andP: (K'01 i j) => b0 b1.
by rewrite -[- 1]add0r -[X in _ && (_ <= X)]subr0 !ler_sub.
Qed.

(** Row and column [a] of K and row and column [b] of L change. *)
Lemma centered_trace_move K K' L L' (a b : 'I_m) :
  unit_entries K -> unit_entries K' -> unit_entries L -> unit_entries L' ->
  (forall i j, i != a -> j != a -> K i j = K' i j) ->
  (forall i j, i != b -> j != b -> L i j = L' i j) ->
  `|centered_trace K' L' - centered_trace K L|
  <= 8%:R * m.-1%:R + 2%:R * (`|(K' - K) a a| + `|(L' - L) b b|).
Proof.
move=> K01 K'01 L01 L'01 Ks Ls; rewrite /centered_trace.
have swap (A B H : 'M[R]_m) : \tr (A *m H *m B *m H) = \tr (B *m H *m A *m H).
  by rewrite -[A *m H *m B *m H]mulmxA mxtrace_mulC !mulmxA.
have split (H : 'M[R]_m) : \tr (K' *m H *m L' *m H) - \tr (K *m H *m L *m H)
  = \tr ((K' - K) *m (H *m L' *m H)) + \tr ((L' - L) *m (H *m K *m H)).
  by rewrite !(mulmxA, mulmxBl) !linearB /= (swap L' K) (swap L K) addrA subrK.
rewrite split.
apply: le_trans (ler_norm_add _ _) _.
have -> : 8%:R * m.-1%:R + 2%:R * (`|(K' - K) a a| + `|(L' - L) b b|)
  = 4%:R * m.-1%:R + 2%:R * `|(K' - K) a a| + (4%:R * m.-1%:R + 2%:R * `|(L' - L) b b|).
  by rring R.
apply: ler_add; apply: trace_move => //; do ?exact: difference_unit.
  by move=> i j ia ja; rewrite !mxE Ks // subrr.
by move=> i j ib jb; rewrite !mxE Ls // subrr.
Qed.
End Unit.

Section Move.
Variables (R : realFieldType) (m : nat) (S T : Type) (k : S -> S -> R) (l : T -> T -> R).
Add Field R_field' : (field_of R).
Hypotheses (k01 : unit_kernel k) (l01 : unit_kernel l) (m2 : (2 <= m)%N).
Variables (x x' : 'I_m -> S) (y y' : 'I_m -> T) (a b : 'I_m).
Hypotheses (xs : forall i, i != a -> x i = x' i) (ys : forall i, i != b -> y i = y' i).

Lemma hsic_move_diagonal :
  `|hsic k l x y - hsic k l x' y'| <=
  (8%:R * m.-1%:R + 2%:R * (`|k (x' a) (x' a) - k (x a) (x a)| + `|l (y' b) (y' b) - l (y b) (y
    b)|))
  / m.-1%:R ^+ 2.
Proof.
rewrite /hsic distrC -mulrBl normrM [X in _ * X]ger0_norm ?invr_ge0 ?exprn_ge0 ?ler0n //.
apply: ler_wpmul2r; first by rewrite invr_ge0 exprn_ge0 ?ler0n.
have := @centered_trace_move R m (gram k x) (gram k x') (gram l y) (gram l y') a b.
rewrite !mxE; apply.
- by move=> i j; rewrite mxE.
- by move=> i j; rewrite mxE.
- by move=> i j; rewrite mxE.
- by move=> i j; rewrite mxE.
- by move=> i j ia ja; rewrite !mxE !xs.
- by move=> i j ib jb; rewrite !mxE !ys.
Qed.

(** For all kernels with values in [0, 1]. *)
Lemma hsic_move : `|hsic k l x y - hsic k l x' y'| <= (12%:R * m%:R - 11%:R) / m.-1%:R ^+ 2.
Proof.
apply: le_trans hsic_move_diagonal _.
apply: ler_wpmul2r; first by rewrite invr_ge0 exprn_ge0 ?ler0n.
have gap (p q : R) : 0 <= p <= 1 -> 0 <= q <= 1 -> `|p - q| <= 1.
  move=> /andP[p0 p1] /andP[q0 q1].
  by rewrite ler_norml -[- 1]add0r -[X in _ && (_ <= X)]subr0 !ler_sub.
have /(ler_add (gap _ _ (k01 (x' a) (x' a)) (k01 (x a) (x a)))) :=
  gap _ _ (l01 (y' b) (y' b)) (l01 (y b) (y b)).
set d := _ + _ => d2.
apply: (@le_trans _ _ (8%:R * m.-1%:R + 2%:R * (1 + 1))).
  by rewrite ler_add2l ler_wpmul2l ?ler0n.
rewrite -subr_ge0; case: (m) m2 => [|[|n]] // _ /=.
have -> : 12%:R * n.+2%:R - 11%:R - (8%:R * n.+1%:R + 2%:R * (1 + 1)) = 4%:R * n%:R + 1 :> R.
  by rring R.
by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?ler01.
Qed.

(** For kernels that are 1 on the diagonal too, such as the Gaussian one. *)
Lemma hsic_move_short : (forall s, k s s = 1) -> (forall t, l t t = 1) ->
  `|hsic k l x y - hsic k l x' y'| <= 8%:R / m.-1%:R.
Proof.
move=> k1 l1; apply: le_trans hsic_move_diagonal _.
rewrite !k1 !l1 subrr normr0 addr0 mulr0 addr0 le_eqVlt; apply/orP; left; apply/eqP.
by case: (m) m2 => [|[|n]] // _ /=; rfield R.
Qed.
End Move.
