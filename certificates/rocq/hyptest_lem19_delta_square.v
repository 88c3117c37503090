(* hyptest.lem19.delta.square: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19 and Theorem 20, the square *)
(*     restored (reading) *)
(* Statement: 1 - t - \tfrac{f(t)}{f'(t)} \text{ with } (1-\rho)^2 \text{ in } z \text{ is the *)
(*     least } \delta *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: We conclude an optimal conversion law from the Hellinger distance to DP. *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition ratio : R := 0.
Definition rho : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < rho /\
  rho < 1 /\
  0 <= ratio.
Proof. unfold ratio, rho. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition b : R := 1 - rho.
Definition t1 : R := 1 - 2 * b * b.
Definition kappa : R := rho * (2 - rho).
Definition t2 : R := b * sqrt kappa.
Definition numerator : R := t1 + 1.
Definition z : R := numerator / t2.
Definition total : R := z * z + 4.
Definition t3 : R := (total - z * sqrt total) / (2 * total).
Definition t4 : R := t3 * (1 - t3).
Definition slope : R := t1 - t2 * (1 - 2 * t3) / sqrt t4.
Definition delta : R := 1 - t3 - (b * b * (1 - 2 * t3) + t3 - 2 * b * sqrt (t4 * rho * (2 - rho))) / slope.
Definition lhs : R := delta.
Definition rhs : R := sqrt (4 * kappa) / 2.

(* The branches taken *)
Theorem branches :
  (slope * slope) > 0.
Proof. unfold delta, slope, t4, t3, total, z, numerator, t2, kappa, t1, b, rho. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, delta, slope, t4, t3, total, z, numerator, t2, kappa, t1, b, rho. interval with (i_prec 160). Qed.
