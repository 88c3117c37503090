(* capacity.thm11.negative: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 11 for negative v_i *)
(*     (condition) *)
(* Statement: D_{R,\alpha} = \tfrac1{\alpha-1} \log F(v \epsilon) \text{ for any real } v *)
(* Claimed: lhs = rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition v : R := -1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, v. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition weight : R := 1 / (4 * alpha - 2).
Definition t1 : R := ln (((1 / 2) + weight) * exp ((alpha - 1) * v) + ((1 / 2) - weight) * exp (-alpha * v)).
Definition epsilon : R := Rabs v.
Definition left : R := exp ((alpha - 1) * epsilon).
Definition t2 : R := 2 * alpha - 1.
Definition middle : R := left * (1 - exp (-t2 * epsilon)) / t2.
Definition right : R := exp (-epsilon) * exp (-(alpha - 1) * epsilon).
Definition lhs : R := t1 / (alpha - 1).
Definition rhs : R := ln ((left + middle + right) / 2) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, right, middle, t2, left, epsilon, t1, weight, alpha, v. interval with (i_prec 160). Qed.
