(* capacity.cor2.gaussian: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 2, Table 1 (Gaussian) *)
(*     (printed) *)
(* Statement: \alpha > 2 \Rightarrow D^{lin}_{R,\alpha}(\mathcal{N}(0,\sigma^2), *)
(*     \mathcal{N}(1,\sigma^2)) \le \tfrac1{\alpha-1} \log(1 + \sqrt{2\pi}^{\alpha-1} / *)
(*     \sigma^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq \frac{1}{\alpha-1} \log \left(1 + \frac{\|v\|_\alpha^\alpha}{(0.5^d \times *)
(*     \sqrt{2/\pi})^{\alpha-1} \sigma^\alpha} \right) *)
(* In short: a bound for the Gaussian mechanism and linear adversaries, order > 2 *)
(* But: for large sigma the parameter is of order 1/sigma^2, the bound 1/sigma^alpha *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition epsilon : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  2 < alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition order : R := alpha / (alpha - 1).
Definition square : R := epsilon * epsilon.
Definition second : R := 1 + square.
Definition factor : R := Rpower (2 * sqrt (PI / 2)) (alpha - 1).
Definition lhs : R := order * ln second - order / 2 * ln second.
Definition rhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, second, square, order, alpha, epsilon. interval with (i_prec 160). Qed.
