(** Zhang et al., equation (6), as a program that counts its operations. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A value and the number of operations that it took. *)
Definition counted (A : Type) : Type := (A * nat)%type.
(** One operation: an addition, subtraction, division, comparison, maximum or step of a counter. *)
Definition operation A (value : A) : counted A := (value, 1%N).
(** One program after the other: operations add up. *)
Definition after A B (a : counted A) (next : A -> counted B) : counted B :=
  let: (value, cost) := a in let: (result, further) := next value in (result, cost + further)%N.

Arguments after : simpl never.

Section Program.
Variable R : realFieldType.

(** Steps a counter if a test says so. *)
Definition step_if (test : bool) (n : nat) : counted nat :=
  if test then operation n.+1 else (n, 0%N).

(** Counts the permuted scores s with score < s - twice and those with score < s + twice. *)
Fixpoint count_near (score twice : R) (permuted : seq R) (low high : nat) : counted (nat * nat) :=
  if permuted is s :: rest then
    after (operation (s - twice)) (fun lower =>
    after (operation (score < lower)) (fun is_low =>
    after (step_if is_low low) (fun low =>
    after (operation (s + twice)) (fun upper =>
    after (operation (score < upper)) (fun is_high =>
    after (step_if is_high high) (fun high => count_near score twice rest low high))))))
  else ((low, high), 0%N).

(** Equation (6) from the K + 1 scores, p and Delta: max{p - A, B - p}. *)
Definition bound_program (score : R) (permuted : seq R) (p change : R) : counted R :=
  after (operation (change + change)) (fun twice =>
  after (count_near score twice permuted 0 0) (fun '(low, high) =>
  after (operation (low%:R / (size permuted)%:R)) (fun A =>
  after (operation (high%:R / (size permuted)%:R)) (fun B =>
  after (operation (p - A)) (fun left =>
  after (operation (B - p)) (fun right => operation (Num.max left right))))))).

End Program.
