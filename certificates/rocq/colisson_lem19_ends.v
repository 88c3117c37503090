(* colisson.lem19.ends: a counterexample *)
(* Stated in: Colisson (2016), Lemma 19, end of the proof (step) *)
(* Statement: f(s) = \Delta(P, P_s) : f(1) = 0,\ f(\infty) = \Delta(P, Q) *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: $f(1) = 0$. Indeed *)
(* In short: The distance of P and P_s goes from 0 to that of P and Q *)
(* But: It goes the other way; two errors cancel *)

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

(* The two sides *)
Definition part : R := (1 - p_1_0) / p_1_1.
Definition first : R := (Rabs (p_0_0 - p_1_0) + Rabs (-(part * p_1_1))) / 2.
Definition lhs : R := first.
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, first, part, p_0_0, p_1_0, p_1_1. interval with (i_prec 160). Qed.
