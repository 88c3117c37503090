(* capacity.thm5.sensitivity.replacement: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 5, proof, read for one *)
(*     person's value replaced (reading) *)
(* Statement: x' = x + e_i - e_j \Rightarrow \|A x - A x'\|_1 \le \|A\|_1 *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition a_0_0 : R := 0.
Definition a_0_1 : R := 0.
Definition a_0_2 : R := 1.
Definition a_1_0 : R := 1.
Definition a_1_1 : R := 0.
Definition a_1_2 : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  a_0_0 * a_0_0 + a_0_1 * a_0_1 + a_0_2 * a_0_2 = 1 /\
  a_1_0 * a_1_0 + a_1_1 * a_1_1 + a_1_2 * a_1_2 = 1.
Proof. unfold a_0_0, a_0_1, a_0_2, a_1_0, a_1_1, a_1_2. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax (Rabs a_0_2) (Rabs a_1_0).
Lemma t1_is : t1 = Rabs a_0_2.
Proof. unfold t1; apply Rmax_left; unfold a_1_0, a_0_2; order. Qed.
Definition lhs : R := Rabs (-a_1_0) + Rabs a_0_2.
Definition rhs : R := t1.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, a_1_0, a_0_2; rewrite ?t1_is). interval with (i_prec 160). Qed.
