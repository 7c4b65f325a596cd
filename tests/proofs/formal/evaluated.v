(** Evaluation of definitions on rational numbers: sums over records are written out, then the
    rest is computed. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Provado.definitions Require Import dataset kendall spearman conditional hsic permutation.
From Provado.definitions Require Import counted.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma sum_next (R : zmodType) n (P : pred 'I_n.+1) (F : 'I_n.+1 -> R) :
  \sum_(i < n.+1 | P i) F i
  = (if P ord0 then F ord0 else 0) + \sum_(i < n | P (lift ord0 i)) F (lift ord0 i).
Proof. by rewrite big_mkcond big_ord_recl -big_mkcond. Qed.
Lemma sum_none (R : zmodType) (P : pred 'I_0) (F : 'I_0 -> R) : \sum_(i < 0 | P i) F i = 0.
Proof. by rewrite big_mkcond big_ord0. Qed.
Lemma count_next n (P : pred 'I_n.+1) (F : 'I_n.+1 -> nat) :
  (\sum_(i < n.+1 | P i) F i
  = (if P ord0 then F ord0 else 0) + \sum_(i < n | P (lift ord0 i)) F (lift ord0 i))%N.
Proof. by rewrite big_mkcond big_ord_recl -big_mkcond. Qed.
Lemma count_none (P : pred 'I_0) (F : 'I_0 -> nat) : (\sum_(i < 0 | P i) F i = 0)%N.
Proof. by rewrite big_mkcond big_ord0. Qed.

(** A list of all records' values, as [codom] has it. *)
Lemma codom_next (T : Type) n (F : 'I_n.+1 -> T) :
  codom F = F ord0 :: codom (fun i => F (lift ord0 i)).
Proof. by rewrite !codomE enum_ordS /= -map_comp. Qed.
Lemma codom_none (T : Type) (F : 'I_0 -> T) : codom F = [::].
Proof. by rewrite codomE enum_ord0. Qed.

Ltac definitions :=
  rewrite /kendall /concordant_pairs /discordant_pairs /kendall_a /pair_score
    /spearman /spearman_signed /squared_differences /rank /place
    /conditional_tau /stratum_tau /stratum_sum /stratum_size
    /p_low /p_high /p_value /share /rank_margin /largest /hsic_permuted
    /hsic /centered_trace /mxtrace.
Ltac evaluated :=
  definitions;
  do ?[rewrite ?(sum_next, sum_none, count_next, count_none, codom_next, codom_none) ?mxE
      | progress rewrite ?mxE];
  vm_compute; reflexivity.
