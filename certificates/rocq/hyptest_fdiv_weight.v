(* hyptest.fdiv.weight: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), B.9, weight functions, 0 f(a/0) read *)
(*     as 0 (reading) *)
(* Statement: f \text{ convex},\ \lim_{t\to0+} t f(0/t) = 0 \Rightarrow *)
(*     \Delta^f(\gamma(\mu_1)\|\gamma(\mu_2)) \le \Delta^f(\mu_1\|\mu_2),\ \Delta^f = *)
(*     \textstyle\sum \mu_2(x) f(\tfrac{\mu_1(x)}{\mu_2(x)}) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: satisfying $\lim_{t\to 0+} tf(0/t) = 0$ (this function is called weight function) *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 0.
Definition p_0_2 : R := 1.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 1.
Definition p_1_2 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  0 <= p_1_2 /\
  p_1_0 + p_1_1 + p_1_2 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2, p_1_0, p_1_1, p_1_2. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := p_0_2 * p_0_2 / p_1_1.
Definition t2 : R := Rmax t1 0.
Lemma t2_is : t2 = t1.
Proof. unfold t2; apply Rmax_left; unfold t1, p_0_2, p_1_1; order. Qed.
Definition t3 : R := Rmax t2 0.
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_left; repeat (unfold t1, p_0_2, p_1_1; rewrite ?t2_is); order. Qed.
Definition t4 : R := Rmax t3 t1.
Lemma t4_is : t4 = t3.
Proof. unfold t4; apply Rmax_left; repeat (unfold t1, p_0_2, p_1_1; rewrite ?t2_is, ?t3_is); order. Qed.
Definition lhs : R := t4.
Definition rhs : R := 0.

(* The branches taken *)
Theorem branches :
  p_1_1 > 0.
Proof. repeat (unfold t1, p_0_2, p_1_1; rewrite ?t2_is, ?t3_is, ?t4_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, t1, p_0_2, p_1_1; rewrite ?t2_is, ?t3_is, ?t4_is). interval with (i_prec 160). Qed.
