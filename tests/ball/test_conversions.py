"""Certified conversions compared with values of an independent study, closed forms, `krdtheory.mp` and limits."""

import inspect
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from krdtheory import ball, mp
from krdtheory.ball import best_order, monotone
from krdtheory.privacy import composition, conversions

INF = math.inf
TWO = arb(2)


def closed(f, bits=4000):
    with ctx.workprec(bits):
        return f()


def holds(value, truth, digits=50):
    """Check that the ball contains the true value, and has the requested digits."""
    with ctx.workprec(4000):
        size = max(abs(truth).upper(), arb(10) ** -digits)
        return value.contains(truth.mid()) and value.rad() <= arb(10) ** -digits * size


def is_near(value, number, relative):
    with ctx.workprec(200):
        return abs(value - arb(float(number))) <= relative * max(abs(number), relative)


@pytest.mark.parametrize("name", [*conversions.__all__, *composition.__all__])
def test_same_names_and_arguments_as_mp(name):
    """Sums in balls are exact or rejected, so there are no bins."""
    ours, theirs = (inspect.signature(getattr(m, name)).parameters for m in (ball, mp))
    assert [(n, p.default) for n, p in ours.items()] == [(n, p.default) for n, p in theirs.items() if n != "bins"]
    assert name in ball.__all__


# Values

VALUES = {
    "Renyi, one-sided": (
        lambda d: ball.rdp_to_approximate_dp(alpha=8, epsilon="1/2", delta="1e-5", digits=d),
        "1.7097312317850196982",
    ),
    "Renyi, both orders": (
        lambda d: ball.rdp_to_approximate_dp(alpha=8, epsilon="1/2", delta="1/10", two_sided=True, digits=d),
        "0.39365514081242957754",
    ),
    "Renyi, corner": (
        lambda d: ball.rdp_to_approximate_dp(alpha=4, epsilon=1, delta="3/10", digits=d),
        "0.64332505606126762109",
    ),
    "Renyi, negative": (
        lambda d: ball.rdp_to_approximate_dp(alpha=2, epsilon="1/100", delta="9/10", digits=d),
        "-2.292585092994045684",
    ),
    "mironov": (
        lambda d: ball.rdp_to_approximate_dp(alpha=2, epsilon="0.1", delta="1e-3", method="mironov", digits=d),
        "7.0077552789821370521",
    ),
    "balle": (
        lambda d: ball.rdp_to_approximate_dp(alpha=2, epsilon="0.1", delta="1e-3", method="balle", digits=d),
        "5.6214609178622464332",
    ),
    "delta": (
        lambda d: ball.rdp_to_delta(alpha=2, epsilon=1, target_epsilon="1/2", digits=d),
        "0.40692609287591607058",
    ),
    "Hellinger": (lambda d: ball.hellinger_to_delta(hellinger="1/10", epsilon=1, digits=d), "0.26094687603977521735"),
    "KL": (lambda d: ball.kl_to_delta(kl="1/10", epsilon=1, digits=d), "0.054973500229252881611"),
    "Gaussian": (lambda d: ball.gdp_to_delta(mu=1, epsilon=2, digits=d), "0.02092363582111373142"),
    "Gaussian inverse": (lambda d: ball.gdp_to_approximate_dp(mu=1, delta="1e-5", digits=d), "4.3771780956812246277"),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("digits", [4, 16, 40])
def test_contains_the_known_value(name, digits):
    """To the 20 known digits, with a tolerance of one unit of the last."""
    value, known = VALUES[name]
    ball_ = value(digits)
    places = len(known.lstrip("-0.").replace(".", ""))
    with ctx.workprec(200):
        shown = arb(known) + arb(0, abs(float(known)) * 10.0 ** (2 - min(places, 19)))
        assert ball_.overlaps(shown)
        assert float(ball_.rad()) <= 10.0**-digits * abs(float(known)) * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", ["101/100", "3/2", 2, 8, 100])
@pytest.mark.parametrize("delta", ["1e-12", "1/1000", "1/2", "99/100"])
def test_agrees_with_multiprecision(alpha, delta):
    """The formula in mpmath shares no code with balls; its 40 digits are rounded."""
    for two_sided in (False, True):
        arguments = {"alpha": alpha, "epsilon": "1/3", "delta": delta, "two_sided": two_sided}
        enclosed = ball.rdp_to_approximate_dp(**arguments, digits=30)
        number = mp.evaluate(conversions.rdp_to_approximate_dp, **arguments, digits=40)
        with ctx.workprec(300):
            assert enclosed.overlaps(arb(str(number)) * (1 + arb(0, 1e-39)))


@pytest.mark.parametrize(
    ("rho", "delta", "digits"),
    [("0.1", "1e-5", 50), ("3", "0.3", 30), ("1e-12", "1e-3", 50), ("1000", "1e-300", 20), ("1", "1e-8", 500)],
)
def test_order_two_is_a_closed_form(rho, delta, digits):
    """epsilon = log(1 - delta + (e^rho - 1) / (4 delta)), delta <= 1/2."""
    want = closed(lambda: (_exact(rho).expm1() / (4 * _exact(delta)) - _exact(delta)).log1p())
    got = ball.rdp_to_approximate_dp(alpha=2, epsilon=rho, delta=delta, digits=digits)
    assert holds(got, want, digits)


def _exact(text):
    return arb(fmpq(F(text).numerator, F(text).denominator))


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1, 1 + F(1, 10**12), F(3, 2), 10**9])
@pytest.mark.parametrize("two_sided", [False, True])
def test_delta_inverts_epsilon(alpha, two_sided):
    """At the lower and the upper end of epsilon, delta is above and below its value."""
    for rho, delta in (("1/3", "1/1000"), ("5", "1e-20"), ("1e-6", "1/7")):
        epsilon = ball.rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, two_sided=two_sided, digits=15)
        if two_sided and epsilon == 0:
            continue
        with ctx.workprec(400):
            step = abs(epsilon.mid()) / 10**12
            for side in (-1, 1):
                found = ball.rdp_to_delta(
                    alpha=alpha, epsilon=rho, target_epsilon=(epsilon.mid() + side * step).mid(), two_sided=two_sided
                )
                assert (found - _exact(delta)) * side < 0


