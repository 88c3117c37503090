(* capacity.text.postprocessing-all: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 4, 'equivalent to privacy for *)
(*     all adversaries' (reading) *)
(* Statement: \mathcal{H} \text{ invariant under all functions} \Rightarrow D^{\mathcal H} = D *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: otherwise, the definition would be equivalent to privacy for all adversaries! *)
(* In short: invariance under all functions would mean privacy for all adversaries *)
(* But: functions with values in [-1, 1] are invariant under every map, but see less than all *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 1.
Definition p_0_2 : R := 0.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 0.
Definition p_1_2 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  0 <= p_1_2 /\
  p_1_0 + p_1_1 + p_1_2 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2, p_1_0, p_1_1, p_1_2. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition x_1 : R := (15 * p_0_1 + 1) / 18.
Definition t1 : R := ln (x_1 / (1 / 18)).
Definition y_2 : R := (15 * p_1_2 + 1) / 18.
Definition t2 : R := ln ((1 / 18) / y_2).
Definition t3 : R := Rmax (1 + t1) (-1).
Lemma t3_is : t3 = 1 + t1.
Proof. unfold t3; apply Rmax_left; unfold t2, y_2, t1, x_1, p_0_1, p_1_2; order. Qed.
Definition h_1 : R := Rmin t3 1.
Lemma h_1_is : h_1 = 1.
Proof. unfold h_1; apply Rmin_right; repeat (unfold t2, y_2, t1, x_1, p_0_1, p_1_2; rewrite ?t3_is); order. Qed.
Definition t4 : R := Rmax (1 + t2) (-1).
Lemma t4_is : t4 = -1.
Proof. unfold t4; apply Rmax_right; repeat (unfold t2, y_2, t1, x_1, p_0_1, p_1_2; rewrite ?t3_is, ?h_1_is); order. Qed.
Definition h_2 : R := Rmin t4 1.
Lemma h_2_is : h_2 = t4.
Proof. unfold h_2; apply Rmin_left; repeat (unfold t2, y_2, t1, x_1, p_0_1, p_1_2; rewrite ?t3_is, ?h_1_is, ?t4_is); order. Qed.
Definition lhs : R := x_1 * t1 + (1 / 18) * t2.
Definition rhs : R := (1 / 18) + x_1 * h_1 + (1 / 18) * h_2 - ((1 / 18) + (1 / 18) * exp (h_1 - 1) + y_2 * exp (h_2 - 1)).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, t2, y_2, t1, x_1, p_0_1, p_1_2; rewrite ?t3_is, ?h_1_is, ?t4_is, ?h_2_is). interval with (i_prec 160). Qed.
