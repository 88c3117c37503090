(* hyptest.thm1.countable.omega: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, countably many rows and *)
(*     columns (condition) *)
(* Statement: \gamma : \omega \to \mathrm{Prob}(\omega) \Rightarrow \exists\, a_1 > 0,\ \gamma_1 *)
(*     : \omega \to \omega : a_1 \le \gamma(i)(\gamma_1(i))\ \forall i *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition n : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  1 <= n.
Proof. unfold n. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := 1 / n.
Definition rhs : R := 1 / (n + 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, n. interval with (i_prec 160). Qed.
