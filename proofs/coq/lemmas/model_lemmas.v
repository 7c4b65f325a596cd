(** How a model runs: deterministic equations, and the model of a mechanism. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative model interventional.
From Provado.lemmas Require Import finite_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Run.

Variables (R : realFieldType) (U : eqType).
Implicit Types (e : equation R U) (state : seq U).

Lemma run_det e rest state f z : uniq (range e) -> z \in range e ->
  (forall u, u \in range e -> law e (read state (parents e)) u = (u == z)%:R) ->
  run (e :: rest) state f = run rest (rcons state z) f.
Proof.
move=> ue ze det /=; rewrite -(sigma_point (fun u => run rest (rcons state u) f) ue ze).
by apply: eq_sigma => u ur; rewrite det.
Qed.

Lemma look_left state1 state2 k : (k < size state1)%N ->
  look (state1 ++ state2) k = look state1 k.
Proof.
elim: state1 k => [|u state1 IH] [|k] // lt_k; first by rewrite /look /= !take0.
exact: IH.
Qed.

Lemma look_right state1 state2 k : look (state1 ++ state2) (size state1 + k) = look state2 k.
Proof. by elim: state1 => //= u state1 IH; rewrite addSn. Qed.

Lemma look_size state1 u state2 : look (state1 ++ u :: state2) (size state1) = [:: u].
Proof. by rewrite /look drop_size_cat //= take0. Qed.

Lemma lookE state k u : look state k = [:: u] <-> ohead (drop k state) = Some u.
Proof. by rewrite /look; case: (drop k state) => [|v s] //=; rewrite take0; split=> - [->]. Qed.

Lemma read_iota state1 state2 state3 :
  read (state1 ++ state2 ++ state3) (iota (size state1) (size state2)) = state2.
Proof.
rewrite /read; elim: state2 state1 => [|u state2 IH] state1 //=.
rewrite look_size /= -[in RHS](IH (rcons state1 u)) size_rcons.
by congr (_ :: flatten _); apply: eq_map => k; rewrite -cat_rcons.
Qed.

End Run.

Section Mechanism.

Variables (R : realFieldType) (V O : eqType).
Implicit Types (m : mechanism R V O) (P : seq V -> R) (d r : seq V).

Notation held := (held V O).

Lemma point_inj : injective (@point V O). Proof. by move=> v w [->]. Qed.

Lemma pointsK : cancel (map (@point V O)) (@points V O).
Proof. by elim=> //= v d ->. Qed.

Lemma datasets_map (S T : Type) (h : S -> T) (domains : seq (seq S)) :
  datasets [seq [seq h v | v <- values] | values <- domains]
  = [seq [seq h v | v <- d] | d <- datasets domains].
Proof.
elim: domains => //= values domains ->; rewrite map_allpairs allpairs_mapl allpairs_mapr.
by [].
Qed.

(** The settings that make the data points [d] where the attributes are [r]. *)
Definition leads m (s : nat -> option held) r d : Prop :=
  [/\ s (size (domains m)).*2 = None, s (size (domains m)).*2.+1 = None &
   forall i v, (i < size (domains m))%N -> ohead (drop i d) = Some v ->
     s (size (domains m) + i)%N = Some (point O v) \/
     s (size (domains m) + i)%N = None /\ ohead (drop i r) = Some v].

Lemma run_points m s r d f tail : well_formed m ->
    r \in datasets (domains m) -> d \in datasets (domains m) -> leads m s r d ->
  forall b a, d = a ++ b ->
  run (set_equations (size (domains m) + size a) s
         ([seq point_equation m i | i <- iota (size a) (size b)] ++ tail))
      (map (@point V O) r ++ map (@point V O) a) f
  = run (set_equations (size (domains m)).*2 s tail)
      (map (@point V O) r ++ map (@point V O) d) f.
Proof.
move=> wf rr dd [_ _ ok]; elim=> [|v b IH] a E.
  have sa : size a = size (domains m) by rewrite -(size_dataset dd) E cats0.
  by rewrite /= sa addnn E cats0.
have sd := size_dataset dd; have sr := size_dataset rr.
have lt_a : (size a < size (domains m))%N.
  by rewrite -sd E size_cat /= addnS ltnS leq_addr.
have at_a : ohead (drop (size a) d) = Some v by rewrite E drop_size_cat.
have [u_dom _ _] := wf.
have u_a : uniq (nth [::] (domains m) (size a)) by apply: (allP u_dom); exact: mem_nth.
have v_a : v \in nth [::] (domains m) (size a).
  have [x [w [y [E' sx wv]]]] := split_dataset lt_a dd.
  by move: at_a; rewrite E' -sx drop_size_cat //= => - [<-]; rewrite sx.
have := IH (rcons a v); rewrite size_rcons cat_rcons => /(_ E) <-.
rewrite map_rcons -rcons_cat addnS /=.
rewrite -/([seq point_equation m i | i <- iota (size a).+1 (size b)] ++ tail).
apply: (@run_det _ _ _ _ _ _ (point O v)).
- by case: (s _) => [z|] /=; rewrite (map_inj_uniq point_inj).
- by case: (s _) => [z|] /=; rewrite (mem_map point_inj).
move=> u _; case: (ok _ _ lt_a at_a) => [-> //|[-> /= ar]].
rewrite /read /= cats0 look_left ?size_map ?sr //.
rewrite (iffRL (lookE _ _ (point O v))); last first.
  by rewrite -map_drop; move: ar; case: (drop _ r) => //= ? ? [->].
by rewrite eqseq_cons eqxx andbT.
Qed.

(** The model run from attributes [r] to where it leads: the output is drawn from A(d). *)
Lemma run_model m s r d y : well_formed m -> r \in datasets (domains m) ->
    d \in datasets (domains m) -> leads m s r d ->
  run (equations (submodel (model_of m) s)) (map (@point V O) r)
    (fun state => (read state [:: O_ m] == y)%:R)
  = sigma (fun o => chance m d o * ([:: output V o] == y)%:R) (outputs m).
Proof.
move=> wf rr dd ld; rewrite /= size_map; set f := fun state : seq held => _.
have := @run_points m s r d f [:: data_equation m; output_equation m] wf rr dd ld d [::] erefl.
rewrite addn0 cats0 (size_dataset dd) => ->; rewrite {}/f.
case: ld => s1 s2 _; have sr := size_dataset rr; have sd := size_dataset dd.
rewrite [set_equations _ _ _]/= s1 s2.
have [u_dom u_out _] := wf.
rewrite (@run_det _ _ _ _ _ _ (whole O d)).
- rewrite /= /read /= cats0.
  rewrite (_ : (size (domains m)).*2 = size (map (@point V O) r ++ map (@point V O) d));
    last by rewrite size_cat !size_map sr sd addnn.
  rewrite -cats1 look_size /= sigma_map; apply: eq_sigma => o' _; congr (_ * (_ == _)%:R).
  rewrite /O_ (_ : (size (domains m)).*2.+1 =
    size ((map (@point V O) r ++ map (@point V O) d) ++ [:: whole O d])); last first.
    by rewrite !size_cat !size_map sr sd addnn addn1.
  by rewrite -cats1 look_size.
- by rewrite /= map_inj_uniq ?uniq_datasets // => x z [].
- by rewrite /= mem_map // => x z [].
move=> u _ /=; rewrite -{2}sd -{1}sr -(size_map (@point V O) r) -(size_map (@point V O) d).
by rewrite -[map _ r ++ _]cats0 -catA read_iota pointsK.
Qed.

(** Its chances under an intervention that leads from each [r] to [g r]. *)
Lemma pr_doE m (P : seq held -> R) s g y : well_formed m ->
    (forall r, r \in datasets (domains m) ->
       g r \in datasets (domains m) /\ leads m s r (g r)) ->
  pr_do (model_of m) P s [:: O_ m] y =
  sigma (fun r => P (map (@point V O) r) *
    sigma (fun o => chance m (g r) o * ([:: output V o] == y)%:R) (outputs m))
    (datasets (domains m)).
Proof.
move=> wf ok; rewrite /pr_do /probability [background _]/= datasets_map sigma_map.
by apply: eq_sigma => r rr; have [dd ld] := ok r rr; rewrite (run_model y wf rr dd ld).
Qed.

Lemma one_output m d o : well_formed m -> o \in outputs m ->
  sigma (fun o' => chance m d o' * ([:: output V o'] == [:: output V o])%:R) (outputs m)
  = chance m d o.
Proof.
move=> [_ u_out _] oo; rewrite -[RHS](sigma_point (chance m d) u_out oo).
by apply: eq_sigma => o' _; rewrite eqseq_cons andbT mulrC.
Qed.

Lemma effectE m P s o g : well_formed m -> o \in outputs m ->
    (forall r, r \in datasets (domains m) ->
       g r \in datasets (domains m) /\ leads m s r (g r)) ->
  effect m P s o = sigma (fun r => P r * chance m (g r) o) (datasets (domains m)).
Proof.
move=> wf oo ok; rewrite /effect (pr_doE _ _ wf ok); apply: eq_sigma => r _.
by rewrite pointsK one_output.
Qed.

End Mechanism.
