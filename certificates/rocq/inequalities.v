(* Inequalities and identities of one variable on which proofs rest, each over its whole range.

   A function is at least its value at a where its derivative is not positive below a and not negative above; where
   equality holds at a this is what proves it there, and where the derivative is 0 at a too, it is used twice.
   The names in brackets are claims whose proofs use the line. *)

Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Open Scope R_scope.

(* The tools *)

Definition convex (D : R -> Prop) := forall x y z, D x -> D y -> x <= z <= y -> D z.
Definition any (x : R) := True.
Definition positive (x : R) := 0 < x.
Definition from (a x : R) := a <= x.

Lemma any_convex : convex any.
Proof. intros x y z _ _ _; exact I. Qed.
Lemma positive_convex : convex positive.
Proof. unfold convex, positive; intros; lra. Qed.
Lemma from_convex a : convex (from a).
Proof. unfold convex, from; intros; lra. Qed.

Lemma least (D : R -> Prop) (f g : R -> R) (a : R) :
  convex D -> D a ->
  (forall x, D x -> is_derive f x (g x)) ->
  (forall x, D x -> x <= a -> g x <= 0) ->
  (forall x, D x -> a <= x -> 0 <= g x) ->
  forall x, D x -> f a <= f x.
Proof.
  intros convexity Da derivative below above x Dx.
  assert (inside : forall z, Rmin a x <= z <= Rmax a x -> D z).
  { intros z; unfold Rmin, Rmax; destruct (Rle_dec a x); intros between;
      [ apply (convexity a x z) | apply (convexity x a z) ]; auto. }
  destruct (MVT_gen f a x g) as [c [between slope]].
  - intros z between; apply derivative, inside; lra.
  - intros z between; apply derivable_continuous_pt; exists (g z); apply is_derive_Reals, derivative, inside; lra.
  - unfold Rmin, Rmax in *; destruct (Rle_dec a x).
    + assert (0 <= g c) by (apply above; [ apply inside | ]; lra).
      assert (0 <= g c * (x - a)) by (apply Rmult_le_pos; lra). lra.
    + assert (g c <= 0) by (apply below; [ apply inside | ]; lra).
      assert (0 <= - g c * (a - x)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma rising (f g : R -> R) (a : R) :
  (forall x, a <= x -> is_derive f x (g x)) -> (forall x, a <= x -> 0 <= g x) -> forall x, a <= x -> f a <= f x.
Proof.
  intros derivative slope x ax.
  destruct (MVT_gen f a x g) as [c [between equal]].
  - intros z; unfold Rmin, Rmax; destruct (Rle_dec a x); intros; apply derivative; lra.
  - intros z; unfold Rmin, Rmax; destruct (Rle_dec a x); intros; apply derivable_continuous_pt; exists (g z);
      apply is_derive_Reals, derivative; lra.
  - unfold Rmin, Rmax in *; destruct (Rle_dec a x); [ | lra ].
    assert (0 <= g c) by (apply slope; lra).
    assert (0 <= g c * (x - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [ less | equal ]; [ left; apply exp_increasing; exact less | right; rewrite equal; reflexivity ]. Qed.

Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros p [ less | equal ]; [ left; apply ln_increasing; assumption | right; rewrite equal; reflexivity ]. Qed.

(* Exponentials and logarithms *)

(* e^x is above its tangent at 0 [composition, Hoeffding's bound] *)
Theorem exp_tangent : forall x, 1 + x <= exp x.
Proof.
  intros x.
  assert (H : exp 0 - 0 <= exp x - x).
  { apply (least any (fun x => exp x - x) (fun x => exp x - 1) 0 any_convex I).
    - intros; auto_derive; [ auto | ring ].
    - intros y _ below; apply exp_mono in below; rewrite exp_0 in below; lra.
    - intros y _ above; apply exp_mono in above; rewrite exp_0 in above; lra.
    - exact I. }
  rewrite exp_0 in H; lra.
Qed.

(* 1 - e^-x <= x [the privacy loss of randomised response] *)
Theorem one_minus_exp : forall x, 1 - exp (- x) <= x.
Proof. intros x; generalize (exp_tangent (- x)); lra. Qed.

(* e^(x - 1) is above its tangent at 1 *)
Theorem exp_line : forall x, x <= exp (x - 1).
Proof. intros x; generalize (exp_tangent (x - 1)); lra. Qed.

(* e z <= e^z [the Gaussian bounds of the appendix] *)
Theorem e_times : forall z, exp 1 * z <= exp z.
Proof.
  intros z; replace (exp z) with (exp 1 * exp (z - 1)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [ left; apply exp_pos | apply exp_line ].
Qed.

(* log x <= x - 1 [tangents of the logarithm: Gibbs' inequality, the Laplace slope] *)
Theorem ln_tangent : forall x, 0 < x -> ln x <= x - 1.
Proof. intros x p; generalize (exp_tangent (ln x)); rewrite exp_ln; [ lra | exact p ]. Qed.

(* log m <= m / e *)
Theorem ln_below_e : forall m, 0 < m -> ln m <= m * exp (- 1).
Proof.
  intros m p; assert (q : 0 < m * exp (- 1)) by (apply Rmult_lt_0_compat; [ exact p | apply exp_pos ]).
  generalize (ln_tangent _ q); rewrite ln_mult, ln_exp; [ lra | exact p | apply exp_pos ].
Qed.

(* x log x >= x - 1 [the relative entropy is not negative, term by term] *)
Theorem x_ln_x : forall x, 0 < x -> x - 1 <= x * ln x.
Proof.
  intros x p; assert (q : 0 < / x) by (apply Rinv_0_lt_compat; exact p).
  generalize (ln_tangent _ q); rewrite ln_Rinv by exact p; intros H.
  assert (G : 0 <= x * (/ x - 1 + ln x)) by (apply Rmult_le_pos; lra).
  replace (x * (/ x - 1 + ln x)) with (1 - x + x * ln x) in G by (field; lra). lra.
Qed.

(* u log u >= -1/e *)
Theorem entropy_least : forall u, 0 < u -> - exp (- 1) <= u * ln u.
Proof.
  intros u p; assert (q : 0 < u * exp 1) by (apply Rmult_lt_0_compat; [ exact p | apply exp_pos ]).
  generalize (x_ln_x _ q); rewrite ln_mult, ln_exp by (try exact p; apply exp_pos); intros H.
  assert (E : exp (- 1) * exp 1 = 1) by (rewrite <- exp_plus; replace (- 1 + 1) with 0 by ring; apply exp_0).
  assert (G : 0 <= exp (- 1) * (u * exp 1 * (ln u + 1) - (u * exp 1 - 1))).
  { apply Rmult_le_pos; [ left; apply exp_pos | lra ]. }
  replace (exp (- 1) * (u * exp 1 * (ln u + 1) - (u * exp 1 - 1)))
    with (exp (- 1) * exp 1 * (u * ln u) + exp (- 1)) in G by ring.
  rewrite E in G; lra.
Qed.

(* e^x >= 1 + x + x^2 / 2 for x >= 0 *)
Theorem exp_quadratic : forall x, 0 <= x -> 1 + x + x ^ 2 / 2 <= exp x.
Proof.
  intros x p; assert (H : exp 0 - (1 + 0 + 0 ^ 2 / 2) <= exp x - (1 + x + x ^ 2 / 2)).
  { apply (rising (fun x => exp x - (1 + x + x ^ 2 / 2)) (fun x => exp x - (1 + x))); [ | | exact p ].
    - intros; auto_derive; [ auto | field ].
    - intros y _; generalize (exp_tangent y); lra. }
  rewrite exp_0 in H; lra.
Qed.

(* log(1 + x) >= x - x^2 / 2 for x >= 0 *)
Theorem ln_quadratic : forall x, 0 <= x -> x - x ^ 2 / 2 <= ln (1 + x).
Proof.
  intros x p; assert (H : ln (1 + 0) - (0 - 0 ^ 2 / 2) <= ln (1 + x) - (x - x ^ 2 / 2)).
  { apply (rising (fun x => ln (1 + x) - (x - x ^ 2 / 2)) (fun x => x ^ 2 / (1 + x))); [ | | exact p ].
    - intros y q; auto_derive; [ lra | field; lra ].
    - intros y q; apply Rdiv_le_0_compat; [ apply pow2_ge_0 | lra ]. }
  replace (1 + 0) with 1 in H by ring; rewrite ln_1 in H; lra.
Qed.

(* log t >= 2 (t - 1) / (t + 1) for t >= 1 *)
Theorem ln_rational : forall t, 1 <= t -> 2 * (t - 1) / (t + 1) <= ln t.
Proof.
  intros t p; assert (H : ln 1 - 2 * (1 - 1) / (1 + 1) <= ln t - 2 * (t - 1) / (t + 1)).
  { apply (rising (fun t => ln t - 2 * (t - 1) / (t + 1)) (fun t => (t - 1) ^ 2 / (t * (t + 1) ^ 2))); [ | | exact p ].
    - intros y q; auto_derive; [ repeat split; lra | field; lra ].
    - intros y q; apply Rdiv_le_0_compat; [ apply pow2_ge_0 | apply Rmult_lt_0_compat; [ lra | apply pow_lt; lra ] ]. }
  rewrite ln_1 in H; lra.
Qed.

(* (u + 1) log u is above 2 (u - 1) for u >= 1, and below it for u <= 1 *)
Theorem ln_slope : forall u, 0 < u ->
  (1 <= u -> 2 * (u - 1) <= (u + 1) * ln u) /\ (u <= 1 -> (u + 1) * ln u <= 2 * (u - 1)).
Proof.
  assert (above : forall u, 1 <= u -> 2 * (u - 1) <= (u + 1) * ln u).
  { intros u p; generalize (ln_rational u p); intros H.
    assert (G : 0 <= (u + 1) * (ln u - 2 * (u - 1) / (u + 1))) by (apply Rmult_le_pos; lra).
    replace ((u + 1) * (ln u - 2 * (u - 1) / (u + 1))) with ((u + 1) * ln u - 2 * (u - 1)) in G by (field; lra). lra. }
  intros u p; split; [ apply above | intros q ].
  assert (r : 1 <= / u) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  generalize (above _ r); rewrite ln_Rinv by exact p; intros H.
  assert (G : 0 <= u * ((/ u + 1) * - ln u - 2 * (/ u - 1))) by (apply Rmult_le_pos; lra).
  replace (u * ((/ u + 1) * - ln u - 2 * (/ u - 1))) with (2 * (u - 1) - (u + 1) * ln u) in G by (field; lra). lra.
Qed.

(* (u - 1)^2 <= (2 u + 4) / 3 (u log u - u + 1) [Pinsker's inequality, term by term at u = p / q] *)
Theorem pinsker : forall u, 0 < u -> 3 * (u - 1) ^ 2 <= (2 * u + 4) * (u * ln u - u + 1).
Proof.
  intros u p.
  assert (H : (2 * 1 + 4) * (1 * ln 1 - 1 + 1) - 3 * (1 - 1) ^ 2 <= (2 * u + 4) * (u * ln u - u + 1) - 3 * (u - 1) ^ 2).
  { apply (least positive (fun u => (2 * u + 4) * (u * ln u - u + 1) - 3 * (u - 1) ^ 2)
      (fun u => 4 * ((u + 1) * ln u - 2 * (u - 1))) 1 positive_convex); unfold positive; [ lra | | | | exact p ].
    - intros y q; auto_derive; [ lra | field; lra ].
    - intros y q below; destruct (ln_slope y q) as [_ H]; generalize (H below); lra.
    - intros y q above; destruct (ln_slope y q) as [H _]; generalize (H above); lra. }
  rewrite ln_1 in H; lra.
Qed.

(* log((1 + m) / 2) > 3/5 log m from m = 7/3 on [a restricted divergence that is not convex] *)
Theorem ln_mean : forall m, 7 / 3 <= m -> 3 / 5 * ln m < ln ((1 + m) / 2).
Proof.
  intros m p.
  assert (H : ln ((1 + 7 / 3) / 2) - 3 / 5 * ln (7 / 3) <= ln ((1 + m) / 2) - 3 / 5 * ln m).
  { apply (rising (fun m => ln ((1 + m) / 2) - 3 / 5 * ln m) (fun m => (2 * m - 3) / (5 * m * (1 + m)))); [ | | exact p ].
    - intros y q; auto_derive; [ lra | field; lra ].
    - intros y q; apply Rdiv_le_0_compat; [ lra | apply Rmult_lt_0_compat; lra ]. }
  assert (0 < ln ((1 + 7 / 3) / 2) - 3 / 5 * ln (7 / 3)) by interval with (i_prec 60).
  lra.
Qed.

(* log(alpha / (alpha - 1)) >= 0 for alpha > 1 [one conversion to approximate privacy is better than another] *)
Theorem order_ratio : forall a, 1 < a -> 0 <= ln (a / (a - 1)).
Proof.
  intros a p; rewrite <- ln_1; apply ln_mono; [ lra | ].
  apply Rmult_le_reg_r with (a - 1); [ lra | ]; replace (a / (a - 1) * (a - 1)) with a by (field; lra); lra.
Qed.

(* Hyperbolic functions *)

Lemma cosh_pos t : 0 < cosh t.
Proof. unfold cosh; generalize (exp_pos t) (exp_pos (- t)); lra. Qed.

Lemma opposite t : exp t * exp (- t) = 1.
Proof. rewrite <- exp_plus; replace (t + - t) with 0 by ring; apply exp_0. Qed.

(* cosh t >= 1 *)
Theorem cosh_least : forall t, 1 <= cosh t.
Proof. intros t; unfold cosh; generalize (exp_tangent t) (exp_tangent (- t)); lra. Qed.

(* sinh u >= u for u >= 0 *)
Theorem sinh_above : forall u, 0 <= u -> u <= sinh u.
Proof.
  intros u p; assert (H : sinh 0 - 0 <= sinh u - u).
  { apply (rising (fun u => sinh u - u) (fun u => cosh u - 1)); [ | | exact p ].
    - intros; unfold sinh, cosh; auto_derive; [ auto | field ].
    - intros y _; generalize (cosh_least y); lra. }
  rewrite sinh_0 in H; lra.
Qed.

(* cosh t >= 1 + t^2 / 2 *)
Theorem cosh_quadratic : forall t, 1 + t ^ 2 / 2 <= cosh t.
Proof.
  intros t; assert (H : cosh 0 - (1 + 0 ^ 2 / 2) <= cosh t - (1 + t ^ 2 / 2)).
  { apply (least any (fun t => cosh t - (1 + t ^ 2 / 2)) (fun t => sinh t - t) 0 any_convex I); [ | | | exact I ].
    - intros; unfold sinh, cosh; auto_derive; [ auto | field ].
    - intros y _ below; generalize (sinh_above (- y)); unfold sinh; rewrite Ropp_involutive; lra.
    - intros y _ above; generalize (sinh_above y); lra. }
  rewrite cosh_0 in H; lra.
Qed.

(* z <= sinh z cosh z for z >= 0 [tanh(z) / z falls] *)
Theorem sinh_cosh : forall z, 0 <= z -> z <= sinh z * cosh z.
Proof.
  intros z p; replace (sinh z * cosh z) with (sinh (2 * z) / 2); [ generalize (sinh_above (2 * z)); lra | ].
  unfold sinh, cosh; replace (2 * z) with (z + z) by ring; replace (- (z + z)) with (- z + - z) by ring.
  rewrite !exp_plus; field.
Qed.

(* (e^x - 1) / (e^x + 1) = tanh(x / 2) [the total variation of randomised response] *)
Theorem tanh_half : forall x, (exp x - 1) / (exp x + 1) = tanh (x / 2).
Proof.
  intros x; unfold tanh, sinh, cosh; generalize (exp_pos (x / 2)); intros p.
  replace (exp x) with (exp (x / 2) * exp (x / 2)) by (rewrite <- exp_plus; f_equal; field).
  assert (0 < exp (x / 2) * exp (x / 2)) by (apply Rmult_lt_0_compat; exact p).
  rewrite exp_Ropp; field; repeat split; lra.
Qed.

Lemma tanh_derive t : is_derive (fun t => t - tanh t) t (tanh t ^ 2).
Proof.
  unfold tanh, sinh, cosh; generalize (exp_pos t) (exp_pos (- t)); intros p q.
  auto_derive; [ lra | field; lra ].
Qed.

(* tanh t <= t for t >= 0 *)
Theorem tanh_below : forall t, 0 <= t -> tanh t <= t.
Proof.
  intros t p; assert (H : 0 - tanh 0 <= t - tanh t).
  { apply (rising (fun t => t - tanh t) (fun t => tanh t ^ 2)); [ | | exact p ].
    - intros; apply tanh_derive.
    - intros; apply pow2_ge_0. }
  replace (tanh 0) with 0 in H by (unfold tanh; rewrite sinh_0, cosh_0; field); lra.
Qed.

(* eps tanh(eps / 2) <= eps^2 / 2 [the chord of u log u over a pair that is eps-private] *)
Theorem chord : forall e, 0 <= e -> e * tanh (e / 2) <= e ^ 2 / 2.
Proof.
  intros e p; assert (H : tanh (e / 2) <= e / 2) by (apply tanh_below; lra).
  assert (0 <= e * (e / 2 - tanh (e / 2))) by (apply Rmult_le_pos; lra). nra.
Qed.

(* log cosh t <= t^2 / 2 [randomised response is sub-Gaussian] *)
Theorem ln_cosh : forall t, ln (cosh t) <= t ^ 2 / 2.
Proof.
  intros t; assert (H : 0 ^ 2 / 2 - ln (cosh 0) <= t ^ 2 / 2 - ln (cosh t)).
  { apply (least any (fun t => t ^ 2 / 2 - ln (cosh t)) (fun t => t - tanh t) 0 any_convex I); [ | | | exact I ].
    - intros y _; generalize (cosh_pos y); unfold tanh, sinh, cosh; intros q; auto_derive; [ exact q | field; lra ].
    - intros y _ below; assert (G : tanh (- y) <= - y) by (apply tanh_below; lra).
      replace (tanh (- y)) with (- tanh y) in G; [ lra | ].
      unfold tanh, sinh, cosh; rewrite Ropp_involutive; generalize (exp_pos y) (exp_pos (- y)); intros; field; lra.
    - intros y _ above; generalize (tanh_below y above); lra. }
  rewrite cosh_0, ln_1 in H; lra.
Qed.

(* cosh t <= e^(t^2 / 2) *)
Theorem cosh_below : forall t, cosh t <= exp (t ^ 2 / 2).
Proof. intros t; rewrite <- (exp_ln (cosh t)) at 1 by apply cosh_pos; apply exp_mono, ln_cosh. Qed.

(* log((1 + e^h) / 2) - h / 2 <= h^2 / 8 [Hoeffding's lemma, of a fair coin] *)
Theorem hoeffding : forall h, ln ((1 + exp h) / 2) - h / 2 <= h ^ 2 / 8.
Proof.
  intros h; generalize (ln_cosh (h / 2)); intros H.
  replace ((1 + exp h) / 2) with (exp (h / 2) * cosh (h / 2)).
  - rewrite ln_mult, ln_exp; [ nra | apply exp_pos | apply cosh_pos ].
  - unfold cosh; generalize (opposite (h / 2)); intros E.
    replace (exp h) with (exp (h / 2) * exp (h / 2)) by (rewrite <- exp_plus; f_equal; field). nra.
Qed.

(* w (e^w + 1) >= 2 (e^w - 1) for w >= 0 [w tanh(w / 2) against the mean of the ends] *)
Theorem mean_of_ends : forall w, 0 <= w -> 2 * (exp w - 1) <= w * (exp w + 1).
Proof.
  intros w p; assert (H : 0 * (exp 0 + 1) - 2 * (exp 0 - 1) <= w * (exp w + 1) - 2 * (exp w - 1)).
  { apply (rising (fun w => w * (exp w + 1) - 2 * (exp w - 1)) (fun w => 1 + (w - 1) * exp w)); [ | | exact p ].
    - intros; auto_derive; [ auto | ring ].
    - intros y q; generalize (exp_tangent (- y)); intros G.
      assert (H : 0 <= exp y * (exp (- y) - (1 + - y))) by (apply Rmult_le_pos; [ left; apply exp_pos | lra ]).
      rewrite Rmult_minus_distr_l, opposite in H; lra. }
  rewrite exp_0 in H; lra.
Qed.

(* Roots and powers *)

(* 2 sqrt t <= 1 + t [the tangent of the Hellinger affinity] *)
Theorem sqrt_tangent : forall t, 0 <= t -> 2 * sqrt t <= 1 + t.
Proof. intros t p; generalize (sqrt_sqrt t p) (pow2_ge_0 (sqrt t - 1)); nra. Qed.

(* sqrt(1 + x^2) <= x + 1/4 for x >= 4 [the Laplace mechanism, beyond epsilon = 4] *)
Theorem root_beyond : forall x, 4 <= x -> sqrt (1 + x ^ 2) <= x + 1 / 4.
Proof. intros x p; rewrite <- (sqrt_pow2 (x + 1 / 4)) by lra; apply sqrt_le_1_alt; nra. Qed.

(* the moment of randomised response at alpha = 2 *)
Theorem response : forall r, 0 < r -> (r ^ 2 + / r) / (1 + r) = r - 1 + / r.
Proof. intros r p; field; split; lra. Qed.
