(* capacity.thm6.generalization: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 6 (printed) *)
(* Statement: \{h_x\} \subseteq \mathcal{H},\ (\mathcal{H}, \mathrm{KL})\text{-bounded with } *)
(*     \epsilon \Rightarrow |\mathbb{E}\tfrac1n\textstyle\sum q_S(x_i) - \mathbb{E} q_S(x)| \le *)
(*     8\sqrt\epsilon *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \left| \mathbb{E}_{S \sim D, M} \left(\frac{1}{n} \sum_{i=1}^n q_S(x_i) \right) - *)
(*     \mathbb{E}_{x \sim D} [q_S(x)] \right| \leq 8\sqrt{\epsilon} *)
(* In short: the generalization gap is at most 8 sqrt(epsilon) *)
(* But: with H = {h_x} alone the gap can be near 1/e at epsilon = 0 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 0.
Definition points : R := 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= more /\
  more <= 1 /\
  2 <= points.
Proof. unfold more, points. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := (1 - 1 / points) * exp (-1).
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, points. interval with (i_prec 160). Qed.
