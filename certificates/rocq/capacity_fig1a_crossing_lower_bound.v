(* capacity.fig1a.crossing-lower-bound: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Figure 1a, read with the lower bound *)
(*     of Table 1 (reading) *)
(* Statement: \epsilon = 1: \text{the upper bound is below } \epsilon - \tfrac{\log 2}{\alpha-1} *)
(*     \text{ from } \alpha \approx 3.3 *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition one : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  1 <= one /\
  one <= 1.
Proof. unfold one. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition factor : R := Rpower 2 (12 / 5).
Definition lhs : R := ln (1 + factor * Rpower 1 (17 / 5)) / (12 / 5).
Definition rhs : R := 1 - ln 2 / (12 / 5).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor. interval with (i_prec 160). Qed.
