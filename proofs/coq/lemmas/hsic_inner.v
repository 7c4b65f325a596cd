(** HSIC of vectors, and how far one record moves it: kernels with k(x, x) at most 1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import inner hsic.
From Provado.lemmas Require Import algebra inner_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Trace.
Variables (R : realFieldType) (V W : lmodType R) (b : inner V) (c : inner W).
Add Field R_field : (field_of R).

(** The sum of b(F_i, F_j) c(G_i, G_j) over all i and j. *)
Definition products n (F : 'I_n -> V) (G : 'I_n -> W) : R :=
  \sum_i \sum_j b (F i) (F j) * c (G i) (G j).

(** HLH is the matrix of inner products of what is centred. *)
Lemma centered_gram n (G : 'I_n -> W) i j :
  (centering R n *m gram c G *m centering R n) i j = c (G i - mean G) (G j - mean G).
Proof.
rewrite /centering mulmxBl mul1mx mulmxBr mulmx1 mulmxBl.
set e := const_mx _; set L := gram c G.
have left k : (e *m L) k j = c (mean G) (G j).
  rewrite mxE /mean form_scale form_suml mulr_sumr.
  by apply: eq_bigr => l _; rewrite !mxE.
have right : (L *m e) i j = c (G i) (mean G).
  rewrite mxE /mean formZr form_sumr mulr_sumr.
  by apply: eq_bigr => l _; rewrite !mxE mulrC.
have both : (e *m L *m e) i j = c (mean G) (mean G).
  rewrite mxE [in RHS]/mean formZr form_sumr mulr_sumr.
  apply: eq_bigr => l _; rewrite [e l j]mxE mulrC; congr (_ * _).
  rewrite mxE /mean form_scale form_suml mulr_sumr.
  by apply: eq_bigr => k _; rewrite !mxE.
have sub (A B : 'M[R]_n) : (A - B) i j = A i j - B i j by rewrite !mxE.
rewrite !sub left right both mxE form_add !formDr !formNl !formNr opprK.
by rring R.
Qed.

(** The trace, with the first vectors shifted by any [a]. *)
Lemma trace_products n (F : 'I_n.+1 -> V) (G : 'I_n.+1 -> W) (a : V) :
  centered_trace (gram b F) (gram c G) =
  products (fun i => F i - a) (fun i => G i - mean G).
Proof.
have -> : centered_trace (gram b F) (gram c G) =
    \sum_i \sum_j b (F i) (F j) * c (G i - mean G) (G j - mean G).
  rewrite /centered_trace -!mulmxA /mxtrace; apply: eq_bigr => i _.
  rewrite mxE; apply: eq_bigr => j _.
  by rewrite mulmxA centered_gram [gram b F i j]mxE [c _ _]form_sym.
have zero i : \sum_j c (G i - mean G) (G j - mean G) = 0.
  by rewrite -form_sumr off_mean form0r.
have zero' j : \sum_i c (G i - mean G) (G j - mean G) = 0.
  by rewrite -form_suml off_mean form0l.
have one (h : 'I_n.+1 -> R) : \sum_i \sum_j h i * c (G i - mean G) (G j - mean G) = 0.
  by rewrite big1 // => i _; rewrite -mulr_sumr zero mulr0.
have two (h : 'I_n.+1 -> R) : \sum_i \sum_j h j * c (G i - mean G) (G j - mean G) = 0.
  by rewrite exchange_big big1 // => i _; rewrite -mulr_sumr zero' mulr0.
rewrite -[LHS]subr0 -[X in _ - X](one (fun i => b (F i) a)) -[LHS]subr0.
rewrite -[X in _ - X](two (fun j => b a (F j - a))) /products -!sumrB.
apply: eq_bigr => i _; rewrite -!sumrB; apply: eq_bigr => j _.
by rewrite [b (_ - _) _]form_add !(formDr b) !(formNl b) !(formNr b); rring R.
Qed.

(** The part of [n + 2] records that record [k] has to do with: N, P and Q below. *)
Section Split.
Variables (n : nat) (k : 'I_n.+2) (F : 'I_n.+2 -> V) (G : 'I_n.+2 -> W).
Let f (i : 'I_n.+1) := F (lift k i).
Let g (i : 'I_n.+1) := G (lift k i).
Let u := F k - mean f.
Let v := G k - mean g.

Definition joint : R := \sum_i b (f i - mean f) u * c (g i - mean g) v.

Lemma sum_all (U' : lmodType R) (h : 'I_n.+2 -> U') :
  \sum_i h i = h k + \sum_(i < n.+1) h (lift k i).
Proof. by rewrite (bigD1_ord k). Qed.

Lemma trace_split (t := n.+1%:R / n.+2%:R) :
  centered_trace (gram b F) (gram c G) =
  products (fun i => f i - mean f) (fun i => g i - mean g)
  + 2%:R * t * joint + t ^+ 2 * (b u u * c v v).
Proof.
rewrite (trace_products F G (mean f)).
set w := n.+2%:R^-1 *: v.
have m0 : n.+2%:R != 0 :> R by rewrite pnatr_eq0.
have Gw : mean G = mean g + w.
  rewrite [mean G]/mean sum_all -[\sum_(i < n.+1) _]/(\sum_i g i) -mean_sum.
  have -> : G k + n.+1%:R *: mean g = v + n.+2%:R *: mean g.
    by rewrite /v -[n.+2]addn1 natrD scalerDl scale1r [_ + mean g]addrC addrA subrK.
  by rewrite scalerDr scalerA mulVf // scale1r addrC.
have Fu : \sum_i (F i - mean f) = u by rewrite sum_all off_mean addr0.
rewrite /products; under eq_bigr => i _.
  under eq_bigr => j _.
    rewrite Gw !opprD !addrA.
    have -> : b (F i - mean f) (F j - mean f) * c (G i - mean g - w) (G j - mean g - w) =
       b (F i - mean f) (F j - mean f) * c (G i - mean g) (G j - mean g)
       - c (G i - mean g) w * b (F i - mean f) (F j - mean f)
       - c (G j - mean g) w * b (F i - mean f) (F j - mean f)
       + c w w * b (F i - mean f) (F j - mean f).
      rewrite [c (_ - w) _]form_add !(formDr _ _ _ (- w)) !formNr !formNl.
      by rewrite (form_sym c w (G j - _)); rring R.
    over.
  rewrite big_split /= sumrB sumrB -!mulr_sumr -form_sumr Fu.
  over.
rewrite big_split /= sumrB sumrB -mulr_sumr -form_suml Fu.
have -> : \sum_(i < n.+2) \sum_(j < n.+2) c (G j - mean g) w * b (F i - mean f) (F j - mean f)
    = \sum_(j < n.+2) c (G j - mean g) w * b (F j - mean f) u.
  rewrite exchange_big /=.
  by apply: eq_bigr => j _; rewrite -mulr_sumr -form_suml Fu [b u _]form_sym.
have -> : \sum_(j < n.+2) c (G j - mean g) w * b (F j - mean f) u
    = n.+2%:R^-1 * (b u u * c v v + joint).
  rewrite (bigD1_ord k) //= mulrDr /joint mulr_sumr !formZr -/u -/v; congr (_ + _).
    by move: (n.+2%:R^-1) => r; rring R.
  by apply: eq_bigr => i _; rewrite formZr -/(f i) -/(g i); move: (n.+2%:R^-1) => r; rring R.
have -> : \sum_i \sum_j b (F i - mean f) (F j - mean f) * c (G i - mean g) (G j - mean g)
  = products (fun i => f i - mean f) (fun i => g i - mean g) + 2%:R * joint + b u u * c v v.
  rewrite (bigD1_ord k) //= (bigD1_ord k) //= -/u -/v.
  under [X in _ + X]eq_bigr => i _ do rewrite (bigD1_ord k) //= -/u -/v -/(f i) -/(g i).
  rewrite big_split /= -/joint.
  have -> : \sum_(i < n.+1) b u (F (lift k i) - mean f) * c v (G (lift k i) - mean g) = joint.
    by apply: eq_bigr => i _; rewrite [b u _]form_sym [c v _]form_sym.
  rewrite -[X in _ + (_ + X)]/(products (fun i => f i - mean f) (fun i => g i - mean g)).
  by move: joint (products _ _) => N A; rring R.
rewrite -[X in _ = X + _ + _]/(products (fun i => f i - mean f) (fun i => g i - mean g)).
rewrite !formZr form_scale /t; move: joint (products _ _) => N A.
have m1 : n.+2%:R = n.+1%:R + 1 :> R by rring R.
rewrite m1 in m0 *; move: (n.+1%:R) m0 => a a0; move: (b u u) (c v v) => P Q.
by rfield R.
Qed.
End Split.
End Trace.
