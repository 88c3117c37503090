"""Float64 guarantees compared with balls, which share no formula with them: never below, and at most 2 units above.

The instances are ordinary and extreme ones, with fixed seeds. Undecided balls are not compared, but counted.
"""

import math
import threading
import time
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from krdtheory import ball, mp
from krdtheory.arithmetic import FLOAT64, MP
from krdtheory.arithmetic import ball as arithmetic
from krdtheory.privacy import composition, conversions, guarantees
from krdtheory.privacy.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, RandomizedResponse

INSTANCES = 16


class Draws:
    """Draws of valid arguments, ordinary ones and ends of ranges."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def of(self, *choices):
        return float(self.rng.choice(choices))

    def positive(self):
        far = 10.0 ** self.rng.uniform(-300, 300)
        return self.of(*[math.exp(2 * self.rng.normal())] * 4, 10.0 ** self.rng.uniform(-12, 4), far, 5e-324, 1.7e308)

    def real(self):
        return self.of(1, 1, -1, 0) * self.positive()

    def unit(self):
        near, tiny = 1 - 10.0 ** self.rng.uniform(-15.9, 0), 10.0 ** self.rng.uniform(-320, 0)
        return self.of(self.rng.random(), 10.0 ** self.rng.uniform(-12, 0), near, tiny)

    def order(self):
        return self.of(1 + self.positive(), 1 + 10.0 ** self.rng.uniform(-15, 0), 2, 1, math.inf)

    def folds(self):
        return int(math.exp(self.rng.uniform(0, 7)))

    def method(self, *names):
        return str(self.rng.choice(names))

    def both(self):
        return bool(self.rng.integers(2))


def mechanisms(d):
    return {"epsilon": d.positive(), "delta": d.of(0, 1e-3 * d.unit()), "k": d.folds()}


closed = ("basic", "dwork_rothblum_vadhan", "dwork_rothblum", "colisson", "tanh", "tanh_log")
ARGUMENTS = {
    "rdp_to_approximate_dp": lambda d: {
        "alpha": d.order(),
        "epsilon": d.positive(),
        "delta": d.unit(),
        "two_sided": d.both(),
    },
    "rdp_to_approximate_dp, closed forms": lambda d: {
        "alpha": max(d.order(), 1 + 2**-52),
        "epsilon": d.positive(),
        "delta": d.unit(),
        "method": d.method("balle", "mironov", "certificate"),
    },
    "rdp_to_delta": lambda d: {
        "alpha": d.order(),
        "epsilon": d.positive(),
        "target_epsilon": d.positive(),
        "two_sided": d.both(),
    },
    "rdp_to_delta, negative": lambda d: {"alpha": d.order(), "epsilon": d.positive(), "target_epsilon": d.real()},
    "kl_to_approximate_dp": lambda d: {"kl": d.positive(), "delta": d.unit(), "two_sided": d.both()},
    "kl_to_delta": lambda d: {"kl": math.exp(2 * d.rng.normal()), "epsilon": 2 * d.rng.normal()},
    "zcdp_to_approximate_dp": lambda d: {"rho": math.exp(d.rng.normal()), "delta": 10.0 ** d.rng.uniform(-12, -0.3)},
    "zcdp_to_approximate_dp, closed forms": lambda d: {
        "rho": d.positive(),
        "delta": d.unit(),
        "xi": d.of(0, d.positive()),
        "method": d.method("balle", "mironov"),
    },
    "tcdp_to_approximate_dp": lambda d: {
        "rho": math.exp(d.rng.normal()),
        "omega": 1 + d.rng.random(),
        "delta": 10.0 ** d.rng.uniform(-12, -0.3),
    },
    "pure_to_rdp": lambda d: {"epsilon": d.positive(), "alpha": d.of(d.order(), d.positive(), d.unit())},
    "pure_to_zcdp": lambda d: {"epsilon": d.positive()},
    "gdp_to_rdp": lambda d: {"mu": d.of(0, d.positive(), d.positive()), "alpha": d.positive()},
    "gdp_to_delta": lambda d: {"mu": d.of(0, d.positive(), d.positive()), "epsilon": d.real()},
    "gdp_to_approximate_dp": lambda d: {"mu": d.of(0, d.positive(), d.positive()), "delta": d.unit()},
    "hellinger_to_delta": lambda d: {"hellinger": d.unit(), "epsilon": d.real()},
    "hellinger_to_approximate_dp": lambda d: {"hellinger": d.unit(), "delta": d.unit()},
    "total_variation_to_delta": lambda d: {"total_variation": d.unit(), "epsilon": d.real()},
    "total_variation_to_approximate_dp": lambda d: {"total_variation": d.unit(), "delta": d.unit()},
    "approximate_dp_to_delta": lambda d: {
        "epsilon": d.positive(),
        "delta": d.unit(),
        "target_epsilon": d.positive(),
        "two_sided": d.both(),
    },
    "approximate_dp_to_hellinger": lambda d: {"epsilon": d.positive(), "delta": d.unit()},
    "approximate_dp_to_total_variation": lambda d: {"epsilon": d.positive(), "delta": d.unit()},
    "approximate_dp_to_regularization": lambda d: {"epsilon": d.positive(), "delta": d.unit()},
    "optimal_composition": lambda d: mechanisms(d) | {"total_delta": d.unit()},
    "optimal_composition_delta": lambda d: mechanisms(d) | {"total_epsilon": d.real()},
    "composition_bound": lambda d: mechanisms(d) | {"total_delta": d.unit(), "method": d.method(*closed)},
    "heterogeneous_composition": lambda d: {
        "epsilon": [math.exp(d.rng.normal()) for _ in range(4)],
        "delta": d.of(0, 1e-6),
        "total_delta": d.of(0.3, 1e-3),
    },
    "heterogeneous_composition_delta": lambda d: {
        "epsilon": [math.exp(d.rng.normal()) for _ in range(4)],
        "delta": d.of(0, 1e-6),
        "total_epsilon": d.rng.normal(),
    },
}


def units(value, enclosure):
    """Return by how many units in the last place a float64 is above the lower and the upper end, as balls."""
    with ctx.workprec(4000):
        unit = arb(float(np.spacing(abs(value))))
        return tuple((arb(value) - end) / unit for end in (enclosure.lower(), enclosure.upper()))


def is_safe(value, enclosure):
    if math.inf in (value, enclosure):
        return value == enclosure or (value == math.inf and bool(enclosure > 1.7976931348623157e308))
    above_lower, above_upper = units(value, enclosure)
    return bool(above_lower >= 0 and above_upper <= 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARGUMENTS)
def test_never_below_and_at_most_two_units_above(name):
    """The float64 number 3 units lower fails the test whenever the ball is narrow enough to decide."""
    function = name.partition(",")[0]
    compute = getattr(conversions, function, None) or getattr(composition, function)
    draws, compared = Draws(7), 0
    for _ in range(INSTANCES):
        arguments = ARGUMENTS[name](draws)
        value = float(np.ravel(compute(**arguments))[-1])
        try:
            enclosure = getattr(ball, function)(**arguments)
        except ball.UndecidedError:
            continue
        assert is_safe(value, enclosure), (arguments, value, enclosure)
        lower = value
        for _ in range(3):
            lower = float(np.nextafter(lower, -math.inf))
        if math.isfinite(value) and enclosure.rad() < float(np.spacing(abs(value))) / 16:
            assert not is_safe(lower, enclosure)
        compared += 1
    assert compared >= 0.6 * INSTANCES


def test_rounding_to_nearest_is_noticed(monkeypatch):
    """Without the last step, some of the same instances are below the true value."""
    monkeypatch.setattr(guarantees, "rounded_up", lambda value: np.asarray(value).astype(float))
    with pytest.raises(AssertionError):
        for name in ("pure_to_rdp", "approximate_dp_to_total_variation"):
            test_never_below_and_at_most_two_units_above(name)


@pytest.mark.parametrize(
    "mechanism",
    [
        Laplace(scale=0.7, sensitivity=1),
        Gaussian(scale=3, sensitivity=1),
        RandomizedResponse(epsilon=1.1, categories=5),
        Exponential(epsilon=0.3, sensitivity=1),
    ],
    ids=lambda m: type(m).__name__,
)
def test_profiles_of_mechanisms_are_rounded_up(mechanism):
    """Compared with 40 digits in mpmath."""
    for epsilon in (-1, 0, 0.05, 0.25):
        value, exact = mechanism.privacy_profile(epsilon), mp.evaluate(mechanism.privacy_profile, epsilon, digits=40)
        assert 0 <= float(value - exact) <= 2 * np.spacing(value)
    for delta in (1e-6, 0.01):
        value, exact = (
            mechanism.epsilon_at(delta=delta),
            mp.evaluate(mechanism.epsilon_at, delta=delta, digits=40),
        )
        assert 0 <= float(value - exact) <= 2 * np.spacing(value)


EXTREME = [
    lambda d: Laplace(scale=1.0, sensitivity=10.0 ** d.rng.uniform(-300, 300)),
    lambda d: Laplace(scale=F(3, 7), sensitivity=d.positive()),
    lambda d: DiscreteLaplace(
        scale=10.0 ** d.rng.uniform(-3, 20), sensitivity=int(d.rng.choice([1, 2, 7, 10**17 + 1]))
    ),
    lambda d: RandomizedResponse(epsilon=d.positive(), categories=int(d.of(2, 3, 1e6))),
    lambda d: RandomizedResponse(epsilon=F(1, 3), categories=10**30),
    lambda d: Exponential(epsilon=d.positive(), sensitivity=1),
    lambda d: Gaussian(scale=10.0 ** d.rng.uniform(-3, 3), sensitivity=1),
]


def off(mechanism, epsilon):
    """Return by how many units in the last place a profile in float64 is above that in 800 digits."""
    value, exact = mechanism.privacy_profile(epsilon), mechanism.privacy_profile(epsilon, arithmetic=MP(800))
    return float((mpmath.mpf(float(value)) - exact) / mpmath.mpf(float(np.spacing(value))))


@pytest.mark.slow
@pytest.mark.parametrize("draw", EXTREME)
def test_profiles_are_rounded_up_about_the_largest_loss_and_at_all_scales(draw):
    draws = Draws(3)
    for _ in range(3):
        mechanism = draw(draws)
        top = min(float(mechanism.max_divergence()), 3.0 if isinstance(mechanism, Gaussian) else 1e308)
        share = draws.rng.random()
        for epsilon in (0, top * share, top * (1 - 1e-9), np.nextafter(top, 0), top, -top * share, -2 * share):
            assert 0 <= off(mechanism, float(epsilon)) <= 2, (mechanism, epsilon)


def test_profiles_of_a_loss_rounded_to_float64_are_noticed(monkeypatch):
    loss = Laplace._largest_loss
    monkeypatch.setattr(Laplace, "_largest_loss", lambda m, ar: loss(m, ar if ar.exact_input else FLOAT64))
    mechanism = Laplace(scale=F(3, 7), sensitivity=1)
    top = float(mechanism.max_divergence())
    with pytest.raises(AssertionError):
        for i in range(1, 40):
            assert 0 <= off(mechanism, top * (1 - 2.0**-i)) <= 2


def test_profiles_of_arrays_are_fast():
    """1000 numbers take milliseconds, or a second in mpmath, which irrational parameters of Gaussian noise need."""
    epsilon = np.linspace(-1, 3, 1000)
    for mechanism in (Laplace(scale=0.7, sensitivity=1), Exponential(epsilon=2.5, sensitivity=1)):
        start = time.process_time()
        mechanism.privacy_profile(epsilon)
        assert time.process_time() - start < 0.2


def test_exact_values_stay():
    assert conversions.pure_to_rdp(epsilon=0.5, alpha=math.inf) == 0.5
    assert conversions.gdp_to_rdp(mu=0.5, alpha=8) == 1
    assert conversions.total_variation_to_delta(total_variation=0.1, epsilon=1) == 0.1
    assert composition.optimal_composition(epsilon=0.5, delta=0, k=5, total_delta=0) == 2.5


@pytest.mark.parametrize("compute", [conversions, mp, ball], ids=["float64", "mp", "ball"])
def test_perfect_gaussian_privacy(compute):
    """mu = 0: P = Q."""
    assert compute.gdp_to_delta(mu=0, epsilon=1) == 0
    assert abs(compute.gdp_to_delta(mu=0, epsilon=-1) - (1 - math.exp(-1))) < 1e-15
    assert abs(compute.gdp_to_approximate_dp(mu=0, delta=0.25) - math.log(0.75)) < 1e-15
    assert compute.gdp_to_approximate_dp(mu=0, delta=0.25, nonnegative=True) == 0


@pytest.mark.slow
@pytest.mark.parametrize("delta", [5e-324, 1e-310, 1e-300])
def test_concentrated_dp_at_subnormal_delta(delta):
    """The conversion of the best order, which a grid shows to ten digits."""
    for rho in (0.1, 3.0):
        value = conversions.zcdp_to_approximate_dp(rho=rho, delta=delta)
        best, width = 1 + math.sqrt(-math.log(delta) / rho), 0.5
        for _ in range(3):
            orders = 1 + (best - 1) * np.exp(np.linspace(-width, width, 101))
            each = conversions.rdp_to_approximate_dp(alpha=orders, epsilon=rho * orders, delta=delta)
            best, width = orders[each.argmin()], width / 50
        exact = mp.rdp_to_approximate_dp(alpha=best, epsilon=F(rho) * F(best), delta=delta, digits=20)
        assert abs(value / float(exact) - 1) < 1e-10


@pytest.mark.parametrize("method", ["balle", "mironov"])
@pytest.mark.parametrize(("rho", "delta"), [(1e-300, 0.5), (1e-20, 0.99), (1e-3, 0.9), (1e20, 1e-3)])
def test_no_order_of_a_grid_is_better(method, rho, delta):
    value = conversions.zcdp_to_approximate_dp(rho=rho, delta=delta, method=method)
    orders = 1 + np.exp(np.linspace(-34, 340, 60))
    each = conversions.rdp_to_approximate_dp(alpha=orders, epsilon=rho * orders, delta=delta, method=method)
    assert value <= each.min() + 4 * np.spacing(abs(value))


# The precision is restored, in threads too


def overlapping():
    """Run two enclosures in two threads; the second begins during the first one and ends after it."""
    inside, left = threading.Event(), threading.Event()

    def first():
        inside.set()
        left.wait(0.2)
        return arb(1)

    def second():
        left.set()
        finished.wait(2)
        return arb(1)

    finished = threading.Event()

    def one():
        arithmetic.enclose(first, 20)
        finished.set()

    def two():
        inside.wait(2)
        arithmetic.enclose(second, 30)

    threads = [threading.Thread(target=f) for f in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_the_precision_of_balls_is_unchanged_in_threads(monkeypatch):
    before = ctx.prec
    overlapping()
    assert ctx.prec == before
    monkeypatch.setattr(arithmetic, "precision", ctx.workprec)  # no lock
    try:
        overlapping()
        assert ctx.prec != before
    finally:
        ctx.prec = before


def test_every_thread_has_a_context_of_mpmath():
    number, found = MP(33), []
    thread = threading.Thread(target=lambda: found.append(number.context))
    thread.start()
    thread.join()
    assert number.context is number.context and found[0] is not number.context
    assert found[0].dps == number.context.dps == 33


# Undecided balls


def test_nan_is_undecided():
    for f in (arithmetic.positive_part, arithmetic.x_log_x):
        assert f(arb.nan()).is_nan()
    huge = ball.optimal_composition_delta(epsilon=1e200, delta=0, k=5, total_epsilon=100)
    assert huge > 0.99


def test_lists_must_have_one_total():
    for compute in (composition, mp, ball):
        with pytest.raises(ValueError, match="total_epsilon must be one number"):
            compute.heterogeneous_composition_delta(epsilon=[1, 2], delta=0, total_epsilon=[1, 2])
        with pytest.raises(ValueError, match="total_delta must be one number"):
            compute.heterogeneous_composition(epsilon=[1, 2], delta=0, total_delta=[0.1, 0.2])


@pytest.mark.skipif(np.finfo(float).eps == guarantees.UNIT, reason="no precision beyond float64")
def test_the_error_of_a_formula_is_added():
    """A value computed just below a float64 may be above it, within the stated error of the formula."""
    for x in (1.5, 3e-200, 7e250):
        got = guarantees.upper(FLOAT64, lambda ar, x: (x * (1 - guarantees.UNIT), abs(x)), x)
        assert got == np.nextafter(x, np.inf)


def test_multiprecision_values_are_raised_by_their_error():
    """A number 1e-30 below 1 with 24 correct digits may be above 1; 1 itself is exact."""
    near = MP(50).context.mpf(1) - MP(50).context.mpf(10) ** -30
    assert guarantees.rounded_up(guarantees.raised(near, 24)) > 1
    assert guarantees.rounded_up(guarantees.raised(MP(50).context.mpf(1), 24)) == 1
