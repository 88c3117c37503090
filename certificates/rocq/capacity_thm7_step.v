(* capacity.thm7.step: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 7, proof (step) *)
(* Statement: 0 \le y \le 2 \Rightarrow \tfrac18 x^2 + y \ge \tfrac1{16} x^2 + y^2 *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \geq \frac{1}{16}(\text{IPM}^{\mathcal{H}}(P', Q))^2 + (\text{IPM}^{\mathcal{H}}(P, *)
(*     P'))^2 *)
(* In short: x^2/8 + y is at least x^2/16 + y^2 for y up to 2 *)
(* But: at x = 0, y = 2 it is 2 against 4; only y^2/2 follows from y <= 2 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition x : R := 0.
Definition y : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= x /\
  0 <= y /\
  y <= 1.
Proof. unfold x, y. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition y_2 : R := 2 * y.
Definition lhs : R := y_2 * y_2.
Definition rhs : R := y_2.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, y_2, y. interval with (i_prec 160). Qed.
