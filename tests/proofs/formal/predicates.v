(** What it takes to prove or refute the predicates on kernels and inner products on small data. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic inner ridge.
From Provado.lemmas Require Import algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation Q := rat_realFieldType.
Add Field Q_field : (field_of Q).

(** The kernel Σ w φ(x) φ(y) of weights and features. *)
Definition of_features S (F : seq (Q * (S -> Q))) (x y : S) : Q :=
  \sum_(f <- F) f.1 * (f.2 x * f.2 y).

Lemma features_semidefinite S (F : seq (Q * (S -> Q))) (k : S -> S -> Q) :
  all (fun f => 0 <= f.1) F -> (forall x y, k x y = of_features F x y) -> semidefinite k.
Proof.
move=> F0 kE; split=> [x y|n p a].
  by rewrite !kE; apply: eq_bigr => f _; rewrite [f.2 x * _]mulrC.
have -> : \sum_i \sum_j a i * a j * k (p i) (p j)
    = \sum_(f <- F) f.1 * (\sum_i a i * f.2 (p i)) ^+ 2.
  transitivity (\sum_(f <- F) \sum_i \sum_j a i * a j * (f.1 * (f.2 (p i) * f.2 (p j)))).
    rewrite [RHS]exchange_big; apply: eq_bigr => i _; rewrite [RHS]exchange_big.
    by apply: eq_bigr => j _; rewrite kE mulr_sumr.
  apply: eq_bigr => f _; rewrite expr2 mulr_suml mulr_sumr; apply: eq_bigr => i _.
  rewrite mulr_sumr mulr_sumr; apply: eq_bigr => j _; rring Q.
elim: F F0 {kE} => [|f F IH] /=; first by rewrite big_nil.
by move=> /andP [f0 F0]; rewrite big_cons addr_ge0 ?IH // mulr_ge0 ?sqr_ge0.
Qed.

(** On numbers, u·v. *)
Definition line : inner [lmodType Q of Q^o].
Proof.
exists (fun u v : Q => u * v) => [u v|u v w|a u v|u].
- exact: mulrC.
- exact: mulrDl.
- by rewrite /GRing.scale /= mulrA.
by rewrite -expr2 sqr_ge0.
Defined.

(** On pairs, [a u1 v1 + b (u1 v2 + u2 v1) + c u2 v2]. *)
Definition plane (a b c : Q) (u v : Q * Q) : Q :=
  a * (u.1 * v.1) + b * (u.1 * v.2 + u.2 * v.1) + c * (u.2 * v.2).

(** With a square that is completed it is an inner product. *)
Lemma plane_inner (a b c p r : Q) : 0 <= a -> 0 <= r -> a * p = b -> r + a * p ^+ 2 = c ->
  exists i : inner [lmodType Q of Q^o * Q^o], forall u v, i u v = plane a b c u v.
Proof.
move=> a0 r0 <- <-.
unshelve eexists
  (@Inner Q [lmodType Q of Q^o * Q^o] (plane a (a * p) (r + a * p ^+ 2)) _ _ _ _).
- by move=> u v; rewrite /plane; rring Q.
- case=> u1 u2 [v1 v2] [w1 w2]; change (plane a (a * p) (r + a * p ^+ 2)
    (u1 + v1 : Q, u2 + v2 : Q) (w1, w2) = plane a (a * p) (r + a * p ^+ 2) (u1, u2) (w1, w2)
      + plane a (a * p) (r + a * p ^+ 2) (v1, v2) (w1, w2)).
  by rewrite /plane /=; rring Q.
- move=> z [u1 u2] [v1 v2]; change (plane a (a * p) (r + a * p ^+ 2) (z * u1 : Q, z * u2 : Q)
    (v1, v2) = z * plane a (a * p) (r + a * p ^+ 2) (u1, u2) (v1, v2)).
  by rewrite /plane /=; rring Q.
- case=> u1 u2; change (0 <= plane a (a * p) (r + a * p ^+ 2) (u1, u2) (u1, u2)).
  have -> : plane a (a * p) (r + a * p ^+ 2) (u1, u2) (u1, u2)
      = a * ((u1 : Q) + p * (u2 : Q)) ^+ 2 + r * (u2 : Q) ^+ 2 by rewrite /plane /=; rring Q.
  by rewrite addr_ge0 // mulr_ge0 ?sqr_ge0.
by [].
Qed.

(** With a vector of negative square it is none. *)
Lemma plane_no_inner (a b c : Q) (u : Q * Q) : plane a b c u u < 0 ->
  ~ exists i : inner [lmodType Q of Q^o * Q^o], forall u v, i u v = plane a b c u v.
Proof. by move=> neg [i iE]; have := form_pos i u; rewrite iE leNgt neg. Qed.

(** A sum over three records. *)
Lemma three (F : 'I_3 -> Q) :
  \sum_i F i = F ord0 + (F (lift ord0 ord0) + F (lift ord0 (lift ord0 ord0))).
Proof. by rewrite !big_ord_recl big_ord0 addr0. Qed.

(** A point is a minimum if what is added beyond it is a square. *)
Lemma minimum_by_square n (lam : Q) (f : 'I_n -> Q^o) (y : 'I_n -> Q) (w c : Q) : 0 <= c ->
  (forall v : Q, objective line lam f y v = objective line lam f y w + c * (v - w) ^+ 2) ->
  minimises line lam f y w.
Proof.
by move=> c0 squares v; rewrite (squares v) ler_addl mulr_ge0 ?sqr_ge0.
Qed.
