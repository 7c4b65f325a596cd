(** Sums over the subsets of m records, and what a random subset keeps of a loss. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release sieve.
From Provado.lemmas Require Import algebra finite_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Subsets.

Variables (R : realFieldType) (T : eqType).
Add Field R_field : (field_of R).
Implicit Types (p q : seq T -> R) (c d r : seq T).
Notation total p m d := (sigma p (choose m d)).

Definition symmetric p : Prop := forall c d, perm_eq c d -> p c = p d.

Lemma swapped (x y : T) c : perm_eq [:: x, y & c] [:: y, x & c].
Proof. by apply/permP => P /=; rewrite addnCA. Qed.

Lemma total_cons p m v d : total p m (v :: d) =
  (if m is k.+1 then total (fun c => p (v :: c)) k d else 0) + total p m d.
Proof. by case: m => [|m] /=; rewrite ?add0r // sigma_cat sigma_map. Qed.

Lemma symmetric_cons p v : symmetric p -> symmetric (fun c => p (v :: c)).
Proof. by move=> sym c d cd; apply: sym; rewrite perm_cons. Qed.

Lemma total_swap p m x y d : symmetric p -> total p m (x :: y :: d) = total p m (y :: x :: d).
Proof.
move=> sym; rewrite !total_cons; case: m => [|[|m]]; rewrite ?add0r // !total_cons ?add0r.
  by rewrite addrCA.
rewrite -!addrA; congr (_ + _); last by rewrite addrCA.
by apply: eq_sigma => c _; apply: sym; exact: swapped.
Qed.

Lemma total_first p m (a b : seq T) u : symmetric p ->
  total p m (a ++ u :: b) = total p m (u :: a ++ b).
Proof.
elim: a p m => [|x a IH] p m sym //=.
rewrite -/(cat _ _) -/(choose _ _) (total_swap m u x (a ++ b) sym) !(total_cons _ _ x).
by congr (_ + _); [case: m => // m; apply: IH; exact: symmetric_cons | exact: IH].
Qed.

Lemma choose_size m d c : c \in choose m d -> size c = m.
Proof.
elim: d m c => [|v d IH] [|m] c //=; first by rewrite inE => /eqP ->.
  exact: IH.
by rewrite mem_cat => /orP [/mapP [c' c'd ->] /=|]; [rewrite (IH m) | exact: IH].
Qed.

Lemma size_choose m d d' : size d = size d' -> size (choose m d) = size (choose m d').
Proof.
elim: d d' m => [|v d IH] [|v' d'] //= m [s]; rewrite !size_cat (IH d' m s).
by case: m => // m; rewrite !size_map (IH d' m s).
Qed.

(** One record more for each subset, in all ways: each larger subset comes about k + 1 times. *)
Lemma one_more k r p q : symmetric q ->
  (forall c j, size c = k -> p c <= q (j :: c)) ->
  ((size r)%:R - k%:R) * total p k r <= k.+1%:R * total q k.+1 r.
Proof.
elim: r k p q => [|v r IH] k p q sym le_pq.
  by case: k le_pq => [|k] _ /=; rewrite ?subrr ?mul0r ?mulr0.
rewrite !total_cons /=; set S := total p k r; set S1 := total (fun c => q (v :: c)) k r.
have two : ((size r)%:R - k%:R) * S <= k.+1%:R * total q k.+1 r by exact: IH.
have here : S <= S1.
  by apply: ler_sigma => c cc; apply: le_pq; exact: choose_size cc.
case: k @S @S1 two here le_pq => [|k] S S1 two here le_pq.
  have -> : ((size r).+1%:R - 0%:R) * (0 + S) = ((size r)%:R - 0%:R) * S + S :> R.
    by rewrite mulrS; rring R.
  have -> : 1%:R * (S1 + total q 1 r) = 1%:R * total q 1 r + S1 by rring R.
  exact: ler_add.
have one : ((size r)%:R - k%:R) * total (fun c => p (v :: c)) k r <= k.+1%:R * S1.
  apply: IH => [|c j sc]; first exact: symmetric_cons.
  rewrite (sym _ (j :: v :: c)); first by apply: le_pq; rewrite /= sc.
  exact: swapped.
have -> : ((size r).+1%:R - k.+1%:R) * (total (fun c => p (v :: c)) k r + S)
    = ((size r)%:R - k%:R) * total (fun c => p (v :: c)) k r
      + (((size r)%:R - k.+1%:R) * S + S) :> R.
  by rewrite !mulrS; rring R.
have -> : k.+2%:R * (S1 + total q k.+2 r) = k.+1%:R * S1 + (k.+2%:R * total q k.+2 r + S1) :> R.
  by rewrite !mulrS; rring R.
by apply: ler_add => //; exact: ler_add.
Qed.

Lemma amplified_numbers (n m t A A' B : R) : 0 < n -> 0 < t -> A <= t * A' ->
  0 <= m -> 1 <= t -> (n - m) * A <= m * (t * B) ->
  A + B <= (1 + m / n * (t - 1)) * (A' + B).
Proof.
move=> n0 t0 le1 m0 t1 le2; rewrite -(ler_pmul2l (mulr_gt0 t0 n0)).
have -> : t * n * ((1 + m / n * (t - 1)) * (A' + B))
    = t * n * B + (n + m * (t - 1)) * (t * A') + (t - 1) * (m * (t * B)).
  by rfield R; exact: lt0r_neq0.
have -> : t * n * (A + B) = t * n * B + (n + m * (t - 1)) * A + (t - 1) * ((n - m) * A).
  by rring R.
apply: ler_add; last by rewrite ler_wpmul2l // subr_ge0.
by rewrite ler_add2l ler_wpmul2l // addr_ge0 ?mulr_ge0 ?subr_ge0 // ltW.
Qed.

(** A chance that changes by the factor [t] with one record of the subset changes by
    1 + (m/n)(t - 1) with one of the dataset. *)
Lemma amplified m p (t : R) d i v : symmetric p -> (0 < m <= size d)%N -> (i < size d)%N ->
  1 <= t -> (forall c u w, (size c).+1 = m -> p (u :: c) <= t * p (w :: c)) ->
  sigma p (choose m d) / (size (choose m d))%:R <=
  (1 + m%:R / (size d)%:R * (t - 1)) *
  (sigma p (choose m (replace d i v)) / (size (choose m (replace d i v)))%:R).
Proof.
case: m => // k sym /andP [_ le_md] lt_i t1 close; rewrite mulrA.
have [u0 E] : exists u, d = take i d ++ u :: drop i.+1 d.
  case: d lt_i {le_md} => // w d' lt_i; exists (nth w (w :: d') i).
  by rewrite -drop_nth // cat_take_drop.
have n_d : size d = (size (take i d ++ drop i.+1 d)).+1.
  by rewrite {1}E !size_cat /= addnS.
rewrite (@size_choose _ (replace d i v) d); last first.
  by rewrite /replace size_cat /= [in RHS]E size_cat.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n // [in X in X <= _]E /replace !total_first //.
set r := take i d ++ drop i.+1 d in n_d *; rewrite !total_cons.
apply: amplified_numbers; rewrite ?ltr0n ?ler0n ?n_d //; first exact: lt_le_trans ltr01 t1.
  by rewrite -sigmaM; apply: ler_sigma => c cc; apply: close; rewrite (choose_size cc).
have -> : (size r).+1%:R - k.+1%:R = (size r)%:R - k%:R :> R by rewrite !mulrS; rring R.
rewrite -(sigmaM t p); apply: one_more => [c c' cc|c j sc]; first by rewrite (sym c c').
by apply: close; rewrite sc.
Qed.

End Subsets.
