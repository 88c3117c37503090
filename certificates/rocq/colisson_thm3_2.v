(* colisson.thm3.2: a counterexample *)
(* Stated in: Colisson (2016), Theorem 3.2 (printed) *)
(* Statement: D_\infty^\delta(Y\|Z), D_\infty^\delta(Z\|Y) \le \varepsilon \Leftrightarrow *)
(*     \exists Y', Z' : \Delta(Y, Y'), \Delta(Z, Z') \le \tfrac\delta{e^\varepsilon+1},\ *)
(*     D_\infty(Y'\|Z') \le \varepsilon *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: if and only if there exist random variables Y', Z' such that $$\Delta(Y, Y') \leq *)
(*     \frac{\delta}{e^\varepsilon + 1}, \Delta(Z, Z') \leq \frac{\delta}{e^\varepsilon + 1} *)
(*     \text{ and } D_\infty(Y'||Z') \leq \varepsilon *)
(* In short: Closeness of both orders follows from one bound D(Y'||Z') *)
(* But: D(Z'||Y') must be bounded as well, and may be infinite *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition near_0_0 : R := 1.
Definition near_0_1 : R := 0.
Definition near_1_0 : R := 1 / 2.
Definition near_1_1 : R := 1 / 2.
Definition other_0_0 : R := 0.
Definition other_0_1 : R := 1.
Definition other_1_0 : R := 0.
Definition other_1_1 : R := 1.
Definition part : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= near_0_0 /\
  0 <= near_0_1 /\
  near_0_0 + near_0_1 = 1 /\
  0 <= near_1_0 /\
  0 <= near_1_1 /\
  near_1_0 + near_1_1 = 1 /\
  0 <= other_0_0 /\
  0 <= other_0_1 /\
  other_0_0 + other_0_1 = 1 /\
  0 <= other_1_0 /\
  0 <= other_1_1 /\
  other_1_0 + other_1_1 = 1 /\
  0 <= part /\
  part <= 1.
Proof. unfold near_0_0, near_0_1, near_1_0, near_1_1, other_0_0, other_0_1, other_1_0, other_1_1, part. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax near_1_1 0.
Lemma t1_is : t1 = near_1_1.
Proof. unfold t1; apply Rmax_left; unfold near_1_1, near_0_0, near_1_0; order. Qed.
Definition t2 : R := Rmax 0 (near_0_0 / near_1_0).
Lemma t2_is : t2 = near_0_0 / near_1_0.
Proof. unfold t2; apply Rmax_right; repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is); order. Qed.
Definition t3 : R := Rmax t2 (near_0_0 / (near_1_0 + near_1_1)).
Lemma t3_is : t3 = t2.
Proof. unfold t3; apply Rmax_left; repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is); order. Qed.
Definition ratio : R := Rmax t3 0.
Lemma ratio_is : ratio = t3.
Proof. unfold ratio; apply Rmax_left; repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is, ?t3_is); order. Qed.
Definition ratio_2 : R := Rmax ratio 1.
Lemma ratio_2_is : ratio_2 = ratio.
Proof. unfold ratio_2; apply Rmax_left; repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?ratio_is); order. Qed.
Definition t4 : R := Rmax 0 0.
Lemma t4_is : t4 = 0.
Proof. unfold t4; apply Rmax_left; repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?ratio_is, ?ratio_2_is); order. Qed.
Definition lhs : R := t1.
Definition rhs : R := (ratio_2 + 1) * t4.

(* The branches taken *)
Theorem branches :
  near_1_1 > 0 /\
  near_1_0 > 0 /\
  (near_1_0 + near_1_1) > 0.
Proof. repeat (unfold near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?ratio_is, ?ratio_2_is, ?t4_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, near_1_1, near_0_0, near_1_0; rewrite ?t1_is, ?t2_is, ?t3_is, ?ratio_is, ?ratio_2_is, ?t4_is). interval with (i_prec 160). Qed.
