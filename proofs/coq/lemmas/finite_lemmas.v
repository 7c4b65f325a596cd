(** What the definitions of [finite] amount to. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sums.

Variable R : realFieldType.

Lemma sigmaE (T : Type) (f : T -> R) (s : seq T) : sigma f s = \sum_(x <- s) f x.
Proof. by elim: s => [|x s IH] /=; rewrite ?big_nil // big_cons IH. Qed.

Lemma eq_sigma (T : eqType) (f g : T -> R) (s : seq T) :
  (forall x, x \in s -> f x = g x) -> sigma f s = sigma g s.
Proof. by move=> fg; rewrite !sigmaE; apply: eq_big_seq. Qed.

Lemma ler_sigma (T : eqType) (f g : T -> R) (s : seq T) :
  (forall x, x \in s -> f x <= g x) -> sigma f s <= sigma g s.
Proof. by move=> fg; rewrite !sigmaE !big_seq; apply: ler_sum. Qed.

Lemma sigma_ge0 (T : eqType) (f : T -> R) (s : seq T) :
  (forall x, x \in s -> 0 <= f x) -> 0 <= sigma f s.
Proof. by move=> f0; rewrite sigmaE big_seq; apply: sumr_ge0. Qed.

Lemma sigma_all_ge0 (T : Type) (f : T -> R) (s : seq T) : (forall x, 0 <= f x) -> 0 <= sigma f s.
Proof. by move=> f0; rewrite sigmaE; apply: sumr_ge0. Qed.

Lemma ler_sigma_all (T : Type) (f g : T -> R) (s : seq T) :
  (forall x, f x <= g x) -> sigma f s <= sigma g s.
Proof. by move=> fg; rewrite !sigmaE; apply: ler_sum. Qed.

Lemma sigmaM (T : Type) (c : R) (f : T -> R) (s : seq T) :
  sigma (fun x => c * f x) s = c * sigma f s.
Proof. by rewrite !sigmaE mulr_sumr. Qed.

Lemma sigmaMr (T : Type) (c : R) (f : T -> R) (s : seq T) :
  sigma (fun x => f x * c) s = sigma f s * c.
Proof. by rewrite !sigmaE mulr_suml. Qed.

Lemma sigmaD (T : Type) (f g : T -> R) (s : seq T) :
  sigma (fun x => f x + g x) s = sigma f s + sigma g s.
Proof. by rewrite !sigmaE big_split. Qed.

Lemma sigma_exchange (S T : Type) (f : S -> T -> R) (s : seq S) (t : seq T) :
  sigma (fun x => sigma (f x) t) s = sigma (fun y => sigma (f^~ y) s) t.
Proof.
rewrite !sigmaE; under eq_bigr do rewrite sigmaE.
by rewrite exchange_big; apply: eq_bigr => y _; rewrite sigmaE.
Qed.

Lemma sigma_map (S T : Type) (h : S -> T) (f : T -> R) (s : seq S) :
  sigma f [seq h x | x <- s] = sigma (fun x => f (h x)) s.
Proof. by rewrite !sigmaE big_map. Qed.

Lemma sigma_cat (T : Type) (f : T -> R) (s t : seq T) : sigma f (s ++ t) = sigma f s + sigma f t.
Proof. by rewrite !sigmaE big_cat. Qed.

Lemma sigma0 (T : eqType) (f : T -> R) (s : seq T) :
  (forall x, x \in s -> f x = 0) -> sigma f s = 0.
Proof. by move=> f0; rewrite sigmaE big_seq big1. Qed.

Lemma sigma_point (T : eqType) (f : T -> R) (s : seq T) (x : T) :
  uniq s -> x \in s -> sigma (fun y => (y == x)%:R * f y) s = f x.
Proof.
move=> us xs; rewrite sigmaE (bigD1_seq x) //= eqxx mul1r big1 ?addr0 // => y /negPf yx.
by rewrite yx mul0r.
Qed.

Lemma sigma_point_l (T : eqType) (f : T -> R) (s : seq T) (x : T) :
  uniq s -> x \in s -> sigma (fun y => (x == y)%:R * f y) s = f x.
Proof.
by move=> us xs; rewrite -[RHS](sigma_point f us xs); apply: eq_sigma => y _; rewrite eq_sym.
Qed.

Lemma point_mass (T : eqType) (s : seq T) (x : T) :
  uniq s -> x \in s -> distribution s (fun y => (y == x)%:R : R).
Proof.
move=> us xs; split=> [y _|]; first exact: ler0n.
rewrite -[RHS](sigma_point (fun=> 1) us xs).
by apply: eq_sigma => y _; rewrite mulr1.
Qed.

End Sums.

Section Datasets.

Variable V : eqType.
Implicit Types (d : seq V) (domains : seq (seq V)).

Lemma datasets_cons (values : seq V) domains v d :
  (v :: d \in datasets (values :: domains)) = (v \in values) && (d \in datasets domains).
Proof.
apply/allpairsP/andP => [[[w e] /= [wv ed [-> ->]]]|[vv dd]] //.
by exists (v, d).
Qed.

Lemma datasets_nil values domains : ([::] \in datasets (values :: domains)) = false.
Proof. by apply/negbTE/negP => /allpairsP [[w e] /= []]. Qed.

Lemma datasetsP domains d :
  (d \in datasets domains) = (size d == size domains) && all2 (fun v vs => v \in vs) d domains.
Proof.
elim: domains d => [|values domains IH] [|v d] //=; first by rewrite datasets_nil.
by rewrite datasets_cons IH /= eqSS andbCA.
Qed.

Lemma size_dataset domains d : d \in datasets domains -> size d = size domains.
Proof. by rewrite datasetsP => /andP [/eqP]. Qed.

Lemma uniq_datasets domains : all uniq domains -> uniq (datasets domains).
Proof.
elim: domains => [|values domains IH] //= /andP [uv ud].
by apply: allpairs_uniq => //; [exact: IH|move=> [x1 x2] [y1 y2] _ _ /= [-> ->]].
Qed.

Lemma datasets_cat d1 d2 domains1 domains2 : size d1 = size domains1 ->
  (d1 ++ d2 \in datasets (domains1 ++ domains2)) =
  (d1 \in datasets domains1) && (d2 \in datasets domains2).
Proof.
elim: domains1 d1 => [|values domains1 IH] [|v d1] //= [sz].
by rewrite !datasets_cons IH // andbA.
Qed.

(** A position splits domains and datasets alike. *)
Lemma split_dataset domains d i : (i < size domains)%N -> d \in datasets domains ->
  exists a v b, [/\ d = a ++ v :: b, size a = i & v \in nth [::] domains i].
Proof.
elim: domains d i => [|values domains IH] [|v d] [|i] //=;
  rewrite ?datasets_nil ?datasets_cons // => lt_i /andP [vv dd].
  by exists [::], v, d.
have [a [w [b [-> sa wv]]]] := IH d i lt_i dd.
by exists (v :: a), w, b; split=> //=; rewrite sa.
Qed.

Lemma replace_cat (T : Type) (a b : seq T) v i w :
  size a = i -> replace (a ++ v :: b) i w = a ++ w :: b.
Proof.
by move=> <-; rewrite /replace take_size_cat // -(cat_rcons v) drop_size_cat ?size_rcons.
Qed.

Lemma others_cat (T : Type) (a b : seq T) v i : size a = i -> others (a ++ v :: b) i = a ++ b.
Proof.
by move=> <-; rewrite /others take_size_cat // -(cat_rcons v) drop_size_cat ?size_rcons.
Qed.

Lemma insert_cat (T : Type) (a b : seq T) i w : size a = i -> insert (a ++ b) i w = a ++ w :: b.
Proof. by move=> <-; rewrite /insert take_size_cat // drop_size_cat. Qed.

Lemma split_domains domains i : (i < size domains)%N ->
  exists a b, domains = a ++ nth [::] domains i :: b /\ size a = i.
Proof.
move=> lt_i; exists (take i domains), (drop i.+1 domains); split.
  by rewrite -drop_nth // cat_take_drop.
by rewrite size_takel // ltnW.
Qed.

Lemma replace_in domains d i v : (i < size domains)%N -> v \in nth [::] domains i ->
  d \in datasets domains -> replace d i v \in datasets domains.
Proof.
move=> lt_i vi dd; have [a [w [b [E sa wv]]]] := split_dataset lt_i dd.
rewrite E (replace_cat _ _ _ sa); move: dd; rewrite E.
have [x [y [-> sx]]] := split_domains lt_i.
by rewrite !datasets_cat ?sa ?sx // !datasets_cons vi => /and3P [-> _ ->].
Qed.

Lemma others_in domains d i : (i < size domains)%N -> d \in datasets domains ->
  others d i \in datasets (others domains i).
Proof.
move=> lt_i dd; have [a [w [b [E sa wv]]]] := split_dataset lt_i dd.
rewrite E (others_cat _ _ sa); move: dd; rewrite E.
have [x [y [Ed sx]]] := split_domains lt_i.
by rewrite {1 2}Ed (others_cat _ _ sx) !datasets_cat ?sa ?sx // datasets_cons => /and3P [-> _ ->].
Qed.

Lemma insert_others domains d i v : (i < size domains)%N -> d \in datasets domains ->
  insert (others d i) i v = replace d i v.
Proof.
move=> lt_i dd; have [a [w [b [-> sa _]]]] := split_dataset lt_i dd.
by rewrite (others_cat _ _ sa) insert_cat // (replace_cat _ _ _ sa).
Qed.

Lemma replace_replace domains d i v w : (i < size domains)%N -> d \in datasets domains ->
  replace (replace d i v) i w = replace d i w.
Proof.
move=> lt_i dd; have [a [u [b [-> sa _]]]] := split_dataset lt_i dd.
by rewrite !(replace_cat _ _ _ sa).
Qed.

Lemma replace_same domains d i : (i < size domains)%N -> d \in datasets domains ->
  exists2 v, v \in nth [::] domains i & replace d i v = d.
Proof.
move=> lt_i dd; have [a [u [b [-> sa uv]]]] := split_dataset lt_i dd.
by exists u => //; rewrite (replace_cat _ _ _ sa).
Qed.

Lemma drop_replace domains d i v : (i < size domains)%N -> d \in datasets domains ->
  ohead (drop i (replace d i v)) = Some v.
Proof.
move=> lt_i dd; have [a [u [b [-> sa _]]]] := split_dataset lt_i dd.
by rewrite (replace_cat _ _ _ sa) -sa drop_size_cat.
Qed.

Lemma replace_at domains d i v : (i < size domains)%N -> d \in datasets domains ->
  ohead (drop i d) = Some v -> replace d i v = d.
Proof.
move=> lt_i dd; have [a [u [b [-> sa _]]]] := split_dataset lt_i dd.
by rewrite (replace_cat _ _ _ sa) -sa drop_size_cat //= => - [->].
Qed.

Lemma uniq_others domains i : all uniq domains -> all uniq (others domains i).
Proof.
move=> ud; rewrite /others all_cat; apply/andP; split; apply/allP => x;
  [move/mem_take|move/mem_drop]; exact: (allP ud).
Qed.

End Datasets.
