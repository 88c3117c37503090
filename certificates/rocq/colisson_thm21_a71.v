(* colisson.thm21.a71: a counterexample *)
(* Stated in: Colisson (2016), Theorem 21, (A.70) to (A.72) (step) *)
(* Statement: \tfrac12 \varepsilon^2 \alpha - \tfrac{\ln\delta}{\alpha-1} \text{ is least at } *)
(*     (\alpha_m - 1)^2 = -\tfrac{\varepsilon^2}{2\ln\delta} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: (\alpha_m - 1)^2 = -\frac{\varepsilon^2}{2 \ln(\delta)} *)
(* In short: The best order is 1 + eps / sqrt(2 ln(1/delta)) *)
(* But: The fraction is inverted: the order is 1 + sqrt(2 ln(1/delta)) / eps *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition epsilon : R := 1 / 64.
Definition odds : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  0 < odds /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon, odds. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := ln (1 + 1 / odds).
Definition printed : R := 1 + epsilon / sqrt (2 * t1).
Definition lhs : R := printed * epsilon * epsilon / 2 + t1 / (printed - 1).
Definition rhs : R := alpha * epsilon * epsilon / 2 + t1 / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, printed, t1, epsilon, odds, alpha. interval with (i_prec 160). Qed.
