(* capacity.lemma5.real: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 5, proof (step) *)
(* Statement: f(a) = a - X a^{\alpha/(\alpha-1)}: \tfrac12 (f(a) + f(b)) \le f(\tfrac{a+b}2) *)
(*     \text{ for real } a, b *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: $f(a)$ is concave down over all real numbers *)
(* In short: a - X a^A is concave over all real numbers *)
(* But: at alpha = 3/2 it is a - X a^3, convex for a < 0 and unbounded *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition a : R := 0.
Definition b : R := -1 / 8.
Definition x : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 < x.
Proof. unfold a, b, x. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition after : R := b - x * b * b * b.
Definition between : R := b / 2 - x * (b / 2) * (b / 2) * (b / 2).
Definition lhs : R := after / 2.
Definition rhs : R := between.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, between, after, b, x. interval with (i_prec 160). Qed.
