(** Section 3.3: one record moves the variance score without bound. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite spread.
From Provado.lemmas Require Import finite_lemmas spread_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Variance.

Variable R : realFieldType.

Lemma variance_scaled (c : R) s : variance [seq c * x | x <- s] = c ^+ 2 * variance s.
Proof.
have scaled (f : R -> R) : mean [seq c * x | x <- s] = c * mean s.
  by rewrite /mean size_map sigma_map sigmaM mulrA.
rewrite /variance (scaled id) {1 3}/mean !size_map !sigma_map mulrA -sigmaM.
by congr (_ / _); rewrite !sigmaE; apply: eq_bigr => x _; rewrite -mulrBr exprMn.
Qed.

(** m − 1 zeros and one number. *)
Definition spike (m : nat) (x : R) : seq R := nseq m.-1 0 ++ [:: x].

Lemma spike_scaled m c : spike m c = [seq c * x | x <- spike m 1].
Proof. by rewrite /spike map_cat map_nseq /= mulr0 mulr1. Qed.

Lemma spike_varies m : (2 <= m)%N -> 0 < variance (spike m 1).
Proof.
case: m => [|[|m]] // _; set s := spike _ _; rewrite /variance {1}/mean.
have size_s : size s = m.+2 by rewrite size_cat size_nseq addn1.
rewrite size_map size_s divr_gt0 ?ltr0n // sigma_map lt_def sigma_all_ge0 => [|x]; last first.
  exact: sqr_ge0.
rewrite andbT sigmaE; apply/eqP => zero.
have same x : x \in s -> x = mean s.
  move=> xs; apply/eqP; rewrite -subr_eq0 -sqrf_eq0; move: zero; rewrite (big_rem x) //= => /eqP.
  rewrite paddr_eq0 ?sqr_ge0 ?sumr_ge0 // => [/andP [] //|y _]; exact: sqr_ge0.
have in0 : 0 \in s by rewrite /s /spike /= inE eqxx.
have in1 : 1 \in s by rewrite /s /spike mem_cat mem_head orbT.
by have := oner_eq0 R; rewrite [X in X == _](same 1 in1) -(same 0 in0) eqxx.
Qed.

End Variance.

Theorem variance_unbounded : forall R : realFieldType,
  (forall (m : nat) (bound : R), (2 <= m)%N ->
     exists s s', neighbors m s s' /\ bound < variance s' - variance s) /\
  log_unbounded (@variance R).
Proof.
move=> R; apply: unbounded_twice => m le_m.
exists (variance (spike m (1 : R))); first exact: spike_varies.
move=> bound; exists (spike m 1), (spike m (1 + `|bound|)); split=> //.
- split; first by rewrite size_cat size_nseq addn1 prednK // ltnW.
  exists m.-1; first by rewrite prednK // ltnW.
  exists (1 + `|bound|); rewrite /replace /spike take_size_cat ?size_nseq //.
  by rewrite drop_oversize // size_cat size_nseq addn1.
rewrite (spike_scaled m (1 + _)) variance_scaled ltr_pmul2r ?spike_varies //.
apply: le_lt_trans (ler_norm bound) _; rewrite expr2.
have b0 := normr_ge0 bound; have b1 : 1 <= 1 + `|bound| by rewrite ler_addl.
apply: lt_le_trans (_ : 1 + `|bound| <= _); first by rewrite ltr_addr ltr01.
by rewrite -[X in X <= _]mulr1 ler_wpmul2l // (le_trans ler01).
Qed.
