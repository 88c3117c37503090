(* krd.fig1.bias: a counterexample *)
(* Stated in: Domingo-Enrich and Mroueh (2022), Section 6, 'close to the real value' (reading) *)
(* Statement: \mathbb{E} D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) \le *)
(*     D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: the RKR estimates with different numbers of samples are close (and presumably close to *)
(*     the real value) *)
(* In short: On average the estimate is at most the true value *)
(* But: it is biased upward, most for p = q and small lambda *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition lam : R := 1 / 8.
Definition p_0_0 : R := 1 / 2.
Definition p_0_1 : R := 1 / 2.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  (1 / 2) <= alpha /\
  alpha <> 1 /\
  0 < lam.
Proof. unfold alpha, lam, p_0_0, p_0_1, p_1_0, p_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rpower 1 alpha.
Definition t2 : R := Rpower (1 + lam) (1 - alpha).
Definition t3 : R := Rpower (1 / 3) alpha.
Definition t4 : R := Rpower lam (1 - alpha).
Definition t5 : R := Rpower (2 / 3) alpha.
Definition t6 : R := 3 * p_0_0 * p_0_1 ^ 2 * p_1_1 ^ 3 * (ln (t3 * t4 + t5 * t2) / (alpha - 1)).
Definition t7 : R := 3 * p_0_0 ^ 2 * p_0_1 * p_1_1 ^ 3 * (ln (t5 * t4 + t3 * t2) / (alpha - 1)).
Definition t8 : R := p_0_1 ^ 3 * p_1_1 ^ 3 * (ln (t1 * t2) / (alpha - 1)) + t6 + t7.
Definition t9 : R := (Rpower p_0_0 alpha * t4 + Rpower p_0_1 alpha * Rpower (p_1_1 + lam) (1 - alpha)) / (p_0_0 + p_0_1).
Definition lhs : R := t8 + p_0_0 ^ 3 * p_1_1 ^ 3 * (ln (t1 * t4) / (alpha - 1)).
Definition rhs : R := ln t9 / (alpha - 1).

(* The branches taken *)
Theorem branches :
  alpha > 1.
Proof. unfold t9, t8, t7, t6, t5, t4, t3, t2, t1, p_0_1, p_1_1, alpha, lam, p_0_0. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t9, t8, t7, t6, t5, t4, t3, t2, t1, p_0_1, p_1_1, alpha, lam, p_0_0. interval with (i_prec 160). Qed.
