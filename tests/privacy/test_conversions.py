"""Conversions compared with a direct search for the worst pair, random pairs, closed forms, quadrature and
published values.

The direct search: the least epsilon is the largest log((p - delta) / q) over the points (p, q) of the privacy region,
that is over q with the largest p, by Newton's method and golden sections with 40 digits. It uses neither the dual
certificates nor the tangent equations of the tested code. At the maximum it is stationary, so at least 23 digits are
correct.
"""

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq
from mpmath import mpf

import krdtheory as k
from krdtheory import ball, mp
from krdtheory.arithmetic import FLOAT64, MP
from krdtheory.arithmetic.mp import at_digits
from krdtheory.privacy import conversions as c
from krdtheory.privacy import guarantees
from krdtheory.privacy.conversions import optimum

INF = np.inf
EPS = 2.0**-52


def largest_p(q, a, c_):
    """Return the largest p with p^a q^(1 - a) + (1 - p)^a (1 - q)^(1 - a) <= c_, by Newton (it is convex)."""
    p = min(mpf(1), (c_ * q ** (a - 1)) ** (1 / a))
    for _ in range(5000):
        u, v = (p / q) ** (a - 1), ((1 - p) / (1 - q)) ** (a - 1)
        step = (p * u + (1 - p) * v - c_) / (a * (u - v))
        p -= step
        if abs(step) < mpf(10) ** -34 * p:
            return p
    raise ArithmeticError


def largest(f, low, high, tol):
    """Return the largest value of a unimodal f."""
    golden = (mpmath.sqrt(5) - 1) / 2
    x, y = high - golden * (high - low), low + golden * (high - low)
    fx, fy = f(x), f(y)
    best = max(fx, fy, f(high))
    while high - low > tol:
        if fx > fy:
            high, y, fy = y, x, fx
            x = high - golden * (high - low)
            fx = f(x)
        else:
            low, x, fx = x, y, fy
            y = low + golden * (high - low)
            fy = f(y)
        best = max(best, fx, fy)
    return best


def direct_epsilon(alpha, rho, delta):
    with mpmath.workdps(40):
        a, r, d = mpf(alpha), mpf(rho), mpf(delta)
        c_ = mpmath.exp((a - 1) * r)

        def epsilon(log_q):
            p = mpf(1) if log_q >= -r else largest_p(mpmath.exp(log_q), a, c_)
            return mpmath.log(p - d) - log_q if p > d else log_q - mpf(10) ** 30

        low = a * mpmath.log(d) / (a - 1) - r
        return largest(epsilon, low, -r, mpf(10) ** -12 * max(1, abs(low) * mpf(10) ** -5))


def direct_delta(alpha, rho, epsilon, low=-120):
    with mpmath.workdps(40):
        a, r, e, low = mpf(alpha), mpf(rho), mpf(epsilon), mpf(low)
        c_ = mpmath.exp((a - 1) * r)

        def delta(log_q):
            q = mpmath.exp(log_q)
            return (mpf(1) if log_q >= -r else largest_p(q, a, c_)) - mpmath.exp(e) * q

        return largest(delta, low, -r, mpf(10) ** -11)


def random_parameters(rng, n, smallest_k=1e-3):
    """Draw alpha in (1, 1000], rho in [1e-6, 100], delta in [1e-300, 1), at all scales and near alpha delta = 1."""
    alpha = np.minimum(1 + 10 ** rng.uniform(np.log10(smallest_k), 3, n), 1000)
    rho = 10 ** rng.uniform(-6, 2, n)
    kind = rng.integers(3, size=n)
    corner = rng.uniform(0.5, 1.2, n) / alpha
    delta = np.choose(kind, [10 ** rng.uniform(-300, 0, n), 10 ** -(10 ** rng.uniform(-3, 1.5, n)), corner])
    return alpha, rho, np.minimum(delta, 1 - 1e-6)


# The optimal conversion

# alpha, rho, delta, Mironov, Theorem 16, optimal (hyptest.conj, reference table)
TABLE = [
    (2, "0.1", "1e-3", "7.0077552789821370521", "5.6214609178622464332", "3.3065837082676861154"),
    (2, "0.1", "1e-5", "11.61292546497022842", "10.226631103850337801", "7.8748428999737837003"),
    (2, "1", "1e-8", "19.420680743952365472", "18.034386382832474853", "17.575711260724460733"),
    (2, "3", "1e-5", "14.51292546497022842", "13.126631103850337801", "13.075564018712341386"),
    (8, "0.1", "1e-3", "1.0868221827117338646", "0.6562277127043775374", "0.56317433342028748993"),
    (8, "0.5", "1e-5", "2.1447036378528897743", "1.7141091678455334471", "1.7097312317850196982"),
    (8, "1", "1e-3", "1.9868221827117338646", "1.5562277127043775374", "1.5561042278329572371"),
    (8, "3", "1e-8", "5.6315258205646236389", "5.2009313505572673117", "5.2009313504489450889"),
]
# alpha, rho, delta, Theorem 16, one-sided, two-sided
CORNER = [
    (2, "3", "0.5", "2.3068528194400546906", "2.3068528194400546906", "2.3044834847342287261"),
    (2, "3", "0.6", "2.1245312626461000644", "2.0837092681258449348", "2.0560707547900800219"),
    (4, "1", "0.25", "0.71231792754821907256", "0.71231792754821907256", "0.69016289423250350782"),
    (4, "1", "0.3", "0.65154407528356753049", "0.64332505606126762109", "0.58469167823492257941"),
    (8, "0.5", "0.1", "0.39834625756322162768", "0.39834531910790533038", "0.39365514081242957754"),
    (8, "0.5", "0.2", "0.29932523176894372633", "0.27685644868579024423", "0.187780146338548675"),
    (32, "0.1", "0.02", "0.082647659834723554054", "0.082645425207184503147", "0.081998371971087534264"),
    (32, "1", "0.05", "0.95308989429039597131", "0.94870670561244946657", "0.93937015054738592713"),
    (2, "0.01", "0.9", "-1.2709338454620643176", "-2.292585092994045684", "0"),
]
DELTAS = {  # at epsilon = 0, 0.5, 1, 2, 4
    (2, 0.1): "0.16215032999939255814 0.038272169679499049826 0.015167864190351104069 0.0041126287509146921846 "
    "0.00049054843991595134267",
    (2, 1): "0.6321205588285576784 0.40692609287591607058 0.22145779371802126924 0.066542314071085298616 "
    "0.0080134527297026172992",
    (8, 0.1): "0.098350342018214395342 0.0015830152068131455783 0.0000454707026777684077 4.1378684691338517349e-8 "
    "3.4407484109980088853e-14",
    (8, 1): "0.6321205588285576784 0.3934693402873665764 0.049084855247245817998 0.000044720826441024256823 "
    "3.7186564544975445352e-11",
}


