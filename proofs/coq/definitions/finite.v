(** Finite sums, datasets and distributions, as lists: everything here computes.

    A finite set of values is a list without repetition. So the definitions can be run on small data
    and compared with the Python reference ([tests/proofs/formal]). *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Finite.

Variable R : realFieldType.

(** The sum of [f] over a list. *)
Fixpoint sigma (T : Type) (f : T -> R) (s : seq T) : R :=
  if s is x :: rest then f x + sigma f rest else 0.

(** The product of [f] over a list. *)
Fixpoint product (T : Type) (f : T -> R) (s : seq T) : R :=
  if s is x :: rest then f x * product f rest else 1.

(** [p] gives the listed values chances that are at least 0 and add up to 1. *)
Definition distribution (T : eqType) (s : seq T) (p : T -> R) : Prop :=
  (forall x, x \in s -> 0 <= p x) /\ sigma p s = 1.

End Finite.

(** All datasets: a value of each domain in turn. The paper's [D^n], where all domains are one. *)
Fixpoint datasets (V : Type) (domains : seq (seq V)) : seq (seq V) :=
  if domains is values :: rest
  then [seq v :: d | v <- values, d <- datasets rest] else [:: [::]].

(** The dataset [d] with data point [i] (from 0) replaced by [v]: a replace-one neighbor. *)
Definition replace (V : Type) (d : seq V) (i : nat) (v : V) : seq V :=
  take i d ++ v :: drop i.+1 d.

(** The data points other than [i]. *)
Definition others (V : Type) (d : seq V) (i : nat) : seq V := take i d ++ drop i.+1 d.

(** The dataset that has [v] at [i] and [d] elsewhere. *)
Definition insert (V : Type) (d : seq V) (i : nat) (v : V) : seq V := take i d ++ v :: drop i d.
