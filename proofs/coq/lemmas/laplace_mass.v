(** The mass that Laplace noise gives to an interval, and to the same interval moved. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite mechanism release.
From Provado.lemmas Require Import algebra laplace_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Numbers.

Variable R : realFieldType.
Add Field R_field : (field_of R).
Implicit Types u w a h : R.

Lemma both_right u w a h : 0 < u -> 0 < w -> 0 < a ->
  u^-1 * h - w^-1 * h = a * ((u * a)^-1 * h - (w * a)^-1 * h).
Proof. by move=> *; rfield R; exact: lt0r_neq0. Qed.

Lemma both_left u w a h : 0 < a ->
  1 - u * h - (1 - w * h) = a^-1 * (1 - u * a * h - (1 - w * a * h)).
Proof. by move=> *; rfield R; exact: lt0r_neq0. Qed.

Lemma across u w a h : 0 < u -> 0 < w -> 0 < a ->
  a * ((u * a)^-1 * h - (w * a)^-1 * h) = (w - u) * h * (u * w)^-1.
Proof. by move=> *; rfield R; exact: lt0r_neq0. Qed.

Lemma at_left u w h : 1 - u * h - (1 - w * h) = (w - u) * h. Proof. by rring R. Qed.

End Numbers.

Section Mass.

Variables (R : realFieldType) (e : R -> R) (eps : R).
Hypotheses (ex : exponential e) (eps0 : 0 < eps).
Notation half := (2%:R^-1 : R).
Notation tail := (laplace_tail e eps^-1).
Notation mass x y := (tail x - tail y).
Notation E x := (e (eps * x)).

Lemma tail_right x : 0 <= x -> tail x = (E x)^-1 * half.
Proof. by move=> x0; rewrite tailE // ltNge x0 /= expN. Qed.

Lemma tail_left x : x <= 0 -> tail x = 1 - E x * half.
Proof.
rewrite le_eqVlt => /orP [/eqP ->|x0]; last by rewrite tailE x0.
rewrite tail_right // mulr0 exp0 // invr1 mul1r.
by apply/eqP; rewrite eq_sym subr_eq half_split.
Qed.

Lemma E_pos x : 0 < E x. Proof. exact: exp_pos. Qed.
Lemma E_rises x y : x <= y -> E x <= E y.
Proof. by move=> xy; apply: exp_rises; rewrite ?ler_pmul2l. Qed.
Lemma ED x y : E (x + y) = E x * E y. Proof. by rewrite mulrDr expD. Qed.
Lemma E_ge1 x : 0 <= x -> 1 <= E x.
Proof. by move=> x0; apply: exp_ge1; rewrite ?mulr_ge0 // ltW. Qed.

Lemma mass_ge0 x y : x <= y -> 0 <= mass x y.
Proof. by move=> xy; rewrite subr_ge0; exact: tail_falls. Qed.

Lemma split_at z x y s : mass x z <= E s * mass (x + s) (z + s) ->
  mass z y <= E s * mass (z + s) (y + s) -> mass x y <= E s * mass (x + s) (y + s).
Proof.
move=> one two; have cut a b c : mass a c = mass a b + mass b c by rewrite addrA subrK.
by rewrite (cut x z y) (cut (x + s) (z + s)) mulrDr ler_add.
Qed.

Lemma moved_right s x y : 0 <= s -> x <= y -> mass x y <= E s * mass (x + s) (y + s).
Proof.
move=> s0 xy; have a1 := E_ge1 s0.
have right_ u w : 0 <= u -> u <= w -> mass u w <= E s * mass (u + s) (w + s).
  move=> u0 uw; have w0 := le_trans u0 uw.
  by rewrite !tail_right ?addr_ge0 // !ED -(both_right half (E_pos u) (E_pos w) (E_pos s)).
have left_ u w : u <= w -> w + s <= 0 -> mass u w <= E s * mass (u + s) (w + s).
  move=> uw ws; have us : u + s <= 0 by apply: le_trans ws; rewrite ler_add2r.
  have nonpos t : t + s <= 0 -> t <= 0 by apply: le_trans; rewrite ler_addl.
  have: 0 <= mass (u + s) (w + s) by apply: mass_ge0; rewrite ler_add2r.
  rewrite (tail_left (nonpos _ us)) (tail_left (nonpos _ ws)) (tail_left us) (tail_left ws) !ED.
  rewrite (both_left (E u) (E w) half (E_pos s)) => /ler_wpmul2r; apply.
  by apply: (le_trans _ a1); rewrite invf_le1 ?E_pos.
have middle u w : 0 <= u + s -> u <= w -> w <= 0 -> mass u w <= E s * mass (u + s) (w + s).
  move=> us uw w0; have u0 := le_trans uw w0; have ws : 0 <= w + s.
    by apply: le_trans us _; rewrite ler_add2r.
  have le1 t : t <= 0 -> E t <= 1 by move=> t0; rewrite -(exp0 ex) -(mulr0 eps) E_rises.
  rewrite (tail_left u0) (tail_left w0) !tail_right // !ED across ?E_pos // at_left.
  have d0 : 0 <= (E w - E u) * half by rewrite mulr_ge0 ?subr_ge0 ?E_rises // ltW ?half_pos.
  rewrite ler_pemulr // invf_ge1 ?mulr_gt0 ?E_pos //.
  by rewrite -[1]mul1r ler_pmul ?le1 // ltW ?E_pos.
have low u w : u <= w -> w <= 0 -> mass u w <= E s * mass (u + s) (w + s).
  move=> uw w0; case: (leP (w + s) 0) => [ws|/ltW ws]; first exact: left_.
  case: (leP 0 (u + s)) => [us|/ltW us]; first exact: middle.
  have un : u <= - s by rewrite -subr_le0 opprK.
  have nw : - s <= w by rewrite -subr_ge0 opprK.
  by apply: (@split_at (- s)); [apply: left_|apply: middle]; rewrite ?addNr.
case: (leP y 0) => [y0|/ltW y0]; first exact: low.
case: (leP 0 x) => [x0|/ltW x0]; first exact: right_.
by apply: (@split_at 0); [exact: low | exact: right_].
Qed.

Lemma mass_mirrored x y : mass (- y) (- x) = mass x y.
Proof.
by rewrite -!tail_mirrored // opprB addrC addrA subrK.
Qed.

(** An interval that moves by s keeps its mass up to the factor e^(eps |s|). *)
Lemma mass_moved s x y : x <= y -> mass x y <= E `|s| * mass (x + s) (y + s).
Proof.
move=> xy; case: (leP 0 s) => [s0|s0]; first by rewrite ger0_norm //; exact: moved_right.
rewrite ltr0_norm // -(mass_mirrored x) -(mass_mirrored (x + s)) !opprD.
by apply: moved_right; rewrite ?oppr_ge0 ?ler_opp2 // ltW.
Qed.

End Mass.
