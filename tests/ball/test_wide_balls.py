"""Arguments in wide balls, which may touch 0 or overlap: the result contains the values at all numbers in them.

The values are from the literal definitions, in mpmath, at random points of the balls and at their ends. Those of
conversions and composition are from `krdtheory` in mpmath, which shares no code with balls. The seeds are fixed.
"""

from functools import partial
from itertools import product

import numpy as np
import pytest
from flint import acb, arb, fmpq
from mpmath import inf, log, mp, mpf, sqrt

from krdtheory import ball
from krdtheory import mp as multiprecision
from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.ball.conversions import smaller
from krdtheory.table import FUNCTIONS

DRAWS, POINTS = 100, 6


def renyi(p, q, alpha):
    apart = any(x > 0 and y == 0 for x, y in zip(p, q, strict=True))
    both = [(x, y) for x, y in zip(p, q, strict=True) if x > 0 and y > 0]
    if not both or (apart and alpha >= 1):
        return inf
    if alpha == inf:
        return log(max(x / y for x, y in both))
    if alpha == 1:
        return sum(x * log(x / y) for x, y in both) / sum(p)
    power = sum(x**alpha * y ** (1 - alpha) if alpha else y for x, y in both)
    return log(power / sum(p)) / (alpha - 1)


def f_divergence(p, q, f, at_zero, slope):
    """Return the literal sum; 0 times infinity is 0."""
    total = mpf(0)
    for x, y in zip(p, q, strict=True):
        if x > 0 and y > 0:
            total += y * f(x / y)
        elif x > 0:
            total += x * slope
        elif y > 0:
            total += y * at_zero
    return total


def hockey_stick(p, q, epsilon):
    if epsilon == inf:
        return sum(x for x, y in zip(p, q, strict=True) if y == 0)
    return sum(max(x - mp.exp(epsilon) * y, 0) for x, y in zip(p, q, strict=True))


def max_divergence_but(p, q, delta):
    """Return the logarithm of the largest (p(S) - delta) / q(S)."""
    best = -inf
    for chosen in product((0, 1), repeat=len(p)):
        x, y = (sum((w * c for w, c in zip(v, chosen, strict=True)), mpf(0)) for v in (p, q))
        if x > delta:
            best = max(best, log((x - delta) / y) if y else inf)
    return best


def jump(t):
    """Return a convex function whose value at 0 is larger than its limit there."""
    return (t - 1) ** 2


# functions of p and q: in balls, and by the literal definition
CASES = {
    **{f"renyi {a}": (partial(ball.renyi, alpha=a), partial(renyi, alpha=mpf(a))) for a in (0, 0.5, 1, 2, inf)},
    "kl": (ball.kl, partial(f_divergence, f=lambda t: t * log(t), at_zero=0, slope=inf)),
    **{
        f"hockey stick {e}": (partial(ball.hockey_stick, epsilon=float(e)), partial(hockey_stick, epsilon=mpf(e)))
        for e in (-1, 0, 0.5, inf, -inf)
    },
    "total variation": (
        ball.total_variation,
        partial(f_divergence, f=lambda t: abs(t - 1) / 2, at_zero=0.5, slope=0.5),
    ),
    "hellinger": (ball.hellinger, lambda p, q: 1 - sum(sqrt(x * y) for x, y in zip(p, q, strict=True))),
    **{
        f"f {name}": (partial(ball.f_divergence, f=name), partial(f_divergence, f=f, at_zero=zero, slope=slope))
        for name, f, zero, slope in (
            ("kl", lambda t: t * log(t), 0, inf),
            ("reverse_kl", lambda t: -log(t), inf, 0),
            ("chi_squared", lambda t: (t - 1) ** 2, 1, inf),
            ("total_variation", lambda t: abs(t - 1) / 2, mpf(0.5), mpf(0.5)),
            ("hellinger", lambda t: 1 - sqrt(t), 1, 0),
        )
    },
    **{
        f"max divergence but {d}": (
            partial(ball.approximate_max_divergence, delta=d),
            partial(max_divergence_but, delta=mpf(d)),
        )
        for d in (0.0, 0.125)
    },
    "a jump at 0": (
        partial(ball.f_divergence, f=jump, value_at_zero=30, slope_at_infinity=float("inf")),
        partial(f_divergence, f=jump, at_zero=30, slope=inf),
    ),
}


