(* colisson.a88.sinh.any: a counterexample *)
(* Stated in: Colisson (2016), Theorem 22, (A.88), any x and y (condition) *)
(* Statement: x \ne y \Rightarrow \tfrac{\sinh x - \sinh y}{\sinh(x - y)} \le e^{\frac12 xy} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* In short: The inequality (A.88) for any x and y *)
(* But: It fails whenever x y < 0 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition x : R := -1 / 8.
Definition y : R := 1.

(* The two sides *)
Definition width : R := x - y.
Definition lhs : R := ((exp x - exp (-x)) / 2 - (exp y - exp (-y)) / 2) / ((exp width - exp (-width)) / 2).
Definition rhs : R := exp (x * y / 2).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, width, x, y. interval with (i_prec 160). Qed.
