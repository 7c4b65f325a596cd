(** Kusner et al., Theorem 6 (Dwork and Roth, Algorithm 13): release of a stable value. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.
From Provado.lemmas Require Import finite_lemmas laplace_lemmas distance_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Distance.

Variables (V O : eqType) (domains : seq (seq V)) (f : seq V -> O) (d : seq V).
Notation stable := (stable domains f).
Notation to_instability := (to_instability domains f).

(** Where the value changes, both are unstable. *)
Lemma value_changes i v : (i < size domains)%N -> d \in datasets domains ->
  v \in nth [::] domains i -> f (replace d i v) != f d -> to_instability d = Some 0%N.
Proof.
move=> lt_i dd vi neq; have us : ~~ stable 1 d.
  apply/allPn; exists (replace d i v); first exact: replace_in.
  by rewrite (hamming_replace v lt_i dd).
have [n E le0] := @nearest_le _ domains (fun d' => ~~ stable 1 d') d d dd us.
by rewrite /to_instability E; move: le0; rewrite hamming_same leqn0 => /eqP ->.
Qed.

(** Data of stability k is k substitutions away from what is unstable. *)
Lemma stable_far k n : d \in datasets domains -> stable k d -> to_instability d = Some n ->
  (k <= n)%N.
Proof.
move=> dd st /nearest_reached [x [xx /allPn [y yy]]] + ->; rewrite negb_imply => /andP [xy neq].
rewrite leqNgt; apply/negP => lt_k.
have near z : z \in datasets domains -> (hamming d z <= k)%N -> f z = f d.
  by move=> zz hz; have /eqP := implyP (allP st z zz) hz.
have size_of z : z \in datasets domains -> size z = size domains := @size_dataset _ _ z.
case/negP: neq; rewrite (near x xx (ltnW lt_k)); apply/eqP/near => //.
apply: leq_trans (hamming_triangle (d2 := x) _ _) _; rewrite ?size_of //.
by apply: leq_trans lt_k; rewrite -addn1 leq_add2l.
Qed.

End Distance.

Section Release.

Variables (R : realFieldType) (V O : eqType) (e : R -> R) (domains : seq (seq V)).
Variables (f : seq V -> O) (eps level delta : R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps) (delta1 : 0 < delta < 1).
Hypothesis levelE : e (eps * level) = delta^-1.
Notation passed d := (passes e eps level (to_instability domains f d)).
Notation m := (stable_release domains f e eps level).

Lemma chance_of_release d event : d \in datasets domains ->
  chance_of m d event =
  (event None)%:R * (1 - passed d) + (event (Some (f d)))%:R * passed d.
Proof.
move=> dd; rewrite /chance_of /= sigma_map; congr (_ + _).
have fd : f d \in undup [seq f d | d <- datasets domains] by rewrite mem_undup; exact: map_f.
rewrite -(sigma_point_l (fun w => (event (Some w))%:R * passed d) (undup_uniq _) fd).
by apply: eq_sigma => w _; rewrite eq_sym mulrCA.
Qed.

(** Half of delta is the chance that a distance of 0 passes. *)
Lemma unstable_passes d : to_instability domains f d = Some 0%N -> passed d <= delta.
Proof.
case/andP: delta1 => d0 d1; rewrite /passes => ->; rewrite subr0 tailE //.
have level0 : 0 <= level.
  rewrite leNgt; apply/negP => neg.
  have := exp_le1 ex (_ : eps * level <= 0); rewrite pmulr_rle0 // levelE => /(_ (ltW neg)).
  by rewrite invf_le1 // leNgt d1.
by rewrite ltNge level0 /= expN // levelE invrK ler_pimulr ?half_le1 // ltW.
Qed.

Lemma release_private : approximate (e eps) delta m.
Proof.
case/andP: (delta1) => d0 d1 i d v event lt_i dd vi; have ee := replace_in lt_i vi dd.
have [back ui] := replace_back v lt_i dd.
have t1 : 1 <= e eps by apply: exp_ge1 => //; exact: ltW.
rewrite !chance_of_release //; set p := passed d; set p' := passed (replace d i v).
have /andP [p0 p1] : 0 <= p <= 1 := passes_bounds _ ex eps0 _.
have /andP [q0 q1] : 0 <= p' <= 1 := passes_bounds _ ex eps0 _.
have t0 : 0 <= e eps := le_trans ler01 t1.
case: (eqVneq (f (replace d i v)) (f d)) => [->|neq]; last first.
  have E : to_instability domains f d = Some 0%N := value_changes lt_i dd vi neq.
  have E' : to_instability domains f (replace d i v) = Some 0%N.
    by apply: (value_changes lt_i ee ui); rewrite -back eq_sym.
  have -> : p' = p by rewrite /p' /p /passes E E'.
  apply: ler_add.
    apply: (@le_trans _ _ (e eps * ((event None)%:R * (1 - p)))).
      by rewrite ler_pemull // mulr_ge0 ?ler0n ?subr_ge0.
    by rewrite ler_wpmul2l // ler_addl mulr_ge0 ?ler0n.
  apply: le_trans (unstable_passes E); rewrite ler_pimull //.
  by case: (event _); rewrite ?ler01 ?lexx.
have [pp np] : p <= e eps * p' /\ 1 - p <= e eps * (1 - p') by exact: nearest_passes.
rewrite -[X in X <= _]addr0; apply: ler_add; last exact: ltW.
by rewrite (mulrDr (e eps)); apply: ler_add; rewrite mulrCA ler_wpmul2l ?ler0n.
Qed.

