(** Theorem 1: bounded relative probability composes additively in sequence. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite model.
From Provado.lemmas Require Import finite_lemmas run_lemmas sequence_lemmas cut_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma pair_bound (R : realFieldType) (U : eqType) (bg : seq (seq U))
    (a b c d : seq (equation R U)) (ex ey ez : equation R U) (t1 t2 : R) (P : seq U -> R) x1 x2 :
  let M := Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d) in
  let x := (size bg + size a)%N in
  let y := (x + (size b).+1)%N in
  let z := (y + (size c).+1)%N in
  proper M -> {subset parents ez <= [:: x; y]} -> distribution (datasets bg) P ->
  brp t1 M x [:: y] -> x1 \in nth [::] (ranges M) x -> x2 \in nth [::] (ranges M) x ->
  (forall v w, v \in range ey ->
     last_chance ez x x1 v w <= t2 * last_chance ez x x2 v w) ->
  forall w, pr_do M P (one x x1) [:: y; z] w <= t1 * t2 * pr_do M P (one x x2) [:: y; z] w.
Proof.
move=> N X Y Z ok sub pop br1 x1_in x2_in third w.
have rx := range_x a b c d ex ey ez bg; have ry := range_y a b c d ex ey ez bg.
have x1r : x1 \in range ex by rewrite rx.
have x2r : x2 \in range ex by rewrite rx.
have in_r := in_ranges a b c d ex ey ez bg.
case: (boolP (w \in datasets [seq nth [::] (ranges N) k | k <- [:: Y; Z]])) => [|out]; last first.
  by rewrite !(pr_none ok P) // mulr0.
case: w => [|v [|w [|? ?]]]; rewrite [map _ _]/= ?datasets_cons ?datasets_nil ?andbF //=.
move=> /andP [vr _].
have vr' : v \in range ey by rewrite ry.
have b1 := br1 P pop x1 x2 [:: v] x1_in x2_in.
have b2 := third v w vr'.
rewrite !(pair_chance ok sub P) // [t1 * t2]mulrC mulrACA ler_pmul //.
  exact: (last_ge0 ok sub).
exact: (pr_ge0 ok pop).
Qed.

Theorem thm1_composition : forall (R : realFieldType) (U : eqType) (M : model R U) (x y z : nat)
    (t1 t2 : R),
  proper M -> in_sequence M x y z -> {subset parents_of M z <= [:: x; y]} ->
  brp t1 M x [:: y] ->
  (forall v, v \in nth [::] (ranges M) y -> brp t2 (submodel M (one y v)) x [:: z]) ->
  brp (t1 * t2) M x [:: y; z].
Proof.
move=> R U M x y z t1 t2 + seq.
have [bg [a [ex [b [ey [c [ez [d [-> -> -> ->]]]]]]]]] := cut seq.
rewrite parents_z => ok sub br1 br2 P pop x1 x2 w x1_in x2_in.
apply: (pair_bound ok sub pop br1 x1_in x2_in) => v w' vr.
have vr' : v \in nth [::] (ranges (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d)))
    (size bg + size a + (size b).+1) by rewrite -range_y.
have := br2 v vr' P pop x1 x2 [:: w']; rewrite ranges_submodel => /(_ x1_in x2_in).
by rewrite !(third_chance ok sub pop) // (range_x a b c d ex ey ez bg).
Qed.