def agrees(got, value, digits=19):
    """Return whether a value agrees to `digits` digits, or to half a unit of the last printed one."""
    with mpmath.workdps(40):
        return abs(got - mpf(value)) <= mpf(10) ** (1 - digits) * max(abs(mpf(value)), mpf(10) ** -3)


@pytest.mark.parametrize(("alpha", "rho", "delta", "mironov", "balle", "optimal"), TABLE)
def test_published_values(alpha, rho, delta, mironov, balle, optimal):
    for method, value in (("mironov", mironov), ("balle", balle), ("optimal", optimal)):
        got = at_digits(c.rdp_to_approximate_dp, 22, alpha=alpha, epsilon=rho, delta=delta, method=method)
        assert agrees(got, value)
        two_sided = method == "optimal"  # the same here
        plain = c.rdp_to_approximate_dp(
            alpha=alpha, epsilon=float(rho), delta=float(delta), method=method, two_sided=two_sided
        )
        assert plain == pytest.approx(float(value), rel=1e-14)


@pytest.mark.parametrize(("alpha", "rho", "delta", "balle", "one", "two"), CORNER)
def test_published_corner(alpha, rho, delta, balle, one, two):
    arguments = {"alpha": alpha, "epsilon": rho, "delta": delta}
    plain = {"alpha": alpha, "epsilon": float(rho), "delta": float(delta)}
    for options, value in (({"method": "balle"}, balle), ({}, one), ({"two_sided": True}, two)):
        assert agrees(at_digits(c.rdp_to_approximate_dp, 22, **arguments, **options), value)
        assert c.rdp_to_approximate_dp(**plain, **options) == pytest.approx(float(value), rel=2e-14)
    assert c.rdp_to_approximate_dp(**plain, nonnegative=True) == pytest.approx(max(0, float(one)), rel=2e-14)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "rho"), DELTAS)
def test_published_deltas(alpha, rho):
    for epsilon, value in zip((0, "0.5", 1, 2, 4), DELTAS[alpha, rho].split(), strict=True):
        got = at_digits(c.rdp_to_delta, 22, alpha=alpha, epsilon=str(rho), target_epsilon=epsilon)
        with mpmath.workdps(30):
            assert abs(got - mpf(value)) <= mpf(10) ** -18 * mpf(value)
        plain = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=float(epsilon))
        assert plain == pytest.approx(float(value), rel=1e-14)


@pytest.mark.slow
def test_optimal_is_the_worst_pair():
    """float64 to a relative 1e-11, the mark; the direct search is accurate to at least 1e-17."""
    alpha, rho, delta = random_parameters(np.random.default_rng(0), 25)
    got = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta)
    for a, r, d, e in zip(alpha, rho, delta, got, strict=True):
        want = direct_epsilon(a, r, d)
        assert abs(e - want) <= 1e-11 * abs(want) + 4 * EPS / (1 - d)
    for a, r, d in list(zip(alpha, rho, delta, strict=True))[:6]:
        want = direct_epsilon(a, r, d)
        mp = at_digits(c.rdp_to_approximate_dp, 25, alpha=a, epsilon=r, delta=d)
        assert abs(mp - want) <= mpf(10) ** -16 * abs(want)


@pytest.mark.slow
def test_optimal_delta_is_the_worst_pair():
    """float64 to a relative 1e-12, at the exact epsilon and rho.

    A change of them by one ulp changes delta by up to alpha rho ulps, 1e-11 in the last two rows.
    """
    rng = np.random.default_rng(1)
    alpha, rho, delta = random_parameters(rng, 12, smallest_k=1e-2)
    epsilon = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta)
    rows = [(a, r, e, a * np.log(d) / (a - 1) - r) for a, r, d, e in zip(alpha, rho, delta, epsilon, strict=True)]
    rows += [(404.01901584986183, 91.21851047563136, 91.28483674108635, -300), (900.5, 97.3, 97.4, -300)]
    for a, r, e, low in rows:
        got, want = c.rdp_to_delta(alpha=a, epsilon=r, target_epsilon=e), direct_delta(a, r, e, low)
        assert abs(got - want) <= 1e-12 * want


@pytest.mark.slow
@pytest.mark.parametrize("two_sided", [False, True])
def test_float_against_multiprecision_over_the_whole_range(two_sided):
    alpha, rho, delta = random_parameters(np.random.default_rng(2), 30, smallest_k=1e-9)
    got = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, two_sided=two_sided)
    for a, r, d, e in zip(alpha, rho, delta, got, strict=True):
        want = at_digits(c.rdp_to_approximate_dp, 20, alpha=a, epsilon=r, delta=d, two_sided=two_sided)
        assert abs(e - want) <= 1e-11 * abs(want) + 4 * EPS / (1 - d)


def test_order_two_is_a_closed_form():
    rng = np.random.default_rng(3)
    rho, delta = 10 ** rng.uniform(-6, 1.5, 200), 10 ** -rng.uniform(0, 300, 200)
    inner = np.log1p(-delta + np.expm1(rho) / (4 * delta))
    want = np.where(delta <= 0.5, inner, rho + np.log1p(-delta))
    assert c.rdp_to_approximate_dp(alpha=2, epsilon=rho, delta=delta) == pytest.approx(want, rel=1e-12, abs=1e-15)


@pytest.mark.slow
def test_two_sided_is_the_worst_symmetric_pair():
    """In a grid of pairs with both divergences at most rho, none is above it, and the best one is close."""
    grid = np.linspace(0, 1, 301)[1:-1]
    p, q = np.meshgrid(grid, grid, indexing="ij")
    pairs, mirrored = np.stack([p, 1 - p], -1), np.stack([q, 1 - q], -1)
    for alpha, rho in ((8, 0.5), (2, 1.0), (4, 0.2), (1.5, 0.5)):
        inside = (k.renyi(pairs, mirrored, alpha) <= rho) & (k.renyi(mirrored, pairs, alpha) <= rho)
        for epsilon in (0.0, 0.1, 0.3, 1.0):
            worst = max(0, (p - np.exp(epsilon) * q)[inside].max())
            delta = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=epsilon, two_sided=True)
            assert worst <= delta * (1 + 1e-12) <= worst + (1 + np.exp(epsilon)) / 150
            if delta > 0:
                back = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, two_sided=True)
                assert back == pytest.approx(epsilon, abs=1e-12)


