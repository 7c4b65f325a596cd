(** The tactics [ring] and [field] for any ordered field of mathcomp.

    A section over [R : realFieldType] declares [Add Field name : (field_of R)]; after that
    [rring R] proves equations between polynomials over [R], with numerals [n%:R] and powers
    [x ^+ 3], and [rfield R] those with quotients; it leaves that denominators are not 0, unless
    they are numerals. The operations are those of mathcomp under names that [ring] knows. *)

From mathcomp Require Import all_ssreflect all_algebra.
Require Export Ring Field.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Names.
Variable R : realFieldType.
Definition radd (x y : R) : R := x + y.
Definition rmul (x y : R) : R := x * y.
Definition ropp (x : R) : R := - x.
Definition rinv (x : R) : R := x^-1.
Definition rzero : R := 0.
Definition rone : R := 1.
Definition rnat (n : nat) : R := n%:R.
Definition rsub (x y : R) : R := radd x (ropp y).
Definition rdiv (x y : R) : R := rmul x (rinv y).
Lemma raddE x y : x + y = radd x y. Proof. by []. Qed.
Lemma rmulE x y : x * y = rmul x y. Proof. by []. Qed.
Lemma roppE x : - x = ropp x. Proof. by []. Qed.
Lemma rinvE x : x^-1 = rinv x. Proof. by []. Qed.
Lemma rzeroE : 0 = rzero. Proof. by []. Qed.
Lemma roneE : 1 = rone. Proof. by []. Qed.
Lemma rnatE n : n%:R = rnat n. Proof. by []. Qed.
End Names.

(** So that no tactic unfolds them. *)
Global Opaque radd rmul ropp rinv rzero rone rnat.

Lemma ring_of (R : realFieldType) :
  ring_theory (rzero R) (rone R) (@radd R) (@rmul R) (@rsub R) (@ropp R) (@eq R).
Proof.
split=> *; rewrite /rsub -?rzeroE -?roneE -?raddE -?rmulE -?roppE -?raddE -?rmulE
  ?add0r ?addrA ?mul1r ?mulrA ?mulrDl ?subrr //; by rewrite (addrC, mulrC).
Qed.

Lemma field_of (R : realFieldType) :
  field_theory (rzero R) (rone R) (@radd R) (@rmul R) (@rsub R) (@ropp R) (@rdiv R) (@rinv R)
    (@eq R).
Proof.
split=> //; first exact: ring_of.
  by rewrite -rzeroE -roneE; apply/eqP; exact: oner_neq0.
by move=> x; rewrite -rzeroE -roneE -rmulE -rinvE => /eqP x0; exact: mulVf.
Qed.

Ltac renamed R :=
  rewrite ?natrD ?natrM ?mulrS ?mulr0n ?exprS ?expr0 ?raddE ?rmulE ?roppE ?rinvE;
  rewrite ?(rnatE R) ?(rzeroE R) ?(roneE R);
  match goal with |- @eq _ ?x ?y => change (@eq (Num.RealField.sort R) x y) end.
Ltac original R :=
  rewrite -?raddE -?rmulE -?roppE -?rinvE -?(rzeroE R) -?(roneE R) -?(rnatE R) -?[1 + 1]/(2%:R) -?mulrS.
Ltac rring R := renamed R; ring.
Lemma numeral_neq0 (R : realFieldType) n : n.+1%:R != 0 :> R.
Proof. by rewrite pnatr_eq0. Qed.
Ltac numeral R :=
  first [exact: (numeral_neq0 R 1) | exact: (numeral_neq0 R 2) | exact: (numeral_neq0 R 3)].
Ltac rfield R := renamed R; field; repeat split; apply/eqP; try numeral R;
  original R; rewrite ?pnatr_eq0 //.
