(* capacity.appA.better-than-composition: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A, 'slightly better than *)
(*     composing' (printed) *)
(* Statement: \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} \sqrt{\pi/2}^{\alpha-1} *)
(*     (\|v\|_\alpha/\sigma)^\alpha) \le \textstyle\sum_i \text{the same for } v_i *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: slightly better than composing the Gaussian mechanism d times *)
(* In short: the Gaussian bound in d dimensions is below the sum of d bounds *)
(* But: it is above the sum unless sigma is small *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 4.
Definition t : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < t /\
  2 < alpha /\
  alpha <> 1.
Proof. unfold alpha, t. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := sqrt (PI / 2).
Definition t2 : R := Rpower t alpha.
Definition direct : R := 1 + 2 * Rpower (4 * t1) (alpha - 1) * t2.
Definition factor : R := Rpower (2 * t1) (alpha - 1).
Definition lhs : R := ln direct / (alpha - 1).
Definition rhs : R := 2 * (ln (1 + factor * t2) / (alpha - 1)).

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, factor, direct, t2, t1, alpha, t. interval with (i_prec 160). Qed.
