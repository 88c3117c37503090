(* colisson.lem8.a12: a counterexample *)
(* Stated in: Colisson (2016), Lemma 8, (A.8) to (A.12) (step) *)
(* Statement: \Delta(\mathcal M(x), Y) \le \tfrac{\delta_0}{e^\varepsilon+1},\ \Delta(Y, Z) \le *)
(*     \tfrac\delta{e^{\varepsilon_0}+1} \Rightarrow \Delta(\mathcal M(x), Z) \le *)
(*     \tfrac{\delta+\delta_0}{e^{\varepsilon_0}+1} *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: \leq \frac{\delta + \delta_0}{e^{\varepsilon_0+1}} \quad (\text{A.12}) *)
(* In short: Both distances have the denominator e^eps_0 + 1 *)
(* But: One of them has the denominator e^eps + 1, which is smaller if eps < eps_0 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition further : R := 1 / 32.
Definition more : R := 0.
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_1_0 : R := 0.
Definition p_1_1 : R := 1.
Definition p_2_0 : R := 0.
Definition p_2_1 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  0 <= p_2_0 /\
  0 <= p_2_1 /\
  p_2_0 + p_2_1 = 1 /\
  0 <= more /\
  0 <= further.
Proof. unfold further, more, p_0_0, p_0_1, p_1_0, p_1_1, p_2_0, p_2_1. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition change : R := 2 / (2 + further).
Definition lhs : R := (Rabs p_0_0 + Rabs (-p_2_1)) / 2.
Definition rhs : R := (Rabs p_0_0 + Rabs (-p_1_1)) / 2 * change.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, change, p_0_0, p_2_1, p_1_1, further. interval with (i_prec 160). Qed.
