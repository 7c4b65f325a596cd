(** Kernel ridge regression in a space of features. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Ridge.
Variables (R : realFieldType) (V : lmodType R) (b : inner V) (n : nat) (lam : R).
Implicit Types (f : 'I_n -> V) (y : 'I_n -> R) (w v : V).

(** Kusner et al., equation (5): (lambda/2)|w|^2 + (1/n) sum (w . phi(x_i) - y_i)^2. *)
Definition objective f y w : R :=
  lam / 2%:R * b w w + (\sum_i (b w (f i) - y i) ^+ 2) / n%:R.

(** [w] minimises the objective. *)
Definition minimises f y w : Prop := forall v, objective f y w <= objective f y v.

(** The residual of a test point with features [g]. *)
Definition residual w (g : V) (target : R) : R := target - b w g.

End Ridge.
