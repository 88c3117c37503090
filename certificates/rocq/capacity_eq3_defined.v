(* capacity.eq3.defined: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), (3) (reading) *)
(* Statement: 1 + (\alpha^2 - \alpha) D^{\mathcal H}_\alpha \ge 0 *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition c : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  1 <= alpha /\
  alpha <> 1 /\
  0 < c.
Proof. unfold alpha, c. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition order : R := alpha / (alpha - 1).
Definition lhs : R := 0.
Definition rhs : R := (alpha * alpha - alpha) * c - (alpha - 1) * Rpower ((alpha - 1) * c) order.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, order, alpha, c. interval with (i_prec 160). Qed.
