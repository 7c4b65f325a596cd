(** Inner products that may vanish on vectors other than 0. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A symmetric bilinear form that is nowhere negative on the diagonal. *)
Record inner (R : realFieldType) (V : lmodType R) : Type := Inner {
  form :> V -> V -> R;
  form_sym : forall u v, form u v = form v u;
  form_add : forall u v w, form (u + v) w = form u w + form v w;
  form_scale : forall a u v, form (a *: u) v = a * form u v;
  form_pos : forall u, 0 <= form u u
}.
