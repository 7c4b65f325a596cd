(** Structural equation models with randomized equations over finite ranges, interventions, and
    bounded relative probability.

    Source: Tschantz, Sen and Datta (2022), section 4, appendix C and Definition 9. Variables are
    positions: the background variables come first, then the endogenous ones in an order in which
    parents stand before their children (the models are recursive). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Model.

Variables (R : realFieldType) (U : eqType).

(** X := F_X(parents), randomized: [law us u] is the chance of [u] given the parents' values. *)
Record equation := Equation {
  parents : seq nat;
  range : seq U;
  law : seq U -> U -> R
}.

(** ranges of the background variables, and the equations of the endogenous ones. *)
Record model := Model {
  background : seq (seq U);
  equations : seq equation
}.

(** The value of variable [k] in a state, as a list: empty if the variable has none yet. *)
Definition look (state : seq U) (k : nat) : seq U := take 1 (drop k state).

(** The values of several variables. *)
Definition read (state : seq U) (ks : seq nat) : seq U := flatten [seq look state k | k <- ks].

(** Bottom up, as in (36) to (42): the mean of [f] over the states that the equations lead to. *)
Fixpoint run (eqs : seq equation) (state : seq U) (f : seq U -> R) : R :=
  if eqs is e :: rest
  then sigma (fun u => law e (read state (parents e)) u * run rest (rcons state u) f) (range e)
  else f state.

(** Pr_{M,P}[Y = y], equation (43), for the variables [ys]. [P] weighs the background. *)
Definition probability (M : model) (P : seq U -> R) (ys : seq nat) (y : seq U) : R :=
  sigma (fun x => P x * run (equations M) x (fun state => (read state ys == y)%:R))
    (datasets (background M)).

(** The equation Z := z. *)
Definition constant (e : equation) (z : U) : equation :=
  Equation [::] (range e) (fun _ u => (u == z)%:R).

Fixpoint set_equations (k : nat) (settings : nat -> option U) (eqs : seq equation) :=
  if eqs is e :: rest
  then (if settings k is Some z then constant e z else e) :: set_equations k.+1 settings rest
  else [::].

(** The sub-model M[Z := z], for all endogenous variables that are set, at once. *)
Definition submodel (M : model) (settings : nat -> option U) : model :=
  Model (background M) (set_equations (size (background M)) settings (equations M)).

(** Pr_{M,P}[Y = y | do(...)]. *)
Definition pr_do (M : model) (P : seq U -> R) (settings : nat -> option U) ys y : R :=
  probability (submodel M settings) P ys y.

(** do(X = x). *)
Definition one (k : nat) (x : U) : nat -> option U := fun j => if j == k then Some x else None.

(** The ranges of all variables. *)
Definition ranges (M : model) : seq (seq U) := background M ++ [seq range e | e <- equations M].

(** Each equation's parents stand before it, it gives a distribution on its range for all values
    that they can have, and no range lists a value twice. *)
Definition proper (M : model) : Prop :=
  all uniq (ranges M) /\
  forall k e, ohead (drop k (equations M)) = Some e ->
    all (fun j => j < size (background M) + k)%N (parents e) /\
    forall us, us \in datasets [seq nth [::] (ranges M) j | j <- parents e] ->
      distribution (range e) (law e us).

(** X, Y and Z are in sequence: in an order of the variables that suits the equations X stands
    before Y and Y before Z, so that Z affects neither X nor Y, and Y does not affect X. *)
Definition in_sequence (M : model) (x y z : nat) : Prop :=
  [/\ size (background M) <= x, x < y, y < z & z < size (ranges M)]%N.

(** The parents of an endogenous variable. *)
Definition parents_of (M : model) (k : nat) : seq nat :=
  nth [::] [seq parents e | e <- equations M] (k - size (background M)).

(** Definition 9 (with e^ε for the misprinted e^-1): X has bounded relative probability to [ys],
    that is, RP(Y = y, X = x1, X = x2) <= [t] for all populations, y, x1 and x2. *)
Definition brp (t : R) (M : model) (x : nat) (ys : seq nat) : Prop :=
  forall P, distribution (datasets (background M)) P ->
  forall x1 x2 y, x1 \in nth [::] (ranges M) x -> x2 \in nth [::] (ranges M) x ->
    pr_do M P (one x x1) ys y <= t * pr_do M P (one x x2) ys y.

End Model.
