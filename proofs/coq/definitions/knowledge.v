(** What an adversary believes about the dataset when it has seen the output.

    Source: Tschantz, Sen and Datta (2022), section 7, equation (29) and the display after it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Knowledge.

Variables (R : realFieldType) (V O : eqType).
Implicit Types (m : mechanism R V O) (prior : seq V -> R).

(** Cr[D = d | O = o, B], equation (29); [prior] is Cr[D = d | B]. *)
Definition posterior m prior (o : O) (d : seq V) : R :=
  chance m d o * prior d / sigma (fun e => chance m e o * prior e) (datasets (domains m)).

(** Cr[D = d | O = o, do(D_i = v), B]: person [i] hands in [v]. *)
Definition posterior_without m prior (i : nat) (v : V) (o : O) (d : seq V) : R :=
  chance m (replace d i v) o * prior d /
  sigma (fun e => chance m (replace e i v) o * prior e) (datasets (domains m)).

End Knowledge.
