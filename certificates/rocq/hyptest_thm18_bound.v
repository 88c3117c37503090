(* hyptest.thm18.bound: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 18, uniform convergence *)
(*     (step) *)
(* Statement: |\textstyle\int \gamma(x)(D) - (\gamma \circ m_n \circ m_n^* )(x)(D)\, d\mu_1| \le *)
(*     1/2^n,\ D \subseteq k *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \int (\gamma \circ m_n \circ m_n^* )(x)(D) \ d\mu_1(x)\right| \le 1/2^n *)
(* In short: probabilities of an event D differ by at most 1/2^n within a cell *)
(* But: each point of D may contribute 1/2^n *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition gammas_0_0 : R := 1 / 18.
Definition gammas_0_1 : R := 1 / 18.
Definition gammas_0_2 : R := 4 / 9.
Definition gammas_0_3 : R := 4 / 9.
Definition gammas_1_0 : R := 4 / 9.
Definition gammas_1_1 : R := 4 / 9.
Definition gammas_1_2 : R := 1 / 18.
Definition gammas_1_3 : R := 1 / 18.

(* The hypotheses *)
Theorem hypotheses :
  0 <= gammas_0_0 /\
  0 <= gammas_0_1 /\
  0 <= gammas_0_2 /\
  0 <= gammas_0_3 /\
  gammas_0_0 + gammas_0_1 + gammas_0_2 + gammas_0_3 = 1 /\
  0 <= gammas_1_0 /\
  0 <= gammas_1_1 /\
  0 <= gammas_1_2 /\
  0 <= gammas_1_3 /\
  gammas_1_0 + gammas_1_1 + gammas_1_2 + gammas_1_3 = 1.
Proof. unfold gammas_0_0, gammas_0_1, gammas_0_2, gammas_0_3, gammas_1_0, gammas_1_1, gammas_1_2, gammas_1_3. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition gap : R := Rabs (gammas_0_0 + gammas_0_1 - (gammas_1_0 + gammas_1_1)).
Definition lhs : R := gap.
Definition rhs : R := (1 / 2).

(* The branches taken *)
Theorem branches :
  gammas_0_0 > 0 /\
  gammas_0_1 > 0 /\
  gammas_0_2 > 0 /\
  gammas_0_3 > 0 /\
  gammas_1_0 > 0 /\
  gammas_1_1 > 0 /\
  gammas_1_2 > 0 /\
  gammas_1_3 > 0.
Proof. unfold gap, gammas_0_0, gammas_0_1, gammas_1_0, gammas_1_1, gammas_0_2, gammas_0_3, gammas_1_2, gammas_1_3. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, gap, gammas_0_0, gammas_0_1, gammas_1_0, gammas_1_1, gammas_0_2, gammas_0_3, gammas_1_2, gammas_1_3. interval with (i_prec 160). Qed.
