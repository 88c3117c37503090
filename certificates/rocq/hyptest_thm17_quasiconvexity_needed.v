(* hyptest.thm17.quasiconvexity-needed: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 17, F not quasi-convex *)
(*     (condition) *)
(* Statement: \Delta^F(\gamma(\mu_1)\|\gamma(\mu_2)) \le \Delta^F(\mu_1\|\mu_2) *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 0.
Definition p_0_2 : R := 1.
Definition test_0_0 : R := 0.
Definition test_0_1 : R := 0.
Definition test_0_2 : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2, test_0_0, test_0_1, test_0_2. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition x : R := p_0_2 * test_0_2.
Definition lhs : R := x * (1 - x).
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, x, p_0_2, test_0_2. interval with (i_prec 160). Qed.
