(* hyptest.lem19.delta.derivative: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, the slope of the tangent *)
(*     (step) *)
(* Statement: \mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le 1 - t - *)
(*     \tfrac{f(t)}{g(t)},\ g = f',\ e^\varepsilon = \tfrac1{g(t)} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: We solve the equation $e^{\varepsilon} = \frac{1}{g(t)}$ on t about the slope as (2). *)
(* In short: the tangent has the required slope if e^epsilon = 1/g(t) *)
(* But: the sign: x + e^epsilon y is constant along it if e^epsilon = -1/g(t) *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition rho : R := 1 / 4.
Definition t : R := 3 / 4.
Definition x : R := 1 / 8.

(* The hypotheses *)
Theorem hypotheses :
  0 < x /\
  x < 1 /\
  0 < rho /\
  rho < 1 /\
  0 < t /\
  t < 1.
Proof. unfold rho, t, x. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition b : R := 1 - rho.
Definition safe : R := 1 - 2 * b * b - b * sqrt (rho * (2 - rho)) * (1 - 2 * t) / sqrt (t * (1 - t)).
Definition x_2 : R := x * b * b.
Definition y : R := Rmax (b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho))) 0.
Lemma y_is : y = b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho)).
Proof. unfold y; apply Rmax_left; unfold x_2, safe, b, x, rho, t; order. Qed.
Definition t1 : R := Rmax (1 - x_2 - exp (-ln safe) * y) 0.
Lemma t1_is : t1 = 1 - x_2 - exp (-ln safe) * y.
Proof. unfold t1; apply Rmax_left; repeat (unfold x_2, safe, b, x, rho, t; rewrite ?y_is); order. Qed.
Definition delta : R := 1 - t - (b * b * (1 - 2 * t) + t - 2 * b * sqrt (t * (1 - t) * rho * (2 - rho))) / safe.
Definition lhs : R := t1.
Definition rhs : R := delta.

(* The branches taken *)
Theorem branches :
  safe > 0.
Proof. repeat (unfold delta, x_2, safe, b, x, rho, t; rewrite ?y_is, ?t1_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, delta, x_2, safe, b, x, rho, t; rewrite ?y_is, ?t1_is). interval with (i_prec 160). Qed.
