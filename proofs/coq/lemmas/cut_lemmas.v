(** Models in sequence, cut at X, Y and Z. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite model.
From Provado.lemmas Require Import run_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Three positions cut a list in seven. *)
Lemma split3 (T : Type) (s : seq T) i j k : (i < j)%N -> (j < k)%N -> (k < size s)%N ->
  exists a e1 b e2 c e3 d, [/\ s = a ++ e1 :: b ++ e2 :: c ++ e3 :: d, i = size a,
    j = (i + (size b).+1)%N & k = (j + (size c).+1)%N].
Proof.
move=> lt_ij lt_jk lt_k.
have [a [e1 [s1 [E1 sa]]]] := split_at (ltn_trans lt_ij (ltn_trans lt_jk lt_k)).
have [j1 Ej] : exists j1, j = (i + j1.+1)%N by exists (j - i.+1)%N; rewrite addnS -addSn subnKC.
have [k1 Ek] : exists k1, k = (j + k1.+1)%N by exists (k - j.+1)%N; rewrite addnS -addSn subnKC.
have lt_k1 : (j1 + k1.+1 < size s1)%N.
  by move: lt_k; rewrite Ek Ej E1 size_cat sa -addnA ltn_add2l /= addSn ltnS.
have [b [e2 [s2 [E2 sb]]]] := split_at (leq_ltn_trans (leq_addr _ _) lt_k1).
have lt_k2 : (k1 < size s2)%N by move: lt_k1; rewrite E2 size_cat sb ltn_add2l ltnS.
have [c [e3 [d [E3 sc]]]] := split_at lt_k2.
by exists a, e1, b, e2, c, e3, d; rewrite E1 E2 E3 sa sb sc.
Qed.

(** A model in sequence, cut at X, Y and Z. *)
Lemma cut (R : realFieldType) (U : eqType) (M : model R U) x y z : in_sequence M x y z ->
  exists bg a ex b ey c ez d,
    [/\ M = Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d), x = (size bg + size a)%N,
        y = (size bg + size a + (size b).+1)%N &
        z = (size bg + size a + (size b).+1 + (size c).+1)%N].
Proof.
case: M => bg eqs; rewrite /in_sequence /ranges /= size_cat size_map => -[le_x lt_xy lt_yz lt_z].
have [i Ex] : exists i, x = (size bg + i)%N by exists (x - size bg)%N; rewrite subnKC.
have [j Ey] : exists j, y = (size bg + j)%N.
  by exists (y - size bg)%N; rewrite subnKC // (leq_trans le_x) // ltnW.
have [k Ez] : exists k, z = (size bg + k)%N.
  by exists (z - size bg)%N; rewrite subnKC // (leq_trans le_x) // ltnW // (ltn_trans lt_xy).
move: lt_xy lt_yz lt_z; rewrite Ex Ey Ez !ltn_add2l => lt_ij lt_jk lt_k.
have [a [ex [b [ey [c [ez [d [E Ei Ej Ek]]]]]]]] := split3 lt_ij lt_jk lt_k.
by exists bg, a, ex, b, ey, c, ez, d; rewrite -E Ek Ej Ei !addnA.
Qed.

Lemma parents_z (R : realFieldType) (U : eqType) bg (a b c d : seq (equation R U)) ex ey ez :
  parents_of (Model bg (a ++ ex :: b ++ ey :: c ++ ez :: d))
    (size bg + size a + (size b).+1 + (size c).+1) = parents ez.
Proof.
rewrite /parents_of /= -!addnA addKn map_cat nth_cat size_map ltnNge leq_addr addKn /=.
by rewrite map_cat nth_cat size_map ltnNge leq_addr addKn /= map_cat nth_cat size_map ltnn subnn.
Qed.