@pytest.mark.slow
def test_every_random_pair_is_below_the_bound():
    rng = np.random.default_rng(4)
    for alpha in (1, 1.3, 2, 7, 100):
        p, q = rng.dirichlet(np.full(4, 0.4), size=(2, 120))
        p, q = p + 1e-4, q + 1e-4
        p, q = p / p.sum(-1, keepdims=True), q / q.sum(-1, keepdims=True)
        rho = k.renyi(p, q, alpha)
        for epsilon in (-0.5, 0, 0.7, 2):
            delta = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=epsilon)
            assert (k.hockey_stick(p, q, epsilon) <= delta + 1e-13).all()
            both = np.maximum(rho, k.renyi(q, p, alpha))
            if epsilon >= 0:
                delta = c.rdp_to_delta(alpha=alpha, epsilon=both, target_epsilon=epsilon, two_sided=True)
                assert (k.hockey_stick(p, q, epsilon) <= delta + 1e-13).all()


@pytest.mark.slow
def test_order_of_the_methods_and_monotonicity():
    alpha, rho, delta = random_parameters(np.random.default_rng(5), 500)
    value = {m: c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, method=m) for m in c.METHODS}
    slack = 1e-11 * abs(value["optimal"]) + 4 * EPS / (1 - delta)
    assert (value["optimal"] <= value["balle"] + slack).all()
    assert (value["optimal"] <= value["certificate"] + slack).all()
    assert (value["balle"] < value["mironov"]).all()
    two = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, two_sided=True)
    assert (two <= np.maximum(value["optimal"], 0) + slack).all()
    corner = alpha * delta >= 1
    assert value["optimal"][corner] == pytest.approx(rho[corner] + np.log1p(-delta[corner]), rel=1e-14)


def test_continuity_across_the_corner():
    """delta from just below 1 / alpha to just above."""
    alpha = np.array([1.001, 1.5, 2, 10, 1000])
    for rho in (1e-6, 0.1, 10):
        below, above = (
            c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=(1 + s) / alpha) for s in (-1e-13, 1e-13)
        )
        assert below == pytest.approx(above, abs=1e-12 * alpha[0] / (alpha[0] - 1), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0, 0.25, 0.5, 0.75])
def test_delta_close_to_one(share):
    """Below the corner, where p = 1 - O(exp(-1 / (1 - delta))) is too close to 1 to matter."""
    rest = 2.0 ** -np.arange(10, 51, 5)
    alpha = 1 + share * rest / (1 - rest)
    for rho in (0, 1e-6, 0.1, 3, 100):
        got = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=1 - rest)
        assert (alpha * (1 - rest) < 1).all()
        assert got == pytest.approx(rho + np.log(rest), rel=1e-14)


def test_limits():
    convert = c.rdp_to_approximate_dp
    assert convert(alpha=INF, epsilon=1.5, delta=0.1) == pytest.approx(1.5 + np.log(0.9), rel=1e-15)
    # pure DP in both orders: log(e^eps - delta (1 + e^eps)), colisson.thm21
    want = np.log(np.exp(1.5) - 0.1 * (1 + np.exp(1.5)))
    assert convert(alpha=INF, epsilon=1.5, delta=0.1, two_sided=True) == pytest.approx(want, rel=1e-14)
    assert convert(alpha=1e9, epsilon=1.5, delta=0.1, two_sided=True) == pytest.approx(want, rel=1e-8)
    for method in ("certificate", "balle", "mironov"):
        assert convert(alpha=INF, epsilon=1.5, delta=0.1, method=method) == 1.5
        assert convert(alpha=1e12, epsilon=1.5, delta=0.1, method=method) == pytest.approx(1.5, rel=1e-10)
    # identical distributions: P(S) <= e^eps P(S) + delta
    for alpha in (1, 1.5, 2, 30, INF):
        assert convert(alpha=alpha, epsilon=0, delta=0.3) == pytest.approx(np.log(0.7), rel=1e-9)
        assert convert(alpha=alpha, epsilon=0, delta=0.3, two_sided=True) == 0
        assert c.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=-0.5) == pytest.approx(-np.expm1(-0.5), rel=1e-9)
        assert c.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=0.5) <= 1e-15
    near = convert(alpha=1 + 1e-12, epsilon=0.4, delta=0.01)
    assert near == pytest.approx(convert(alpha=1, epsilon=0.4, delta=0.01), rel=1e-9)


@pytest.mark.slow
def test_round_trip():
    rng = np.random.default_rng(6)
    alpha, rho, delta = random_parameters(rng, 200)
    delta = np.maximum(delta, 1e-250)
    epsilon = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta)
    back = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=epsilon)
    condition = 1 + alpha * (abs(epsilon) + rho)  # of delta in epsilon
    assert (abs(back - delta) <= 1e-12 * condition * delta).all()


# Kullback-Leibler


def direct_kl_delta(kl, factor):
    def excess(p, q):
        rest = (1 - p) * mpmath.log((1 - p) / (1 - q)) if p < 1 else 0
        return p * mpmath.log(p / q) + rest - kl

    def delta(log_q):
        q = mpmath.exp(log_q)
        low, high = q, mpf(1)
        if excess(high, q) > 0:
            for _ in range(100):
                middle = (low + high) / 2
                low, high = (middle, high) if excess(middle, q) < 0 else (low, middle)
        return high - factor * q

    return largest(delta, mpf(-60), -kl / 1000, mpf(10) ** -8)


@pytest.mark.slow
def test_kl_is_the_worst_pair():
    """The largest delta of pairs on two points, by the direct search with 30 digits, and the values of the table."""
    table = {
        0.1: "0.22235542482998855389 0.18331070501247936282 0.093329276562856652024 0.054973500229252881611",
        0.5: "0.48556679247275801573 0.45297351205473263624 0.33835250921152708095 0.24178903604440740729",
    }
    for kl, values in table.items():
        for epsilon, value in zip((0, 0.1, 0.5, 1), values.split(), strict=True):
            got = c.kl_to_delta(kl=kl, epsilon=epsilon)
            assert got == pytest.approx(float(value), rel=1e-14)
            assert c.kl_to_approximate_dp(kl=kl, delta=got) == pytest.approx(epsilon, abs=1e-13)
    for kl, epsilon in ((0.1, -0.3), (0.1, 4.0), (3.0, 2.0), (1e-4, 0.001)):
        with mpmath.workdps(30):
            want = direct_kl_delta(mpf(kl), mpmath.exp(epsilon))
        got = c.kl_to_delta(kl=kl, epsilon=epsilon)
        assert got == pytest.approx(float(want), rel=1e-12)


