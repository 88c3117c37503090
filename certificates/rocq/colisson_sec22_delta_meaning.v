(* colisson.sec22.delta-meaning: a counterexample *)
(* Stated in: Colisson (2016), Section 2.2, on Definition 4 (reading) *)
(* Statement: (\varepsilon, \delta)\text{-DP} \Rightarrow \Pr[L > \varepsilon] \le \delta *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: it just doesn’t occur more often than with a probability δ *)
(* In short: The loss exceeds epsilon with probability at most delta *)
(* But: The loss may exceed epsilon with any probability; delta bounds the excess mass *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 1 / 64.
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_1_0 : R := 1 / 2.
Definition p_1_1 : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  0 < more.
Proof. unfold more, p_0_0, p_0_1, p_1_0, p_1_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition ratio : R := 1 + more.
Definition t1 : R := Rmax (p_0_0 - ratio * p_1_0) 0.
Lemma t1_is : t1 = p_0_0 - ratio * p_1_0.
Proof. unfold t1; apply Rmax_left; unfold ratio, p_0_0, more, p_1_0, p_1_1; order. Qed.
Definition t2 : R := Rmax p_1_1 0.
Lemma t2_is : t2 = p_1_1.
Proof. unfold t2; apply Rmax_left; repeat (unfold ratio, p_0_0, more, p_1_0, p_1_1; rewrite ?t1_is); order. Qed.
Definition t3 : R := Rmax t1 t2.
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_right; repeat (unfold ratio, p_0_0, more, p_1_0, p_1_1; rewrite ?t1_is, ?t2_is); order. Qed.
Definition lhs : R := p_0_0.
Definition rhs : R := t3.

(* The branches taken *)
Theorem branches :
  p_0_0 > (ratio * p_1_0).
Proof. repeat (unfold ratio, p_0_0, more, p_1_0, p_1_1; rewrite ?t1_is, ?t2_is, ?t3_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, ratio, p_0_0, more, p_1_0, p_1_1; rewrite ?t1_is, ?t2_is, ?t3_is). interval with (i_prec 160). Qed.
