(* hyptest.thm1.indices: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, rows 1 <= i <= l (reading) *)
(* Statement: \alpha_{m+1} = \min_{s \le l} \max_t (\tilde f_m)_{s,t} \Rightarrow 0 \le (\tilde *)
(*     f_{m+1})_{i,j} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition rows_0_0 : R := 0.
Definition rows_0_1 : R := 1.
Definition rows_1_0 : R := 1.
Definition rows_1_1 : R := 0.
Definition rows_2_0 : R := 1 / 2.
Definition rows_2_1 : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= rows_0_0 /\
  0 <= rows_0_1 /\
  rows_0_0 + rows_0_1 = 1 /\
  0 <= rows_1_0 /\
  0 <= rows_1_1 /\
  rows_1_0 + rows_1_1 = 1 /\
  0 <= rows_2_0 /\
  0 <= rows_2_1 /\
  rows_2_0 + rows_2_1 = 1.
Proof. unfold rows_0_0, rows_0_1, rows_1_0, rows_1_1, rows_2_0, rows_2_1. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition lhs : R := 0.
Definition rhs : R := rows_2_0 - rows_0_1.

(* The branches taken *)
Theorem branches :
  rows_0_1 > rows_0_0.
Proof. unfold rows_2_0, rows_0_1, rows_0_0. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, rows_2_0, rows_0_1, rows_0_0. interval with (i_prec 160). Qed.
