(* capacity.def.extension: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 3, read for other f *)
(*     (reading) *)
(* Statement: D^{\mathcal H}_\alpha \text{ does not depend on } f(t),\ t < 0 *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_0_2 : R := 0.
Definition p_0_3 : R := 0.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 1.
Definition p_1_2 : R := 0.
Definition p_1_3 : R := 0.
Definition slope : R := 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  0 <= p_0_3 /\
  p_0_0 + p_0_1 + p_0_2 + p_0_3 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  0 <= p_1_2 /\
  0 <= p_1_3 /\
  p_1_0 + p_1_1 + p_1_2 + p_1_3 = 1 /\
  0 <= slope.
Proof. unfold p_0_0, p_0_1, p_0_2, p_0_3, p_1_0, p_1_1, p_1_2, p_1_3, slope. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition y_1 : R := (15 * p_1_1 + 1) / 19.
Definition t1 : R := y_1 + (2 / 19) + (3 / 19).
Definition h_0 : R := 1 + -slope * -t1.
Definition h_1 : R := 1 + -slope * (1 - t1).
Definition t2 : R := (15 * p_0_0 + 1) / 19 * h_0 + (1 / 19) * h_1 + (1 / 19) * (1 + -slope * (2 - t1)).
Definition top : R := t2 + (1 / 19) * (1 + -slope * (3 - t1)).
Definition part_0 : R := Rmax h_0 0.
Lemma part_0_is : part_0 = h_0.
Proof. unfold part_0; apply Rmax_left; unfold top, t2, h_1, h_0, t1, y_1, p_0_0, slope, p_1_1; order. Qed.
Definition part_1 : R := Rmax h_1 0.
Lemma part_1_is : part_1 = h_1.
Proof. unfold part_1; apply Rmax_left; repeat (unfold top, t2, h_1, h_0, t1, y_1, p_0_0, slope, p_1_1; rewrite ?part_0_is); order. Qed.
Definition value : R := top * top / ((1 / 19) * part_0 * part_0 + y_1 * part_1 * part_1).
Definition gap : R := (6 / 19) - t1.
Definition lhs : R := value.
Definition rhs : R := 1 + gap * gap / (y_1 + (4 / 19) + (9 / 19) - t1 * t1).

(* The branches taken *)
Theorem branches :
  top > 0.
Proof. repeat (unfold gap, value, top, t2, h_1, h_0, t1, y_1, p_0_0, slope, p_1_1; rewrite ?part_0_is, ?part_1_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, gap, value, top, t2, h_1, h_0, t1, y_1, p_0_0, slope, p_1_1; rewrite ?part_0_is, ?part_1_is). interval with (i_prec 160). Qed.