def weights(rng, n, least, positive=False):
    """Return numbers, some of them balls, and nonnegative points in them.

    The centre of the first is at least `least`, and all of them are above 0 if `positive`.
    """
    centres = rng.integers(5, 12, n) if positive else rng.integers(1, 9, n) * rng.integers(0, 2, n)
    centres[0] = max(centres[0], least)
    radii = rng.choice([0, 1, 4], n)
    given = [
        arb(fmpq(int(c), 16), fmpq(int(r), 16)) if r else fmpq(int(c), 16) for c, r in zip(centres, radii, strict=True)
    ]
    places = [-np.ones(n), np.ones(n), rng.choice([-1, 1], n), *rng.integers(-8, 9, (POINTS - 3, n)) / 8]
    points = [
        [
            max(mpf(int(c)) / 16 + mpf(int(r)) / 16 * float(t), mpf(0))
            for c, r, t in zip(centres, radii, place, strict=True)
        ]
        for place in places
    ]
    return given, points


def check(compute, values):
    """Check that the result, or the bounds of an UndecidedError, contain the values."""
    try:
        found = compute()
        low, high = found.lower(), found.upper()
    except UndecidedError as error:
        low, high = error.lower, error.upper
    for value in values:
        exact = arb.pos_inf() if value == inf else arb.neg_inf() if value == -inf else arb(mp.nstr(value, 30))
        room = arb(0, "1e-25") if abs(value) < inf else arb(0)
        assert not low > exact + room and not high < exact + room, (low, high, value)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_results_contain_the_values_at_all_points(name):
    function, definition = CASES[name]
    rng = np.random.default_rng(5)
    for draw in range(DRAWS):
        (p, x), (q, y) = weights(rng, 3, 1), weights(rng, 3, 0, positive=draw % 2 == 0)
        with mp.workdps(40):
            pairs = [(u, v) for u, v in zip(x, y, strict=True) if any(u)]
            check(partial(function, p, q, digits=10), [definition(u, v) for u, v in pairs])


