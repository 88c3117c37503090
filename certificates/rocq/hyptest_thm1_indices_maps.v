(* hyptest.thm1.indices.maps: a counterexample *)
(* Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 1, the matrices of maps *)
(*     (step) *)
(* Statement: |\{g : \forall i \le l\ \exists!\, j \le k : g_{i,j} = 1\}| = |\{h : k \to l\}|,\ k *)
(*     > l *)
(* Claimed: lhs = rhs, of the two sides below *)
(* Quote: for any $1 \leq i \leq l$ , there is exactly $1 \leq j \leq k$ such that $g_{i,j} = 1$ *)
(* In short: matrices with one 1 in each of l columns of k entries represent the maps k to l *)
(* But: those are k^l matrices, and the maps are l^k; one 1 in each of k rows is meant *)

Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The instance *)
Definition l : R := 6.
Definition more : R := 6.

(* The hypotheses *)
Theorem hypotheses :
  1 <= l /\
  1 <= more.
Proof. unfold l, more. repeat split; first [ lra | field ]. Qed.

(* The two sides *)
Definition lhs : R := Rpower (l + more) l.
Definition rhs : R := Rpower l (l + more).

(* The conclusion *)
Theorem refuted : lhs <> rhs.
Proof. apply Rlt_not_eq. unfold lhs, rhs, l, more. interval with (i_prec 160). Qed.
