(** The auditor's experiment: a fair coin, an intervention on one data point, a guess.

    Source: [audit/trials/experiment.py] and [audit/bounds/betting.py]; the design's three counts. A
    rule looks at an output and guesses one dataset ([Some true]), the other ([Some false]), or
    abstains ([None]). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Section Guess.

Variables (R : realFieldType) (V O : eqType).
Implicit Types (m : mechanism R V O) (rule : O -> option bool).

(** The chance that the rule guesses [side] on the dataset [d]. *)
Definition guesses m rule (side : bool) (d : seq V) : R :=
  chance_of m d (fun o => rule o == Some side).

(** The chances, over a fair coin between [d] and [e], of a right guess and of a wrong one. *)
Definition right m rule (d e : seq V) : R :=
  (guesses m rule true d + guesses m rule false e) / 2%:R.
Definition wrong m rule (d e : seq V) : R :=
  (guesses m rule false d + guesses m rule true e) / 2%:R.

End Guess.

Section Betting.

Variable R : realFieldType.

(** What a trial ends with: a right guess, a wrong one, or none. *)
Inductive outcome := Right | Wrong | Abstained.

Definition outcomes : seq outcome := [:: Right; Wrong; Abstained].

(** What a stake becomes: 1 + λ(1 − δ), 1 − λ(t + δ) or 1 − λδ, with [t] for e^ε. *)
Definition factor (t delta stake : R) (o : outcome) : R :=
  match o with
  | Right => 1 + stake * (1 - delta)
  | Wrong => 1 - stake * (t + delta)
  | Abstained => 1 - stake * delta
  end.

(** The wealth after outcomes in a row, with one stake. *)
Definition wealth (t delta stake : R) (history : seq outcome) : R :=
  product (factor t delta stake) history.

(** How often each outcome came about. *)
Definition rights (history : seq outcome) : nat :=
  count (fun o => if o is Right then true else false) history.
Definition wrongs (history : seq outcome) : nat :=
  count (fun o => if o is Wrong then true else false) history.
Definition abstentions (history : seq outcome) : nat :=
  count (fun o => if o is Abstained then true else false) history.

(** The wealth from counts, as it is computed. *)
Definition wealth_of_counts (t delta stake : R) (right wrong abstained : nat) : R :=
  (1 + stake * (1 - delta)) ^+ right * (1 - stake * (t + delta)) ^+ wrong
  * (1 - stake * delta) ^+ abstained.

(** The chances of a trial's outcome allow what (ε, δ)-differential privacy does. *)
Definition allowed (t delta : R) (p : outcome -> R) : Prop :=
  [/\ forall o, 0 <= p o, sigma p outcomes = 1 & p Right - t * p Wrong <= delta].

(** The mean of the wealth's growth over [n] further trials. Mechanism, rule and stake of a trial
    may depend on all outcomes before it. *)
Fixpoint mean_growth (t delta : R) (stake : seq outcome -> R) (p : seq outcome -> outcome -> R)
    (history : seq outcome) (n : nat) : R :=
  if n is k.+1 then
    sigma (fun o => p history o * factor t delta (stake history) o
                    * mean_growth t delta stake p (rcons history o) k) outcomes
  else 1.

End Betting.
