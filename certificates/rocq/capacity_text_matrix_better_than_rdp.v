(* capacity.text.matrix-better-than-rdp: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, before Theorem 5 (printed) *)
(* Statement: \text{regardless of } A, \text{ the parameter } \tfrac1{\alpha-1} \log(1 + *)
(*     2^{s(\alpha-1)} \epsilon^\alpha) \text{ is better than any known R\'enyi-DP analysis} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: we are able to provide a capacity-bounded privacy parameter that is better than any *)
(*     known Renyi-DP analysis has shown *)
(* In short: for every A the parameter is better than any known Renyi-DP analysis *)
(* But: at A = I, s = 2, epsilon = 1 it is above log 4 at every order; Renyi is below 1 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition epsilon : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  2 < alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition factor : R := Rpower 4 (alpha - 1).
Definition left : R := exp ((alpha - 1) * epsilon).
Definition t1 : R := 2 * alpha - 1.
Definition middle : R := left * (1 - exp (-t1 * epsilon)) / t1.
Definition right : R := exp (-epsilon) * exp (-(alpha - 1) * epsilon).
Definition lhs : R := ln (1 + factor * Rpower epsilon alpha) / (alpha - 1).
Definition rhs : R := ln ((left + middle + right) / 2) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, right, middle, t1, left, factor, alpha, epsilon. interval with (i_prec 160). Qed.
