(* colisson.lem19.a35: a counterexample *)
(* Stated in: Colisson (2016), Lemma 19, (A.35) to (A.37) (step) *)
(* Statement: P' = s_m Q \text{ on } S,\ P_1 \le P' \le P_2 \Rightarrow \Delta(P, P') = \int_S P *)
(*     - P' *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: find values between P_1 and P_2 to ensure that P' is well normed *)
(* In short: P' may have any value between 0 and sQ outside S *)
(* But: Values below P add to the distance; it must be between P and sQ there *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition level : R := 2.
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
  p_1_0 + p_1_1 = 1 /\
  0 <= level.
Proof. unfold level, p_0_0, p_0_1, p_1_0, p_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition high_0 : R := (1 + level) * p_1_0.
Definition high_1 : R := (1 + level) * p_1_1.
Definition room : R := high_0 + high_1.
Definition part : R := 1 / room.
Definition lhs : R := (Rabs (p_0_0 - part * high_0) + Rabs (-(part * high_1))) / 2.
Definition rhs : R := 0.

(* The branches taken *)
Theorem branches :
  p_0_0 < high_0 /\
  p_0_1 < high_1 /\
  room > 0.
Proof. unfold part, room, high_1, high_0, p_0_0, level, p_1_0, p_1_1, p_0_1. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, part, room, high_1, high_0, p_0_0, level, p_1_0, p_1_1, p_0_1. interval with (i_prec 160). Qed.
