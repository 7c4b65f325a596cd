(** Section 7: the posterior with a person's data against the posterior without: the factor e^{2ε},
    that no smaller one will do, and how far an event's probability moves. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative knowledge.
From Provado.lemmas Require Import algebra finite_lemmas insert_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Change.

Variable R : realFieldType.
Add Field change_field : (field_of R).

Lemma quotient (t a b c e : R) : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= e -> a <= t * b ->
  e <= t * c -> c <= t * e -> a / c <= t ^+ 2 * (b / e).
Proof.
move=> a0 b0 c0 e0 ab ec ce; have [->|c_neq] := eqVneq c 0.
  by rewrite invr0 mulr0 mulr_ge0 ?sqr_ge0 // divr_ge0.
have c_pos : 0 < c by rewrite lt_def c_neq.
have e_pos : 0 < e.
  rewrite lt_def e0 andbT; apply: contraL ce => /eqP ->.
  by rewrite mulr0 -ltNge.
rewrite ler_pdivr_mulr // -(ler_pmul2r e_pos).
have -> : t ^+ 2 * (b / e) * c * e = t * b * (t * c).
  rewrite expr2 -!mulrA; congr (_ * _); rewrite [t * (b * _)]mulrCA; congr (_ * (_ * _)).
  by rewrite mulrCA mulVf ?mulr1 // gt_eqF.
exact: ler_pmul.
Qed.

(** A share of [b] to [a + b] that weights between 1/t and t change to one of [d] to [c + d]. *)
Lemma share_moves (t a b c d : R) : 1 <= t -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d ->
  c <= t * a -> b <= t * d -> a <= t * c -> d <= t * b ->
  c / (c + d) - a / (a + b) <= (t - 1) / (t + 1).
Proof.
move=> t1 a0 b0 c0 d0 ca bd ac db; have t0 : 0 < t := lt_le_trans ltr01 t1.
have tp : 0 < t + 1 by rewrite addr_gt0 ?ltr01.
have q0 : 0 <= (t - 1) / (t + 1) by rewrite divr_ge0 ?subr_ge0 // ltW.
have [E|ab_neq] := eqVneq (a + b) 0.
  have [A B] : a = 0 /\ b = 0.
      by move/eqP: E; rewrite paddr_eq0 // => /andP [/eqP -> /eqP ->].
  have C : c = 0 by apply/eqP; rewrite eq_le c0 andbT; move: ca; rewrite A mulr0.
  by rewrite C A !mul0r subrr.
have ab : 0 < a + b by rewrite lt_def ab_neq addr_ge0.
have cd : 0 < c + d.
  rewrite -(pmulr_rgt0 _ t0); apply: lt_le_trans ab _.
  by rewrite mulrDr ler_add.
suff main : 0 <= (t - 1) * (a * c + b * d) - 2%:R * (b * c) + 2%:R * t * (a * d).
  rewrite -subr_ge0.
  have -> : (t - 1) / (t + 1) - (c / (c + d) - a / (a + b)) =
      ((t - 1) * (a * c + b * d) - 2%:R * (b * c) + 2%:R * t * (a * d))
      / ((t + 1) * (c + d) * (a + b)).
    rfield R; exact: lt0r_neq0.
  by rewrite divr_ge0 // !mulr_ge0 // ltW.
rewrite -(pmulr_rge0 _ t0).
have -> : t * ((t - 1) * (a * c + b * d) - 2%:R * (b * c) + 2%:R * t * (a * d)) =
    (t - 1) * (c - b) ^+ 2 + (t - 1) * (c * (t * a - c) + b * (t * d - b))
    + 2%:R * (b * (t * a - c) + c * (t * d - b) + (t * a - c) * (t * d - b)).
  by rring R.
have s0 : 0 <= t * a - c by rewrite subr_ge0.
have u0 : 0 <= t * d - b by rewrite subr_ge0.
have r0 : 0 <= t - 1 by rewrite subr_ge0.
have [p1 p2] : 0 <= c * (t * a - c) /\ 0 <= b * (t * d - b) by rewrite !mulr_ge0.
have [p3 p4] : 0 <= b * (t * a - c) /\ 0 <= c * (t * d - b) by rewrite !mulr_ge0.
apply: addr_ge0; first by apply: addr_ge0; rewrite mulr_ge0 ?sqr_ge0 // addr_ge0.
by rewrite mulr_ge0 ?ler0n // !addr_ge0 // mulr_ge0.
Qed.

(** Two bits; the output says with chance t/(1 + t) whether they are the same. *)
Definition same_bits (t : R) : mechanism R bool_eqType bool_eqType :=
  Mechanism [:: [:: false; true]; [:: false; true]] [:: false; true]
    (fun d o => (if o == (nth false d 0 == nth false d 1) then t else 1) / (1 + t)).

Lemma same_bits_well_formed (t : R) : 1 <= t -> well_formed (same_bits t).
Proof.
move=> t1; have t0 : 0 < 1 + t by rewrite addr_gt0 ?ltr01 // (lt_le_trans ltr01).
split=> // d _; split=> [o _|] /=.
  by rewrite divr_ge0 ?(ltW t0) //; case: ifP => _; rewrite ?ler01 // (le_trans ler01).
by case: (nth _ _ _ == nth _ _ _); rewrite /= addr0 -mulrDl ?[t + 1]addrC divff // gt_eqF.
Qed.

Lemma same_bits_one (t : R) : 1 <= t -> definition_1 t (same_bits t).
Proof.
move=> t1; have t0 : 0 < 1 + t by rewrite addr_gt0 ?ltr01 // (lt_le_trans ltr01).
have between (b : bool) : 1 <= (if b then t else 1) <= t by case: b; rewrite ?lexx ?t1.
move=> i d v o _ _ _ _; rewrite /= mulrA ler_pmul2r ?invr_gt0 //.
have /andP [_ up] := between (o == (nth false d 0 == nth false d 1)).
have /andP [low _] := between (o == (nth false (replace d i v) 0 == nth false (replace d i v) 1)).
by apply: le_trans up _; rewrite -[X in X <= _]mulr1 ler_wpmul2l // (le_trans ler01).
Qed.

(** [q] of the mass on two equal bits, the rest on a pair that differs in the second. *)
Definition mostly (q : R) (d : seq bool) : R :=
  if d == [:: false; false] then q else if d == [:: false; true] then 1 - q else 0.

Lemma mostly_population (t q : R) : 0 <= q <= 1 -> population (same_bits t) (mostly q).
Proof.
move=> /andP [q0 q1]; split=> [d _|]; last by rewrite /= /mostly /= !addr0 addrC subrK.
by rewrite /mostly; do 2?case: ifP => _; rewrite ?subr_ge0.
Qed.

(** The two posteriors, [c] being 1/(1 + t): nearly t^2 apart where [q] is small. *)
Lemma far_apart (t s c : R) : 1 <= t -> 0 < c -> s < t ^+ 2 ->
  exists2 q, 0 <= q <= 1 &
    s * (c * q / (c * q + t * c * (1 - q))) < t * c * q / (t * c * q + c * (1 - q)).
Proof.
move=> t1 c0 st; have t0 : 0 < t := lt_le_trans ltr01 t1.
have [s0|s0] := ltP s 0.
  exists 1; rewrite ?ler01 ?lexx // subrr !mulr0 !addr0 !divff ?mulr1 ?mulf_neq0 //;
    rewrite ?mulr1 ?mulf_neq0 ?gt_eqF //.
  by apply: lt_trans s0 _; exact: ltr01.
pose a := t ^+ 2 - s; pose b := (t - 1) * (s + t).
have a0 : 0 < a by rewrite subr_gt0.
have b0 : 0 <= b by rewrite mulr_ge0 ?subr_ge0 // addr_ge0 // ltW.
have ab : 0 < a + b by rewrite ltr_paddr.
exists (a / (a + b)).
  by rewrite divr_ge0 ?(ltW a0) ?(ltW ab) //= ler_pdivr_mulr // mul1r ler_addl.
set q := a / (a + b); have q0 : 0 < q by rewrite divr_gt0.
have q1 : 0 <= 1 - q by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_addl.
have [cp tp] := (ltW c0, ltW t0).
have p1 : 0 < c * q + t * c * (1 - q) by apply: ltr_paddr; [do 2?apply: mulr_ge0|apply: mulr_gt0].
have p2 : 0 < t * c * q + c * (1 - q).
  by apply: ltr_paddr; [exact: mulr_ge0|rewrite mulr_gt0 // mulr_gt0].
rewrite mulrA ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // -subr_gt0.
have -> : t * c * q * (c * q + t * c * (1 - q)) - s * (c * q) * (t * c * q + c * (1 - q)) =
    c * c * q * (a - q * b) by rewrite /a /b; rring R.
have -> : a - q * b = a * q.
  by rewrite /q; rfield R; exact: lt0r_neq0.
exact: mulr_gt0 (mulr_gt0 (mulr_gt0 c0 c0) q0) (mulr_gt0 a0 q0).
Qed.

End Change.

Theorem sec7_posterior_change :
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) (prior : seq V -> R),
   well_formed m -> definition_1 t m -> population m prior ->
   forall i v o, (i < size (domains m))%N -> v \in nth [::] (domains m) i -> o \in outputs m ->
   (forall d, d \in datasets (domains m) ->
      posterior m prior o d <= t ^+ 2 * posterior_without m prior i v o d /\
      posterior_without m prior i v o d <= t ^+ 2 * posterior m prior o d) /\
   forall event : pred (seq V),
     `|sigma (fun d => (event d)%:R * posterior m prior o d) (datasets (domains m)) -
       sigma (fun d => (event d)%:R * posterior_without m prior i v o d) (datasets (domains m))|
     <= (t - 1) / (t + 1)) /\
  (forall (R : realFieldType) (t s : R), 1 <= t -> s < t ^+ 2 ->
   exists (V O : eqType) (m : mechanism R V O) (prior : seq V -> R) i v o o' d,
   [/\ well_formed m, definition_1 t m, population m prior,
       [/\ (i < size (domains m))%N, v \in nth [::] (domains m) i, o \in outputs m,
           o' \in outputs m & d \in datasets (domains m)] &
       s * posterior_without m prior i v o d < posterior m prior o d /\
       s * posterior m prior o' d < posterior_without m prior i v o' d]).
Proof.
split=> [R V O m t prior wf dp pop i v o lt_i vi oo|R t s t1 st].
  have [b0 _] := pop.
  have there e : e \in datasets (domains m) ->
      chance m e o * prior e <= t * (chance m (replace e i v) o * prior e).
    by move=> ee; rewrite mulrA ler_wpmul2r ?b0 //; exact: dp.
  have back e : e \in datasets (domains m) ->
      chance m (replace e i v) o * prior e <= t * (chance m e o * prior e).
    move=> ee; rewrite mulrA ler_wpmul2r ?b0 //; have [u ui eu] := replace_same lt_i ee.
    by rewrite -{2}eu -(replace_replace v u lt_i ee); apply: dp => //; exact: replace_in.
  have c0 e : e \in datasets (domains m) -> 0 <= chance m e o * prior e.
    by move=> ee; rewrite mulr_ge0 ?b0 ?chance_ge0.
  have c0' e : e \in datasets (domains m) -> 0 <= chance m (replace e i v) o * prior e.
    by move=> ee; rewrite mulr_ge0 ?b0 ?chance_ge0 // replace_in.
  have s1 := ler_sigma there; have s2 := ler_sigma back.
  rewrite sigmaM in s1; rewrite sigmaM in s2.
  split=> [d dd|event].
    by split; apply: quotient => //; rewrite ?c0 ?c0' ?sigma_ge0 ?there ?back.
  have t1 : 1 <= t.
    have [d dd] := population_nonempty pop; have [_ _ /(_ d dd) [p0 p1]] := wf.
    rewrite leNgt; apply/negP => lt1; have [u ui du] := replace_same lt_i dd.
    suff: sigma (chance m d) (outputs m) <= t * sigma (chance m d) (outputs m).
      by rewrite p1 mulr1 leNgt lt1.
    rewrite -sigmaM; apply: ler_sigma => x xx.
    by rewrite -{2}du; apply: dp.
  pose part (f : seq V -> R) (e : pred (seq V)) :=
    sigma (fun d => (e d)%:R * (f d * prior d)) (datasets (domains m)).
  have whole f : sigma (fun d => f d * prior d) (datasets (domains m)) =
      part f event + part f (predC event).
    rewrite /part -sigmaD; apply: eq_sigma => d _ /=.
    by case: (event d); rewrite /= ?mul1r ?mul0r ?addr0 ?add0r.
  have P f : sigma (fun d => (event d)%:R * (f d * prior d /
      sigma (fun e => f e * prior e) (datasets (domains m)))) (datasets (domains m)) =
      part f event / (part f event + part f (predC event)).
    rewrite -whole /part -sigmaMr; apply: eq_sigma => d _; by rewrite mulrA.
  have pos f e : (forall d, d \in datasets (domains m) -> 0 <= f d * prior d) -> 0 <= part f e.
    by move=> f0; apply: sigma_ge0 => d dd; rewrite mulr_ge0 ?ler0n // f0.
  have up f g e : (forall d, d \in datasets (domains m) -> f d * prior d <= t * (g d * prior d)) ->
      part f e <= t * part g e.
    move=> fg; rewrite /part -sigmaM; apply: ler_sigma => d dd.
    by rewrite [X in _ <= X]mulrCA ler_wpmul2l ?ler0n // fg.
  rewrite /posterior /posterior_without (P (fun d => chance m d o)).
  rewrite (P (fun d => chance m (replace d i v) o)) ler_norml -opprB ler_opp2 !opprB.
  by apply/andP; split; apply: share_moves => //; rewrite ?pos ?up.
have t0 : 0 < 1 + t by rewrite addr_gt0 ?ltr01 // (lt_le_trans ltr01).
have c0 : 0 < (1 + t)^-1 by rewrite invr_gt0.
have [q q01 far] := far_apart t1 c0 st.
exists bool_eqType, bool_eqType, (same_bits t), (mostly q), 0%N, true, true, false.
exists [:: false; false].
split=> //; first exact: same_bits_well_formed.
- exact: same_bits_one.
- exact: mostly_population.
by rewrite /posterior /posterior_without /= /mostly /= !mulr0 !addr0 !mul1r; split.
Qed.