def test_kl_at_tiny_delta():
    """Nearly kl / delta: at p = delta, delta log(p / q) = kl. Its logarithm, 695, has an error of eps."""
    assert c.kl_to_approximate_dp(kl=100, delta=1e-300) == pytest.approx(1e302, rel=1000 * EPS)


# Curves, concentrated and Gaussian DP


def test_curve_is_the_least_over_orders():
    orders = np.array([1.5, 2, 4, 6, 8, 32])
    # Gaussian mechanism, mu = 1 (hyptest.ref)
    values = [19.541453867659548349, 10.667979237027792115, 5.0870344844356548181, 4.7619115811958975551]
    values += [5.2141091678454347329, 16.227838061755435888]
    each = c.rdp_to_approximate_dp(alpha=orders, epsilon=orders / 2, delta=1e-5)
    assert each == pytest.approx(values, rel=1e-14)
    assert c.rdp_curve_to_approximate_dp(alpha=orders, epsilon=orders / 2, delta=1e-5) == pytest.approx(values[3])
    bounds = np.where(orders < 5, orders / 2, INF)
    assert c.rdp_curve_to_approximate_dp(alpha=orders, epsilon=bounds, delta=1e-5) == pytest.approx(values[2])
    assert c.rdp_curve_to_approximate_dp(alpha=orders, epsilon=np.full(6, INF), delta=[1e-5, 0.1]).tolist() == [INF] * 2


@pytest.mark.slow
def test_zcdp_is_the_best_order():
    """Compared with a fine grid of orders, within its second-order error."""
    t = np.linspace(-8, 8, 4001)
    for rho, delta, xi in ((0.5, 1e-5, 0), (0.01, 1e-9, 0), (3, 0.1, 0.2), (1e-4, 1e-300, 0)):
        middle = np.log(np.log(1 / delta) / rho) / 2
        orders = 1 + np.exp(t + middle)
        for method in c.METHODS:
            grid = c.rdp_to_approximate_dp(alpha=orders, epsilon=xi + rho * orders, delta=delta, method=method).min()
            got = c.zcdp_to_approximate_dp(rho=rho, delta=delta, xi=xi, method=method)
            assert grid * (1 - 1e-4) <= got <= grid * (1 + 1e-13)
    # "mironov": rho + 2 sqrt(rho log(1/delta))
    want = 0.5 + 2 * np.sqrt(0.5 * np.log(1e5))
    assert c.zcdp_to_approximate_dp(rho=0.5, delta=1e-5, method="mironov") == pytest.approx(want, rel=1e-14)
    with mpmath.workdps(30):
        want = mpf(1) / 2 + 2 * mpmath.sqrt(mpf(1) / 2 * mpmath.log(10**5))
        got = at_digits(c.zcdp_to_approximate_dp, 22, rho="1/2", delta="1e-5", method="mironov")
        assert abs(got - want) <= mpf(10) ** -21 * want


def test_concentrated_dp_where_order_one_is_best():
    """The infimum of the certificates is approached as alpha -> 1; compared with a scan of orders."""
    orders = 1 + np.geomspace(1e-14, 10, 4001)
    for rho, delta in ((7.264413159859051, 0.933419815488874), (0.01, 0.99)):
        scan = c.rdp_to_approximate_dp(alpha=orders, epsilon=rho * orders, delta=delta, method="certificate").min()
        assert c.zcdp_to_approximate_dp(rho=rho, delta=delta, method="certificate") <= scan + 1e-11
        assert c.tcdp_to_approximate_dp(rho=rho, omega=1.4, delta=delta, method="certificate") <= scan + 1e-11


@pytest.mark.slow
def test_tcdp():
    rho, delta = 0.5, 1e-5
    free = c.zcdp_to_approximate_dp(rho=rho, delta=delta)
    assert c.tcdp_to_approximate_dp(rho=rho, omega=1e4, delta=delta) == pytest.approx(free, rel=1e-12)
    cut = c.rdp_to_approximate_dp(alpha=3, epsilon=1.5, delta=delta)
    assert c.tcdp_to_approximate_dp(rho=rho, omega=3, delta=delta) == pytest.approx(cut, rel=1e-13)


def test_gdp():
    mu_one = [0.38292492254802620728, 0.35232517168136665648, 0.23842170813487662832, 0.1269367375066439458]
    mu_one += [0.02092363582111373142, 0.000047122412007931198674]
    mu_half = [0.19741265136584744848, 0.15926050741399166515, 0.052440323287669661712, 0.0068295949831145753842]
    mu_half += [9.4391686349472337585e-6, 2.7060338029569069376e-16]
    epsilon = np.array([0, 0.1, 0.5, 1, 2, 4])
    for mu, values in ((1, mu_one), (0.5, mu_half)):
        got = c.gdp_to_delta(mu=mu, epsilon=epsilon)
        assert got == pytest.approx(values, rel=1e-13)
        assert c.gdp_to_approximate_dp(mu=mu, delta=got) == pytest.approx(epsilon, abs=1e-13, rel=1e-13)
    exact = c.gdp_to_approximate_dp(mu=1, delta=1e-5)
    assert exact == pytest.approx(4.3771780956812246277, rel=1e-14)
    assert exact < c.zcdp_to_approximate_dp(rho=0.5, delta=1e-5)
    with mpmath.workdps(30):
        got = at_digits(c.gdp_to_approximate_dp, 20, mu=1, delta="1e-5")
        assert abs(got - mpf("4.3771780956812246277")) <= mpf(10) ** -18


@pytest.mark.slow
@pytest.mark.parametrize("mu", [1e-3, 0.1, 1, 10, 100])
def test_gdp_literally(mu):
    """Compared with Phi by mpmath at 600 digits; the stated error is z^2 + mu^2 ulps, z = epsilon / mu."""
    for z in (-30, -3, -0.2, 0, 0.2, 1, 5, 20):
        epsilon = float(z * mu)
        with mpmath.workdps(600):
            m, e = mpf(mu), mpf(epsilon)
            want = mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
        got = c.gdp_to_delta(mu=mu, epsilon=epsilon)
        assert abs(got - want) <= 8 * EPS * (1 + z * z + mu * mu) * want
        assert got <= 1


