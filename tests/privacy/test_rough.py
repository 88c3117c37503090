"""Inside `rough`, float64 conversions are close to the true values; outside, they are guarantees, as usual."""

import numpy as np
import pytest

from krdtheory import mp
from krdtheory.arithmetic import FLOAT64
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
def asked(monkeypatch):
    """Record the number of values computed in multiprecision by each call."""
    made = []
    original = guarantees.by_multiprecision
    monkeypatch.setattr(
        guarantees,
        "by_multiprecision",
        lambda f, *x, **options: made.append(np.size(x[0])) or original(f, *x, **options),
    )
    return made


def test_close_inside_and_never_below_outside(exact):
    with rough():
        inside = converted()
    outside = converted()
    np.testing.assert_allclose(inside, exact, rtol=2e-13)
    assert (outside >= exact).all()
    assert (outside <= exact * (1 + 1e-15)).all()


def test_multiprecision_is_used_less_inside_and_as_usual_afterwards(asked):
    """For a sum that is exactly a float64, and for one whose terms cancel half of the digits of extended precision."""

    def of(value):
        def formula(ar, x):
            return x + value - value, abs(x) + 2 * value

        asked.clear()
        guarantees.upper(FLOAT64, formula, np.array([0.3, 0.7]))
        return sum(asked)

    assert (of(0), of(1e9)) == (2, 2)
    with rough():
        assert (of(0), of(1e9)) == (0, 2)
    with pytest.raises(ZeroDivisionError), rough():
        1 / 0  # noqa: B018
    assert of(0) == 2
