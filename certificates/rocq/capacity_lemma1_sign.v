(* capacity.lemma1.sign: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 1, end of the proof (step) *)
(* Statement: 1 - \log m + m^{-1} m = - \log m,\ m = \mathbb{E}_Q e^{a^T\phi} *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: + 1 - \log \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}] + (\mathbb{E}_{x \sim Q}[e^{a^\top *)
(*     \phi(x)}])^{-1} \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}] *)
(* In short: 1 - log m + m / m is - log m, m the mean of exp(a.phi) *)
(* But: the last plus should be a minus: as printed it is 2 - log m *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition h_0_0 : R := 0.
Definition h_0_1 : R := 0.
Definition q_0_0 : R := 1.
Definition q_0_1 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= q_0_0 /\
  0 <= q_0_1 /\
  q_0_0 + q_0_1 = 1.
Proof. unfold h_0_0, h_0_1, q_0_0, q_0_1. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition m : R := q_0_0 * exp h_0_0.
Definition lhs : R := 1 + m / m.
Definition rhs : R := -ln m.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, m, q_0_0, h_0_0. interval with (i_prec 160). Qed.