def test_order_of_the_methods():
    """Theorem 16's epsilon is above the optimum, Mironov's above that."""
    arguments = {"alpha": 8, "epsilon": "1/2", "delta": "1e-5"}
    names = ("optimal", "certificate", "balle", "mironov")
    bounds = [ball.rdp_to_approximate_dp(**arguments, method=m, digits=20) for m in names]
    assert bounds[0] < bounds[1] < bounds[2] < bounds[3]


def test_curve():
    orders = [F(3, 2), 2, 4, 6, 8, 32]
    arguments = {"alpha": orders, "epsilon": [a / 2 for a in orders], "delta": ["1e-5", "1e-3"]}
    with ctx.workprec(300):
        got = ball.rdp_curve_to_approximate_dp(**arguments)
        assert got.shape == (2,) and got[0].overlaps(arb("4.7619115811958975551") + arb(0, 1e-18))
        each = ball.rdp_to_approximate_dp(alpha=orders, epsilon=[a / 2 for a in orders], delta="1e-3")
        assert any(got[1].overlaps(x) for x in each) and all(not got[1] > x for x in each)
    assert ball.rdp_curve_to_approximate_dp(alpha=[2, 3], epsilon=[INF, INF], delta="0.1") == INF
    part = ball.rdp_curve_to_approximate_dp(alpha=[2, 3], epsilon=[1, INF], delta="0.1")
    assert part.overlaps(ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta="0.1"))
    assert ball.rdp_curve_to_approximate_dp(alpha=[INF], epsilon=["0.1"], delta="0.5", nonnegative=True) == 0


# The best order


def test_mironov_is_a_closed_form():
    want = closed(lambda: TWO**-1 + 2 * (5 * arb(10).log() / 2).sqrt())
    assert holds(ball.zcdp_to_approximate_dp(rho="1/2", delta="1e-5", method="mironov"), want)
    cut = ball.tcdp_to_approximate_dp(rho="1/2", omega=3, delta="1e-5", method="mironov")
    assert holds(cut, closed(lambda: arb(3) / 2 + 5 * arb(10).log() / 2))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optimal", "certificate", "balle"])
@pytest.mark.parametrize(("rho", "delta", "xi"), [("0.5", "1e-5", 0), ("0.01", "1e-9", "0.1"), ("3", "0.05", "0.2")])
def test_the_best_order_is_best(method, rho, delta, xi):
    """It agrees with the search in float64 to 1e-12, and no order of a grid is better."""
    arguments = {"rho": rho, "delta": delta, "xi": xi}
    got = ball.zcdp_to_approximate_dp(**arguments, method=method, digits=30)
    plain = {n: float(x) for n, x in arguments.items()}
    assert is_near(got, conversions.zcdp_to_approximate_dp(**plain, method=method), 1e-12)
    orders = [1 + F(2) ** i for i in range(-6, 12)]
    bounds = [F(xi) + F(rho) * a for a in orders]
    values = ball.rdp_to_approximate_dp(alpha=orders, epsilon=bounds, delta=delta, method=method, digits=30)
    assert all(got < x for x in values)
    cut = ball.tcdp_to_approximate_dp(rho=rho, omega=F(5, 4), delta=delta, method=method, digits=30)
    end = ball.rdp_to_approximate_dp(alpha=F(5, 4), epsilon=F(rho) * F(5, 4), delta=delta, method=method, digits=30)
    assert cut.overlaps(end)


