(* colisson.thm21.a73: a counterexample *)
(* Stated in: Colisson (2016), Theorem 21, (A.73) (step) *)
(* Statement: \tfrac12 \varepsilon^2 \alpha_m - \tfrac{\ln\delta}{\alpha_m-1} = \tfrac12 *)
(*     \varepsilon^2 (1 + \tfrac\varepsilon{\sqrt{2\ln(1/\delta)}}) *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: This is greater than 1, so the minimum is *)
(* In short: The value at the best order is eps^2/2 times that order *)
(* But: The term ln(1/delta) / (alpha - 1) is dropped *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition epsilon : R := 1 / 64.
Definition odds : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  0 < odds.
Proof. unfold epsilon, odds. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := ln (1 + 1 / odds).
Definition printed : R := 1 + epsilon / sqrt (2 * t1).
Definition lhs : R := printed * epsilon * epsilon / 2 + t1 / (printed - 1).
Definition rhs : R := epsilon * epsilon / 2 * printed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, printed, t1, epsilon, odds. interval with (i_prec 160). Qed.
