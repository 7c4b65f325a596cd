(** Sums over datasets, one data point at a time. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism associative.
From Provado.lemmas Require Import finite_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Insert.

Variables (R : realFieldType) (V : eqType).
Implicit Types (domains : seq (seq V)) (d x : seq V).

Lemma split_others domains i : (i < size domains)%N -> exists a b,
  [/\ domains = a ++ nth [::] domains i :: b, others domains i = a ++ b & size a = i].
Proof.
move=> lt_i; have [a [b [E sa]]] := split_domains lt_i; exists a, b; split=> //.
by rewrite {1}E (others_cat _ _ sa).
Qed.

Lemma split_other domains i x : (i < size domains)%N -> x \in datasets (others domains i) ->
  exists a b, x = a ++ b /\ size a = i.
Proof.
move=> lt_i xx; exists (take i x), (drop i x); rewrite cat_take_drop; split=> //.
have [a [b [_ E sa]]] := split_others lt_i.
rewrite size_takel //; move: xx; rewrite E => /size_dataset ->.
by rewrite size_cat sa leq_addr.
Qed.

Lemma insert_in domains i v x : (i < size domains)%N -> v \in nth [::] domains i ->
  x \in datasets (others domains i) -> insert x i v \in datasets domains.
Proof.
move=> lt_i vi xx; have [y [z [Ex sy]]] := split_other lt_i xx.
have [a [b [E Eo sa]]] := split_others lt_i.
rewrite Ex (insert_cat _ _ sy) E datasets_cat ?sa ?sy // datasets_cons vi /=.
by move: xx; rewrite Eo Ex datasets_cat ?sa ?sy.
Qed.

Lemma others_insert domains i v x : (i < size domains)%N -> x \in datasets (others domains i) ->
  others (insert x i v) i = x.
Proof.
move=> lt_i xx; have [y [z [-> sy]]] := split_other lt_i xx.
by rewrite (insert_cat _ _ sy) (others_cat _ _ sy).
Qed.

Lemma at_insert domains i v x : (i < size domains)%N -> x \in datasets (others domains i) ->
  ohead (drop i (insert x i v)) = Some v.
Proof.
move=> lt_i xx; have [y [z [-> sy]]] := split_other lt_i xx.
by rewrite (insert_cat _ _ sy) -sy drop_size_cat.
Qed.

(** Data points other than [i] are the same. *)
Lemma at_other (a b : seq V) v w k : k <> size a ->
  ohead (drop k (a ++ v :: b)) = ohead (drop k (a ++ w :: b)).
Proof.
move=> neq; rewrite !drop_cat; case: ltnP => [lt_ka|le_ak]; first by rewrite (drop_nth v).
have: (0 < k - size a)%N by rewrite subn_gt0 ltn_neqAle le_ak andbT; apply/eqP => /esym.
by case: (k - size a)%N.
Qed.

Lemma at_other_insert domains i k v w x : (i < size domains)%N ->
  x \in datasets (others domains i) -> k != i ->
  ohead (drop k (insert x i v)) = ohead (drop k (insert x i w)).
Proof.
move=> lt_i xx /eqP neq; have [y [z [-> sy]]] := split_other lt_i xx.
by rewrite !(insert_cat _ _ sy); apply: at_other; rewrite sy.
Qed.

Lemma at_other_replace domains i k v d : (i < size domains)%N -> d \in datasets domains ->
  k != i -> ohead (drop k (replace d i v)) = ohead (drop k d).
Proof.
move=> lt_i dd /eqP neq; have [a [u [b [-> sa _]]]] := split_dataset lt_i dd.
by rewrite (replace_cat _ _ _ sa); apply: at_other; rewrite sa.
Qed.

Lemma productE (T : Type) (f : T -> R) (s : seq T) : product f s = \prod_(x <- s) f x.
Proof. by elim: s => [|x s IH] /=; rewrite ?big_nil // big_cons IH. Qed.

(** Two datasets are one if all their data points are. *)
Lemma same_dataset domains d e : d \in datasets domains -> e \in datasets domains ->
  (e == d)%:R = \prod_(k <- iota 0 (size domains)) (ohead (drop k d) == ohead (drop k e))%:R :> R.
Proof.
move=> /size_dataset sd /size_dataset se; case: eqVneq => [->|neq].
  by rewrite big1 // => k _; rewrite eqxx.
have [k k_in differ] : exists2 k, k \in iota 0 (size domains) &
    ohead (drop k d) != ohead (drop k e).
  apply/hasP; apply: contraT; rewrite -all_predC => /allP same; case/negP: neq; apply/eqP.
  have {}same k : (k < size domains)%N -> ohead (drop k d) = ohead (drop k e).
    by move=> lt_k; have := same k; rewrite mem_iota add0n lt_k => /(_ isT) /negPn /eqP.
  case: d sd same => [|x0 d'] sd same; first by apply/nilP; rewrite /nilp se -sd.
  apply: (@eq_from_nth _ x0); rewrite ?se ?sd // => k lt_k.
  have at_k s : size s = size domains -> ohead (drop k s) = Some (nth x0 s k).
    by move=> ss; rewrite (drop_nth x0) ?ss.
  by apply: Some_inj; rewrite -!at_k // same.
by rewrite (bigD1_seq k) ?iota_uniq //= (negPf differ) mul0r.
Qed.

Lemma replace_insert domains i v w x : (i < size domains)%N ->
  x \in datasets (others domains i) -> replace (insert x i v) i w = insert x i w.
Proof.
move=> lt_i xx; have [y [z [-> sy]]] := split_other lt_i xx.
by rewrite !(insert_cat _ _ sy) (replace_cat _ _ _ sy).
Qed.

Lemma perm_insert domains i : all uniq domains -> (i < size domains)%N ->
  perm_eq (datasets domains)
    [seq insert x i v | v <- nth [::] domains i, x <- datasets (others domains i)].
Proof.
move=> ud lt_i; apply: uniq_perm; first exact: uniq_datasets.
  apply: allpairs_uniq; last 1 first.
  - move=> [v x] [w y] /allpairsP [[v' x'] /= [_ xx [-> ->]]].
    move=> /allpairsP [[w' y'] /= [_ yy [-> ->]]] E.
    have := at_insert w' lt_i yy; rewrite -E (at_insert v' lt_i xx) => - [->].
    by rewrite -(others_insert v' lt_i xx) E (others_insert w' lt_i yy).
  - by apply: (allP ud); exact: mem_nth.
  - by apply: uniq_datasets; exact: uniq_others.
move=> d; apply/idP/allpairsP => [dd|[[v x] /= [vi xx ->]]]; last exact: insert_in.
have [a [v [b [E sa vi]]]] := split_dataset lt_i dd.
exists (v, others d i); split=> //=; first exact: others_in.
by rewrite (insert_others _ lt_i dd) E (replace_cat _ _ _ sa).
Qed.

Lemma sigma_insert (F : seq V -> R) domains i : all uniq domains -> (i < size domains)%N ->
  sigma F (datasets domains) =
  sigma (fun v => sigma (fun x => F (insert x i v)) (datasets (others domains i)))
    (nth [::] domains i).
Proof.
move=> ud lt_i; rewrite !sigmaE (perm_big _ (perm_insert ud lt_i)) /=.
by rewrite big_allpairs_dep; apply: eq_bigr => v _; rewrite sigmaE.
Qed.

(** A sum over the datasets with D_i = v. *)
Lemma sigma_where (F : seq V -> R) domains i v : all uniq domains -> (i < size domains)%N ->
  v \in nth [::] domains i ->
  sigma (fun d => (point_is i v d)%:R * F d) (datasets domains) =
  sigma (fun x => F (insert x i v)) (datasets (others domains i)).
Proof.
move=> ud lt_i vi; rewrite (sigma_insert _ ud lt_i).
have u_i : uniq (nth [::] domains i) by apply: (allP ud); exact: mem_nth.
rewrite -[RHS](sigma_point (fun w => sigma (fun x => F (insert x i w)) _) u_i vi).
apply: eq_sigma => w _; rewrite -sigmaM; apply: eq_sigma => x xx.
by rewrite /point_is (at_insert w lt_i xx).
Qed.

End Insert.

Section Seen.

Variables (R : realFieldType) (V O : eqType).
Implicit Types (m : mechanism R V O) (P : seq V -> R).

Lemma seen_one m P d : well_formed m -> d \in datasets (domains m) -> seen m P (pred1 d) = P d.
Proof. by move=> [ud _ _] dd; rewrite /seen /= sigma_point // uniq_datasets. Qed.

Lemma seen_with_one m P d o : well_formed m -> d \in datasets (domains m) ->
  seen_with m P (pred1 d) o = P d * chance m d o.
Proof.
move=> [ud _ _] dd; rewrite /seen_with /=.
rewrite -[RHS](sigma_point (fun e => P e * chance m e o) (uniq_datasets ud) dd).
by apply: eq_sigma => e _; rewrite mulrA.
Qed.

Lemma given_one m P d o : well_formed m -> d \in datasets (domains m) ->
  0 < seen m P (pred1 d) -> given m P (pred1 d) o = chance m d o.
Proof.
move=> wf dd; rewrite /given seen_one // seen_with_one // => Pd.
by rewrite mulrAC mulfV ?mul1r // gt_eqF.
Qed.

Lemma chance_ge0 m d o : well_formed m -> d \in datasets (domains m) -> o \in outputs m ->
  0 <= chance m d o.
Proof. by move=> [_ _ h] /h [h0 _]; exact: h0. Qed.

Lemma population_nonempty m P : population m P -> exists d, d \in datasets (domains m).
Proof.
case=> _; case: (datasets _) => [|d s] /=; first by move/eqP; rewrite eq_sym oner_eq0.
by exists d; rewrite mem_head.
Qed.

(** The two datasets [d] and [e], each half of the time. *)
Definition halves (d e : seq V) : seq V -> R := fun x => ((x == d)%:R + (x == e)%:R) / 2%:R.

Lemma sigma_halves m d e (F : seq V -> R) : well_formed m ->
  d \in datasets (domains m) -> e \in datasets (domains m) ->
  sigma (fun x => F x * halves d e x) (datasets (domains m)) = (F d + F e) / 2%:R.
Proof.
move=> [ud _ _] dd ee; have uu := uniq_datasets ud.
rewrite mulrDl -(sigma_point (fun x => F x / 2%:R) uu dd).
rewrite -(sigma_point (fun x => F x / 2%:R) uu ee).
rewrite -sigmaD; apply: eq_sigma => x _.
by rewrite /halves mulrDl mulrDr !mulrA !(mulrC (F x)) -!mulrA.
Qed.

End Seen.
