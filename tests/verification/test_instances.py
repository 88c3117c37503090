"""Instances are exactly valid, in rationals, and the same in every arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from krdtheory.arithmetic import MP
from verification.instances import (
    FLOATS,
    RATIONALS,
    Channels,
    Distributions,
    Fraction01,
    Maps,
    Order,
    Orders,
    Reals,
    Scale,
    States,
    Unitaries,
    Vectors,
    multiprecision,
)
from verification.instances.kind import chosen

KINDS = [
    Distributions(2),
    States(2),
    States(2, normalised=True),
    States(2, contractions=True),
    Vectors(4),
    Unitaries(),
    Channels(out=2, environment=2),
    Order(0.5),
    Orders(0.125),
    Scale(),
    Reals(),
    Fraction01(),
]
CASES = [(kind, family) for kind in KINDS for family in kind.STARTS]


def arrays(value):
    """Return the arrays of an instance."""
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in arrays(v)]
    return [value.isometry] if hasattr(value, "isometry") else [value]


def complex_(x):
    """Return a number of any arithmetic as a Python complex."""
    return complex(float(x.x), float(x.y)) if hasattr(x, "y") else complex(x)


def zero(x):
    """Return which entries are exactly zero."""
    return all(complex_(entry) == 0 for entry in x.flat)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "family"), CASES, ids=[f"{type(k).__name__}-{f}" for k, f in CASES])
def test_every_arithmetic_builds_the_same(kind, family):
    raw = kind.draw(np.random.default_rng(1), 3, 3, family)
    assert kind.legal(raw).all()
    values = [arrays(kind.build(raw, field)) for field in (FLOATS, RATIONALS, multiprecision(MP(40).context))]
    for in_floats, in_rationals, in_mp in zip(*values, strict=True):
        assert len(in_floats) == 3
        for index in np.ndindex(in_floats.shape):
            exact = complex_(in_rationals[index])
            # a few dozen roundings, on numbers up to 1e8 for states
            assert abs(in_floats[index] - exact) <= 1e-13 * max(1.0, np.abs(in_floats).max())
            assert abs(complex_(in_mp[index]) - exact) <= 1e-13 * max(1.0, np.abs(in_floats).max())


@pytest.mark.parametrize("family", Distributions.STARTS)
def test_distributions_sum_to_one(family):
    kind = Distributions(3)
    for p in kind.build(kind.draw(np.random.default_rng(2), 20, 4, family), RATIONALS):
        assert all(w.sum() == 1 and (w >= 0).all() for w in p)


@pytest.mark.parametrize("family", Vectors.STARTS)
def test_vectors_have_length_one(family):
    kind = Vectors(3)
    phi = kind.build(kind.draw(np.random.default_rng(3), 20, 3, family), RATIONALS)
    assert ((phi * phi).sum(-1) == 1).all()


@pytest.mark.parametrize("family", Unitaries.STARTS)
def test_unitaries_are_unitary(family):
    kind = Unitaries()
    u = kind.build(kind.draw(np.random.default_rng(4), 5, 3, family), RATIONALS)
    product = u @ RATIONALS.conj(u.swapaxes(-1, -2))
    assert zero(product - RATIONALS.identity(3))


@pytest.mark.parametrize("family", Channels.STARTS)
def test_channels_preserve_the_trace(family):
    kind, states = Channels(out=2, environment=2), States(1)
    rng = np.random.default_rng(5)
    channel = kind.build(kind.draw(rng, 4, 3, family), RATIONALS)
    (state,) = states.build(states.draw(rng, 4, 3, "full complex"), RATIONALS)
    traces = [np.trace(x, axis1=-2, axis2=-1) for x in (channel(state), state)]
    assert zero(traces[0] - traces[1])
    identity = sum(channel.conj(k.swapaxes(-1, -2)) @ k for k in channel.kraus)
    assert zero(identity - RATIONALS.identity(3))


@pytest.mark.parametrize("family", States.STARTS)
def test_states_are_positive(family):
    kind = States(2, normalised=True)
    for states in kind.build(kind.draw(np.random.default_rng(6), 20, 3, family), FLOATS):
        assert np.linalg.eigvalsh(states).min() >= -1e-13  # traces are one
        assert np.allclose(np.trace(states, axis1=-2, axis2=-1), 1, rtol=0, atol=1e-13)


def test_contractions_are_below_the_identity():
    kind = States(2, contractions=True)
    rng = np.random.default_rng(7)
    for family in kind.STARTS:
        reference = kind.build(kind.draw(rng, 50, 4, family), FLOATS)[1]
        assert np.linalg.eigvalsh(reference).max() <= 1 + 1e-13


def test_orders_stay_in_their_range():
    rng = np.random.default_rng(8)
    alpha = Order(0.5, 12).build(Order(0.5, 12).draw(rng, 5000, 2, "plain"), FLOATS)
    assert alpha.min() >= 0.5
    assert alpha.max() <= 12
    assert not (alpha == 1).any()
    smaller, larger = Orders(0.25).build(Orders(0.25).draw(rng, 5000, 2, "plain"), FLOATS)
    assert (smaller <= larger).all()
    assert smaller.min() >= 0.25


def test_scales_attain_both_ends():
    rng = np.random.default_rng(9)
    scale = Scale(high=64).build(Scale(high=64).draw(rng, 5000, 2, "plain"), FLOATS)
    assert scale.min() == 0
    assert scale.max() > 32
    assert np.median(scale[scale > 0]) < 1
    assert Scale(positive=True).build(Scale(positive=True).draw(rng, 5000, 2, "plain"), FLOATS).min() > 0


def test_maps_and_a_channel_of_a_large_system():
    g = Maps(4, 3).build(Maps(4, 3).draw(np.random.default_rng(10), 100, 2, "plain"), FLOATS)
    assert g.min() == 0
    assert g.max() == 2
    kind = Channels(out=1, environment=2)
    assert kind.build(kind.draw(np.random.default_rng(0), 1, 4, "real"), FLOATS).isometry.shape == (1, 4, 4)


def test_exact_values_are_rationals():
    kind = Distributions(1)
    (p,) = kind.build(kind.draw(np.random.default_rng(11), 1, 3, "full"), RATIONALS)
    assert all(isinstance(x, Fraction) for x in p[0])


@pytest.mark.parametrize("values", [[5], [-1, 1], [1, 3, 30, 1000], list(range(19))])
def test_values_are_chosen_as_by_numpy(values):
    ours, theirs, other = (np.random.default_rng(seed) for seed in (7, 7, 8))
    for shape in [(1,), (32,), (4, 1, 1)]:
        assert (chosen(ours, values, shape) == theirs.choice(values, size=shape)).all()
    assert ours.random() == theirs.random() != other.random()
