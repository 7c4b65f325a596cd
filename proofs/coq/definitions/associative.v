(** Differential privacy by conditioning: Definitions 2, 3, 4 and 10.

    Source: Tschantz, Sen and Datta (2022), section 3 and appendix B. [t] stands for e^ε. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Associative.

Variables (R : realFieldType) (V O : eqType).
Implicit Types (m : mechanism R V O) (P : seq V -> R).

(** A population: a joint distribution of the data points, correlated or not. *)
Definition population m P : Prop := distribution (datasets (domains m)) P.

(** Pr_P[the dataset is in the event]. *)
Definition seen m P (event : pred (seq V)) : R :=
  sigma (fun d => (event d)%:R * P d) (datasets (domains m)).

(** Pr_{P,A}[O = o and the dataset is in the event], where O = A(D). *)
Definition seen_with m P (event : pred (seq V)) (o : O) : R :=
  sigma (fun d => (event d)%:R * P d * chance m d o) (datasets (domains m)).

(** Pr_{P,A}[O = o | the dataset is in the event]. *)
Definition given m P (event : pred (seq V)) (o : O) : R :=
  seen_with m P event o / seen m P event.

(** The event D_i = v. *)
Definition point_is (i : nat) (v : V) : pred (seq V) := fun d => ohead (drop i d) == Some v.

(** The comparison (3), for one population. Definition 10 (equation (30)) is this. *)
Definition definition_10 (t : R) m P : Prop :=
  forall i d v o,
    (i < size (domains m))%N -> d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
    o \in outputs m ->
    0 < seen m P (pred1 d) -> 0 < seen m P (pred1 (replace d i v)) ->
    given m P (pred1 d) o <= t * given m P (pred1 (replace d i v)) o.

(** Definition 2: strong adversary differential privacy, equations (1) to (3). *)
Definition definition_2 (t : R) m : Prop :=
  forall P, population m P -> definition_10 t m P.

(** The comparison (8), for one population. *)
Definition bayesian (t : R) m P : Prop :=
  forall i v w o,
    (i < size (domains m))%N -> v \in nth [::] (domains m) i -> w \in nth [::] (domains m) i ->
    o \in outputs m ->
    0 < seen m P (point_is i v) -> 0 < seen m P (point_is i w) ->
    given m P (point_is i v) o <= t * given m P (point_is i w) o.

(** Definition 3: Bayesian_0 differential privacy. *)
Definition definition_3 (t : R) m : Prop := forall P, population m P -> bayesian t m P.

(** D_1, ..., D_n are mutually independent: Pr[D = d] is the product of the marginals. *)
Definition mutually_independent m P : Prop :=
  forall d, d \in datasets (domains m) ->
    P d = product (fun i => seen m P (fun e => ohead (drop i e) == ohead (drop i d)))
            (iota 0 (size (domains m))).

(** The condition of Definition 4 as printed: for i <> j, D_i is independent of D_j given the other
    data points; multiplied out, so that it also makes sense where the others have chance 0. *)
Definition independent_given_the_rest m P : Prop :=
  forall i j d, i <> j -> (i < size (domains m))%N -> (j < size (domains m))%N ->
    d \in datasets (domains m) ->
    let same k := fun e : seq V => ohead (drop k e) == ohead (drop k d) in
    let rest := fun e => all (fun k => (k \in [:: i; j]) || same k e) (iota 0 (size d)) in
    seen m P rest * P d =
    seen m P (fun e => rest e && same i e) * seen m P (fun e => rest e && same j e).

(** Definition 4, as printed: equation (9). *)
Definition definition_4_printed (t : R) m : Prop :=
  forall P, population m P -> independent_given_the_rest m P -> bayesian t m P.

(** Definition 4, repaired: for all populations of mutually independent data points. *)
Definition definition_4_mutual (t : R) m : Prop :=
  forall P, population m P -> mutually_independent m P -> bayesian t m P.

End Associative.
