(* capacity.thm13.step: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13, second inequality of the *)
(*     proof (step) *)
(* Statement: \mathbb{E}|a^T x + b|^A \ge 2^{-d} \textstyle\sum |a_i|^A K + b^A *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \left[\sum_{i=1}^d (a_i x_i)^A \right] + b^A *)
(* In short: E |a.x + b|^A is at least the sum of |a_i|^A K / 2^d, plus b^A *)
(* But: the discarded orthants contain a part of b^A *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition a : R := 1 / 16.
Definition alpha : R := 4.

(* The hypotheses *)
Theorem hypotheses :
  0 <= a /\
  a <= 1 /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold a, alpha. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition order : R := alpha / (alpha - 1).
Definition exact : R := (Rpower (1 + a) order + Rpower (1 - a) order) / 2.
Definition lhs : R := Rpower a order / 2 + 1.
Definition rhs : R := exact.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, exact, order, a, alpha. interval with (i_prec 160). Qed.
