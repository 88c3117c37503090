(* capacity.thm4.last-step: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4, end of the proof (step) *)
(* Statement: \tfrac1{\alpha-1} \log(a \eta_1 \eta_2 + \eta_1 + \eta_2) + 1 = \tfrac1{\alpha-1} *)
(*     (\log(a \eta_1 + 1) + \log(a \eta_2 + 1)),\ a = \alpha^2 - \alpha *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: \frac{1}{\alpha-1} \log(a\eta_1\eta_2 + \eta_1 + \eta_2) + 1 &= \frac{1}{\alpha-1} *)
(*     (\log(a\eta_1 + 1) + \log(a\eta_2 + 1)) *)
(* In short: log(a n1 n2 + n1 + n2) / (alpha - 1) + 1 is the sum of the parameters *)
(* But: the 1 belongs inside the logarithm, and a in front of the bracket *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition one : R := 1 / 64.
Definition two : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < one /\
  0 < two /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, one, two. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition a : R := alpha * alpha - alpha.
Definition parts : R := ln (a * one + 1) + ln (a * two + 1).
Definition lhs : R := ln (a * one * two + one + two) / (alpha - 1) + 1.
Definition rhs : R := parts / (alpha - 1).

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, parts, a, alpha, one, two. interval with (i_prec 160). Qed.
