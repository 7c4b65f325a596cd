(** The tactics [ring] and [field] for any ordered field of mathcomp.

    A section over [R : realFieldType] declares [Add Field name : (field_of R)]; after that
    [rring R] proves equations between polynomials over [R], with numerals [n%:R] and powers
    [x ^+ 3], and [rfield R] those with quotients; it leaves that denominators are not 0, unless
    they are numerals. The operations are those of mathcomp under names that [ring] knows. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Coq Require BinNums BinPos Pnat.
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

(** A numeral in binary, so that large ones stay short. *)
Fixpoint binary (R : realFieldType) (p : BinNums.positive) : R :=
  match p with
  | BinNums.xH => rone R
  | BinNums.xO q => rmul (radd (rone R) (rone R)) (binary R q)
  | BinNums.xI q => radd (rone R) (rmul (radd (rone R) (rone R)) (binary R q))
  end.
Lemma binaryE (R : realFieldType) (p : BinNums.positive) : (BinPos.Pos.to_nat p)%:R = binary R p.
Proof.
elim: p => [p IH|p IH|] /=.
- by rewrite Pnat.Pos2Nat.inj_xI multE mulrS natrM IH -raddE -rmulE -raddE -roneE.
- by rewrite Pnat.Pos2Nat.inj_xO multE natrM IH -rmulE -raddE -roneE.
- by rewrite -roneE.
Qed.

Ltac literal n := match n with O => idtac | S ?m => literal m end.
Ltac numerals R :=
  repeat match goal with
  | |- context [@GRing.natmul ?V ?x ?n] =>
    match n with S ?m => literal m end;
    let p := eval vm_compute in (BinPos.Pos.of_nat n) in
    change (@GRing.natmul V x n) with (@GRing.natmul (Num.RealField.zmodType R) 1
      (BinPos.Pos.to_nat p));
    rewrite (@binaryE R p); cbn [binary]
  end.
Ltac renamed R :=
  rewrite ?natrD ?natrM ?exprS ?expr0; numerals R;
  rewrite ?mulrS ?mulr0n ?raddE ?rmulE ?roppE ?rinvE;
  rewrite ?(rnatE R) ?(rzeroE R) ?(roneE R);
  match goal with |- @eq _ ?x ?y => change (@eq (Num.RealField.sort R) x y) end.
Ltac original R :=
  rewrite -?raddE -?rmulE -?roppE -?rinvE -?(rzeroE R) -?(roneE R) -?(rnatE R) -?[1 + 1]/(2%:R)
    -?mulrS.
Ltac rring R := renamed R; ring.
Ltac positive_numeral :=
  apply: lt0r_neq0; repeat first [exact: ltr01 | apply: addr_gt0 | apply: mulr_gt0].
Ltac rfield R := renamed R; field; repeat split; apply/eqP;
  first [done | solve [positive_numeral] | original R; rewrite ?pnatr_eq0 //].

(** m - 1 as a number. *)
Lemma pred_natr (R : ringType) (m : nat) : (0 < m)%N -> m.-1%:R = m%:R - 1 :> R.
Proof. by case: m => // n _; rewrite /= -[n.+1]addn1 natrD addrK. Qed.
