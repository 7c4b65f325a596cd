(** Differential privacy by intervention: the model of a mechanism, and Definitions 5 to 9.

    Source: Tschantz, Sen and Datta (2022), section 5, section 6.1 and appendix C. [t] stands for
    e^ε. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Interventional.

Variables (R : realFieldType) (V O : eqType).

(** What a variable of the model can hold: a data point, a whole dataset, or an output. *)
Definition held : eqType := [eqType of V + (seq V + O)].

Definition point (v : V) : held := inl v.
Definition whole (d : seq V) : held := inr (inl d).
Definition output (o : O) : held := inr (inr o).

(** The data points among values. *)
Definition points (us : seq held) : seq V :=
  pmap (fun u => if u is inl v then Some v else None) us.

Implicit Types (m : mechanism R V O) (P : seq V -> R).

(** D_i := R_i. *)
Definition point_equation m (i : nat) : equation R held :=
  Equation [:: i] [seq point v | v <- nth [::] (domains m) i] (fun us u => ([:: u] == us)%:R).

(** D := <D_1, ..., D_n>. *)
Definition data_equation m : equation R held :=
  Equation (iota (size (domains m)) (size (domains m)))
    [seq whole d | d <- datasets (domains m)] (fun us u => (u == whole (points us))%:R).

(** O := A(D). *)
Definition output_equation m : equation R held :=
  Equation [:: (size (domains m)).*2] [seq output o | o <- outputs m]
    (fun us u => match us, u with [:: inr (inl d)], inr (inr o) => chance m d o | _, _ => 0 end).

(** The model M^A: attributes R_1, ..., R_n in the background, then D_1, ..., D_n, D and O. *)
Definition model_of m : model R held :=
  Model [seq [seq point v | v <- values] | values <- domains m]
    ([seq point_equation m i | i <- iota 0 (size (domains m))]
       ++ [:: data_equation m; output_equation m]).

(** The position of D_i, and that of O. *)
Definition D_ m (i : nat) : nat := size (domains m) + i.
Definition O_ m : nat := (size (domains m)).*2.+1.

(** do(D_1 = d_1, ..., D_n = d_n). *)
Definition set_all m (d : seq V) : nat -> option held :=
  fun k => if (size (domains m) <= k)%N
           then ohead [seq point v | v <- drop (k - size (domains m)) d] else None.

(** do(D_i = v). *)
Definition set_one m (i : nat) (v : V) : nat -> option held := one (D_ m i) (point v).

(** do(D_i = d_i) for all [i] of a group at once: section 6.3, "multiple instances of the do
    operator". *)
Definition set_group m (group : seq nat) (d : seq V) : nat -> option held :=
  fun k => if k \in [seq D_ m i | i <- group] then set_all m d k else None.

(** Pr_{M^A,P}[O = o | do(...)]; the population is one of the attributes. *)
Definition effect m P (settings : nat -> option held) (o : O) : R :=
  pr_do (model_of m) (fun x => P (points x)) settings [:: O_ m] [:: output o].

(** Definition 6: intervention on the whole database, for a given population, (11). *)
Definition definition_6 (t : R) m P : Prop :=
  forall i d v o,
    (i < size (domains m))%N -> d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
    o \in outputs m -> effect m P (set_all m d) o <= t * effect m P (set_all m (replace d i v)) o.

(** Definition 5: the same for all populations, (10). *)
Definition definition_5 (t : R) m : Prop := forall P, population m P -> definition_6 t m P.

(** Definition 7: intervention on one data point, for a given population, (12). *)
Definition definition_7 (t : R) m P : Prop :=
  forall i v w o,
    (i < size (domains m))%N -> v \in nth [::] (domains m) i -> w \in nth [::] (domains m) i ->
    o \in outputs m -> effect m P (set_one m i v) o <= t * effect m P (set_one m i w) o.

(** Definition 8: the same for all populations, (20). *)
Definition definition_8 (t : R) m : Prop := forall P, population m P -> definition_7 t m P.

(** Definition 9 asked of all data points: each has bounded relative probability to O in M^A. *)
Definition definition_9 (t : R) m : Prop :=
  forall i, (i < size (domains m))%N -> brp t (model_of m) (D_ m i) [:: O_ m].

End Interventional.