def test_pure_to_rdp():
    """Compared with the literal sum of randomised response, for all ranges of orders; at most the printed bound."""
    alpha = np.array([0, 1e-3, 0.3, 0.5, 1 - 1e-7, 1, 1 + 1e-7, 1.5, 2, 10, 1000, INF])
    for epsilon in (1e-6, 0.1, 1, 5, 40, 300):
        p = np.array([1, np.exp(-epsilon)]) / (1 + np.exp(-epsilon))
        got = c.pure_to_rdp(epsilon=epsilon, alpha=alpha)
        with mpmath.workdps(60):
            e = mpf(epsilon)
            for a, value in zip(alpha, got, strict=True):
                if a in (1, INF):
                    want = e if a == INF else e * mpmath.tanh(e / 2)
                else:
                    want = mpmath.log(mpmath.cosh((mpf(a) - 0.5) * e) / mpmath.cosh(e / 2)) / (mpf(a) - 1)
                assert abs(value - want) <= 1e-14 * want
        assert (got <= np.minimum(epsilon, alpha * epsilon**2 / 2) * (1 + 1e-14)).all()
        if epsilon < 10:
            assert got == pytest.approx(k.renyi(p, p[::-1], alpha), rel=1e-8)
    assert c.pure_to_rdp(epsilon=0.5, alpha=2) == pytest.approx(0.22733629380264572863, rel=1e-15)
    assert c.pure_to_rdp(epsilon=1, alpha=3) == pytest.approx(0.84672683048544761728, rel=1e-15)
    assert c.pure_to_rdp(epsilon=2, alpha=1.5) == pytest.approx(1.7824438337496744878, rel=1e-15)


def test_pure_to_zcdp():
    """The supremum over orders of the Renyi curve divided by the order is attained at order one."""
    for epsilon in (0.01, 1, 6):
        alpha = 1 + np.geomspace(1e-9, 1e5, 2000)
        ratio = c.pure_to_rdp(epsilon=epsilon, alpha=alpha) / alpha
        rho = c.pure_to_zcdp(epsilon=epsilon)
        assert rho * (1 - 1e-7) <= ratio.max() <= rho * (1 + 1e-13)
        assert rho <= epsilon**2 / 2


def test_gdp_to_rdp():
    assert c.gdp_to_rdp(mu=[0, 2], alpha=INF).tolist() == [0, INF]
    assert c.gdp_to_rdp(mu=3, alpha=[0, 1, 2]).tolist() == [0, 4.5, 9]


# Hellinger, total variation, approximate DP


def region_delta(inside, epsilon, n=1501):
    """Return max p - e^epsilon q over a grid of the region inside(p, q)."""
    grid = np.linspace(0, 1, n)
    p, q = np.meshgrid(grid, grid, indexing="ij")
    return (p - np.exp(epsilon) * q)[inside(p, q)].max()


HELLINGER = {
    0: (0.14106735979665884425, 0.31224989991991991029, 0.43588989435406735522, 0.7141428428542849998),
    0.1: (0.1047617105329188124, 0.2798591153119379698, 0.40866035930266986625, 0.70001164348171082863),
    1: (0.03092476811615401475, 0.14243563740190253246, 0.26094687603977521735, 0.59840731585319166381),
    1e300: (0.0199, 0.0975, 0.19, 0.51),
}


@pytest.mark.parametrize("epsilon", HELLINGER)
def test_hellinger_published(epsilon):
    rho = np.array([0.01, 0.05, 0.1, 0.3])
    assert c.hellinger_to_delta(hellinger=rho, epsilon=epsilon) == pytest.approx(HELLINGER[epsilon], rel=1e-14)


@pytest.mark.slow
def test_hellinger():
    rng = np.random.default_rng(7)
    p, q = rng.dirichlet(np.full(3, 0.3), size=(2, 500))
    rho = np.maximum(k.hellinger(p, q), 0)
    for epsilon in (-1, 0, 0.5, 3):
        assert (k.hockey_stick(p, q, epsilon) <= c.hellinger_to_delta(hellinger=rho, epsilon=epsilon) + 1e-14).all()
    # the pair (4/5, 1/5), (1/5, 4/5) attains it at epsilon = 0
    assert c.hellinger_to_delta(hellinger=0.2, epsilon=0) == pytest.approx(0.6, rel=1e-15)
    for r, epsilon in ((0.1, 0.0), (0.1, 0.7), (0.3, -0.4)):
        worst = region_delta(lambda p, q, r=r: np.sqrt(p * q) + np.sqrt((1 - p) * (1 - q)) >= 1 - r, epsilon)
        delta = c.hellinger_to_delta(hellinger=r, epsilon=epsilon)
        assert worst <= delta + 1e-15 and delta <= worst + (1 + np.exp(epsilon)) / 750
    assert c.hellinger_to_delta(hellinger=0, epsilon=[-1, 0, 1]) == pytest.approx([-np.expm1(-1), 0, 0], abs=3e-16)
    assert c.hellinger_to_delta(hellinger=1, epsilon=[-5, 0, 5, 800]) == pytest.approx(1, rel=1e-15)
    epsilon = np.linspace(-3, 8, 50)
    delta = c.hellinger_to_delta(hellinger=0.2, epsilon=epsilon)
    condition = 16 * EPS * (1 + np.exp(abs(epsilon)))  # delta - kappa and 1 - delta are of the order of e^-|epsilon|
    assert (abs(c.hellinger_to_approximate_dp(hellinger=0.2, delta=delta) - epsilon) <= condition).all()
    assert c.hellinger_to_approximate_dp(hellinger=0.5, delta=0.75) == INF
    assert c.hellinger_to_approximate_dp(hellinger=0.01, delta=0.9) < 0
    assert c.hellinger_to_approximate_dp(hellinger=0.01, delta=0.9, nonnegative=True) == 0


def test_hellinger_near_one():
    """The inverse with 40 digits, for a distance and a delta that are 1 - 1e-16."""
    for h, delta in ((0.9999999843520279, 0.9999999999999998), (1 - 2.0**-20, 1 - 2.0**-41), (0.6, 0.9)):
        with mpmath.workdps(40):
            rest, d = (1 - mpf(h)) ** 2, mpf(delta)
            want = mpmath.log(d * (1 - d) / (rest - (1 - d)))
            got = c.hellinger_to_approximate_dp(hellinger=h, delta=delta)
            assert abs(got - want) <= 16 * EPS * (1 + abs(want))


