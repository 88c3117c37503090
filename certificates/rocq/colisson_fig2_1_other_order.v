(* colisson.fig2.1.other-order: a counterexample *)
(* Stated in: Colisson (2016), Section 2.5.1, on Figure 2.1, the other order (reading) *)
(* Statement: D_\alpha(\mathcal N(4, 4^2)\|\mathcal N(5, 5^2)) \text{ is not bounded in } \alpha *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: Divergence of two Gaussian functions such that $\mu_P = 4, \sigma_P = 4$ and $\mu_Q = *)
(*     5, \sigma_Q = 5$ *)
(* In short: D(P||Q) of the two Gaussians of Figure 2.1 is unbounded *)
(* But: D(P||Q) is at most ln(5/4) + 1/18; only D(Q||P) is unbounded *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition bound : R := 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < bound.
Proof. unfold bound. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := bound.
Definition rhs : R := ln (5 / 4) + (1 / 18).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, bound. interval with (i_prec 160). Qed.
