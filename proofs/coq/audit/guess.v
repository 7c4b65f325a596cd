(** A guess under (ε, δ)-differential privacy with a fair coin, by any rule that may abstain: δ; and
    half of δ for one that only ever guesses one side. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism audit.
From Provado.lemmas Require Import finite_lemmas insert_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma back_again (V : eqType) (domains : seq (seq V)) i d v : (i < size domains)%N ->
  d \in datasets domains -> exists2 u, u \in nth [::] domains i & replace (replace d i v) i u = d.
Proof.
move=> lt_i dd; have [u ui du] := replace_same lt_i dd.
by exists u; rewrite // (replace_replace v u lt_i dd).
Qed.

(** The part of one side: that [side] is guessed on [d], less [t] times that it is on [e]. *)
Lemma one_side (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t delta : R) :
  approximate t delta m -> forall (rule : O -> option bool) (side : bool) i d v,
  (i < size (domains m))%N -> d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
  guesses m rule side d <= t * guesses m rule side (replace d i v) + delta /\
  guesses m rule side (replace d i v) <= t * guesses m rule side d + delta.
Proof.
move=> dp rule side i d v lt_i dd vi; split; first exact: dp.
have [u ui du] := back_again v lt_i dd; have ee := replace_in lt_i vi dd.
by have := dp i (replace d i v) u (fun o => rule o == Some side) lt_i ee ui; rewrite du.
Qed.

(** A side that is never guessed has no chance. *)
Lemma never_guessed (R : realFieldType) (V O : eqType) (m : mechanism R V O)
    (rule : O -> option bool) (side : bool) d :
  (forall o, rule o != Some side) -> guesses m rule side d = 0.
Proof. by move=> never; apply: sigma0 => o _; rewrite (negPf (never o)) mul0r. Qed.

Theorem guess : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t delta : R),
  approximate t delta m ->
  forall (rule : O -> option bool) i d v, (i < size (domains m))%N ->
  d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
  right m rule d (replace d i v) - t * wrong m rule d (replace d i v) <= delta /\
  forall side, (forall o, rule o != Some (~~ side)) ->
  right m rule d (replace d i v) - t * wrong m rule d (replace d i v) <= 1 / 2%:R * delta.
Proof.
move=> R V O m t delta dp rule i d v lt_i dd vi; set e := replace d i v.
have [p1 _] := one_side dp rule true lt_i dd vi; have [_ p2] := one_side dp rule false lt_i dd vi.
rewrite -/e in p1 p2; have half : 0 < 2%:R :> R by rewrite ltr0n.
rewrite /right /wrong mulrA -mulrBl; split=> [|side never].
  rewrite ler_pdivr_mulr // ler_subl_addr.
  apply: le_trans (ler_add p1 p2) _; rewrite addrACA -mulrDr addrC.
  by rewrite [guesses _ _ _ e + _]addrC ler_add2r mulr_natr mulr2n.
rewrite mul1r mulrC ler_pmul2l ?invr_gt0 // ler_subl_addr.
case: side never => /= never; rewrite !(never_guessed _ _ never) !(addr0, add0r) addrC //.
Qed.
