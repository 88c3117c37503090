(* colisson.thm21.tradeoff: a counterexample *)
(* Stated in: Colisson (2016), Theorem 21 (printed) *)
(* Statement: D_\infty(P\|Q), D_\infty(Q\|P) \le \varepsilon,\ 0 < \delta \le \Delta(P, Q) *)
(*     \Rightarrow D_\infty^\delta(P\|Q) \le \tfrac12 \varepsilon^2 (1 + *)
(*     \tfrac\varepsilon{\sqrt{2\ln(1/\delta)}}) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq \frac{1}{2} \varepsilon^2 \left(1 + \frac{\varepsilon}{\sqrt{2 \ln(1/\delta)}} *)
(*     \right) \quad (3.8) *)
(* In short: With delta, eps becomes eps^2/2 (1 + eps/sqrt(2 ln(1/delta))) *)
(* But: False for every eps < 2: randomised response is near eps for small delta *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition near_0_0_0 : R := 65 / 129.
Definition near_0_0_1 : R := 64 / 129.
Definition near_0_1_0 : R := 64 / 129.
Definition near_0_1_1 : R := 65 / 129.
Definition near_1 : R := 65 / 64.
Definition part : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 <= part.
Proof. unfold near_0_0_0, near_0_0_1, near_0_1_0, near_0_1_1, near_1, part. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := (Rabs (near_0_0_0 - near_0_1_0) + Rabs (near_0_0_1 - near_0_1_1)) / 2 / (1 + part).
Definition t2 : R := Rmax 0 ((near_0_0_0 - t1) / near_0_1_0).
Lemma t2_is : t2 = (near_0_0_0 - t1) / near_0_1_0.
Proof. unfold t2; apply Rmax_right; unfold t1, near_0_0_0, near_0_1_0, near_0_0_1, near_0_1_1, part, near_1; order. Qed.
Definition t3 : R := Rmax t2 ((near_0_0_1 - t1) / near_0_1_1).
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_left; repeat (unfold t1, near_0_0_0, near_0_1_0, near_0_0_1, near_0_1_1, part, near_1; rewrite ?t2_is); order. Qed.
Definition t4 : R := Rmax t3 ((near_0_0_0 + near_0_0_1 - t1) / (near_0_1_0 + near_0_1_1)).
Lemma t4_is : t4 = t3.
Proof. unfold t4; apply Rmax_left; repeat (unfold t1, near_0_0_0, near_0_1_0, near_0_0_1, near_0_1_1, part, near_1; rewrite ?t2_is, ?t3_is); order. Qed.
Definition epsilon : R := ln near_1.
Definition lhs : R := ln t4.
Definition rhs : R := epsilon * epsilon / 2 * (1 + epsilon / sqrt (2 * ln (1 / t1))).

(* The branches taken *)
Theorem branches :
  ((Rabs (near_0_0_0 - near_0_1_0) + Rabs (near_0_0_1 - near_0_1_1)) / 2) > 0 /\
  (near_0_0_0 - t1) > 0 /\
  (near_0_0_1 - t1) > 0 /\
  (near_0_0_0 + near_0_0_1 - t1) > 0.
Proof. repeat (unfold epsilon, t1, near_0_0_0, near_0_1_0, near_0_0_1, near_0_1_1, part, near_1; rewrite ?t2_is, ?t3_is, ?t4_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, epsilon, t1, near_0_0_0, near_0_1_0, near_0_0_1, near_0_1_1, part, near_1; rewrite ?t2_is, ?t3_is, ?t4_is). interval with (i_prec 160). Qed.
