(* hyptest.thm18.cells: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 18, the cells (step) *)
(* Statement: \textstyle\bigcup_{j=0}^{2^n-1} D^n_j = [0,1],\ D^n_0 = \{0\},\ D^n_{l+1} = (l/2^n, *)
(*     (l+1)/2^n] *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: j_1, \dots, j_k \in \{0, 1, \dots, 2^n - 1\}, C_{j_1 \dots j_k}^n \neq \emptyset *)
(* In short: the cells with index up to 2^n - 1 cover X *)
(* But: values above 1 - 1/2^n are in no such cell, so no test that is ever certain is covered *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition n : R := 1.
Definition value : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= value /\
  value <= 1 /\
  1 <= n.
Proof. unfold n, value. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := value.
Definition rhs : R := 1 - 1 / Rpower 2 n.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, value, n. interval with (i_prec 160). Qed.
