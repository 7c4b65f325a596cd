(** The Hilbert-Schmidt independence criterion from its definition. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Hsic.
Variable R : realFieldType.

(** The matrix of kernel values K_ij = k(x_i, x_j). *)
Definition gram m (S : Type) (k : S -> S -> R) (x : 'I_m -> S) : 'M[R]_m :=
  \matrix_(i, j) k (x i) (x j).

(** H = I - 1/m: the identity less 1/m in each entry. *)
Definition centering m : 'M[R]_m := 1%:M - const_mx m%:R^-1.

(** trace(KHLH). *)
Definition centered_trace m (K L : 'M[R]_m) : R :=
  \tr (K *m centering m *m L *m centering m).

(** Kusner et al., equation (4); Zhang et al., Definition 4: trace(KHLH)/(m - 1)^2. *)
Definition hsic m (S T : Type) (k : S -> S -> R) (l : T -> T -> R)
    (x : 'I_m -> S) (y : 'I_m -> T) : R :=
  centered_trace (gram k x) (gram l y) / m.-1%:R ^+ 2.

(** Zhang et al., above Theorem 4: HSIC(psi(U), V), record [psi i] of the first column in row
  [i]. *)
Definition hsic_permuted m (S T : Type) (k : S -> S -> R) (l : T -> T -> R) (psi : 'I_m -> 'I_m)
    (x : 'I_m -> S) (y : 'I_m -> T) : R :=
  hsic k l (fun i => x (psi i)) y.

(** A kernel with values in [0, 1]. *)
Definition unit_kernel (S : Type) (k : S -> S -> R) : Prop := forall x x', 0 <= k x x' <= 1.

(** A positive semi-definite kernel: symmetric, and no Gram matrix of it has a negative form. *)
Definition semidefinite (S : Type) (k : S -> S -> R) : Prop :=
  (forall x y, k x y = k y x) /\
  forall n (p : 'I_n -> S) (a : 'I_n -> R), 0 <= \sum_i \sum_j a i * a j * k (p i) (p j).

(** Kusner et al., section 4.2: k(x, x) <= 1. *)
Definition diagonal_bounded (S : Type) (k : S -> S -> R) : Prop := forall x, k x x <= 1.

(** A kernel with |l(s, u) - l(t, u)| <= L |s - t|. *)
Definition lipschitz (L : R) (l : R -> R -> R) : Prop :=
  forall s t u, `|l s u - l t u| <= L * `|s - t|.

(** Zhang et al., Definition 4 with Z = {}: U = X and V = Y, the columns themselves. *)
Definition rcit_unconditioned m (S T : Type) (k : S -> S -> R) (l : T -> T -> R)
    (D : dataset (S * T) m) : R :=
  hsic k l (first D) (second D).

End Hsic.
