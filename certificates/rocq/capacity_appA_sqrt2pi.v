(* capacity.appA.sqrt2pi: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A, read for every order above *)
(*     2 (reading) *)
(* Statement: \tfrac{\sqrt{2\pi}}\sigma < e^{\alpha/(2\sigma^2)} \text{ for all } \sigma *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: $\frac{\sqrt{2\pi}}{\sigma} < e^{\alpha/(2\sigma^2)}$ for all σ *)
(* In short: sqrt(2 pi) / sigma is below e^(alpha / (2 sigma^2)) for all sigma *)
(* But: false at sigma^2 = alpha for orders up to 2 pi / e = 2.31 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 17 / 8.
Definition ratio : R := 3 / 4.

(* The hypotheses *)
Theorem hypotheses :
  0 < ratio /\
  2 < alpha /\
  alpha <> 1.
Proof. unfold alpha, ratio. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := sqrt (2 * PI) * ratio.
Definition rhs : R := exp (alpha * ratio * ratio / 2).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, ratio, alpha. interval with (i_prec 160). Qed.
