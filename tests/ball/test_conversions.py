"""Certified conversions and composition against values found by other means: 20 digits of an independent study."""

import mpmath
import pytest
from flint import arb, ctx, fmpq

from krdtheory import ball, mp

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
    "delta": (
        lambda d: ball.rdp_to_delta(alpha=2, epsilon=1, target_epsilon="1/2", digits=d),
        "0.40692609287591607058",
    ),
    "Hellinger": (lambda d: ball.hellinger_to_delta(hellinger="1/10", epsilon=1, digits=d), "0.26094687603977521735"),
    "KL": (lambda d: ball.kl_to_delta(kl="1/10", epsilon=1, digits=d), "0.054973500229252881611"),
    "Gaussian": (lambda d: ball.gdp_to_delta(mu=1, epsilon=2, digits=d), "0.02092363582111373142"),
    "Gaussian inverse": (lambda d: ball.gdp_to_approximate_dp(mu=1, delta="1e-5", digits=d), "4.3771780956812246277"),
    "composition": (
        lambda d: ball.optimal_composition(epsilon="1/2", delta="1e-5", k=50, total_delta="51/100000", digits=d),
        "18.930153825317749648",
    ),
    "composition, many": (
        lambda d: ball.optimal_composition(epsilon="1/100", delta=0, k=1000, total_delta="1e-9", digits=d),
        "1.7829322998948331465",
    ),
    "composition, delta": (
        lambda d: ball.optimal_composition_delta(
            epsilon="1/2", delta=0, k=20, total_epsilon="9.8594110241151243468", digits=d
        ),
        "0.00001",
    ),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("digits", [4, 16, 40])
def test_contains_the_known_value(name, digits):
    """To the 20 digits known, a unit of the last allowed."""
    value, known = VALUES[name]
    ball_ = value(digits)
    places = len(known.lstrip("-0.").replace(".", ""))
    with ctx.workprec(200):
        shown = arb(known) + arb(0, abs(float(known)) * 10.0 ** (2 - min(places, 19)))
        assert ball_.overlaps(shown)
        assert float(ball_.rad()) <= 10.0**-digits * abs(float(known)) * (1 + 1e-9)


@pytest.mark.parametrize("alpha", ["101/100", "3/2", 2, 8, 100])
@pytest.mark.parametrize("delta", ["1e-12", "1/1000", "1/2", "99/100"])
def test_agrees_with_multiprecision(alpha, delta):
    """krdtheory.mp shares no code with balls."""
    for two_sided in (False, True):
        arguments = {"alpha": alpha, "epsilon": "1/3", "delta": delta, "two_sided": two_sided}
        enclosed = ball.rdp_to_approximate_dp(**arguments, digits=30)
        with ctx.workprec(300), mpmath.workdps(60):
            point = arb(mpmath.nstr(mp.rdp_to_approximate_dp(**arguments, digits=40), 45))
            assert enclosed.overlaps(point + arb(0, 1e-38))


def test_degenerate():
    assert ball.hellinger_to_delta(hellinger=0, epsilon=0) == 0
    assert ball.rdp_to_delta(alpha=2, epsilon=0, target_epsilon=1) == 0
    assert ball.optimal_composition_delta(epsilon=1, delta=0, k=3, total_epsilon=3) == 0
    third = ball.total_variation_to_delta(total_variation="1/3", epsilon=1)
    with ctx.workprec(400):
        assert third.contains(fmpq(1, 3))


def test_a_wrong_bound_is_not_certified():
    """Theorem 16's epsilon is above the optimum, Mironov's above that."""
    arguments = {"alpha": 8, "epsilon": "1/2", "delta": "1e-5"}
    bounds = [ball.rdp_to_approximate_dp(**arguments, method=m, digits=20) for m in ("optimal", "balle", "mironov")]
    assert bounds[0] < bounds[1] < bounds[2]
