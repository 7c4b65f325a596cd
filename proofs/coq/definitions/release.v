(** Releasing a value that is stable: Laplace noise on the distance to instability.

    Source: Dwork and Roth (2014), Algorithm 13, which Kusner et al. (2016), section 5.1, use;
    Definition 4 of the latter. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [e] is an exponential function, as e^x is: it is positive, rises, and makes products of sums. *)
Definition exponential (R : realFieldType) (e : R -> R) : Prop :=
  [/\ forall x, 0 < e x, forall x y, x <= y -> e x <= e y & forall x y, e (x + y) = e x * e y].

(** Pr[Lap(b) > x]: half of e^(-x/b), and for x below 0 one less half of e^(x/b). *)
Definition laplace_tail (R : realFieldType) (e : R -> R) (b x : R) : R :=
  if x < 0 then 1 - e (x / b) / 2%:R else e (- (x / b)) / 2%:R.

Section Release.

Variables (V O : eqType) (domains : seq (seq V)) (f : seq V -> O).
Implicit Types d : seq V.

(** In how many data points two datasets differ. *)
Definition hamming d1 d2 : nat := count (fun p => p.1 != p.2) (zip d1 d2).

(** [f] is k-stable on [d]: no [k] substitutions, or fewer, alter its value. *)
Definition stable (k : nat) d : bool :=
  all (fun d' => (hamming d d' <= k)%N ==> (f d' == f d)) (datasets domains).

(** The distance to the nearest dataset of some; [None] where there is none of them. *)
Definition nearest (some : pred (seq V)) d : option nat :=
  if [seq hamming d d' | d' <- datasets domains & some d'] is n :: rest
  then Some (foldr minn n rest) else None.

(** The distance to the nearest dataset on which [f] is not 1-stable. *)
Definition to_instability d : option nat := nearest (fun d' => ~~ stable 1 d') d.

(** The chance that distance + Lap(1/eps) > level. *)
Definition passes (R : realFieldType) (e : R -> R) (eps level : R) (distance : option nat) : R :=
  if distance is Some n then laplace_tail e eps^-1 (level - n%:R) else 1.

(** Algorithm 13: [f d] if the distance passes, else [None]. Its level is ln(1/delta)/eps. *)
Definition stable_release (R : realFieldType) (e : R -> R) (eps level : R) :
    mechanism R V (option_eqType O) :=
  Mechanism domains (None :: [seq Some o | o <- undup [seq f d | d <- datasets domains]])
    (fun d o => let passed := passes e eps level (to_instability d) in
                if o is Some v then (v == f d)%:R * passed else 1 - passed).

End Release.