@pytest.mark.parametrize("exact", [True, False])
def test_a_ball_as_radius(exact):
    """The radius of the ball around p is a ball; weights are exact or balls."""
    rng = np.random.default_rng(6)
    for _ in range(DRAWS // 2):
        (p, x), (q, y) = weights(rng, 3, 1), weights(rng, 3, 0, positive=True)
        if exact:  # the first points of the balls
            p, q, x, y = ([fmpq(int(64 * w), 64) for w in v[0]] for v in (x, y, x, y))
            x, y = ([[mpf(int(w.p)) / int(w.q) for w in v]] * POINTS for v in (x, y))
        radius = arb(fmpq(1, 8), fmpq(1, 16))
        radii = [mpf(1) / 8 + mpf(int(t)) / 128 for t in rng.integers(-8, 9, POINTS - 2)] + [mpf(1) / 16, mpf(3) / 16]
        with mp.workdps(40):
            values = [max_divergence_but(u, v, d) for u, v, d in zip(x, y, radii, strict=True) if any(u)]
            if values:
                check(partial(ball.approximate_max_divergence, p, q, delta=radius, digits=10), values)


PARAMETERS = {
    "rdp_to_approximate_dp": {"alpha": 8, "epsilon": 0.5, "delta": 0.1},
    "rdp_to_delta": {"alpha": 2, "epsilon": 1.0, "target_epsilon": 0.5},
    "rdp_curve_to_approximate_dp": {"alpha": [4, 8], "epsilon": 0.5, "delta": 0.1},
    "pure_to_rdp": {"alpha": 3, "epsilon": 1.0},
    "pure_to_zcdp": {"epsilon": 1.0},
    "gdp_to_rdp": {"alpha": 3, "mu": 0.5},
    "gdp_to_delta": {"mu": 1.0, "epsilon": 0.5},
    "gdp_to_approximate_dp": {"mu": 1.0, "delta": 0.05},
    "kl_to_approximate_dp": {"kl": 0.1, "delta": 0.05},
    "kl_to_delta": {"kl": 0.1, "epsilon": 0.5},
    "hellinger_to_delta": {"hellinger": 0.1, "epsilon": 0.5},
    "hellinger_to_approximate_dp": {"hellinger": 0.1, "delta": 0.5},
    "total_variation_to_delta": {"total_variation": 0.25, "epsilon": -0.5},
    "total_variation_to_approximate_dp": {"total_variation": 0.25, "delta": 0.5},
    "approximate_dp_to_delta": {"epsilon": 1.0, "delta": 0.1, "target_epsilon": 0.5},
    "approximate_dp_to_hellinger": {"epsilon": 1.0, "delta": 0.1},
    "approximate_dp_to_total_variation": {"epsilon": 1.0, "delta": 0.1},
    "approximate_dp_to_regularization": {"epsilon": 1.0, "delta": 0.1},
    "optimal_composition": {"epsilon": 0.5, "delta": 0.01, "k": 3, "total_delta": 0.1},
    "optimal_composition_delta": {"epsilon": 0.5, "delta": 0.01, "k": 3, "total_epsilon": 0.75},
    "composition_bound": {"epsilon": 0.5, "delta": 0.01, "k": 20, "total_delta": 0.3, "method": "colisson"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_in_balls(name):
    """As functions are monotone, results reach from the least to the largest value at the ends, hardly beyond."""
    given = PARAMETERS[name]
    inexact = [key for key, value in given.items() if isinstance(value, float)]
    radii = {key: abs(given[key]) / 64 for key in inexact}
    balls = {key: arb(given[key], radii[key]) for key in inexact}
    got = getattr(ball, name)(**{**given, **balls}, digits=10)
    function = partial(multiprecision.evaluate, FUNCTIONS[name].load())
    ends = [
        function(
            digits=20, **{**given, **{key: given[key] + s * radii[key] for key, s in zip(inexact, signs, strict=True)}}
        )
        for signs in product((-1, 1), repeat=len(inexact))
    ]
    low, high = (arb(mp.nstr(f(ends), 25)) for f in (min, max))
    room = (high - low) / 1000
    assert low - room < got.lower() < low + arb("1e-12") and high - arb("1e-12") < got.upper() < high + room


def test_the_smaller_of_two_balls():
    """For overlapping balls, it reaches from the lower end of one to the upper end of the other."""
    for pair in ((arb(0, 1), arb(1, 1.5)), (arb(1, 1.5), arb(0, 1)), (arb(0, 1), arb(0.25, 0.25))):
        found = smaller(*pair)
        low, high = (min(float(x.mid()) + s * float(x.rad()) for x in pair) for s in (-1, 1))
        assert found.contains(arb(low)) and found.contains(arb(high)) and found.rad() < (high - low) / 2 + 1e-6


def test_balls_beyond_the_end_of_a_range():
    """A distance is between 0 and 1, even if the ball is wider."""
    for function in (ball.hellinger_to_delta, ball.total_variation_to_delta):
        name = "hellinger" if function is ball.hellinger_to_delta else "total_variation"
        found = function(**{name: arb(0.95, 0.1)}, epsilon=0, digits=10)
        assert found.contains(1) and found.upper() < 1 + arb("1e-9")
        found = function(**{name: arb(0, 0.1)}, epsilon=0, digits=10)
        assert found.contains(0) and found.lower() > -arb("1e-9")


def test_imaginary_parts_in_balls():
    """Half of the identity, and a state that differs from it only by an imaginary part of 1/4."""
    side = acb(0, arb(0.25, 1e-20))
    state = [["1/2", side], [acb(0, -side.imag), "1/2"]]
    half = [["1/2", 0], [0, "1/2"]]
    found = ball.trace_distance(state, half, digits=10)
    assert found.overlaps(arb(0.25)) and found.rad() < 1e-15


def test_eigenvectors_that_may_be_orthogonal():
    """The largest ratio over non-orthogonal eigenvectors is 2 at the midpoints, but 16 at nearby numbers."""
    side = arb(0, 1e-10)
    found = ball.petz_renyi([[1, side], [side, "1/8"]], [[1, 0], [0, "1/16"]], inf)
    assert found.lower() < arb(2).log() and found.upper() > arb(16).log() * (1 - arb(1e-9))
    exact = ball.petz_renyi([[1, 0], [0, "1/8"]], [[1, 0], [0, "1/16"]], inf)
    assert exact.overlaps(arb(2).log())
    hidden = ball.petz_renyi([[1, "1e-30"], ["1e-30", "1/8"]], [[1, 0], [0, "1/16"]], inf, digits=10)
    assert hidden.overlaps(arb(16).log()) and hidden.rad() < 1e-9  # for nearly orthogonal eigenvectors
