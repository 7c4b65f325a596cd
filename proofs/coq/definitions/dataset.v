(** Datasets and their neighbors. *)

From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** A dataset of [m] records of type [T]. *)
Definition dataset (T : Type) (m : nat) : Type := 'I_m -> T.

(** Replace-one neighbors: all records but one, [k], are the same.
    Kusner et al., section 4.1: "a single change in the dataset ... at some index k". *)
Definition replace_one T m (D D' : dataset T m) : Prop :=
  exists k : 'I_m, forall i : 'I_m, i != k -> D i = D' i.

(** Add-or-remove-one neighbors: [D'] is [D] with one record more, in place [k]; the others keep
    their order. Read from right to left, one record is removed. *)
Definition add_one T m (D : dataset T m) (D' : dataset T m.+1) : Prop :=
  exists k : 'I_m.+1, forall i : 'I_m, D' (lift k i) = D i.

(** The two columns of a dataset of pairs. *)
Definition first S T m (D : dataset (S * T) m) : 'I_m -> S := fun i => (D i).1.
Definition second S T m (D : dataset (S * T) m) : 'I_m -> T := fun i => (D i).2.
