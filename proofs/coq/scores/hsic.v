(** The Hilbert-Schmidt independence criterion from its definition. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado Require Import dataset.

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

(** Zhang et al., above Theorem 4: HSIC(psi(U), V), record [psi i] of the first column in
    row [i]. *)
Definition hsic_permuted m (S T : Type) (k : S -> S -> R) (l : T -> T -> R) (psi : 'I_m -> 'I_m)
    (x : 'I_m -> S) (y : 'I_m -> T) : R :=
  hsic k l (fun i => x (psi i)) y.

(** A kernel with values in [0, 1]. *)
Definition unit_kernel (S : Type) (k : S -> S -> R) : Prop := forall x x', 0 <= k x x' <= 1.

End Hsic.
