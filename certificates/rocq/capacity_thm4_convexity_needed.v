(* capacity.thm4.convexity-needed: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4 without 'convex' (condition) *)
(* Statement: D_{R,\alpha}^{\mathcal{H}_1+\mathcal{H}_2} \le D_{R,\alpha}^{\mathcal{H}_1} + *)
(*     D_{R,\alpha}^{\mathcal{H}_2} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition b : R := 27 / 4.

(* The two sides *)
Definition t1 : R := (2 / 9) * (b + -4).
Definition t2 : R := (19 / 400) * (b + -4) * (b + -4) * (b + -4) * (b + -4).
Definition t3 : R := (361 / 400) * (b + -4 + -4) * (b + -4 + -4) * (b + -4 + -4) * (b + -4 + -4).
Definition t4 : R := 4 * ((4 / 9) * b + t1 + t1 + (1 / 9) * (b + -4 + -4)) - ((1 / 400) * b * b * b * b + t2 + t2 + t3).
Definition lhs : R := t4 / 3.
Definition rhs : R := 1.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t4, t3, t2, t1, b. interval with (i_prec 160). Qed.
