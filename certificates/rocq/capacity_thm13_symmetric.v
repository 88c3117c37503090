(* capacity.thm13.symmetric: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13 (printed) *)
(* Statement: P = X,\ Q = X + v,\ Y \text{ symmetric},\ K = \mathbb{E}|Y|^{\frac\alpha{\alpha-1}} *)
(*     \Rightarrow D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 + *)
(*     \tfrac{\|v\|_\alpha^\alpha}{(0.5^d K)^{\alpha-1}}) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \mathcal{D}_{R,\alpha}^{lin}(P, Q) \leq \frac{1}{\alpha-1} \log \left(1 + *)
(*     \frac{\|v\|_\alpha^\alpha}{(0.5^d K)^{\alpha-1}} \right) *)
(* In short: for linear adversaries it is at most log(1 + |v|^a / (K/2^d)^(a-1)) / (a-1) *)
(* But: for alpha > 2 the true value decreases as |v|^2, slower than the bound does *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition v : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < v.
Proof. unfold v. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition square : R := v * v / 2.
Definition second : R := 1 + square.
Definition moment : R := 3 * sqrt PI / 4.
Definition lhs : R := (3 / 2) * ln second - (3 / 4) * ln second.
Definition rhs : R := ln (1 + 4 * v * v * v / (moment * moment)) / 2.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, moment, second, square, v. interval with (i_prec 160). Qed.
