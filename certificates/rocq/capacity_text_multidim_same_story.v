(* capacity.text.multidim-same-story: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, several dimensions *)
(*     (printed) *)
(* Statement: \text{the analysis of one dimension, with } \|v\|_1 \epsilon: 2^d t < e^t *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: repeat the analysis for the unidimensional case *)
(* In short: the comparison of growth in one dimension repeats in d dimensions *)
(* But: it needs 2^d t < e^t, which fails at t = 1 for every d >= 2 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition t : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 < t.
Proof. unfold t. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := 4 * t.
Definition rhs : R := exp t.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t. interval with (i_prec 160). Qed.
