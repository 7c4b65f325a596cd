(** Post-processing, section 6.2: what is caused through Y alone is bounded as Y is. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite model.
From Provado.lemmas Require Import finite_lemmas run_lemmas sequence_lemmas cut_lemmas.
From Provado.tschantz2022 Require Import thm1_composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma feed_one (U : eqType) ps x y (u u' v : U) : (x < y)%N -> {subset ps <= [:: y]} ->
  feed ps x u v = feed ps x u' v.
Proof.
move=> lt_xy sub; apply/eq_in_map => k /sub; rewrite inE => /eqP ->.
by rewrite gtn_eqF.
Qed.

Theorem post_processing : forall (R : realFieldType) (U : eqType) (M : model R U) (x y z : nat)
    (t : R),
  proper M -> in_sequence M x y z -> {subset parents_of M z <= [:: y]} ->
  brp t M x [:: y] -> brp t M x [:: y; z] /\ brp t M x [:: z].
Proof.
move=> R U M x y z t + seq.
have [bg [a [ex [b [ey [c [ez [d [-> -> -> ->]]]]]]]]] := cut seq.
rewrite parents_z; set y' := (_ + (size b).+1)%N => ok sub br1.
have lt_xy : (size bg + size a < y')%N by rewrite /y' addnS ltnS leq_addr.
have sub2 : {subset parents ez <= [:: (size bg + size a)%N; y']}.
  by move=> k /sub; rewrite !inE => ->; rewrite orbT.
have pair P x1 x2 : distribution (datasets bg) P ->
    x1 \in nth [::] (ranges (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d))) (size bg + size a) ->
    x2 \in nth [::] (ranges (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d))) (size bg + size a) ->
    forall w, pr_do (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d)) P (one (size bg + size a) x1)
        [:: y'; (y' + (size c).+1)%N] w <=
      t * pr_do (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d)) P (one (size bg + size a) x2)
        [:: y'; (y' + (size c).+1)%N] w.
  move=> pop x1_in x2_in w; rewrite -[t]mulr1.
  apply: (pair_bound ok sub2 pop br1 x1_in x2_in) => v w' vr; rewrite mul1r /last_chance.
  by rewrite (feed_one x1 x2 v lt_xy sub).
split=> [P pop x1 x2 w x1_in x2_in|P pop x1 x2 w x1_in x2_in]; first exact: pair.
have rx := range_x a b c d ex ey ez bg.
have x1r : x1 \in range ex by rewrite rx.
have x2r : x2 \in range ex by rewrite rx.
have /andP [_ lt_z] := in_ranges a b c d ex ey ez bg.
case: (boolP (w \in datasets [seq nth [::] (ranges (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d)))
    k | k <- [:: (y' + (size c).+1)%N]])) => [|out]; last first.
  by rewrite !(pr_none ok P) // mulr0.
case: w => [|w [|? ?]]; rewrite [map _ _]/= ?datasets_cons ?datasets_nil ?andbF //= => _.
rewrite !(last_alone ok) // -sigmaM; apply: ler_sigma => v _; exact: pair.
Qed.
