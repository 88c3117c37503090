(* hyptest.thm20.delta: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 20 (printed) *)
(* Statement: \mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le \delta(\varepsilon, \rho) *)
(*     \text{ of Lemma 19}, \ \varepsilon \ge 0 *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: We always have $HD_X(d_1, d_2) \leq \rho \implies \Delta_X^{\varepsilon}(d_1, d_2) \leq *)
(*     \delta(\varepsilon, \rho)$ *)
(* In short: Hellinger distance at most rho gives (eps, delta)-DP, delta of (1) *)
(* But: pairs with this distance can need more: 0.5 and 0.489 at e^eps = 5/2, HD = 1 - sqrt(1/2) *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 2.
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 1 / 2.
Definition p_0_2 : R := 1 / 2.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 0.
Definition p_1_2 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  0 <= p_1_2 /\
  p_1_0 + p_1_1 + p_1_2 = 1 /\
  0 <= more.
Proof. unfold more, p_0_0, p_0_1, p_0_2, p_1_0, p_1_1, p_1_2. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := 1 - sqrt (p_0_2 * p_1_2).
Definition t2 : R := (1 - t1) * sqrt (t1 * (2 - t1)).
Definition ratio : R := 1 + more.
Definition t3 : R := (1 / ratio - 2 * (1 - t1) + 1) / t2.
Definition t4 : R := (t3 * t3 + 4 - t3 * sqrt (t3 * t3 + 4)) / (2 * (t3 * t3 + 4)).
Definition t5 : R := t4 * (1 - t4).
Definition t6 : R := 1 - 2 * (1 - t1) * (1 - t1) - t2 * (1 - 2 * t4) / sqrt t5.
Definition t7 : R := Rmax p_0_1 0.
Lemma t7_is : t7 = p_0_1.
Proof. unfold t7; apply Rmax_left; unfold t6, t5, t4, t3, ratio, t2, t1, p_0_1, more, p_0_2, p_1_2; order. Qed.
Definition lhs : R := t7.
Definition rhs : R := 1 - t4 - ((1 - t1) * (1 - t1) * (1 - 2 * t4) + t4 - 2 * (1 - t1) * sqrt (t5 * t1 * (2 - t1))) / t6.

(* The branches taken *)
Theorem branches :
  t1 > 0 /\
  t1 < 1 /\
  (t6 * t6) > 0.
Proof. repeat (unfold t6, t5, t4, t3, ratio, t2, t1, p_0_1, more, p_0_2, p_1_2; rewrite ?t7_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, t6, t5, t4, t3, ratio, t2, t1, p_0_1, more, p_0_2, p_1_2; rewrite ?t7_is). interval with (i_prec 160). Qed.
