(* hyptest.region.eps.negative: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, privacy region of the eps- *)
(*     divergence, any eps (condition) *)
(* Statement: R^{\Delta^\varepsilon}(\delta) = \{(x,y) : \max((1-x) - e^\varepsilon y, x - *)
(*     e^\varepsilon(1-y)) \le \delta\},\ \delta \ge 0 *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition ratio : R := 1 / 64.
Definition x : R := 1 / 32.
Definition y : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= x /\
  x <= 1 /\
  0 <= y /\
  y <= 1 /\
  0 < ratio.
Proof. unfold ratio, x, y. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax (1 - x) 0.
Lemma t1_is : t1 = 1 - x.
Proof. unfold t1; apply Rmax_left; unfold x, ratio; order. Qed.
Definition t2 : R := Rmax (x - ratio) 0.
Lemma t2_is : t2 = x - ratio.
Proof. unfold t2; apply Rmax_left; repeat (unfold x, ratio; rewrite ?t1_is); order. Qed.
Definition t3 : R := Rmax (1 - x) (x - ratio).
Lemma t3_is : t3 = 1 - x.
Proof. unfold t3; apply Rmax_left; repeat (unfold x, ratio; rewrite ?t1_is, ?t2_is); order. Qed.
Definition t4 : R := Rmax t3 0.
Lemma t4_is : t4 = t3.
Proof. unfold t4; apply Rmax_left; repeat (unfold x, ratio; rewrite ?t1_is, ?t2_is, ?t3_is); order. Qed.
Definition lhs : R := t1 + t2.
Definition rhs : R := t4.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, x, ratio; rewrite ?t1_is, ?t2_is, ?t3_is, ?t4_is). interval with (i_prec 160). Qed.
