(* hyptest.hd.boundary: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, the boundary (step) *)
(* Statement: 1 - \sqrt{x(1-y)} - \sqrt{(1-x)y} = \rho \Leftrightarrow y = (1-\rho)^2(1-2x) + x *)
(*     \pm 2(1-\rho)\sqrt{x(1-x)\rho(2-\rho)} *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: For given $x \in [0, 1]$ , we have $$y = (1 - \rho)^2 (1 - 2x) + x \pm *)
(* In short: both branches of the squared equation solve the equation *)
(* But: squaring adds solutions: the lower branch is spurious beyond x = (1 - rho)^2 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition rho : R := 1 / 2.
Definition x : R := 1 / 2.

(* The hypotheses *)
Theorem hypotheses :
  0 <= x /\
  x <= 1 /\
  0 < rho /\
  rho < 1.
Proof. unfold rho, x. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition b : R := 1 - rho.
Definition y : R := x - 2 * b * sqrt (x * (1 - x) * rho * (2 - rho)).
Definition inside : R := Rmax y 0.
Lemma inside_is : inside = y.
Proof. unfold inside; apply Rmax_left; unfold y, b, x, rho; order. Qed.
Definition lhs : R := sqrt (x * (1 - inside)) + sqrt ((1 - x) * inside).
Definition rhs : R := b.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. repeat (unfold lhs, rhs, y, b, x, rho; rewrite ?inside_is). interval with (i_prec 160). Qed.
