(** The tail of Laplace noise over any ordered field with an exponential function. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.
From Provado.lemmas Require Import algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Numbers.

Variable R : realFieldType.
Add Field R_field : (field_of R).
Notation half := (2%:R^-1 : R).

Lemma half_split : half + half = 1. Proof. by rfield R. Qed.
Lemma half_pos : 0 < half. Proof. by rewrite invr_gt0 ltr0n. Qed.
Lemma half_le1 : half <= 1. Proof. by rewrite -[X in _ <= X]half_split ler_addl ltW ?half_pos. Qed.

Lemma low_shift (a y : R) : 1 <= a -> 0 < y <= 1 -> 1 - y / a * half <= a * (1 - y * half).
Proof.
move=> a1 /andP [y0 y1]; have a0 := lt_le_trans ltr01 a1.
have E : a * (1 - y * half) - (1 - y / a * half) = (a - 1) * (1 - y * half * (1 + a^-1)).
  by rfield R; exact: lt0r_neq0.
rewrite -subr_ge0 E.
have v0 : 0 <= a^-1 by rewrite invr_ge0 ltW.
apply: mulr_ge0; rewrite subr_ge0 //.
apply: le_trans (_ : 1 * half * (1 + 1) <= 1); last by rewrite mul1r mulrDr mulr1 half_split.
apply: ler_pmul.
- by rewrite mulr_ge0 ?ltW ?half_pos.
- by rewrite addr_ge0 ?ler01.
- by rewrite ler_pmul2r ?half_pos.
by rewrite ler_add2l invf_le1.
Qed.

Lemma middle_shift (z : R) : 0 < z -> 1 - z^-1 * half <= z * half.
Proof.
move=> z0; have E : z * half - (1 - z^-1 * half) = (z - 1) ^+ 2 / z * half.
  by rfield R; exact: lt0r_neq0.
rewrite -subr_ge0 E.
apply: mulr_ge0; last exact: ltW half_pos.
by apply: divr_ge0; [exact: sqr_ge0 | exact: ltW].
Qed.

End Numbers.

Section Tail.

Variables (R : realFieldType) (e : R -> R) (eps : R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps).
Notation half := (2%:R^-1 : R).
Notation tail := (laplace_tail e eps^-1).

Lemma exp_pos x : 0 < e x. Proof. by case: ex. Qed.
Lemma exp_rises x y : x <= y -> e x <= e y. Proof. by case: ex => _ h _; exact: h. Qed.
Lemma expD x y : e (x + y) = e x * e y. Proof. by case: ex. Qed.
Lemma exp0 : e 0 = 1.
Proof.
by apply: (mulfI (lt0r_neq0 (exp_pos 0))); rewrite -expD addr0 mulr1.
Qed.
Lemma expN x : e (- x) = (e x)^-1.
Proof.
have n0 := lt0r_neq0 (exp_pos x).
by apply: (mulfI n0); rewrite -expD subrr exp0 divff.
Qed.
Lemma exp_ge1 x : 0 <= x -> 1 <= e x. Proof. by move/exp_rises; rewrite exp0. Qed.
Lemma exp_le1 x : x <= 0 -> e x <= 1. Proof. by move/exp_rises; rewrite exp0. Qed.

Lemma tailE x : tail x = if x < 0 then 1 - e (eps * x) * half else e (- (eps * x)) * half.
Proof. by rewrite /laplace_tail invrK [x * _]mulrC. Qed.

(** The noise is symmetric. *)
Lemma tail_mirrored x : 1 - tail x = tail (- x).
Proof.
rewrite !tailE oppr_lt0 mulrN opprK; case: ltgtP => [x0|x0|->].
- by rewrite opprB addrC subrK.
- by [].
by rewrite mulr0 oppr0 exp0 mul1r; apply/eqP; rewrite subr_eq (half_split R).
Qed.

Lemma below_half x : x <= 0 -> e x * half <= half.
Proof. by move=> x0; rewrite ler_pimull ?exp_le1 // ltW ?half_pos. Qed.

Lemma tail_ge0 x : 0 <= tail x.
Proof.
rewrite tailE; case: ltP => [x0|_]; last by rewrite mulr_ge0 ?ltW ?exp_pos ?half_pos.
rewrite subr_ge0 (le_trans (below_half _)) ?half_le1 //.
by rewrite pmulr_rle0 // ltW.
Qed.

Lemma tail_le1 x : tail x <= 1.
Proof. by rewrite -subr_ge0 tail_mirrored tail_ge0. Qed.

Lemma tail_falls x y : x <= y -> tail y <= tail x.
Proof.
move=> xy; have h := half_pos R; rewrite !tailE; case: (ltP y 0) => [y0|y0].
  rewrite (le_lt_trans xy y0) ler_add2l ler_opp2 ler_pmul2r //.
  by apply: exp_rises; rewrite ler_pmul2l.
have top : e (- (eps * y)) * half <= half.
  by apply: below_half; rewrite oppr_le0 mulr_ge0 // ltW.
case: (ltP x 0) => [x0|x0].
  apply: le_trans top _; rewrite ler_subr_addl -[X in _ <= X](half_split R) ler_add2r.
  by apply: below_half; rewrite pmulr_rle0 // ltW.
by rewrite ler_pmul2r //; apply: exp_rises; rewrite ler_opp2 ler_pmul2l.
Qed.

(** A level lower by s raises the tail by the factor e^(eps s) at most. *)
Lemma tail_shift x s : 0 <= s -> tail (x - s) <= e (eps * s) * tail x.
Proof.
move=> s0; have a1 : 1 <= e (eps * s) by apply: exp_ge1; rewrite mulr_ge0 // ltW.
have a0 := exp_pos (eps * s); rewrite !tailE.
have split : e (eps * (x - s)) = e (eps * x) / e (eps * s) by rewrite mulrBr expD expN.
case: (ltP x 0) => [x0|x0].
  have -> : x - s < 0 by rewrite (le_lt_trans _ x0) // ler_subl_addr ler_addl.
  rewrite split; apply: low_shift => //; rewrite exp_pos exp_le1 //.
  by rewrite pmulr_rle0 // ltW.
rewrite mulrA; case: (ltP (x - s) 0) => [_|_].
  have := @middle_shift R (e (eps * s) / e (eps * x)).
  by rewrite split invf_div expN; apply; rewrite divr_gt0 ?exp_pos.
by rewrite expN split invf_div expN.
Qed.

Lemma tail_near x y : `|x - y| <= 1 -> tail x <= e eps * tail y.
Proof.
rewrite ler_norml => /andP [l u]; case: (leP x y) => [xy|yx].
  have s0 : 0 <= y - x by rewrite subr_ge0.
  have := tail_shift y s0; rewrite opprB addrCA subrr addr0 => /le_trans; apply.
  rewrite ler_wpmul2r ?tail_ge0 //; apply: exp_rises.
  by rewrite ger_pmulr // -[1]opprK ler_oppr opprB.
apply: le_trans (tail_falls (ltW yx)) _.
by rewrite ler_pemull ?tail_ge0 // exp_ge1 // ltW.
Qed.

End Tail.
