(* colisson.thm20.literal: a counterexample *)
(* Stated in: Colisson (2016), Theorem 20, k and n as printed (reading) *)
(* Statement: \text{the composition of } n \text{ mechanisms is } (\tfrac{k\varepsilon^2}2 + *)
(*     \sqrt{2k\ln(1/\delta')}\,\varepsilon, n\delta + \delta')\text{-DP, for any } k \text{ and *)
(*     } n *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* In short: The bound of Theorem 20 holds with any k for n mechanisms *)
(* But: k must be n, the number of mechanisms *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition delta : R := 0.
Definition epsilon : R := 1 / 4.
Definition folds : R := 1.
Definition n : R := 4.
Definition odds : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  0 <= delta /\
  delta <= 1 /\
  1 <= folds /\
  0 < odds /\
  1 <= n.
Proof. unfold delta, epsilon, folds, n, odds. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition extra : R := odds / (1 + odds).
Definition total : R := sqrt (2 * folds * ln (1 / extra)) * epsilon + folds * epsilon * epsilon / 2.
Definition t1 : R := Rmax ((exp epsilon) ^ 4 - exp total) 0.
Lemma t1_is : t1 = (exp epsilon) ^ 4 - exp total.
Proof. unfold t1; apply Rmax_left; unfold total, extra, epsilon, folds, odds; order. Qed.
Definition lhs : R := 1 - (1 - t1 / (1 + exp epsilon) ^ 4).
Definition rhs : R := extra.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, total, extra, epsilon, folds, odds; rewrite ?t1_is). interval with (i_prec 160). Qed.
