(** Table 1, row 3: Definition 3 bounds the ratio of any two datasets, and is strictly stronger than
    differential privacy. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas insert_lemmas model_lemmas.
From Provado.tschantz2022 Require Import prop4.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Given D_i = u, when the population has two datasets, each half of the time. *)
Lemma given_halves (R : realFieldType) (V O : eqType) (m : mechanism R V O) d e event o :
  well_formed m -> d \in datasets (domains m) -> e \in datasets (domains m) ->
  seen m (halves R d e) event = ((event d)%:R + (event e)%:R) / 2%:R /\
  seen_with m (halves R d e) event o =
    ((event d)%:R * chance m d o + (event e)%:R * chance m e o) / 2%:R.
Proof.
move=> wf dd ee; rewrite /seen /seen_with; split; first by rewrite sigma_halves.
rewrite -(sigma_halves (fun x => (event x)%:R * chance m x o) wf dd ee).
by apply: eq_sigma => x _; rewrite mulrAC.
Qed.

Lemma halves_population (R : realFieldType) (V O : eqType) (m : mechanism R V O) d e :
  well_formed m -> d \in datasets (domains m) -> e \in datasets (domains m) ->
  population m (halves R d e).
Proof.
move=> wf dd ee; split=> [x _|].
  by rewrite /halves mulr_ge0 ?addr_ge0 ?ler0n // invr_ge0 ler0n.
have := sigma_halves (fun=> 1 : R) wf dd ee; rewrite -(natrD _ 1 1) divff ?pnatr_eq0 // => <-.
by apply: eq_sigma => x _; rewrite mul1r.
Qed.

(** Two datasets with different values of D_i, each half of the time: conditioned on the value, the
    output is that of the dataset. *)
Lemma given_value (R : realFieldType) (V O : eqType) (m : mechanism R V O) d e i v w o :
  well_formed m -> d \in datasets (domains m) -> e \in datasets (domains m) -> v != w ->
  ohead (drop i d) = Some v -> ohead (drop i e) = Some w ->
  [/\ 0 < seen m (halves R d e) (point_is i v), 0 < seen m (halves R d e) (point_is i w),
      given m (halves R d e) (point_is i v) o = chance m d o &
      given m (halves R d e) (point_is i w) o = chance m e o].
Proof.
move=> wf dd ee vw dv ew; have half0 : (1 / 2%:R : R) != 0 by rewrite mul1r invr_eq0 pnatr_eq0.
have wv : (w == v) = false by rewrite eq_sym (negPf vw).
have pd x : point_is i x d = (v == x) by rewrite /point_is dv.
have pe x : point_is i x e = (w == x) by rewrite /point_is ew.
have [s1 s2] := given_halves (point_is i v) o wf dd ee.
have [s3 s4] := given_halves (point_is i w) o wf dd ee.
rewrite /given {}s1 {}s2 {}s3 {}s4 !pd !pe !eqxx (negPf vw) wv.
rewrite !(mul0r, mul1r, addr0, add0r) !invr_gt0 ltr0n.
by split=> //; rewrite invrK -mulrA mulVf ?mulr1 // pnatr_eq0.
Qed.

