(* colisson.thm14.reverse: a counterexample *)
(* Stated in: Colisson (2016), Theorem 14 (printed) *)
(* Statement: (\xi, \rho)\text{-zCDP} \Rightarrow (+\infty, \rho)\text{-tCDP} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: An algorithm (ξ, ρ) - $zCDP$ is $(+\infty, \rho)$ - $tCDP$ *)
(* In short: A (xi, rho)-zCDP algorithm is (+infinity, rho)-tCDP *)
(* But: False for xi > 0: an eps-DP algorithm is (eps, 0)-zCDP, whatever its D_alpha > 0 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition more : R := 1 / 64.
Definition rho : R := 0.
Definition rows_0_0 : R := 0.
Definition rows_0_1 : R := 1.
Definition rows_1_0 : R := 1.
Definition rows_1_1 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= rows_0_0 /\
  0 <= rows_0_1 /\
  rows_0_0 + rows_0_1 = 1 /\
  0 <= rows_1_0 /\
  0 <= rows_1_1 /\
  rows_1_0 + rows_1_1 = 1 /\
  0 < more /\
  0 <= rho /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, more, rho, rows_0_0, rows_0_1, rows_1_0, rows_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := 1 + more.
Definition pair_0_0 : R := rows_1_0 / (1 + t1).
Definition pair_0_1 : R := t1 * rows_0_1 / (1 + t1).
Definition t2 : R := Rpower pair_0_0 alpha * Rpower (t1 * rows_1_0 / (1 + t1)) (1 - alpha).
Definition t3 : R := ln ((t2 + Rpower pair_0_1 alpha * Rpower (rows_0_1 / (1 + t1)) (1 - alpha)) / (pair_0_0 + pair_0_1)).
Definition lhs : R := t3 / (alpha - 1).
Definition rhs : R := 0.

(* The branches taken *)
Theorem branches :
  alpha > 1.
Proof. unfold t3, t2, pair_0_1, pair_0_0, t1, rows_1_0, more, alpha, rows_0_1. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t3, t2, pair_0_1, pair_0_0, t1, rows_1_0, more, alpha, rows_0_1. interval with (i_prec 160). Qed.
