(* colisson.thm11.a17: a counterexample *)
(* Stated in: Colisson (2016), Theorem 11, (A.17) and (A.18) (step) *)
(* Statement: D_\alpha(P_n\|R_n) \le \tfrac1{\alpha-1} \ln n *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq \frac{1}{\alpha-1} \ln(n) \quad (\text{A.18}) *)
(* In short: D(P_n||R_n) is at most ln n / (alpha - 1) *)
(* But: The inequality sign is reversed: it is at least that *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition n : R := 2.

(* The hypotheses *)
Theorem hypotheses :
  1 <= n /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, n. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition masses_0 : R := 1 / Rpower n ((alpha - 1) / alpha).
Definition masses_2 : R := 1 / Rpower n (alpha / (alpha - 1)).
Definition t1 : R := Rpower (1 - masses_0) alpha * Rpower (1 - masses_2) (1 - alpha).
Definition t2 : R := ln ((Rpower masses_0 alpha * Rpower masses_2 (1 - alpha) + t1) / (masses_0 + (1 - masses_0))).
Definition lhs : R := t2 / (alpha - 1).
Definition rhs : R := ln n / (alpha - 1).

(* The branches taken *)
Theorem branches :
  alpha > 1.
Proof. unfold t2, t1, masses_2, masses_0, n, alpha. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t2, t1, masses_2, masses_0, n, alpha. interval with (i_prec 160). Qed.