def test_the_best_order_may_be_the_limit_at_one():
    """The infimum is not attained: it is the conversion of the Kullback-Leibler divergence."""
    got = ball.zcdp_to_approximate_dp(rho="1/2", delta="9/10")
    assert got.overlaps(ball.kl_to_approximate_dp(kl="1/2", delta="9/10")) and got.rad() < 1e-49
    assert got < ball.rdp_to_approximate_dp(alpha=1 + F(1, 10**6), epsilon=(1 + F(1, 10**6)) / 2, delta="9/10")


def test_two_sided_best_order():
    """It differs only where randomised response is the worst pair."""
    arguments = {"rho": "0.33", "delta": "0.55", "xi": "1.03"}
    got = ball.zcdp_to_approximate_dp(**arguments, two_sided=True)
    plain = {n: float(x) for n, x in arguments.items()}
    assert is_near(got, conversions.zcdp_to_approximate_dp(**plain, two_sided=True), 1e-12)
    assert got < ball.zcdp_to_approximate_dp(**arguments) - 0.001
    assert ball.zcdp_to_approximate_dp(rho="1/2", delta="0.9", two_sided=True) == 0
    one, two = (ball.zcdp_to_approximate_dp(rho="1/2", delta="1e-5", two_sided=t) for t in (False, True))
    assert one.overlaps(two)


def test_an_unproved_optimum_is_reported():
    """For large delta, the certificate is far from the optimum near alpha = 1."""
    with pytest.raises(ball.UndecidedError, match="no lower bound is proved over all orders") as error:
        ball.zcdp_to_approximate_dp(rho="0.5", delta="0.3", method="certificate", digits=10)
    assert is_near(error.value.upper, 0.8540955772029909, 1e-9)


# Limits


def test_identical_distributions():
    for alpha in (1, F(3, 2), 7, INF):
        want = closed(lambda: (arb(7) / 10).log())
        assert holds(ball.rdp_to_approximate_dp(alpha=alpha, epsilon=0, delta="0.3"), want)
        assert ball.rdp_to_approximate_dp(alpha=alpha, epsilon=0, delta="0.3", two_sided=True) == 0
        assert ball.rdp_to_approximate_dp(alpha=alpha, epsilon=0, delta="0.3", nonnegative=True) == 0
        assert ball.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=1) == 0
        assert ball.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=0, two_sided=True) == 0
        below = ball.rdp_to_delta(alpha=alpha, epsilon=0, target_epsilon=-1)
        assert holds(below, closed(lambda: -(-arb(1)).expm1()))
    assert ball.rdp_to_approximate_dp(alpha=2, epsilon=0, delta="0.3", method="certificate") == 0


def test_infinite_order():
    for method in ("certificate", "balle", "mironov"):
        assert ball.rdp_to_approximate_dp(alpha=INF, epsilon="1.5", delta="0.1", method=method) == arb("1.5")
    one = ball.rdp_to_approximate_dp(alpha=INF, epsilon="1.5", delta="0.1")
    assert holds(one, closed(lambda: arb(3) / 2 + (arb(9) / 10).log()))
    two = ball.rdp_to_approximate_dp(alpha=INF, epsilon="1.5", delta="0.1", two_sided=True)
    odds = closed(lambda: (arb(3) / 2).exp())
    assert holds(two, closed(lambda: (odds - (1 + odds) / 10).log()))
    for two_sided in (False, True):
        for target in (1, 2):
            assert ball.rdp_to_delta(alpha=INF, epsilon=1, target_epsilon=target, two_sided=two_sided) == 0
    assert holds(ball.pure_to_rdp(epsilon="1/3", alpha=INF), closed(lambda: arb(1) / 3))
    assert ball.gdp_to_rdp(mu=1, alpha=INF) == INF and ball.gdp_to_rdp(mu=0, alpha=INF) == 0


