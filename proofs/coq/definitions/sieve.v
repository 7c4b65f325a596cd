(** Sieve-and-examine: a sparse vector on a random subset of the records, then a noisy comparison.

    Source: Wang, Pang and Song (2020), Algorithm 1; [t] there is [lowered]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mean.

Variables (R : realFieldType) (e : R -> R) (b : R).
Implicit Types (h : R -> R) (cells : seq (R * R)).

(** What Lap(b) gives to a step function: from [x] on, the values of cells that end where the next
    begins; 0 elsewhere. *)
Fixpoint step_mass (x : R) cells : R :=
  if cells is (value, y) :: rest
  then value * (laplace_tail e b x - laplace_tail e b y) + step_mass y rest else 0.

(** The step function is nowhere below 0 and nowhere above [h]. *)
Fixpoint steps_below h (x : R) cells : Prop :=
  if cells is (value, y) :: rest
  then [/\ 0 <= value, x <= y, forall z, x < z -> z <= y -> value <= h z & steps_below h y rest]
  else True.

(** [I h] is the mean of h(Z), Z ~ Lap(b), for all h with values in [0, 1]: the least number that no
    step function below [h] exceeds (Darboux's lower integral). On the real numbers there is one;
    where [h] is continuous it is the integral. *)
Definition laplace_mean (I : (R -> R) -> R) : Prop :=
  forall h, (forall z, 0 <= h z <= 1) ->
  (forall x cells, steps_below h x cells -> step_mass x cells <= I h) /\
  (forall v, (forall x cells, steps_below h x cells -> step_mass x cells <= v) -> I h <= v).

End Mean.

(** All subsets of [m] records, each in the order of the dataset. *)
Fixpoint choose (T : Type) (m : nat) (d : seq T) : seq (seq T) :=
  if d is v :: rest
  then (if m is k.+1 then [seq v :: c | c <- choose k rest] else [::]) ++ choose m rest
  else (if m is 0%N then [:: [::]] else [::]).

Section Sieve.

Variables (R : realFieldType) (T : eqType) (e : R -> R) (I : (R -> R) -> R).
Variables (answer_noise examination_noise threshold lowered : R).
Variables (queries : seq (seq T -> R)) (m : nat).
Implicit Types (d : seq T) (answers : seq R).

(** The chance that no answer with noise reaches a level. *)
Definition all_missed (level : R) answers : R :=
  product (fun a => 1 - laplace_tail e answer_noise (level - a)) answers.

(** The chance that answer [k] is the first to do so; [None]: that none does. *)
Definition first_passed (level : R) answers (k : option nat) : R :=
  if k is Some k
  then all_missed level (take k answers) * laplace_tail e answer_noise (level - nth 0 answers k)
  else all_missed level answers.

(** The answers on a set of records. *)
Definition answers_on d : seq R := [seq f d | f <- queries].

(** The same with noise on the level: lines 5 to 8. *)
Definition sieve d (k : option nat) : R :=
  I (fun z => first_passed (threshold - lowered + z) (answers_on d) k).

(** And on a random subset of [m] records. *)
Definition sieve_on_subset d (k : option nat) : R :=
  sigma (fun c => sieve c k) (choose m d) / (size (choose m d))%:R.

(** The chance that answer [k] on all records passes the examination: line 9. *)
Definition examined d (k : nat) : R :=
  laplace_tail e examination_noise (threshold - nth 0 (answers_on d) k).

(** Pr[Algorithm 1 outputs k]; [None]: that it outputs none. *)
Definition sieve_and_examine d (k : option nat) : R :=
  if k is Some k then sieve_on_subset d (Some k) * examined d k
  else sieve_on_subset d None
    + sigma (fun k => sieve_on_subset d (Some k) * (1 - examined d k)) (iota 0 (size queries)).

End Sieve.

(** Replacing one of [n] records moves the answer by at most [change]; their order does not
    matter. *)
Definition moves_at_most (R : realFieldType) (T : eqType) (change : R) (f : seq T -> R) (n : nat) :=
  (forall c d, perm_eq c d -> f c = f d) /\
  (forall c u v, (size c).+1 = n -> `|f (u :: c) - f (v :: c)| <= change).
