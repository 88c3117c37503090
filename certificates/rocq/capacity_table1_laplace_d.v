(* capacity.table1.laplace-d: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Table 1, Laplace in d dimensions *)
(*     (printed) *)
(* Statement: D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} \epsilon^\alpha *)
(*     \|v\|_\alpha^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: $\leq \frac{1}{\alpha-1} \log(1 + 2^{d(\alpha-1)}(\epsilon\ v\ _\alpha)^\alpha)$ *)
(* In short: an upper bound for the Laplace mechanism in d dimensions *)
(* But: for alpha > 2 and small epsilon the parameter is above it *)

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
Definition square : R := epsilon * epsilon / 2.
Definition second : R := 1 + square.
Definition factor : R := Rpower 4 (alpha - 1).
Definition lhs : R := order * ln second - order / 2 * ln second.
Definition rhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, second, square, order, alpha, epsilon. interval with (i_prec 160). Qed.