Lemma halves_imply_one (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m ->
  (forall i d v, (i < size (domains m))%N -> d \in datasets (domains m) ->
     v \in nth [::] (domains m) i -> bayesian t m (halves R d (replace d i v))) ->
  definition_1 t m.
Proof.
move=> wf h i d v o lt_i dd vi oo; have ee := replace_in lt_i vi dd.
have [a [u [b [E sa ui]]]] := split_dataset lt_i dd.
have du : ohead (drop i d) = Some u by rewrite E -sa drop_size_cat.
have ev := drop_replace v lt_i dd.
have [Euv|uv] := eqVneq u v.
  have Ed : replace d i v = d by rewrite E (replace_cat _ _ _ sa) Euv.
  have := h i d v lt_i dd vi i u u o lt_i ui ui oo; rewrite Ed.
  have [s1 s2] := given_halves (point_is i u) o wf dd dd.
  rewrite /given s1 s2 /point_is du eqxx -[true%:R]/(1 : R) !mul1r -!mulr2n.
  rewrite divff ?pnatr_eq0 // ltr01 invr1 !mulr1 -(mulr_natr (chance _ _ _)) mulfK ?pnatr_eq0 //.
  exact.
have [p1 p2 g1 g2] := given_value o wf dd ee uv du ev.
by have := h i d v lt_i dd vi i u v o lt_i ui vi oo p1 p2; rewrite g1 g2.
Qed.

Lemma three_implies_one (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m -> definition_3 t m -> definition_1 t m.
Proof.
move=> wf h; apply: halves_imply_one => // i d v lt_i dd vi; apply: h.
by apply: halves_population => //; exact: replace_in.
Qed.

(** Definition 3 compares any two datasets, neighbors or not. *)
Lemma three_any_two (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R) :
  well_formed m ->
  definition_3 t m <->
  ((0 < size (domains m))%N -> forall d e o, d \in datasets (domains m) ->
     e \in datasets (domains m) -> o \in outputs m -> chance m d o <= t * chance m e o).
Proof.
move=> wf; split=> [h n0 d e o dd ee oo|h P [P0 _] i v w o lt_i vi wi oo pv pw]; last first.
  have n0 : (0 < size (domains m))%N by exact: leq_ltn_trans lt_i.
  have key d : d \in datasets (domains m) ->
      chance m d o * seen m P (point_is i w) <= t * seen_with m P (point_is i w) o.
    move=> dd; rewrite /seen /seen_with -!sigmaM; apply: ler_sigma => e ee.
    by rewrite mulrC [X in _ <= X]mulrCA ler_wpmul2l ?mulr_ge0 ?ler0n ?P0 // h.
  rewrite /given mulrA ler_pdivl_mulr // mulrAC ler_pdivr_mulr //.
  rewrite [seen_with m P (point_is i v) o]/seen_with -sigmaMr.
  rewrite [seen m P (point_is i v)]/seen -sigmaM.
  apply: ler_sigma => d dd; rewrite -mulrA [X in _ <= X]mulrC.
  by rewrite ler_wpmul2l ?mulr_ge0 ?ler0n ?P0 // key.
have [same|neq] := eqVneq e d.
  have [u ui du] := replace_same n0 dd; rewrite same -{2}du.
  exact: (three_implies_one wf h).
have := same_dataset R dd ee; rewrite (negPf neq) => /esym /eqP.
rewrite prodf_seq_eq0 => /hasP [k]; rewrite mem_iota add0n => /andP [_ lt_k].
have [a [v [b [Ed sa vk]]]] := split_dataset lt_k dd.
have [a' [w [b' [Ee sa' wk]]]] := split_dataset lt_k ee.
have dv : ohead (drop k d) = Some v by rewrite Ed -sa drop_size_cat.
have ew : ohead (drop k e) = Some w by rewrite Ee -sa' drop_size_cat.
rewrite dv ew /= pnatr_eq0 eqb0 => vw; have {}vw : v != w by apply: contraNneq vw => ->.
have [p1 p2 <- <-] := given_value o wf dd ee vw dv ew.
exact: h (halves_population wf dd ee) _ _ _ _ lt_k vk wk oo p1 p2.
Qed.

(** Two bits; the chance of the output [true] is 2/3, 1/3 and 1/6 as none, one or both are set. *)
Definition counting (R : realFieldType) : mechanism R bool_eqType bool_eqType :=
  Mechanism [:: [:: false; true]; [:: false; true]] [:: false; true]
    (fun d o => let p := nth 0 [:: 4%:R; 2%:R; 1] (count id d) / 6%:R in if o then p else 1 - p).

Lemma counting_bound (R : realFieldType) k : (k <= 2)%N ->
  0 <= (nth 0 [:: 4%:R; 2%:R; 1] k / 6%:R : R) <= 1.
Proof.
have p6 : 0 < 6%:R :> R by rewrite ltr0n.
by case: k => [|[|[|]]] // _ /=; rewrite divr_ge0 ?ler0n ?ler01 //= ler_pdivr_mulr // mul1r
  ?ler_nat // ler1n.
Qed.

Lemma counting_well_formed (R : realFieldType) : well_formed (counting R).
Proof.
split=> // d dd; have le2 : (count id d <= 2)%N.
  by have <- : size d = 2%N := size_dataset dd; exact: count_size.
have /andP [p0 p1] := counting_bound R le2.
split=> [o _|] /=; first by case: o; rewrite ?subr_ge0.
by rewrite addr0 subrK.
Qed.

Lemma counting_one (R : realFieldType) : definition_1 2%:R (counting R).
Proof.
have p6 : 0 < 6%:R :> R by rewrite ltr0n.
move=> i d v o lt_i; rewrite !inE => dd vi _.
have {vi} vv : v \in [:: false; true] by case: (v).
suff : 6%:R * chance (counting R) d o <= 2%:R * (6%:R * chance (counting R) (replace d i v) o).
  by rewrite mulrCA ler_pmul2l.
have E b k : 6%:R * (if b then nth 0 [:: 4%:R; 2%:R; 1] k / 6%:R
    else 1 - nth 0 [:: 4%:R; 2%:R; 1] k / 6%:R) =
    (if b then nth 0 [:: 4%:R; 2%:R; 1] k else 6%:R - nth 0 [:: 4%:R; 2%:R; 1] k) :> R.
  by case: b; rewrite ?mulrBr ?mulr1 mulrCA divff ?mulr1 // gt_eqF.
rewrite /= !E.
have F b k : (k <= 2)%N ->
  (if b then nth 0 [:: 4%:R; 2%:R; 1] k else 6%:R - nth 0 [:: 4%:R; 2%:R; 1] k) =
  (if b then nth 0 [:: 4; 2; 1] k else 6 - nth 0 [:: 4; 2; 1] k)%N%:R :> R.
  by case: b; case: k => [|[|[|]]] // _; rewrite natrB.
move: lt_i dd vv; case: i => [|[|]] // _; case/or4P => /eqP -> _;
  rewrite !F //; try (by case: v); case: v; case: o; rewrite -natrM ler_nat //.
Qed.

Lemma counting_not_three (R : realFieldType) : ~ definition_3 2%:R (counting R).
Proof.
have wf := counting_well_formed R; have p6 : 0 < 6%:R :> R by rewrite ltr0n.
have dd : [:: false; false] \in datasets (domains (counting R)) by [].
have ee : [:: true; true] \in datasets (domains (counting R)) by [].
have [p1 p2 g1 g2] :=
  @given_value R _ _ (counting R) _ _ 0%N false true true wf dd ee isT erefl erefl.
move=> /(_ _ (halves_population wf dd ee) 0%N false true true isT isT isT isT p1 p2).
rewrite g1 g2 /= mulrA ler_pmul2r ?invr_gt0 // mulr1 ler_nat.
by [].
Qed.

Theorem table1_row3 :
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
     well_formed m -> definition_3 t m -> definition_1 t m) /\
  (forall (R : realFieldType) (V O : eqType) (m : mechanism R V O) (t : R),
     well_formed m -> definition_3 t m <->
     ((0 < size (domains m))%N -> forall d e o, d \in datasets (domains m) ->
        e \in datasets (domains m) -> o \in outputs m -> chance m d o <= t * chance m e o)) /\
  (forall R : realFieldType,
     exists (V O : eqType) (m : mechanism R V O),
       [/\ well_formed m, [seq size values | values <- domains m] = [:: 2; 2]%N,
           definition_1 2%:R m & ~ definition_3 2%:R m]).
Proof.
split; first exact: three_implies_one; split; first exact: three_any_two.
move=> R; exists bool_eqType, bool_eqType, (counting R); split=> //.
- exact: counting_well_formed.
- exact: counting_one.
exact: counting_not_three.
Qed.
