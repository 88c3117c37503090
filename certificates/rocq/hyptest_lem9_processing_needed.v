(* hyptest.lem9.processing-needed: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 9, second part, without data *)
(*     processing (condition) *)
(* Statement: \Delta' \le \Delta \Rightarrow \overline\Delta^k \le \Delta *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 1.
Definition p_0_2 : R := 0.
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
Definition t1 : R := Rmax p_0_1 0.
Lemma t1_is : t1 = p_0_1.
Proof. unfold t1; apply Rmax_left; unfold p_0_1; order. Qed.
Definition t2 : R := Rmax t1 0.
Lemma t2_is : t2 = t1.
Proof. unfold t2; apply Rmax_left; repeat (unfold p_0_1; rewrite ?t1_is); order. Qed.
Definition lhs : R := t2.
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, p_0_1; rewrite ?t1_is, ?t2_is). interval with (i_prec 160). Qed.
