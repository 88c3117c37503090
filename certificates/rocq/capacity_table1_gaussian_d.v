(* capacity.table1.gaussian-d: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Table 1, Gaussian in d dimensions *)
(*     (printed) *)
(* Statement: D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} *)
(*     \sqrt{\pi/2}^{\alpha-1} \|v\|_\alpha^\alpha / \sigma^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: $\leq \frac{1}{\alpha-1} \log\left(1 + \frac{2^{d(\alpha-1)}\sqrt{\pi/2}^{\alpha-1}\ v\ *)
(*     _\alpha^\alpha}{\sigma^\alpha}\right)$ *)
(* In short: an upper bound for the Gaussian mechanism in d dimensions *)
(* But: for alpha > 2 and large sigma the parameter is above it *)

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
Definition factor : R := Rpower (4 * sqrt (PI / 2)) (alpha - 1).
Definition lhs : R := order * ln second - order / 2 * ln second.
Definition rhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, second, square, order, alpha, epsilon. interval with (i_prec 160). Qed.
