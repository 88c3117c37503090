(* colisson.thm22.a86: a counterexample *)
(* Stated in: Colisson (2016), Theorem 22, (A.85) and (A.86) (step) *)
(* Statement: A = \tfrac{1-e^{-\varepsilon}}{e^\varepsilon-e^{-\varepsilon}},\ B = *)
(*     \tfrac{e^{-\varepsilon}-1}{e^\varepsilon-e^{-\varepsilon}} : A + B = 1,\ e^\varepsilon A + *)
(*     e^{-\varepsilon} B = 1 *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: B = \frac{e^{-\varepsilon} - 1}{e^\varepsilon - e^{-\varepsilon}} *)
(* In short: A and B solve the two equations *)
(* But: The sign of B is wrong: with it A + B = 0, not 1 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < more.
Proof. unfold more. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition ratio : R := 1 + more.
Definition width : R := ratio - 1 / ratio.
Definition a : R := (1 - 1 / ratio) / width.
Definition b : R := (1 / ratio - 1) / width.
Definition lhs : R := a + b.
Definition rhs : R := 1.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, b, a, width, ratio, more. interval with (i_prec 160). Qed.
