"""Inside of `rough` float64 conversions are near the true values; outside of it they are guarantees, as ever."""

import numpy as np
import pytest

from krdtheory import mp
from krdtheory.privacy import conversions, guarantees
from krdtheory.privacy.guarantees import rough

RNG = np.random.default_rng(0)
ALPHA = 1 + RNG.integers(1, 64, 12) / 16
RHO = RNG.integers(1, 64, 12) / 64
DELTA = RNG.integers(1, 250, 12) / 256


def converted(k=conversions):
    return k.rdp_to_approximate_dp(alpha=ALPHA, epsilon=RHO, delta=DELTA, two_sided=True)


@pytest.fixture
def exact():
    return np.array([float(x) for x in converted(mp)])


@pytest.fixture
def calls(monkeypatch):
    made = []
    original = guarantees.by_multiprecision
    monkeypatch.setattr(guarantees, "by_multiprecision", lambda *a, **k: made.append(a) or original(*a, **k))
    return made


def test_near_inside_and_never_below_outside(exact):
    with rough():
        inside = converted()
    outside = converted()
    np.testing.assert_allclose(inside, exact, rtol=2e-13)
    assert (outside >= exact).all()
    assert (outside <= exact * (1 + 1e-15)).all()


def test_multiprecision_is_asked_less_inside(calls):
    """Of values that may be floats, as those where nothing is known, which are log(1 - delta) at delta = 0."""
    arguments = {"alpha": 2.0, "epsilon": np.array([0.25, 0.5]), "delta": 2.0**-60, "two_sided": True}
    with rough():
        conversions.rdp_to_approximate_dp(**arguments)
    inside = len(calls)
    conversions.hellinger_to_delta(hellinger=0.5, epsilon=0.0)  # which is a float
    outside = len(calls) - inside
    assert outside > 0
    with rough():
        conversions.hellinger_to_delta(hellinger=0.5, epsilon=0.0)
    assert len(calls) == inside + outside


def test_it_ends_with_the_block(calls):
    with pytest.raises(ZeroDivisionError), rough():
        1 / 0  # noqa: B018
    conversions.hellinger_to_delta(hellinger=0.5, epsilon=0.0)
    assert calls
