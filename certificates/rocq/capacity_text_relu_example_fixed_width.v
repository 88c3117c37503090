(* capacity.text.relu-example.fixed-width: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 4, after Theorem 4, read for *)
(*     networks of one hidden unit (reading) *)
(* Statement: \text{mixtures of two networks } c + w\, \mathrm{relu}(a x + b) \text{ are such *)
(*     networks, and so monotone} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition h_0_0 : R := 8 / 9.
Definition h_0_1 : R := -1 / 9.
Definition h_0_2 : R := -4 / 9.
Definition h_1_0 : R := -1 / 9.
Definition h_1_1 : R := 8 / 9.
Definition h_1_2 : R := -4 / 9.
Definition part : R := 1 / 4.

(* The hypotheses *)
Theorem hypotheses :
  h_0_0 * h_0_0 + h_0_1 * h_0_1 + h_0_2 * h_0_2 = 1 /\
  h_1_0 * h_1_0 + h_1_1 * h_1_1 + h_1_2 * h_1_2 = 1 /\
  0 <= part /\
  part <= 1.
Proof. unfold h_0_0, h_0_1, h_0_2, h_1_0, h_1_1, h_1_2, part. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax (h_0_0 + h_0_1) 0.
Lemma t1_is : t1 = h_0_0 + h_0_1.
Proof. unfold t1; apply Rmax_left; unfold part, h_0_2, h_0_0, h_0_1, h_1_2, h_1_0, h_1_1; order. Qed.
Definition first : R := h_0_2 * t1 + h_0_1.
Definition t2 : R := Rmax (h_1_0 + h_1_1) 0.
Lemma t2_is : t2 = h_1_0 + h_1_1.
Proof. unfold t2; apply Rmax_left; repeat (unfold first, part, h_0_2, h_0_0, h_0_1, h_1_2, h_1_0, h_1_1; rewrite ?t1_is); order. Qed.
Definition second : R := h_1_2 * t2 + h_1_1.
Definition values_2 : R := part * first + (1 - part) * second.
Definition t3 : R := Rmax h_1_1 0.
Lemma t3_is : t3 = h_1_1.
Proof. unfold t3; apply Rmax_left; repeat (unfold values_2, second, first, part, h_0_2, h_0_0, h_0_1, h_1_2, h_1_0, h_1_1; rewrite ?t1_is, ?t2_is); order. Qed.
Definition values_1 : R := part * h_0_1 + (1 - part) * (h_1_2 * t3 + h_1_1).
Definition t4 : R := Rmax (h_1_0 * -1 + h_1_1) 0.
Lemma t4_is : t4 = h_1_0 * -1 + h_1_1.
Proof. unfold t4; apply Rmax_left; repeat (unfold values_1, values_2, second, first, part, h_0_2, h_0_0, h_0_1, h_1_2, h_1_0, h_1_1; rewrite ?t1_is, ?t2_is, ?t3_is); order. Qed.
Definition values_0 : R := part * h_0_1 + (1 - part) * (h_1_2 * t4 + h_1_1).
Definition lhs : R := 0.
Definition rhs : R := (values_2 - values_1) * (values_1 - values_0).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, values_0, values_1, values_2, second, first, part, h_0_2, h_0_0, h_0_1, h_1_2, h_1_0, h_1_1; rewrite ?t1_is, ?t2_is, ?t3_is, ?t4_is). interval with (i_prec 160). Qed.
