(* hyptest.hd.weight: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), C.2 (printed) *)
(* Statement: \mathrm{HD} = 1 - \textstyle\sum \sqrt{\mu_1\mu_2} = \Delta^w,\ w(t) = \sqrt t - 1 *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: Since it is the f-divergence of weight function $w(t) = \sqrt{t} - 1$ (strict convex) *)
(* In short: the Hellinger distance has the convex weight function sqrt(t) - 1 *)
(* But: the sign: that function is concave; the weight function is 1 - sqrt(t) *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 1 / 4.
Definition p_0_1 : R := 1 / 4.
Definition p_0_2 : R := 1 / 2.
Definition p_1_0 : R := 1 / 2.
Definition p_1_1 : R := 1 / 4.
Definition p_1_2 : R := 1 / 4.

(* The hypotheses *)
Theorem hypotheses :
  0 < p_0_0 /\
  0 < p_0_1 /\
  0 < p_0_2 /\
  p_0_0 + p_0_1 + p_0_2 = 1 /\
  0 < p_1_0 /\
  0 < p_1_1 /\
  0 < p_1_2 /\
  p_1_0 + p_1_1 + p_1_2 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2, p_1_0, p_1_1, p_1_2. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition lhs : R := 1 - (sqrt (p_0_0 * p_1_0) + sqrt (p_0_1 * p_1_1) + sqrt (p_0_2 * p_1_2)).
Definition rhs : R := p_1_0 * (sqrt (p_0_0 / p_1_0) - 1) + p_1_2 * (sqrt (p_0_2 / p_1_2) - 1).

(* The branches taken *)
Theorem branches :
  p_1_0 > 0 /\
  p_1_1 > 0 /\
  p_1_2 > 0.
Proof. unfold p_0_0, p_1_0, p_0_1, p_1_1, p_0_2, p_1_2. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, p_0_0, p_1_0, p_0_1, p_1_1, p_0_2, p_1_2. interval with (i_prec 160). Qed.
