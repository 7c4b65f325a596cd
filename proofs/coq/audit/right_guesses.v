(** Under ε-differential privacy a guess that is made is right with chance e^ε/(1 + e^ε) at most. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism audit.
From Provado.lemmas Require Import finite_lemmas insert_lemmas.
From Provado.audit Require Import guess.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem right_guesses : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
  0 <= t -> approximate t 0 m ->
  forall (rule : O -> option bool) i d v, (i < size (domains m))%N ->
  d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
  right m rule d (replace d i v) <=
  t / (1 + t) * (right m rule d (replace d i v) + wrong m rule d (replace d i v)).
Proof.
move=> R V O m t t0 dp rule i d v lt_i dd vi.
have [] := guess dp rule lt_i dd vi; rewrite subr_le0.
set r := right _ _ _ _; set w := wrong _ _ _ _.
move=> bound _; have pos : 0 < 1 + t by rewrite ltr_paddr // ltr01.
by rewrite mulrAC ler_pdivl_mulr // mulrDr mulr1 mulrDr addrC [r * t]mulrC ler_add2l.
Qed.
