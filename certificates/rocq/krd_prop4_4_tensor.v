(* krd.prop4.4.tensor: a counterexample *)
(* Stated in: Domingo-Enrich and Mroueh (2022), Proof of Proposition 4.4 (step) *)
(* Statement: \int (\varphi_1 \otimes \varphi_2)(\varphi_1 \otimes \varphi_2)^* dp = \int *)
(*     \varphi_1\varphi_1^* dp \otimes \int \varphi_2\varphi_2^* dp *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: dp(x) \right) := \Sigma_p^{\mathcal{H}_1} \otimes \Sigma_p^{\mathcal{H}_2} *)
(* In short: The covariance of a product kernel is the tensor product of two *)
(* But: true only if the two feature maps are independent under p *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 0.
Definition p_0_1 : R := 0.
Definition p_0_2 : R := 1 / 2.
Definition p_0_3 : R := 1 / 2.
Definition phi1_0_0 : R := 1.
Definition phi1_0_1 : R := 0.
Definition phi1_1_0 : R := 1.
Definition phi1_1_1 : R := 0.
Definition phi1_2_0 : R := 0.
Definition phi1_2_1 : R := 1.
Definition phi1_3_0 : R := 1.
Definition phi1_3_1 : R := 0.
Definition phi2_0_0 : R := 1.
Definition phi2_0_1 : R := 0.
Definition phi2_1_0 : R := 1.
Definition phi2_1_1 : R := 0.
Definition phi2_2_0 : R := 1.
Definition phi2_2_1 : R := 0.
Definition phi2_3_0 : R := 0.
Definition phi2_3_1 : R := 1.

(* The hypotheses *)
Theorem hypotheses :
  phi1_0_0 * phi1_0_0 + phi1_0_1 * phi1_0_1 = 1 /\
  phi1_1_0 * phi1_1_0 + phi1_1_1 * phi1_1_1 = 1 /\
  phi1_2_0 * phi1_2_0 + phi1_2_1 * phi1_2_1 = 1 /\
  phi1_3_0 * phi1_3_0 + phi1_3_1 * phi1_3_1 = 1 /\
  phi2_0_0 * phi2_0_0 + phi2_0_1 * phi2_0_1 = 1 /\
  phi2_1_0 * phi2_1_0 + phi2_1_1 * phi2_1_1 = 1 /\
  phi2_2_0 * phi2_2_0 + phi2_2_1 * phi2_2_1 = 1 /\
  phi2_3_0 * phi2_3_0 + phi2_3_1 * phi2_3_1 = 1 /\
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  0 <= p_0_2 /\
  0 <= p_0_3 /\
  p_0_0 + p_0_1 + p_0_2 + p_0_3 = 1.
Proof. unfold p_0_0, p_0_1, p_0_2, p_0_3, phi1_0_0, phi1_0_1, phi1_1_0, phi1_1_1, phi1_2_0, phi1_2_1, phi1_3_0, phi1_3_1, phi2_0_0, phi2_0_1, phi2_1_0, phi2_1_1, phi2_2_0, phi2_2_1, phi2_3_0, phi2_3_1. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := 0.
Definition rhs : R := p_0_3 * phi1_3_0 * phi1_3_0 * p_0_2 * phi2_2_0 * phi2_2_0.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, p_0_3, phi1_3_0, p_0_2, phi2_2_0. interval with (i_prec 160). Qed.
