(** A guess under (ε, δ)-differential privacy with a fair coin, by any rule that may abstain. *)
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

Theorem guess : forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t delta : R),
  approximate t delta m ->
  forall (rule : O -> option bool) i d v, (i < size (domains m))%N ->
  d \in datasets (domains m) -> v \in nth [::] (domains m) i ->
  right m rule d (replace d i v) - t * wrong m rule d (replace d i v) <= delta.
Proof.
move=> R V O m t delta dp rule i d v lt_i dd vi; set e := replace d i v.
have ee : e \in datasets (domains m) by exact: replace_in.
have [u ui du] := back_again v lt_i dd.
have p1 : guesses m rule true d <= t * guesses m rule true e + delta by exact: dp.
have p2 : guesses m rule false e <= t * guesses m rule false d + delta.
  by have := dp i e u (fun o => rule o == Some false) lt_i ee ui; rewrite du.
rewrite /right /wrong mulrA -mulrBl ler_pdivr_mulr ?ltr0n // ler_subl_addr.
apply: le_trans (ler_add p1 p2) _; rewrite addrACA -mulrDr addrC.
by rewrite [guesses _ _ _ e + _]addrC ler_add2r mulr_natr mulr2n.
Qed.
