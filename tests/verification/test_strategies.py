"""Strategies return valid objects of every kind, exact ones equal to their floats, and shrink."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import krdtheory
from verification.instances import (
    Channels,
    Distributions,
    Maps,
    Order,
    Orders,
    States,
    Unitaries,
    Vectors,
)
from verification.strategies import instances

SEEDED = settings(
    max_examples=15,
    phases=[Phase.generate, Phase.shrink],  # to explain a failure takes longer than to find it
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much],
)


@pytest.mark.slow
@SEEDED
@given(instances(Distributions(2, dim=4)))
def test_distributions(p):
    for weights in p:
        assert weights.shape == (4,)
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1, abs=1e-12)


@SEEDED
@given(instances(States(2, normalised=True), dim=3, numbers="exact"))
def test_exact_states(states):
    for state in states:
        assert not sum(state[i, i] for i in range(3)) - 1
        for x, y in zip(state.ravel(), state.T.ravel(), strict=True):
            assert getattr(x, "x", x) == getattr(y, "x", y)
            assert getattr(x, "y", 0) == -getattr(y, "y", 0)


@pytest.mark.slow
@SEEDED
@given(st.one_of(instances(Channels(dim=2)), instances(Channels(out=3, environment=2, dim=2))))
def test_channels_preserve_the_trace(channel):
    rho = np.array([[[0.75, 0.25], [0.25, 0.25]]])
    assert np.trace(channel(rho)[0]).real == pytest.approx(1, abs=1e-12)


@SEEDED
@given(instances(Unitaries(), dim=3))
def test_unitaries(u):
    assert abs(u @ u.conj().T - np.eye(3)).max() < 1e-9


@pytest.mark.slow
@SEEDED
@given(instances(Vectors(4)), instances(Distributions(2, dim=4)), instances(Order(0.5, 8)))
def test_a_theorem(phi, p, alpha):
    """Kernel Renyi divergence below the classical one (Proposition 2)."""
    a, b = (np.einsum("i,ij,ik->jk", w, phi, phi) for w in p)
    assert krdtheory.sandwiched_renyi(a, b, alpha, 1e-3) <= krdtheory.renyi(*p, alpha) + 1e-7


def test_shrinks_to_small_numbers():
    found = find(
        instances(Distributions(2, dim=3, starts=("full",)), numbers="exact"),
        lambda p: p[0][0] > p[1][0],
        settings=SEEDED,
        random=random.Random(0),
    )
    assert max(Fraction(x).denominator for w in found for x in w) <= 4


def test_maps_and_orders():
    assert find(instances(Maps(3, 2)), lambda g: g.sum() > 0, settings=SEEDED, random=random.Random(0)).sum() == 1
    small, large = find(
        instances(Orders(1, 8)), lambda pair: pair[0] < pair[1], settings=SEEDED, random=random.Random(0)
    )
    assert 1 < small < large <= 8


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((3,), TypeError, "kind must be"),
        ((Order(1), "2"), TypeError, "dim must be an integer"),
        ((Order(1), 0), ValueError, "dim must be an integer >= 1"),
        ((Order(1), 2, "mp"), ValueError, "numbers must be one of float64, exact"),
    ],
)
def test_bad_input(arguments, error, words):
    kind, *rest = arguments
    with pytest.raises(error, match=words):
        instances(kind, **dict(zip(("dim", "numbers"), rest, strict=False)))
