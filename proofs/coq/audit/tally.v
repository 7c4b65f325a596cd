(** Counts add up: the wealth follows from them, by whatever process and in whatever order. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import finite audit.
From Provado.lemmas Require Import finite_lemmas insert_lemmas.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem tally : forall (R : realFieldType) (t delta stake : R) (workers : seq (seq outcome)),
  product (wealth t delta stake) workers =
  wealth_of_counts t delta stake (sumn [seq rights h | h <- workers])
    (sumn [seq wrongs h | h <- workers]) (sumn [seq abstentions h | h <- workers]).
Proof.
move=> R t delta stake; elim=> [|h workers IH] /=.
  by rewrite /wealth_of_counts !expr0 !mulr1.
have join a b c a' b' c' : wealth_of_counts t delta stake (a + a') (b + b') (c + c') =
    wealth_of_counts t delta stake a b c * wealth_of_counts t delta stake a' b' c'.
  by rewrite /wealth_of_counts !exprD [X in X * _ = _]mulrACA [LHS]mulrACA.
rewrite IH join; congr (_ * _); elim: h => [|o h IHh] /=.
  by rewrite /wealth_of_counts !expr0 !mulr1.
rewrite /wealth /= -/(wealth _ _ _ _) IHh; case: o => /=; rewrite join; congr (_ * _);
  by rewrite /wealth_of_counts !expr0 expr1 ?mulr1 ?mul1r.
Qed.
