(* colisson.lem19.ends: a counterexample *)
(* Stated in: Colisson (2016), Lemma 19, end of the proof (step) *)
(* Statement: f(s) = \Delta(P, P_s) : f(1) = 0,\ f(\infty) = \Delta(P, Q) *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: $f(1) = 0$. Indeed *)
(* In short: The distance of P and P_s increases from 0 to that of P and Q *)
(* But: It decreases from that of P and Q to 0; two errors cancel *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_1_0 : R := 1 / 2.
Definition p_1_1 : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1.
Proof. unfold p_0_0, p_0_1, p_1_0, p_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax 0 (p_0_0 / p_1_0).
Lemma t1_is : t1 = p_0_0 / p_1_0.
Proof. unfold t1; apply Rmax_right; unfold p_0_0, p_1_0, p_1_1, p_0_1; order. Qed.
Definition t2 : R := Rmax t1 (p_0_0 / (p_1_0 + p_1_1)).
Lemma t2_is : t2 = t1.
Proof. unfold t2; apply Rmax_left; repeat (unfold p_0_0, p_1_0, p_1_1, p_0_1; rewrite ?t1_is); order. Qed.
Definition ratio : R := Rmax t2 0.
Lemma ratio_is : ratio = t2.
Proof. unfold ratio; apply Rmax_left; repeat (unfold p_0_0, p_1_0, p_1_1, p_0_1; rewrite ?t1_is, ?t2_is); order. Qed.
Definition level : R := ratio - 1.
Definition room : R := (1 + level) * p_1_1.
Definition part : R := (1 - p_1_0) / p_1_1.
Definition first : R := (Rabs (p_0_0 - p_1_0) + Rabs (-(part * p_1_1))) / 2.
Definition lhs : R := first.
Definition rhs : R := 0.

(* The branches taken *)
Theorem branches :
  p_1_1 > 0 /\
  p_1_0 > 0 /\
  (p_1_0 + p_1_1) > 0 /\
  p_0_1 < p_1_1 /\
  p_0_1 < room /\
  room > 0 /\
  p_0_0 > 0.
Proof. repeat (unfold first, part, room, level, p_0_0, p_1_0, p_1_1, p_0_1; rewrite ?t1_is, ?t2_is, ?ratio_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. repeat (unfold lhs, rhs, first, part, room, level, p_0_0, p_1_0, p_1_1, p_0_1; rewrite ?t1_is, ?t2_is, ?ratio_is). interval with (i_prec 160). Qed.
