(* krd.lemma6: a counterexample *)
(* Stated in: Domingo-Enrich and Mroueh (2022), Lemma 6 (printed) *)
(* Statement: \sum_j c_{ij} c_{i'j} = \alpha_i \alpha_{i'}\ \forall i, i' \Leftrightarrow c_{ij} *)
(*     = \beta_i \gamma_j,\ \|\beta\| = \|\gamma\| = 1 *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: is equivalent to $\forall i, j \in \mathbb{Z}^+$ , $c_{ij} = \beta_i \gamma_j$ for some *)
(*     sequences *)
(* In short: C C^T = alpha alpha^T if and only if c has the form beta_i gamma_j *)
(* But: 'if' is false: C C^T is then beta beta^T, whatever alpha is *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition vectors_0_0 : R := 1.
Definition vectors_0_1 : R := 0.
Definition vectors_1_0 : R := 0.
Definition vectors_1_1 : R := 1.
Definition vectors_2_0 : R := 1.
Definition vectors_2_1 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  vectors_0_0 * vectors_0_0 + vectors_0_1 * vectors_0_1 = 1 /\
  vectors_1_0 * vectors_1_0 + vectors_1_1 * vectors_1_1 = 1 /\
  vectors_2_0 * vectors_2_0 + vectors_2_1 * vectors_2_1 = 1.
Proof. unfold vectors_0_0, vectors_0_1, vectors_1_0, vectors_1_1, vectors_2_0, vectors_2_1. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := 0.
Definition rhs : R := vectors_0_0 * vectors_0_0.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, vectors_0_0. interval with (i_prec 160). Qed.
