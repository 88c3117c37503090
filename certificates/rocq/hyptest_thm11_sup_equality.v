(* hyptest.thm11.sup-equality: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 11, middle line of the proof *)
(*     (step) *)
(* Statement: \Delta^\varepsilon(\textstyle\sum a_i \gamma_i(\mu_1)\|\textstyle\sum a_i *)
(*     \gamma_i(\mu_2)) = \sup_i \Delta^\varepsilon(\gamma_i(\mu_1)\|\gamma_i(\mu_2)) *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: &= \sup_{i\in I} \Delta^{\varepsilon}(\gamma_i(\mu_1)||\gamma_i(\mu_1)) *)
(* In short: the divergence of a mixture of maps is the largest divergence of the maps *)
(* But: a mixture can have less: an even mixture of two opposite maps distinguishes nothing *)

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
Definition part : R := 1 / 64.
Definition ratio : R := 0.

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
  0 < part /\
  part < 1 /\
  0 <= ratio.
Proof. unfold p_0_0, p_0_1, p_0_2, p_1_0, p_1_1, p_1_2, part, ratio. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax (part * p_0_2 + (1 - part) * p_0_2 - (1 - part) * p_1_1) 0.
Lemma t1_is : t1 = part * p_0_2 + (1 - part) * p_0_2 - (1 - part) * p_1_1.
Proof. unfold t1; apply Rmax_left; unfold part, p_0_2, p_1_1; order. Qed.
Definition t2 : R := Rmax p_0_2 0.
Lemma t2_is : t2 = p_0_2.
Proof. unfold t2; apply Rmax_left; repeat (unfold part, p_0_2, p_1_1; rewrite ?t1_is); order. Qed.
Definition t3 : R := Rmax t2 0.
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_left; repeat (unfold part, p_0_2, p_1_1; rewrite ?t1_is, ?t2_is); order. Qed.
Definition lhs : R := t1.
Definition rhs : R := t3.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. repeat (unfold lhs, rhs, part, p_0_2, p_1_1; rewrite ?t1_is, ?t2_is, ?t3_is). interval with (i_prec 160). Qed.