def test_ends_of_ranges():
    assert ball.pure_to_rdp(epsilon=2, alpha=0) == 0 and ball.pure_to_rdp(epsilon=0, alpha=3) == 0
    assert ball.pure_to_zcdp(epsilon=0) == 0
    assert ball.hellinger_to_delta(hellinger=0, epsilon=0) == 0
    for epsilon in (-3, 0, 3):
        assert holds(ball.hellinger_to_delta(hellinger=1, epsilon=epsilon), arb(1))
    assert ball.hellinger_to_approximate_dp(hellinger=1, delta="0.9") == INF
    assert ball.hellinger_to_approximate_dp(hellinger="0.2", delta="0.36") == INF
    assert ball.total_variation_to_delta(total_variation=1, epsilon=-5) == 1
    assert ball.total_variation_to_delta(total_variation=0, epsilon=5) == 0
    assert ball.total_variation_to_approximate_dp(total_variation="1/4", delta="1/4") == 0
    assert ball.total_variation_to_approximate_dp(total_variation="1/4", delta="0.2") == INF
    assert ball.total_variation_to_approximate_dp(total_variation="1/4", delta="1/2").overlaps(arb(fmpq(2, 3)).log())
    third = ball.total_variation_to_delta(total_variation="1/3", epsilon=1)
    assert holds(third, closed(lambda: arb(1) / 3))
    for two_sided in (False, True):
        assert ball.approximate_dp_to_delta(epsilon=1, delta=1, target_epsilon=0, two_sided=two_sided) == 1
        assert ball.approximate_dp_to_delta(epsilon=1, delta=0, target_epsilon=1, two_sided=two_sided) == 0
    for f in (ball.approximate_dp_to_hellinger, ball.approximate_dp_to_total_variation):
        assert f(epsilon=1, delta=1).overlaps(arb(1)) and f(epsilon=0, delta=0) == 0
    assert ball.approximate_dp_to_regularization(epsilon=0, delta=1) == 1
    assert ball.approximate_dp_to_regularization(epsilon=5, delta=0) == 0


def test_gaussian_with_extreme_parameters():
    """log(1 - delta) to the last digit, and a delta of about 1e-2000."""
    hidden = ball.gdp_to_approximate_dp(mu="0.001", delta="0.5")
    assert holds(hidden, closed(lambda: -TWO.log()))
    tiny = ball.gdp_to_delta(mu="0.01", epsilon=1)
    assert abs(tiny).upper() < arb(10) ** -100
    assert holds(ball.gdp_to_delta(mu=10**6, epsilon=1), arb(1))


# Balls


def test_results_for_balls_contain_those_for_their_points():
    rho, delta = arb("0.5", "0.01"), arb("0.001", "0.0001")
    got = ball.rdp_to_approximate_dp(alpha=8, epsilon=rho, delta=delta)
    for r in ("0.4901", "0.5", "0.5099"):
        for d in ("0.00091", "0.001", "0.00109"):
            assert got.contains(ball.rdp_to_approximate_dp(alpha=8, epsilon=r, delta=d))
    ends = [
        ball.rdp_to_approximate_dp(alpha=8, epsilon=r, delta=d) for r, d in (("0.49", "0.0011"), ("0.51", "0.0009"))
    ]
    assert got.rad() < 1.001 * (ends[1] - ends[0]) / 2


def test_balls_at_the_ends_of_ranges():
    assert ball.approximate_dp_to_regularization(epsilon=arb(0, 1e-9), delta=1) >= 1 - 1.1e-9
    assert not ball.approximate_dp_to_regularization(epsilon=arb(0, 1e-9), delta=1) > 1
    with pytest.raises(ValueError, match=r"delta must be in \(0, 1\)"):
        ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=arb(0.1, 0.2))
    with pytest.raises(ball.UndecidedError, match="infinite at some") as error:
        ball.hellinger_to_approximate_dp(hellinger="0.2", delta=arb(0.4, 0.1))
    assert 0.579 < error.value.lower < 0.58 and error.value.upper == INF
    with pytest.raises(TypeError, match="alpha must be rational or inf"):
        ball.rdp_to_approximate_dp(alpha=arb(2, 0.1), epsilon=1, delta="0.1")


def test_arguments_broadcast():
    got = ball.kl_to_delta(kl=["0.1", "0.5"], epsilon=np.array([[0], [1], [2]]), digits=15)
    assert got.shape == (3, 2)
    assert got[1, 0].overlaps(ball.kl_to_delta(kl="0.1", epsilon=1, digits=15))
    with pytest.raises(ValueError, match="kl, epsilon must have shapes that broadcast"):
        ball.kl_to_delta(kl=[1, 2], epsilon=[1, 2, 3])


