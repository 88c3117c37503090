(* krd.def.dp: a counterexample *)
(* Stated in: Domingo-Enrich and Mroueh (2022), Section 2, definition of epsilon-DP (printed) *)
(* Statement: \sup \log \tfrac{dp}{dq}, \sup \log \tfrac{dq}{dp} < \varepsilon \Rightarrow *)
(*     \forall S: p(S) \le e^{-\varepsilon} q(S) *)
(* Claimed: lhs <= rhs, of the two sides below *)
(* Quote: typically stated as $\Pr[f(D) \in \mathcal{S}] \leq e^{-\varepsilon} \Pr[f(D') \in *)
(*     \mathcal{S}]$ *)
(* In short: epsilon-DP: P(S) <= e^-epsilon Q(S) for every event S *)
(* But: the sign of epsilon: for S = everything it says 1 <= e^-epsilon *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition p_0_0 : R := 1.
Definition p_0_1 : R := 0.
Definition p_1_0 : R := 1.
Definition p_1_1 : R := 0.
Definition slack : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 <= p_0_0 /\
  0 <= p_0_1 /\
  p_0_0 + p_0_1 = 1 /\
  0 <= p_1_0 /\
  0 <= p_1_1 /\
  p_1_0 + p_1_1 = 1 /\
  0 < slack.
Proof. unfold p_0_0, p_0_1, p_1_0, p_1_1, slack. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition t1 : R := Rmax (ln (p_0_0 / p_1_0)) (ln (p_1_0 / p_0_0)).
Lemma t1_is : t1 = ln (p_0_0 / p_1_0).
Proof. unfold t1; apply Rmax_left; unfold p_0_0, p_1_0, slack; order. Qed.
Definition t2 : R := Rmax (p_0_0 - exp (-(t1 + slack)) * p_1_0) 0.
Lemma t2_is : t2 = p_0_0 - exp (-(t1 + slack)) * p_1_0.
Proof. unfold t2; apply Rmax_left; repeat (unfold p_0_0, p_1_0, slack; rewrite ?t1_is); order. Qed.
Definition lhs : R := t2.
Definition rhs : R := 0.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. repeat (unfold lhs, rhs, p_0_0, p_1_0, slack; rewrite ?t1_is, ?t2_is). interval with (i_prec 160). Qed.
