(** The betting wealth is a supermartingale under the claim. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite audit.
From Provado.lemmas Require Import finite_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma step_at_most_one (R : realFieldType) (t delta stake : R) (p : outcome -> R) :
  0 <= stake -> allowed t delta p ->
  sigma (fun o => p o * factor t delta stake o) outcomes <= 1.
Proof.
move=> s0 [_ p1 bound]; pose x o : R := match o with Right => 1 | Wrong => - t | Abstained => 0 end.
have fE o : factor t delta stake o = 1 + stake * (x o - delta).
  by case: o => //=; rewrite ?sub0r ?mulrN // -opprD mulrN.
have E o : p o * factor t delta stake o =
    p o + (stake * (p o * x o) + - (stake * delta) * p o).
  rewrite fE mulrDr mulr1 mulrCA mulrBr mulrBr mulNr; congr (_ + (_ - _)).
  by rewrite [p o * delta]mulrC mulrA.
have sx : sigma (fun o => p o * x o) outcomes = p Right - t * p Wrong.
  by rewrite /= mulr1 mulr0 !addr0 mulrN [p Wrong * t]mulrC.
have -> : sigma (fun o => p o * factor t delta stake o) outcomes =
    sigma p outcomes + (stake * (p Right - t * p Wrong) + - (stake * delta) * sigma p outcomes).
  by rewrite -sx -!sigmaM -!sigmaD /= !E.
rewrite p1 mulr1 -mulrBr -[X in _ <= X]addr0 ler_add2l.
by rewrite mulr_ge0_le0 // subr_le0.
Qed.

Theorem betting : forall (R : realFieldType) (t delta : R) (stake : seq outcome -> R)
    (p : seq outcome -> outcome -> R),
  (forall history, allowed t delta (p history)) ->
  (forall history, 0 <= stake history) ->
  (forall history o, 0 <= factor t delta (stake history) o) ->
  forall history n, 0 <= mean_growth t delta stake p history n <= 1.
Proof.
move=> R t delta stake p ok s0 f0 history n; elim: n history => [|n IH] history.
  by rewrite ler01 lexx.
have [p0 _ _] := ok history; apply/andP; split.
  apply: sigma_all_ge0 => o; have /andP [g0 _] := IH (rcons history o).
  by rewrite !mulr_ge0 ?p0 ?f0.
apply: le_trans (step_at_most_one (s0 history) (ok history)).
apply: ler_sigma_all => o; have /andP [_ g1] := IH (rcons history o).
by rewrite -[X in _ <= X]mulr1 ler_wpmul2l ?mulr_ge0 ?p0 ?f0.
Qed.
