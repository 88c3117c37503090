(* capacity.cor1.laplace-renyi-lower: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 1 (printed) *)
(* Statement: \alpha \ge 1 \Rightarrow D_{R,\alpha}(P,Q) \ge \epsilon \|v\|_1 *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: If $\alpha \geq 1$, then $\mathcal{D}_{R,\alpha}(P, Q) \geq \epsilon \|v\|_1$ *)
(* In short: the Renyi divergence of Laplace distributions is at least epsilon |v|_1 *)
(* But: it is below epsilon |v|_1 at every finite order: a factor 1/2 is lost *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition epsilon : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition left : R := exp ((alpha - 1) * epsilon).
Definition t1 : R := 2 * alpha - 1.
Definition middle : R := left * (1 - exp (-t1 * epsilon)) / t1.
Definition right : R := exp (-epsilon) * exp (-(alpha - 1) * epsilon).
Definition lhs : R := epsilon.
Definition rhs : R := ln ((left + middle + right) / 2) / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, right, middle, t1, left, epsilon, alpha. interval with (i_prec 160). Qed.