def test_total_variation():
    for tau, epsilon in ((0.2, 0.0), (0.2, 1.0), (0.2, -0.5), (0.0, -1.0)):
        worst = region_delta(lambda p, q, tau=tau: abs(p - q) <= tau + 1e-12, epsilon, 1001)
        assert c.total_variation_to_delta(total_variation=tau, epsilon=epsilon) == pytest.approx(worst, abs=1e-11)
        if epsilon <= 0:
            back = c.total_variation_to_approximate_dp(total_variation=tau, delta=worst)
            assert back == pytest.approx(epsilon, abs=1e-10) or (epsilon == 0 and worst < tau and back == INF)


def test_epsilon_of_total_variation():
    """Finite from delta = tau on, where it is 0; no digits are lost there or at delta = 1."""
    convert = c.total_variation_to_approximate_dp
    rng = np.random.default_rng(8)
    tau = rng.uniform(0, 1, 200)
    delta = tau + (1 - tau) * np.concatenate([10 ** rng.uniform(-12, 0, 100), 1 - 10 ** rng.uniform(-12, 0, 100)])
    delta = np.minimum(delta, 1 - EPS)
    got = convert(total_variation=tau, delta=delta)
    for t, d, e in zip(tau, delta, got, strict=True):
        with mpmath.workdps(40):
            assert abs(e - mpmath.log((1 - mpf(d)) / (1 - mpf(t)))) <= 4 * EPS * abs(e)
    assert convert(total_variation=0.25, delta=0.25) == 0 == convert(total_variation=0.25, delta=0.5, nonnegative=True)
    assert convert(total_variation=[0.25, 1], delta=[0.2499999, 1 - EPS]).tolist() == [INF, INF]


def canonical(epsilon, delta):
    """Return the worst pair of (epsilon, delta)-DP."""
    w = (1 - delta) / (1 + np.exp(epsilon))
    p = np.array([delta, w * np.exp(epsilon), w, 0])
    return p, p[::-1]


@pytest.mark.parametrize("epsilon", [0, 0.3, 2])
@pytest.mark.parametrize("delta", [0, 1e-3, 0.4])
def test_approximate_dp_is_the_canonical_pair(epsilon, delta):
    p, q = canonical(epsilon, delta)
    given = {"epsilon": epsilon, "delta": delta}
    for target in (0, 0.2, 1, 5):
        got = c.approximate_dp_to_delta(**given, target_epsilon=target, two_sided=True)
        assert got == pytest.approx(k.hockey_stick(p, q, target), abs=4 * EPS)
    assert c.approximate_dp_to_hellinger(**given) == pytest.approx(k.hellinger(p, q), abs=4 * EPS)
    assert c.approximate_dp_to_total_variation(**given) == pytest.approx(k.total_variation(p, q), abs=4 * EPS)
    for target in (-1, 0, 0.1, 1):  # one order only: the region p <= e^epsilon q + delta

        def inside(p, q):
            return p <= np.exp(epsilon) * q + delta + 1e-12

        worst = region_delta(inside, target, 1001)
        got = c.approximate_dp_to_delta(**given, target_epsilon=target)
        assert worst - 1e-11 <= got <= worst + (1 + np.exp(target)) / 500


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 0.005), (2, 0.2), (0, 0.1)])
def test_regularization(epsilon, delta):
    """The identity kernel on a pair that attains it; the probabilities are the eigenvalues."""
    lam = c.approximate_dp_to_regularization(epsilon=epsilon, delta=delta)
    assert lam == pytest.approx(delta * np.exp(-epsilon), rel=1e-15)
    rest = (1 - delta) * np.exp(-epsilon)
    p, q = np.diag([delta, 1 - delta, 0]), np.diag([0, rest, 1 - rest])
    for alpha in (0.3, 0.5, 2, 12):
        d = k.petz_renyi(p, q, alpha, regularization=lam)
        assert d <= epsilon + 1e-12
    values = [c.approximate_dp_to_regularization(epsilon=e, delta=d) for e, d in ((1, 0.005), (2, 0.2), (3, 0.03))]
    assert values == pytest.approx([1.8393972058572116e-3, 2.7067e-2, 1.4936e-3], rel=2e-5)


# Batches and bad input


def test_shapes():
    got = c.rdp_to_approximate_dp(alpha=[[2], [4], [1.5]], epsilon=[0.1, 1], delta=1e-3)
    assert got.shape == (3, 2)
    assert got[1, 1] == pytest.approx(c.rdp_to_approximate_dp(alpha=4, epsilon=1, delta=1e-3), rel=1e-15)
    assert c.rdp_curve_to_approximate_dp(alpha=[2, 4], epsilon=[[0.1, 1], [1, 2], [3, 4]], delta=1e-3).shape == (3,)
    assert isinstance(c.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1), float)
    mp = at_digits(c.rdp_to_approximate_dp, 20, alpha=[2, 4], epsilon=["0.1"], delta="1e-3")
    assert mp.shape == (2,)


BAD = [
    ({"alpha": 0.5}, ValueError, "alpha"),
    ({"alpha": "two"}, TypeError, "alpha"),
    ({"epsilon": -1}, ValueError, "epsilon"),
    ({"epsilon": INF}, ValueError, "epsilon"),
    ({"delta": 0}, ValueError, "delta"),
    ({"delta": 1}, ValueError, "delta"),
    ({"delta": [0.1, np.nan]}, ValueError, "delta"),
    ({"delta": True}, TypeError, "delta"),
    ({"method": "tightest"}, ValueError, "method"),
    ({"method": "balle", "alpha": 1}, ValueError, "alpha"),
    ({"method": "balle", "two_sided": True}, ValueError, "two_sided"),
    ({"alpha": [2, 3], "delta": [0.1, 0.2, 0.3]}, ValueError, "alpha"),
]


@pytest.mark.parametrize(("change", "error", "name"), BAD)
def test_bad_input(change, error, name):
    with pytest.raises(error, match=name):
        c.rdp_to_approximate_dp(**({"alpha": 2, "epsilon": 0.1, "delta": 1e-5} | change))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: c.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=-1, two_sided=True), "target_epsilon"),
        (lambda: c.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=INF), "target_epsilon"),
        (lambda: c.rdp_curve_to_approximate_dp(alpha=2, epsilon=1, delta=0.1), "alpha"),
        (lambda: c.zcdp_to_approximate_dp(rho=0, delta=0.1), "rho"),
        (lambda: c.tcdp_to_approximate_dp(rho=1, omega=1, delta=0.1), "omega"),
        (lambda: c.gdp_to_delta(mu=-1, epsilon=1), "mu"),
        (lambda: c.hellinger_to_delta(hellinger=1.1, epsilon=1), "hellinger"),
        (lambda: c.total_variation_to_delta(total_variation=-0.1, epsilon=1), "total_variation"),
        (lambda: c.kl_to_delta(kl=1, epsilon=-1, two_sided=True), "epsilon"),
        (lambda: c.approximate_dp_to_delta(epsilon=1, delta=2, target_epsilon=1), "delta"),
        (lambda: c.pure_to_rdp(epsilon=1, alpha=-1), "alpha"),
    ],
)
def test_bad_values(call, name):
    with pytest.raises(ValueError, match=name):
        call()


