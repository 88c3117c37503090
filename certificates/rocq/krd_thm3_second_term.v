(* krd.thm3.second-term: a counterexample *)
(* Stated in: Domingo-Enrich and Mroueh (2022), Proof of Theorem 3, second term of (15) (step) *)
(* Statement: \alpha \ge 2,\ t \le \lambda/\alpha \Rightarrow (\lambda - t)^{1-\alpha} - *)
(*     \lambda^{1-\alpha} \le 4(\alpha-1) t *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq (\alpha - 1)(1 - \tilde{t})^{-\alpha}t \leq 4(\alpha - 1)t *)
(* In short: (lambda - t)^(1-alpha) - lambda^(1-alpha) <= 4 (alpha - 1) t *)
(* But: a factor lambda^-alpha is lost *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition lam : R := 1 / 64.
Definition part : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  2 <= alpha /\
  alpha <> 1 /\
  0 < lam /\
  0 <= part /\
  part <= 1.
Proof. unfold alpha, lam, part. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition t1 : R := lam * part / alpha.
Definition lhs : R := Rpower (lam - t1) (1 - alpha) - Rpower lam (1 - alpha).
Definition rhs : R := 4 * (alpha - 1) * t1.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, t1, lam, part, alpha. interval with (i_prec 160). Qed.