Lemma release_useful (beta : R) (k : nat) d : 0 < beta ->
  (delta * beta)^-1 <= e (eps * k%:R) -> d \in datasets domains -> stable domains f k d ->
  1 - beta <= chance m d (Some (f d)).
Proof.
case/andP: (delta1) => d0 _ b0 far dd st; rewrite /= eqxx mul1r ler_subl_addr addrC.
rewrite -ler_subl_addr /passes; case E: to_instability => [n|]; last by rewrite subrr ltW.
rewrite tail_mirrored // opprB tailE //.
have le_kn : k%:R <= n%:R :> R by rewrite ler_nat; exact: stable_far dd st E.
have far' : beta^-1 <= e (eps * (n%:R - level)).
  rewrite mulrBr expD // expN // levelE invrK.
  apply: le_trans (_ : e (eps * k%:R) * delta <= _); last first.
    by rewrite ler_pmul2r //; apply: exp_rises => //; rewrite ler_pmul2l.
  by rewrite -ler_pdivr_mulr // -invfM mulrC.
have bound : e (- (eps * (n%:R - level))) <= beta.
  by rewrite (expN ex) -[X in _ <= X]invrK lef_pinv ?posrE ?(exp_pos ex) ?invr_gt0.
case: ltP => [neg|_]; last first.
  by apply: le_trans bound; rewrite ler_pimulr ?half_le1 // ltW ?exp_pos.
have b1 : 1 <= beta.
  by apply: le_trans bound; apply: exp_ge1 => //; rewrite oppr_ge0 pmulr_rle0 // ltW.
apply: le_trans b1; rewrite ler_subl_addr ler_addl mulr_ge0 ?invr_ge0 ?ler0n //.
exact: ltW (exp_pos ex _).
Qed.

End Release.

Theorem thm6 : forall (R : realFieldType) (V O : eqType) (e : R -> R) (domains : seq (seq V))
    (f : seq V -> O) (eps level delta : R),
  exponential e -> 0 < eps -> 0 < delta < 1 -> e (eps * level) = delta^-1 ->
  approximate (e eps) delta (stable_release domains f e eps level) /\
  forall (beta : R) k d, 0 < beta -> (delta * beta)^-1 <= e (eps * k%:R) ->
    d \in datasets domains -> stable domains f k d ->
    1 - beta <= chance (stable_release domains f e eps level) d (Some (f d)).
Proof.
move=> R V O e domains f eps level delta ex eps0 d1 levelE.
by split; [exact: release_private | move=> beta k d b0; exact: release_useful].
Qed.
