(* hyptest.thm16.tangent-line: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16, the tangent of C (step) *)
(* Statement: x = \tfrac{dx}{dy}(t)(y-t) + (e^\rho(1-t))^{\frac{\alpha-1}\alpha} \text{ touches } *)
(*     x = 1 - (e^\rho y)^{\frac{\alpha-1}\alpha} \text{ at } y = t *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: x = \frac{dx}{dy}(t)(y-t) + (e^{\rho}(1-t))^{\frac{\alpha-1}{\alpha}} *)
(* In short: this line is the tangent of the curve C at y = t *)
(* But: it does not meet C at y = t; its constant is wrong *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition rho : R := 0.
Definition t : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  1 <= alpha /\
  alpha <> 1 /\
  0 <= rho /\
  0 < t /\
  t < 1.
Proof. unfold alpha, rho, t. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := (alpha - 1) / alpha.
Definition t2 : R := 1 - t.
Definition lhs : R := exp (t1 * ln t2).
Definition rhs : R := 1 - exp (t1 * ln t).

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, t2, t1, alpha, t. interval with (i_prec 160). Qed.
