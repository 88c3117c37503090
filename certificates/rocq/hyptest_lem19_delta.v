(* hyptest.lem19.delta: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19 (printed) *)
(* Statement: R^{\mathrm{HD}}(\rho) \subseteq R^{\Delta^\varepsilon}(\delta),\ \delta = 1 - t - *)
(*     \tfrac{f(t)}{f'(t)}, \ t = \tfrac{z^2 + 4 - z\sqrt{z^2+4}}{2(z^2+4)},\ z = *)
(*     \tfrac{e^{-\varepsilon} - 2(1-\rho) + 1}{(1-\rho)\sqrt{\rho(2-\rho)}},\ \varepsilon \ge 0 *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: We have $R^{\text{HD}}(\rho) \subseteq R^{\Delta^{\varepsilon}}(\delta(\varepsilon, *)
(*     \rho))$ where *)
(* In short: R^HD(rho) lies in the region of eps-DP with the delta of (1) and (2) *)
(* But: a sign and a square are wrong: eps = log 4, rho = 1/2 give 0.58, but 0.79 is attained *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 1.
Definition rho : R := 1 / 4.
Definition x : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 < x /\
  x < 1 /\
  0 < rho /\
  rho < 1 /\
  0 <= more.
Proof. unfold more, rho, x. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition b : R := 1 - rho.
Definition slope : R := 1 - 2 * b * b.
Definition x_2 : R := x * b * b.
Definition ratio : R := 1 + more.
Definition y : R := Rmax (b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho))) 0.
Lemma y_is : y = b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho)).
Proof. unfold y; apply Rmax_left; unfold ratio, x_2, slope, b, x, rho, more; order. Qed.
Definition t1 : R := Rmax (1 - x_2 - ratio * y) 0.
Lemma t1_is : t1 = 1 - x_2 - ratio * y.
Proof. unfold t1; apply Rmax_left; repeat (unfold ratio, x_2, slope, b, x, rho, more; rewrite ?y_is); order. Qed.
Definition delta : R := (1 / 2) - ((1 / 2) - 2 * b * sqrt ((1 / 4) * rho * (2 - rho))) / slope.
Definition lhs : R := t1.
Definition rhs : R := delta.

(* The branches taken *)
Theorem branches :
  (slope * slope) > 0.
Proof. repeat (unfold delta, ratio, x_2, slope, b, x, rho, more; rewrite ?y_is, ?t1_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, delta, ratio, x_2, slope, b, x, rho, more; rewrite ?y_is, ?t1_is). interval with (i_prec 160). Qed.
