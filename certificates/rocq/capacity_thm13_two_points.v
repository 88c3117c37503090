(* capacity.thm13.two-points: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13, read for any two laws *)
(*     (reading) *)
(* Statement: \text{the same for } Y = \pm 1, \text{ where } P \text{ is not absolutely *)
(*     continuous} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition v : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 <= v /\
  v <= 1 /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, v. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition exact : R := (Rpower (1 + v) alpha + Rpower (1 - v) alpha) / 2.
Definition bound : R := 1 + Rpower 2 (alpha - 1) * Rpower v alpha.
Definition lhs : R := ln exact / (alpha - 1).
Definition rhs : R := ln bound / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, bound, exact, v, alpha. interval with (i_prec 160). Qed.