# Extreme arguments. Warnings are errors here.

ENDS_OF_RHO = [5e-324, 1e-300, 1e-10, 1, 32, 1e10, 1e100, 1e300, 1.7e308]
ENDS_OF_EPSILON = [-1e308, -800, -1e-300, 0, 1e-300, 1, 700, 1e10, 1e300, 1e308]


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1, 1 + 1e-9, 2, 1e6, 1e300, INF])
def test_deltas_of_extreme_bounds_are_probabilities_and_decrease_in_epsilon(alpha):
    rho = np.array(ENDS_OF_RHO)[:, None]
    delta = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=ENDS_OF_EPSILON)
    symmetric = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=ENDS_OF_EPSILON[3:], two_sided=True)
    for values in (delta, symmetric):
        assert ((values >= 0) & (values <= 1)).all()
        assert (np.diff(values, axis=1) <= 1e-15).all()
        assert (np.diff(values, axis=0) >= -1e-15).all()
    assert (delta[:, 0] == 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("alpha", [1, 1 + 1e-9, 2, 1e6, 1e300, INF])
def test_epsilons_of_extreme_bounds_increase_with_the_bound_and_decrease_in_delta(alpha, two_sided):
    rho = np.array(ENDS_OF_RHO)[:, None]
    deltas = [5e-324, 1e-300, 1e-16, 0.1, 0.5, 0.9, 1 - 2**-53]
    epsilon = c.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=deltas, two_sided=two_sided)
    assert not np.isnan(epsilon).any()
    epsilon = np.minimum(epsilon, 1.7e308)
    assert (epsilon[:, :-1] >= epsilon[:, 1:] - 1e-13 * abs(epsilon[:, 1:])).all()
    assert (epsilon[1:] >= epsilon[:-1] - 1e-13 * abs(epsilon[:-1])).all()


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1, 1.5, 2, 50, 1e6, INF])
def test_a_bound_of_zero_is_equality(alpha):
    assert c.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=[0, 1, 1e308]).tolist() == [0, 0, 0]
    assert c.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=0, two_sided=True) == 0
    assert c.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=-1) == pytest.approx(-np.expm1(-1), rel=1e-15)
    got = c.rdp_to_approximate_dp(alpha=alpha, epsilon=0, delta=[1e-20, 0.5])
    assert got.tolist() == pytest.approx([-1e-20, np.log(0.5)], rel=1e-15)
    assert c.kl_to_delta(kl=0, epsilon=0) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kl", [2, 8, 32, 40, 100, 1e4, 1e14])
@pytest.mark.parametrize("share", [-0.1, 0, 0.25, 0.5, 1, 2])
def test_deltas_near_one(kl, share):
    """Compared with balls, which share no formula; at p = 1 and q = e^-kl, delta is 1 - e^(epsilon - kl)."""
    epsilon = min(share * kl, 1e308)
    want = 1 if kl - epsilon > 100 else ball.kl_to_delta(kl=kl, epsilon=epsilon, digits=30)
    assert abs(want - c.kl_to_delta(kl=kl, epsilon=epsilon)) < 2e-15


@pytest.mark.slow
def test_a_kl_bound_of_any_size_in_multiprecision():
    got = at_digits(c.kl_to_delta, 20, kl=2**64, epsilon=["0.5", "0.5"])
    assert [float(x) for x in got] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1, 1.5, 2, 50])
@pytest.mark.parametrize("rho", [1e-300, 1e-40, 1e-20])
def test_small_symmetric_bounds(alpha, rho):
    """Randomised response of log-odds u has D_alpha = alpha u^2 / 2 to first order, and delta = tanh(u / 2) at 0."""
    got = c.rdp_to_delta(alpha=alpha, epsilon=rho, target_epsilon=0, two_sided=True)
    assert got == pytest.approx(np.sqrt(2 * rho / alpha) / 2, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [5e-324, 1e-308, 1e-300])
def test_tiny_concentration(rho):
    """By "mironov" rho + 2 sqrt(rho log(1 / delta)); the optimum is below it and not below that of the Gaussian."""
    for method in c.METHODS:
        got = c.zcdp_to_approximate_dp(rho=rho, delta=1e-6, method=method)
        assert got <= np.sqrt(rho) * 2 * np.sqrt(np.log(1e6)) * (1 + 1e-12)
    assert c.zcdp_to_approximate_dp(rho=rho, delta=1e-6, method="mironov") == pytest.approx(
        2 * np.sqrt(rho) * np.sqrt(np.log(1e6)), rel=1e-9
    )


ENDS = [0, 5e-324, 1e-308, 1e-150, 1e-20, 1e-3, 1, 30, 700, 1e10, 1e150, 1e300, 1.7e308]


@pytest.mark.parametrize("alpha", [0, 1e-300, 0.3, 0.5, 1 - 2**-53, 1, 1 + 2**-52, 2, 1e10, 1e300, INF])
def test_renyi_of_extreme_pure_and_gaussian_privacy(alpha):
    """Warnings are errors. D_alpha <= epsilon, and it increases in epsilon; mu-Gaussian DP has alpha mu^2 / 2."""
    pure = c.pure_to_rdp(epsilon=ENDS, alpha=alpha)
    assert ((pure >= 0) & (pure <= np.array(ENDS) * (1 + 1e-15))).all()
    assert (np.diff(pure) >= 0).all()
    gaussian = c.gdp_to_rdp(mu=ENDS, alpha=alpha)
    with mpmath.workdps(30):
        for mu, value in zip(ENDS, gaussian, strict=True):
            want = mpf(alpha) * mpf(mu) ** 2 / 2 if mu else mpf(0)
            if want > 1.7976e308:
                assert value == INF
            else:
                assert abs(value - want) <= 1e-15 * want + 1e-300