# Bad input


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=-1, delta="0.1"), ValueError, "epsilon must be finite"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=INF, delta="0.1"), ValueError, "epsilon must be finite"),
        (lambda: ball.rdp_to_approximate_dp(alpha="0.5", epsilon=1, delta="0.1"), ValueError, "alpha must be in"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0), ValueError, "delta must be in"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=1), ValueError, "delta must be in"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta="a"), ValueError, "delta must be finite numbers"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=None), TypeError, "delta"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=1j), TypeError, "delta must be real"),
        (lambda: ball.rdp_to_approximate_dp(alpha=1, epsilon=1, delta=0.1, method="balle"), ValueError, "alpha must"),
        (lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1, method="best"), ValueError, "method must"),
        (
            lambda: ball.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1, method="balle", two_sided=True),
            ValueError,
            "two_sided must be False",
        ),
        (
            lambda: ball.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=-1, two_sided=True),
            ValueError,
            "target_epsilon must be nonnegative",
        ),
        (lambda: ball.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=1, digits=1), ValueError, "digits"),
        (lambda: ball.rdp_curve_to_approximate_dp(alpha=2, epsilon=1, delta=0.1), ValueError, "alpha must be a vector"),
        (lambda: ball.rdp_curve_to_approximate_dp(alpha=[], epsilon=[], delta=0.1), ValueError, "alpha must be a vec"),
        (lambda: ball.zcdp_to_approximate_dp(rho=0, delta=0.1), ValueError, "rho must be finite and > 0"),
        (lambda: ball.zcdp_to_approximate_dp(rho=1, delta=0.1, xi=-1), ValueError, "xi must be"),
        (lambda: ball.tcdp_to_approximate_dp(rho=1, omega=1, delta=0.1), ValueError, "omega must be finite and > 1"),
        (lambda: ball.tcdp_to_approximate_dp(rho=1, omega=INF, delta=0.1), ValueError, "omega must be"),
        (lambda: ball.gdp_to_delta(mu=-1, epsilon=1), ValueError, "mu must be finite and >= 0"),
        (lambda: ball.gdp_to_delta(mu=1, epsilon=math.nan), ValueError, "epsilon must be"),
        (lambda: ball.hellinger_to_delta(hellinger=2, epsilon=1), ValueError, r"hellinger must be in \[0, 1\]"),
        (lambda: ball.total_variation_to_delta(total_variation=-1, epsilon=1), ValueError, "total_variation must be"),
        (lambda: ball.pure_to_rdp(epsilon=1, alpha=-1), ValueError, r"alpha must be in \[0, inf\]"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()


# Roots


def test_positive_root():
    for root in (F(1), F(1, 3), F(2) ** 300, F(1, 10**40), F(3) ** 50):
        exact = fmpq(root.numerator, root.denominator)
        with ctx.workprec(200):
            r = arb(exact)
            for f in (lambda x, r=r: x - r, lambda x, r=r: (x / r).log(), lambda x, r=r: x**9 - r**9):
                low, high = monotone.positive_root(f)
                assert low < arb(exact) < high and high - low < arb(exact) * arb(2) ** -180
    with ctx.workprec(100):
        low, high = monotone.positive_root(lambda x: x + arb(0, 1e-10))  # never certainly negative
        assert low == 0 and high < 1e-9
    with pytest.raises(ball.UndecidedError, match="no sign change"):
        monotone.positive_root(lambda x: -1 / x, 8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [{"rho": 1e154, "delta": 1e-300, "two_sided": True}, {"rho": 1e300, "delta": 2e-309, "two_sided": True}],
)
def test_best_orders_out_of_reach_are_rejected_after_a_fixed_number_of_steps(given, monkeypatch):
    """The limit is not on time but on the number of slopes; with many more steps it would continue."""
    looked = []
    honest = best_order._slope
    monkeypatch.setattr(best_order, "_slope", lambda *a: looked.append(a) or honest(*a))
    with pytest.raises(ball.UndecidedError, match=r"out of reach|no lower bound|not separated"):
        ball.zcdp_to_approximate_dp(**given, digits=50)
    assert len(looked) <= 2 * best_order.SLOPES
    monkeypatch.setattr(best_order, "SLOPES", 2 * best_order.SLOPES)
    few = len(looked)
    looked.clear()
    with pytest.raises(ball.UndecidedError):
        ball.zcdp_to_approximate_dp(**given, digits=50)
    assert len(looked) > few
