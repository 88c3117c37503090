(* capacity.text.thm10-covers-unrestricted: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 10 for the unrestricted KL, *)
(*     unequal variances (condition) *)
(* Statement: \mathrm{KL}(\mathcal{N}(\mu_1,\sigma_1^2), \mathcal{N}(\mu_2,\sigma_2^2)) = *)
(*     \tfrac{(\mu_1-\mu_2)^2}{2\sigma_2^2} *)
(* Claimed: lhs = rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition first : R := 1 / 64.
Definition second : R := 1 / 32.
Definition shift : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 < first /\
  0 < second.
Proof. unfold first, second, shift. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition logs : R := ln (second / first).
Definition square_q : R := first * first.
Definition lhs : R := logs - square_q / (2 * first * first) + square_q / (2 * second * second).
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, square_q, logs, second, first. interval with (i_prec 160). Qed.