@pytest.mark.slow
@pytest.mark.parametrize("delta", [5e-324, 1e-16, 0.5, 1 - 2**-53])
def test_extreme_concentration(delta):
    got = np.minimum(c.zcdp_to_approximate_dp(rho=ENDS[1:], delta=delta), 1.7e308)
    assert (np.diff(got) >= -1e-12 * (1 + abs(got[1:]))).all()
    assert got[-3:] == pytest.approx(ENDS[-3:], rel=1e-13)
    for omega in (1 + 1e-12, 2, 1e300):
        truncated = c.tcdp_to_approximate_dp(rho=ENDS[1:], omega=omega, delta=delta)
        assert (truncated >= got - 1e-9 * abs(got) - 1e-12).all()
    digits = 1e-12 if delta > 1e-300 else 1e-7  # a subnormal delta has few digits
    for method in c.METHODS:
        other = c.zcdp_to_approximate_dp(rho=ENDS[1:], delta=delta, method=method)
        assert (other >= got - digits * abs(got)).all()


def test_the_hellinger_distance_of_approximate_dp_is_at_most_one():
    assert c.approximate_dp_to_hellinger(epsilon=ENDS, delta=1).max() <= 1


@pytest.mark.parametrize(
    ("rho", "delta", "xi"),
    [
        (2.0, 0.9999999999999986, 4.55),
        (3.2e-192, 0.9968989183467217, 3.8e-5),
        (2.2e-308, 0.9894855257290885, 305.0),
        (1e-30, 0.9692241472274189, 0.0),
        (1e-30, 1e-20, 0.0),
    ],
)
def test_no_order_gives_a_certificate_below_that_of_the_best_order(rho, delta, xi):
    value = c.zcdp_to_approximate_dp(rho=rho, delta=delta, xi=xi, method="certificate")
    for log_order in np.linspace(-20, 60, 161):
        alpha = 1 + fmpq(*float(np.exp(log_order)).as_integer_ratio())
        bound = fmpq(*rho.as_integer_ratio()) * alpha + fmpq(*xi.as_integer_ratio())
        other = ball.rdp_to_approximate_dp(alpha=alpha, epsilon=bound, delta=delta, method="certificate", digits=20)
        assert arb(value) <= other * arb(1 + 2**-50)


def test_the_tangent_at_huge_orders():
    rng = np.random.default_rng(7)
    for _ in range(200):
        order = float(np.exp(rng.uniform(-1, 300)))
        h = float(np.exp(rng.uniform(-5, 2))) / order
        with mpmath.workdps(300):
            k, x = mpf(1 + order) - 1, mpf(h)
            true = mpmath.log(mpmath.expm1(-(k + 1) * x) / mpmath.expm1(-k * x) * k / (k + 1))
            got = float(optimum._mean(FLOAT64, np.array(1 + order), np.array(h)))
            assert abs(got / true - 1) < 1e-14


@pytest.mark.slow
@mpmath.workdps(60)
def test_the_best_order_is_one_at_large_deltas_to_all_digits():
    value = mp.evaluate(c.zcdp_to_approximate_dp, rho=2, delta="0.9", digits=40)
    limit = ball.kl_to_approximate_dp(kl=2, delta="9/10", digits=45)  # the divergence of order 1
    assert abs(value / mpf(limit.mid().str(60, radius=False)) - 1) < mpf(10) ** -39


@pytest.mark.slow
@pytest.mark.parametrize("mu", [950.0, 1001.0, 1e7, 1e20, 1e155, 1e297])
def test_distant_gaussians_in_multiprecision(mu):
    """At epsilon = mu (a + mu / 2), delta is Phi(-a) minus e^epsilon Phi(-a - mu) <= phi(a) / (a + mu)."""
    for delta in (0.99, 1 - 2.0**-53, 1e-3, 1e-300):
        value = mp.evaluate(c.gdp_to_approximate_dp, mu=mu, delta=delta)
        with mpmath.workdps(700):
            a = mpf(value) / mpf(mu) - mpf(mu) / 2
            bound = mpmath.npdf(a) / (a + mpf(mu))
            gap = mpmath.ncdf(-a) - mpf(delta)
            digits = mpmath.npdf(a) * mpf(value) / mpf(mu) * mpf(10) ** -45  # of epsilon, as they show in delta
            assert -digits <= gap <= bound + digits
            if mu < 1e9:
                assert gap >= bound * (1 - 3 / mpf(mu))  # so that another epsilon would fail


def easy_arguments(seed, count):
    rng = np.random.default_rng(seed)
    rho, d = 10 ** rng.uniform(-4, 1, count), 10 ** rng.uniform(-12, -1, count)
    return np.minimum(1 + 10 ** rng.uniform(-5, 2, count), np.minimum(400 / rho, 0.8 / d)), rho, d


def exact(x):
    return mpf(float(x)) + mpf(float(x - np.longdouble(float(x))))


def test_direct_certificate_has_at_most_its_stated_error():
    """Compared with the other algorithm at 80 digits; a hundredth of the stated error would be too small."""
    a, rho, d = easy_arguments(3, 60)
    y = optimum._newton_y(FLOAT64, a, rho, d)[0]
    value, size, _ = optimum._direct_certificate(FLOAT64, *(x.astype(np.longdouble) for x in (a, rho, d, y)))
    given = (MP(80).array(x, "argument") for x in (a, rho, d, y))
    truth = optimum._certificate(MP(80), *given)[0]
    with mpmath.workdps(40):
        off = [abs(exact(v) - t) / exact(s) for v, s, t in zip(value, size, truth, strict=True)]
    unit = float(guarantees.UNIT)
    assert 0.02 * unit < max(off) <= guarantees.ROOM * unit


def test_newton_finds_the_best_certificate_or_says_that_it_did_not(monkeypatch):
    a, rho, d = easy_arguments(4, 400)
    y, known = optimum._newton_y(FLOAT64, a, rho, d)
    assert known.mean() > 0.95
    assert np.allclose(y[known], optimum._searched_y(FLOAT64, a, rho, d)[known], rtol=1e-6)
    right, found = c.rdp_to_approximate_dp(alpha=a, epsilon=rho, delta=d), optimum._newton_y
    unit = np.spacing(np.abs(right))

    def lost(*given):
        return 3 * found(*given)[0], np.zeros(len(given[1]), dtype=bool)

    monkeypatch.setattr(optimum, "_newton_y", lost)
    assert (np.abs(c.rdp_to_approximate_dp(alpha=a, epsilon=rho, delta=d) - right) <= 2 * unit).all()
    monkeypatch.setattr(optimum, "_newton_y", lambda *given: (lost(*given)[0], found(*given)[1]))
    assert (c.rdp_to_approximate_dp(alpha=a, epsilon=rho, delta=d) > right + 4 * unit).mean() > 0.5
