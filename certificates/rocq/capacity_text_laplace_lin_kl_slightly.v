(* capacity.text.laplace-lin-kl-slightly: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, 'slightly smaller', read as *)
(*     three quarters (reading) *)
(* Statement: \mathrm{KL}^{lin} \text{ is slightly smaller than } \mathrm{KL} \text{ (read: at *)
(*     least three quarters)} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition epsilon : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon.
Proof. unfold epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition s : R := sqrt (1 + epsilon * epsilon).
Definition lhs : R := (epsilon - 1 + exp (-epsilon)) * 3 / 4.
Definition rhs : R := s - 1 - ln ((s + 1) / 2).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, s, epsilon. interval with (i_prec 160). Qed.
