(* colisson.thm13.infinite: a counterexample *)
(* Stated in: Colisson (2016), Theorem 13, m = +infinity as in Theorem 14 (condition) *)
(* Statement: (+\infty, \mathfrak z)\text{-tCDP} \Rightarrow \varepsilon\text{-DP for some } *)
(*     \varepsilon < \infty *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: $(\mathfrak{M}, \mathfrak{X})$ - $tCDP$ is strictly equivalent to pure ε -differential *)
(*     privacy *)
(* In short: Every tCDP algorithm, m infinite or not, is eps-DP for some eps *)
(* But: False for infinite m: the Gaussian mechanism is not *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition epsilon : R := 1 / 4096.
Definition mu : R := 8.

(* The hypotheses *)
Theorem hypotheses :
  0 < mu /\
  0 < epsilon.
Proof. unfold epsilon, mu. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := (1 + 2 * (epsilon + 1) / (mu * mu)) * mu * mu / 2.
Definition rhs : R := epsilon.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, epsilon, mu. interval with (i_prec 160). Qed.
