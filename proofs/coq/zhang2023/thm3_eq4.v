(** Zhang et al., Theorem 3, equation (4): the RCIT score without a conditioning set. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset hsic.
From Provado.lemmas Require Import algebra.
From Provado.zhang2023 Require Import thm1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Bounds.
Variables (R : realFieldType) (S T : Type).

(** zhang2023/thm3-eq4: without a conditioning set the RCIT score moves by at most
    (12m - 11)/(m - 1)^2. *)
Theorem rcit_sensitivity (m : nat) (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m) :
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> replace_one D D' ->
  `|rcit_unconditioned k l D - rcit_unconditioned k l D'|
  <= (12%:R * m%:R - 11%:R) / m.-1%:R ^+ 2.
Proof. exact: hsic_sensitivity. Qed.

End Bounds.

Theorem thm3_eq4 : forall (R : realFieldType) (S T : Type) (m : nat)
    (k : S -> S -> R) (l : T -> T -> R) (D D' : dataset (S * T) m),
  (2 <= m)%N -> unit_kernel k -> unit_kernel l -> replace_one D D' ->
  `|rcit_unconditioned k l D - rcit_unconditioned k l D'|
  <= (12%:R * m%:R - 11%:R) / (m%:R - 1) ^+ 2.
Proof.
move=> R S T m k l D D' m2; rewrite -pred_natr ?(leq_trans _ m2) //.
exact: rcit_sensitivity.
Qed.
