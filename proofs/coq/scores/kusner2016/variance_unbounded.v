(** Kusner et al., section 3.3: the variance score has no finite sensitivity. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado Require Import dataset scores.algebra scores.spread.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Unbounded.
Variable R : realFieldType.

(** All records are 0 but the last, which is [a]. *)
Definition one_record n (a : R) : dataset R n.+1 := fun i => if i == ord_max then a else 0.

Lemma variance_scales n (a : R) :
  variance (@one_record n a) = a ^+ 2 * variance (@one_record n 1).
Proof.
have scaled i : @one_record n a i = a * @one_record n 1 i.
  by rewrite /one_record; case: eqP; rewrite ?mulr1 ?mulr0.
have av : average (@one_record n a) = a * average (@one_record n 1).
  by rewrite /average mulrA mulr_sumr (eq_bigr _ (fun i _ => scaled i)).
rewrite /variance mulrA mulr_sumr; congr (_ / _); apply: eq_bigr => i _.
by rewrite av scaled -mulrBr exprMn.
Qed.

Lemma variance_one n : 0 < variance (@one_record n.+1 1).
Proof.
have av : average (@one_record n.+1 1) = n.+2%:R^-1.
  rewrite /average (bigD1 ord_max) //= big1 => [|i im]; last by rewrite /one_record (negPf im).
  by rewrite /one_record eqxx addr0 mul1r.
rewrite /variance divr_gt0 ?ltr0n // (bigD1 ord0) //= av ltr_paddr ?sumr_ge0 // => [i _|].
  exact: sqr_ge0.
by rewrite /one_record /= sub0r sqrrN exprn_gt0 // invr_gt0 ltr0n.
Qed.

(** kusner2016/variance-unbounded: for every m >= 2 and every factor, replacing one record raises
    the variance by more than that factor, so that its logarithm moves by any amount. *)
Theorem variance_unbounded (m : nat) (factor : R) : (2 <= m)%N ->
  exists D D' : dataset R m,
    [/\ replace_one D D', 0 < variance D & factor * variance D < variance D'].
Proof.
case: m => [|[|n]] // _; exists (@one_record n.+1 1), (@one_record n.+1 (`|factor| + 1)).
split; last 2 first.
- exact: variance_one.
- rewrite [X in _ < X]variance_scales ltr_pmul2r ?variance_one //.
  apply: (@lt_le_trans _ _ (`|factor| + 1)).
    by rewrite (le_lt_trans (ler_norm _)) // ltr_addl ltr01.
  by rewrite expr2 ler_pmulr ?ler_addr ?normr_ge0 // ltr_paddl ?ltr01.
by exists ord_max => i /negPf im; rewrite /one_record im.
Qed.

End Unbounded.
