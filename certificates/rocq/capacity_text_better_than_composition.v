(* capacity.text.better-than-composition: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, 'better than composing d *)
(*     times' (printed) *)
(* Statement: \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} \epsilon^\alpha \|v\|_\alpha^\alpha) \le *)
(*     \textstyle\sum_i \tfrac1{\alpha-1} \log(1 + 2^{\alpha-1} (\epsilon v_i)^\alpha) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: slightly better than using composition d times on the unidimensional Laplace mechanism *)
(* In short: the bound in d dimensions is below the sum of d bounds in one *)
(* But: it is above the sum unless epsilon is large *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition t : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < t /\
  2 < alpha /\
  alpha <> 1.
Proof. unfold alpha, t. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := Rpower t alpha.
Definition direct : R := 1 + 2 * Rpower 4 (alpha - 1) * t1.
Definition factor : R := Rpower 2 (alpha - 1).
Definition lhs : R := ln direct / (alpha - 1).
Definition rhs : R := 2 * (ln (1 + factor * t1) / (alpha - 1)).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, direct, t1, alpha, t. interval with (i_prec 160). Qed.
