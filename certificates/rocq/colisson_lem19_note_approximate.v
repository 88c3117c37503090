(* colisson.lem19.note.approximate: a counterexample *)
(* Stated in: Colisson (2016), Lemma 19, note, by (2.14) (reading) *)
(* Statement: \delta > \Delta(P, Q) \Rightarrow D_\infty^\delta(P\|Q) = 0 \text{ by (2.14)} *)
(* Claimed: lhs = rhs, of the two sides below *)
(* In short: For delta above the distance, the approximate divergence is 0 *)
(* But: By Definition 11 it is negative; 0 is the value of Definition 12 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition delta : R := 0.
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 1.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  0 <= delta /\
  delta <= 1.
Proof. unfold delta, p_0_0, p_0_1, p_1_0, p_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := (p_0_1 - (1 / 3)) / p_1_1.
Definition t2 : R := Rmax 0 t1.
Lemma t2_is : t2 = t1.
Proof. unfold t2; apply Rmax_right; unfold t1, p_0_1, p_1_1; order. Qed.
Definition t3 : R := Rmax t2 t1.
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_left; repeat (unfold t1, p_0_1, p_1_1; rewrite ?t2_is); order. Qed.
Definition lhs : R := ln t3.
Definition rhs : R := 0.

(* The branches taken *)
Theorem branches :
  p_0_1 > 0 /\
  p_1_1 > 0 /\
  (p_0_1 - (1 / 3)) > 0.
Proof. repeat (unfold t1, p_0_1, p_1_1; rewrite ?t2_is, ?t3_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. repeat (unfold lhs, rhs, t1, p_0_1, p_1_1; rewrite ?t2_is, ?t3_is). interval with (i_prec 160). Qed.
