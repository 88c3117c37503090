(* hyptest.lem19.delta.literal: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, z as its last line has it *)
(*     (reading) *)
(* Statement: R^{\mathrm{HD}}(\rho) \subseteq R^{\Delta^\varepsilon}(\delta) \text{ with } z = *)
(*     \tfrac1{(1-\rho)\sqrt{\rho(2-\rho)}} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: z = \frac{1}{(1-\rho)\sqrt{\rho(2-\rho)}} *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition more : R := 0.
Definition rho : R := 3 / 4.
Definition x : R := 1 / 16.

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
Definition t1 : R := b * sqrt (rho * (2 - rho)).
Definition z : R := 1 / t1.
Definition total : R := z * z + 4.
Definition t2 : R := (total - z * sqrt total) / (2 * total).
Definition t3 : R := t2 * (1 - t2).
Definition slope : R := 1 - 2 * b * b - t1 * (1 - 2 * t2) / sqrt t3.
Definition x_2 : R := x * b * b.
Definition y : R := Rmax (b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho))) 0.
Lemma y_is : y = b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt (x_2 * (1 - x_2) * rho * (2 - rho)).
Proof. unfold y; apply Rmax_left; unfold x_2, slope, t3, t2, total, z, t1, b, x, rho; order. Qed.
Definition t4 : R := Rmax (1 - x_2 - y) 0.
Lemma t4_is : t4 = 1 - x_2 - y.
Proof. unfold t4; apply Rmax_left; repeat (unfold x_2, slope, t3, t2, total, z, t1, b, x, rho; rewrite ?y_is); order. Qed.
Definition delta : R := 1 - t2 - (b * b * (1 - 2 * t2) + t2 - 2 * b * sqrt (t3 * rho * (2 - rho))) / slope.
Definition lhs : R := t4.
Definition rhs : R := delta.

(* The branches taken *)
Theorem branches :
  (slope * slope) > 0.
Proof. repeat (unfold delta, x_2, slope, t3, t2, total, z, t1, b, x, rho; rewrite ?y_is, ?t4_is). repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, delta, x_2, slope, t3, t2, total, z, t1, b, x, rho; rewrite ?y_is, ?t4_is). interval with (i_prec 160). Qed.
