(** Distances between datasets, and to the nearest of some. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.
From Provado.lemmas Require Import finite_lemmas laplace_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Distance.

Variables (V : eqType) (domains : seq (seq V)).
Implicit Types (d : seq V) (some : pred (seq V)).
Notation nearest := (nearest domains).

Lemma hamming_same d : hamming d d = 0%N.
Proof. by elim: d => // v d IH; rewrite /hamming /= eqxx. Qed.

Lemma hamming_sym d d' : hamming d d' = hamming d' d.
Proof.
by elim: d d' => [|v d IH] [|v' d'] //; rewrite /hamming /= eq_sym -!/(hamming _ _) IH.
Qed.

Lemma hamming0 d d' : size d = size d' -> hamming d d' = 0%N -> d = d'.
Proof.
elim: d d' => [|v d IH] [|v' d'] //= [s]; rewrite /hamming /= -/(hamming _ _).
by move/eqP; rewrite addn_eq0 eqb0 negbK => /andP [/eqP -> /eqP /(IH _ s) ->].
Qed.

Lemma hamming_triangle d1 d2 d3 : size d1 = size d2 -> size d2 = size d3 ->
  (hamming d1 d3 <= hamming d1 d2 + hamming d2 d3)%N.
Proof.
elim: d1 d2 d3 => [|u d1 IH] [|v d2] [|w d3] //= [s1] [s2].
rewrite /hamming /= -!/(hamming _ _) addnACA leq_add ?IH //.
by case: (eqVneq u v) => [->|_] //; rewrite (leq_trans (leq_b1 _)) ?leq_addr.
Qed.

Lemma hamming_replace d i v : (i < size domains)%N -> d \in datasets domains ->
  (hamming d (replace d i v) <= 1)%N.
Proof.
move=> lt_i dd; have [a [u [b [-> <- _]]]] := split_dataset lt_i dd.
rewrite (replace_cat _ _ _ erefl) /hamming zip_cat // count_cat -/(hamming a a) hamming_same /=.
by rewrite -/(hamming b b) hamming_same; case: eqP.
Qed.

Lemma minimum_le n s k : k \in n :: s -> (foldr minn n s <= k)%N.
Proof.
elim: s => [|x s IH] /=; first by rewrite inE => /eqP ->.
rewrite !inE orbCA => /orP [/eqP ->|h]; first exact: geq_minl.
by rewrite geq_min IH ?orbT // inE.
Qed.

Lemma minimum_in n s : foldr minn n s \in n :: s.
Proof.
elim: s => [|x s] /=; first by rewrite mem_head.
by rewrite /minn !inE; case: ifP => _; rewrite ?eqxx ?orbT // => /orP [] ->; rewrite ?orbT.
Qed.

Lemma nearest_le some d d' : d' \in datasets domains -> some d' ->
  exists2 n, nearest some d = Some n & (n <= hamming d d')%N.
Proof.
move=> dd' us; rewrite /nearest.
have: hamming d d' \in [seq hamming d d' | d' <- datasets domains & some d'].
  by apply: map_f; rewrite mem_filter us.
by case: map => // n s h; exists (foldr minn n s) => //; exact: minimum_le.
Qed.

Lemma nearest_reached some d n : nearest some d = Some n ->
  exists d', [/\ d' \in datasets domains, some d' & n = hamming d d'].
Proof.
rewrite /nearest; case E: map => [|k s] // [<-].
have := minimum_in k s; rewrite -E => /mapP [d']; rewrite mem_filter => /andP [us dd'] ->.
by exists d'.
Qed.

Lemma nowhere some d d' : nearest some d = None -> nearest some d' = None.
Proof. by rewrite /nearest; case: [seq d' <- _ | _]. Qed.

Section Neighbor.

Variables (d : seq V) (i : nat) (v : V).
Hypotheses (lt_i : (i < size domains)%N) (dd : d \in datasets domains).
Hypothesis vi : v \in nth [::] domains i.

Lemma replace_back : d = replace (replace d i v) i (nth v d i) /\ nth v d i \in nth [::] domains i.
Proof.
have [a [u [b [-> <- ui]]]] := split_dataset lt_i dd; split.
  by rewrite !replace_cat // nth_cat ltnn subnn.
by rewrite nth_cat ltnn subnn.
Qed.

(** The distance of a neighbor is one more at most. *)
Lemma nearest_moves some n n' : nearest some d = Some n ->
  nearest some (replace d i v) = Some n' -> (n' <= n.+1)%N.
Proof.
have ee := replace_in lt_i vi dd => /nearest_reached [x [xx us ->]] E.
have [k] := nearest_le (replace d i v) xx us; rewrite E => - [<-] /leq_trans; apply.
have size_of y : y \in datasets domains -> size y = size domains := @size_dataset _ _ y.
apply: leq_trans (hamming_triangle (d2 := d) _ _) _; rewrite ?(size_of _ ee) ?(size_of _ dd) //.
  by rewrite size_of.
by rewrite -add1n leq_add2r hamming_sym; exact: hamming_replace.
Qed.

End Neighbor.

End Distance.

Section Passing.

Variables (R : realFieldType) (V : eqType) (domains : seq (seq V)) (e : R -> R) (eps level : R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps).
Notation passes := (passes e eps level).

Lemma passes_bounds n : 0 <= passes n <= 1.
Proof.
rewrite /passes; case: n => [n|]; last by rewrite ler01 lexx.
by rewrite tail_ge0 // tail_le1.
Qed.

(** Distances that are one apart at most: both outcomes lose at most e^eps. *)
Lemma passes_moved n n' : (n <= n'.+1)%N -> (n' <= n.+1)%N ->
  passes (Some n) <= e eps * passes (Some n') /\
  1 - passes (Some n) <= e eps * (1 - passes (Some n')).
Proof.
move=> le1 le2; have near : `|n%:R - n'%:R| <= 1 :> R.
  rewrite ler_norml ler_subr_addl !ler_subl_addl -(natrD R 1 n) -(natrD R n' 1) !ler_nat.
  by rewrite add1n addn1 le1 le2.
split; first by apply: tail_near => //; rewrite opprB addrC addrA subrK distrC.
by rewrite /passes !tail_mirrored //; apply: tail_near => //;
  rewrite opprK addrC opprB addrC addrA subrK.
Qed.

Lemma nearest_passes some (d : seq V) i v : (i < size domains)%N -> d \in datasets domains ->
  v \in nth [::] domains i ->
  passes (nearest domains some d) <= e eps * passes (nearest domains some (replace d i v)) /\
  1 - passes (nearest domains some d)
    <= e eps * (1 - passes (nearest domains some (replace d i v))).
Proof.
move=> lt_i dd vi; have ee := replace_in lt_i vi dd.
have [back ui] := replace_back v lt_i dd.
case E: (nearest domains some d) => [n|]; last first.
  by rewrite (nowhere _ E) subrr mulr0 mulr1; split=> //; apply: exp_ge1 => //; exact: ltW.
have [x [xx us _]] := nearest_reached E.
have [n' E' _] := nearest_le (replace d i v) xx us; rewrite E'.
apply: passes_moved; last exact: (nearest_moves lt_i dd vi E E').
by apply: (nearest_moves lt_i ee ui E'); rewrite -back.
Qed.

End Passing.
