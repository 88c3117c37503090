(* capacity.lemma3.conjugate: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 3, proof (step) *)
(* Statement: f^*(s) = C_\alpha |s| - \tfrac1{\alpha^2-\alpha} *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: = C_\alpha |s| - \frac{1}{\alpha^2 - \alpha} *)
(* In short: the conjugate of f is C |s| - 1/(alpha^2 - alpha) *)
(* But: it is C |s|^A + 1/(alpha^2 - alpha), A = alpha/(alpha - 1) *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition s : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= s /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, s. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition a : R := alpha * alpha - alpha.
Definition lhs : R := 1 / a.
Definition rhs : R := -(1 / a).

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, a, alpha. interval with (i_prec 160). Qed.
