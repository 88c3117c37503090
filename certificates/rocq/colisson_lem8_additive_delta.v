(* colisson.lem8.additive-delta: a counterexample *)
(* Stated in: Colisson (2016), Lemma 8 (printed) *)
(* Statement: \Delta(\mathcal M(x), Y), \Delta(\mathcal M(x'), Y') \le *)
(*     \tfrac{\delta_0}{e^\varepsilon+1},\ D_\infty^\delta(Y\|Y'), D_\infty^\delta(Y'\|Y) \le *)
(*     \varepsilon_0 \Rightarrow D_\infty^{\delta+\delta_0}(\mathcal M(x)\|\mathcal M(x')) \le *)
(*     \varepsilon_0 *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: D_\infty^{\delta+\delta_0}(\mathcal{M}(x) \|\mathcal{M}(x')) \leq \varepsilon_0 *)
(* In short: Distances of delta_0/(e^eps+1) cost delta_0 at any level eps_0 *)
(* But: False if eps_0 > eps: the cost is then (e^eps_0+1)/(e^eps+1) times delta_0 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition further : R := 1 / 8.
Definition more : R := 0.
Definition p_0_0 : R := 1 / 9.
Definition p_0_1 : R := 8 / 9.
Definition p_1_0 : R := 8 / 9.
Definition p_1_1 : R := 1 / 9.
Definition p_2_0 : R := 0.
Definition p_2_1 : R := 1.
Definition p_3_0 : R := 1.
Definition p_3_1 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  0 <= p_2_0 /\
  0 <= p_2_1 /\
  p_2_0 + p_2_1 = 1 /\
  0 <= p_3_0 /\
  0 <= p_3_1 /\
  p_3_0 + p_3_1 = 1 /\
  0 <= more /\
  0 <= further.
Proof. unfold further, more, p_0_0, p_0_1, p_1_0, p_1_1, p_2_0, p_2_1, p_3_0, p_3_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax p_2_1 0.
Lemma t1_is : t1 = p_2_1.
Proof. unfold t1; apply Rmax_left; unfold p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; order. Qed.
Definition final : R := 1 + further.
Definition t2 : R := Rmax (p_0_1 - final * p_1_1) 0.
Lemma t2_is : t2 = p_0_1 - final * p_1_1.
Proof. unfold t2; apply Rmax_left; repeat (unfold final, p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; rewrite ?t1_is); order. Qed.
Definition t3 : R := Rmax (p_1_0 - final * p_0_0) 0.
Lemma t3_is : t3 = p_1_0 - final * p_0_0.
Proof. unfold t3; apply Rmax_left; repeat (unfold final, p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; rewrite ?t1_is, ?t2_is); order. Qed.
Definition t4 : R := Rmax t2 t3.
Lemma t4_is : t4 = t2.
Proof. unfold t4; apply Rmax_left; repeat (unfold final, p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; rewrite ?t1_is, ?t2_is, ?t3_is); order. Qed.
Definition t5 : R := Rmax ((Rabs (-p_0_0) + Rabs (p_2_1 - p_0_1)) / 2) ((Rabs (p_3_0 - p_1_0) + Rabs (-p_1_1)) / 2).
Lemma t5_is : t5 = (Rabs (-p_0_0) + Rabs (p_2_1 - p_0_1)) / 2.
Proof. unfold t5; apply Rmax_left; repeat (unfold final, p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?t4_is); order. Qed.
Definition lhs : R := t1.
Definition rhs : R := t4 + 2 * t5.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, final, p_2_1, p_0_1, further, p_1_1, p_1_0, p_0_0, p_3_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?t4_is, ?t5_is). interval with (i_prec 160). Qed.
