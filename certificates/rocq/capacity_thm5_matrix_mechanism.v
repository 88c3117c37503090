(* capacity.thm5.matrix-mechanism: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 5 (printed) *)
(* Statement: M_A(W,x,\epsilon) \text{ has } D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 + *)
(*     2^{s(\alpha-1)} \epsilon^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: (lin, Renyi) capacity bounded privacy with parameter at most $\frac{1}{\alpha-1} \log(1 *)
(*     + 2^{s(\alpha-1)} \epsilon^\alpha)$ *)
(* In short: the matrix mechanism has parameter log(1 + 2^(s(a-1)) eps^a) / (a-1) *)
(* But: for alpha > 2 and small epsilon the parameter is above it, as in Corollary 2 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition epsilon : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition order : R := alpha / (alpha - 1).
Definition square : R := epsilon * epsilon / 2.
Definition second : R := 1 + square.
Definition value : R := order * ln second - order / 2 * ln second.
Definition factor : R := Rpower 4 (alpha - 1).
Definition lhs : R := value.
Definition rhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, value, second, square, order, alpha, epsilon. interval with (i_prec 160). Qed.
