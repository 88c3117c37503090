(* hyptest.thm16.intercept: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16, the equation for t (step) *)
(* Statement: 1 - \delta = -t \tfrac{dx}{dy}(t) + 1 - (e^\rho t)^{\frac{\alpha-1}\alpha} *)
(*     \Leftrightarrow 1 - \delta = \tfrac{\alpha-1}\alpha e^{\frac{\alpha-1}\alpha\rho} *)
(*     t^{-\frac1\alpha} t + 1 - (e^\rho t)^{\frac{\alpha-1}\alpha} t^{-\frac1\alpha} t *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: t^{-\frac{1}{\alpha}}t + 1 - *)
(*     (e^{\rho}t)^{\frac{\alpha-1}{\alpha}}t^{-\frac{1}{\alpha}}t$$ We then have *)
(* In short: (e^rho t)^((alpha-1)/alpha) has a further factor t^(1-1/alpha) *)
(* But: the factor is counted twice; the next display is correct *)

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
Definition height : R := exp (t1 * ln t).
Definition rise : R := -t * (-(alpha - 1) / alpha * height / t).
Definition lhs : R := rise + 1 - height.
Definition rhs : R := rise + 1 - height * Rpower t t1.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, rise, height, t1, t, alpha. interval with (i_prec 160). Qed.
