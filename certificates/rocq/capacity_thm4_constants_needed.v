(* capacity.thm4.constants-needed: a counterexample *)
(* Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4 without 'includes a constant *)
(*     function' (condition) *)
(* Statement: D_{R,\alpha}^{\mathcal{H}_1+\mathcal{H}_2} \le D_{R,\alpha}^{\mathcal{H}_1} + *)
(*     D_{R,\alpha}^{\mathcal{H}_2} *)
(* Claimed: lhs <= rhs, of the two sides below *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition low : R := 0.
Definition m : R := 1 / 32.
Definition size : R := 0.

(* The hypotheses *)
Theorem hypotheses :
  0 <= m /\
  m <= 1 /\
  0 <= low /\
  0 <= size.
Proof. unfold low, m, size. repeat split; first [ lra | field ]. Qed.

Ltac order := first [ lra | interval with (i_prec 160) | apply Req_le; first [ reflexivity | field ] ].

(* The two sides *)
Definition second : R := 2 * m - 1.
Definition first : R := m * m.
Definition product : R := (1 + first) * (1 + second).
Definition lhs : R := 1 + first + second.
Definition rhs : R := product.

(* The branches taken *)
Theorem branches :
  (1 + second) > 0 /\
  (1 + first + second) > 0.
Proof. unfold product, first, second, m. repeat split; order. Qed.

(* The conclusion *)
Theorem refuted : lhs > rhs.
Proof. unfold lhs, rhs, product, first, second, m. interval with (i_prec 160). Qed.
