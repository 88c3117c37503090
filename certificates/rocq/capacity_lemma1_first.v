(* capacity.lemma1.first: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 1, first display (printed) *)
(* Statement: \mathrm{KL}^{lin}(P,Q) = \sup_a a^T \mathbb{E}_P\phi - \mathbb{E}_Q e^{a^T\phi} *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: \mathbb{KL}^{\mathcal{H}}(P, Q) &= \sup_{a \in \mathbf{R}^M} a^\top \mathbb{E}_{x \sim *)
(*     P}[\phi(x)] - \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}] *)
(* In short: the linear KL is the best of a.E_P phi - E_Q exp(a.phi) *)
(* But: for P = Q this is -1, and the divergence 0: the exponent lacks b - 1 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_0_2 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := 0.
Definition rhs : R := -p_0_0.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, p_0_0. interval with (i_prec 160). Qed.
