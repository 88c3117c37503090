(* capacity.cor2.laplace: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 2, Table 1 (Laplace) *)
(*     (printed) *)
(* Statement: \alpha > 2 \Rightarrow D^{lin}_{R,\alpha}(\mathrm{Lap}(0,\tfrac1\epsilon), *)
(*     \mathrm{Lap}(1,\tfrac1\epsilon)) \le \tfrac1{\alpha-1} \log(1 + 2^{\alpha-1} *)
(*     \epsilon^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq \frac{1}{\alpha-1} \log \left(1 + \frac{\|v\|_\alpha^\alpha *)
(*     \epsilon^\alpha}{(0.5^d)^{\alpha-1}} \right) *)
(* In short: a bound for the Laplace mechanism and linear adversaries, order > 2 *)
(* But: for small epsilon the parameter is of order epsilon^2, the bound epsilon^alpha *)

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
Definition factor : R := Rpower 2 (alpha - 1).
Definition lhs : R := order * ln second - order / 2 * ln second.
Definition rhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, second, square, order, alpha, epsilon. interval with (i_prec 160). Qed.
