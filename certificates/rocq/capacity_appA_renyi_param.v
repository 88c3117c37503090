(* capacity.appA.renyi-param: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A (printed) *)
(* Statement: \text{the Renyi parameter is } \alpha (\|v\|_2 / \sigma)^2 *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: The Renyi parameter, on the other hand, is $$\alpha \left(\frac{\|v\|_2}{\sigma} *)
(*     \right)^2 *)
(* In short: the Renyi parameter of the Gaussian mechanism is alpha (|v| / sigma)^2 *)
(* But: it is half of that, as in Theorem 12 and Table 1 *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition alpha : R := 2.
Definition epsilon : R := 1 / 64.

(* The hypotheses *)
Theorem hypotheses :
  0 < epsilon /\
  1 <= alpha /\
  alpha <> 1.
Proof. unfold alpha, epsilon. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := alpha * epsilon * epsilon.
Definition rhs : R := alpha * epsilon * epsilon / 2.

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rgt_not_eq. unfold lhs, rhs, alpha, epsilon. interval with (i_prec 160). Qed.
