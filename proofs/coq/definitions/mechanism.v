(** Finite mechanisms and differential privacy.

    Source: Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022), section 3;
    Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Definition 2.4. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Mechanism.

Variables (R : realFieldType) (V O : eqType).

(** A randomized algorithm with finitely many datasets and outputs: [chance d o] is Pr[A(d) = o].
    [domains] has the values that each data point can take. *)
Record mechanism := Mechanism {
  domains : seq (seq V);
  outputs : seq O;
  chance : seq V -> O -> R
}.

(** Values and outputs are listed once, and each dataset gives a distribution over the outputs. *)
Definition well_formed (m : mechanism) : Prop :=
  [/\ all uniq (domains m), uniq (outputs m) &
      forall d, d \in datasets (domains m) -> distribution (outputs m) (chance m d)].

(** Definition 1, with [t] for e^ε: differential privacy for replace-one neighbors, output by
    output. *)
Definition definition_1 (t : R) (m : mechanism) : Prop :=
  forall i d v o,
    (i < size (domains m))%N -> d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
    o \in outputs m -> chance m d o <= t * chance m (replace d i v) o.

(** The chance of an event, a set of outputs. *)
Definition chance_of (m : mechanism) (d : seq V) (event : pred O) : R :=
  sigma (fun o => (event o)%:R * chance m d o) (outputs m).

(** (ε, δ)-differential privacy, with [t] for e^ε: event by event. *)
Definition approximate (t delta : R) (m : mechanism) : Prop :=
  forall i d v event,
    (i < size (domains m))%N -> d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
    chance_of m d event <= t * chance_of m (replace d i v) event + delta.

End Mechanism.
