"""Guarantees and states as other libraries have them; with the libraries themselves in the lane `peers`."""

import math
from dataclasses import make_dataclass

import numpy as np
import pytest

import krdtheory
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from krdtheory.privacy.peers import from_dp_accounting, from_opendp, to_dp_accounting, to_opendp


def event(kind, **values):
    """An event with dp_accounting's names."""
    return make_dataclass(f"{kind}DpEvent", [*values])(**values)


GAUSSIAN, LAPLACE = event("Gaussian", noise_multiplier=2.0), event("Laplace", noise_multiplier=4.0)
ZCDP = event("ZC", rho=0.5, xi=0.25)
RESPONSE = event("RandomizedResponse", noise_parameter=0.5, num_buckets=3)  # 2 / 3 against 1 / 6


def times(one, count):
    return event("SelfComposed", event=one, count=count)


@pytest.mark.parametrize(
    ("given", "notion"),
    [
        (GAUSSIAN, GaussianDP(mu=0.5)),
        (LAPLACE, PureDP(epsilon=0.25)),
        (ZCDP, ZeroConcentratedDP(rho=0.5, xi=0.25)),
        (RESPONSE, PureDP(epsilon=math.log(4))),
        (event("DiscreteLaplace", noise_parameter=0.25, sensitivity=2), PureDP(epsilon=0.5)),
        (times(GAUSSIAN, 16), GaussianDP(mu=2.0)),
        (times(LAPLACE, 3), PureDP(epsilon=0.75)),
        (times(times(ZCDP, 2), 2), ZeroConcentratedDP(rho=2.0, xi=1.0)),
        (event("Composed", events=[GAUSSIAN, times(GAUSSIAN, 3)]), GaussianDP(mu=1.0)),
    ],
)
def test_events(given, notion):
    found = from_dp_accounting(given)
    assert (type(found), found.bound) == (type(notion), pytest.approx(notion.bound, rel=1e-15))
    assert getattr(found, "xi", 0) == getattr(notion, "xi", 0)


@pytest.mark.parametrize(
    "given",
    [
        event("NonPrivate"),
        event("PoissonSampled", sampling_probability=0.1, event=GAUSSIAN),
        event("Gaussian", noise_multiplier=0.0),
        event("Gaussian", noise_multiplier=math.nan),
        event("RandomizedResponse", noise_parameter=0.0, num_buckets=2),
        event("Composed", events=[GAUSSIAN, LAPLACE]),
        event("Composed", events=[]),
        event("EpsilonDelta", epsilon=1.0, delta=0.1),
        0.5,
    ],
)
def test_events_that_are_no_notion(given):
    with pytest.raises(ValueError, match="event must be"):
        from_dp_accounting(given)


def test_measures():
    assert from_opendp("MaxDivergence", 0.5) == PureDP(epsilon=0.5)
    assert from_opendp("ZeroConcentratedDivergence", 0.5) == ZeroConcentratedDP(rho=0.5)
    for name in ("Approximate(MaxDivergence)", "Approximate<MaxDivergence>", "FixedSmoothedMaxDivergence()"):
        assert from_opendp(name, (0.5, 1e-6)) == ApproximateDP(epsilon=0.5, delta=1e-6)
    for name in ("SmoothedMaxDivergence", "Approximate(ZeroConcentratedDivergence)", "RenyiDivergence"):
        with pytest.raises(ValueError, match=f"measure must be .*; got '{name[:5]}"):
            from_opendp(name, 0.5)


@pytest.mark.parametrize(
    "notion", [PureDP(epsilon=0.5), ZeroConcentratedDP(rho=0.5), ApproximateDP(epsilon=0.5, delta=1e-6)]
)
def test_there_and_back(notion):
    pytest.importorskip("opendp")
    assert from_opendp(*to_opendp(notion)) == notion


def test_what_opendp_itself_promises():
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    for made, notion in (
        (dp.m.make_laplace(*space, scale=2.0), PureDP(epsilon=0.5)),
        (dp.m.make_gaussian(*space, scale=1.0), ZeroConcentratedDP(rho=0.5)),
    ):
        found = from_opendp(made.output_measure, made.map(1.0))
        assert (type(found), found.bound) == (type(notion), pytest.approx(notion.bound, rel=1e-9))


def test_what_dp_accounting_itself_computes():
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting import pld

    accountant = pld.PLDAccountant()
    given = accounting.SelfComposedDpEvent(accounting.GaussianDpEvent(4.0), 4)
    accountant.compose(given)
    notion = from_dp_accounting(given)
    assert notion == GaussianDP(mu=0.5) == from_dp_accounting(to_dp_accounting(notion))
    ours = krdtheory.privacy.conversions.gdp_to_approximate_dp(mu=notion.mu, delta=1e-5)
    assert ours == pytest.approx(accountant.get_epsilon(1e-5), abs=1e-3)
    accountant = pld.PLDAccountant(accounting.NeighboringRelation.REPLACE_ONE)
    accountant.compose(to_dp_accounting(PureDP(epsilon=1.5)))
    for epsilon in (0.0, 0.5, 1.0):  # pure DP itself: (e^1.5 - e^epsilon) / (1 + e^1.5)
        expected = (math.exp(1.5) - math.exp(epsilon)) / (1 + math.exp(1.5))
        assert accountant.get_delta(epsilon) == pytest.approx(expected, abs=1e-4)
    notion = ZeroConcentratedDP(rho=0.5, xi=0.25)
    assert from_dp_accounting(to_dp_accounting(notion)) == notion


@pytest.mark.parametrize("notion", [RenyiDP(alpha=2, epsilon=1), ZeroConcentratedDP(rho=1, xi=1)])
def test_notions_that_they_do_not_have(notion):
    pytest.importorskip("opendp")
    with pytest.raises(ValueError, match="notion must be"):
        to_opendp(notion)
    pytest.importorskip("dp_accounting")
    if not isinstance(notion, ZeroConcentratedDP):
        with pytest.raises(ValueError, match="notion must be"):
            to_dp_accounting(notion)


RHO, SIGMA = np.array([[0.75, 0.25j], [-0.25j, 0.25]]), np.array([[0.5, 0], [0, 0.5]])


class Operator:
    """As QuTiP's, which give their entries by a method alone."""

    def __init__(self, entries):
        self.entries = entries

    def full(self):
        return np.array(self.entries)


def qutip_states():
    qutip = pytest.importorskip("qutip")
    return qutip.Qobj(RHO), qutip.Qobj(SIGMA)


def qiskit_states():
    information = pytest.importorskip("qiskit.quantum_info")
    return information.DensityMatrix(RHO), information.DensityMatrix(SIGMA)


def pandas_states():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(RHO), pandas.DataFrame(SIGMA)


@pytest.mark.parametrize(
    "states", [lambda: (Operator(RHO), Operator(SIGMA)), qutip_states, qiskit_states, pandas_states]
)
@pytest.mark.parametrize("system", [krdtheory, krdtheory.mp, krdtheory.ball])
def test_states(states, system):
    rho, sigma = states()
    expected = float(system.sandwiched_renyi(RHO, SIGMA, 2))
    assert float(system.sandwiched_renyi(rho, sigma, 2)) == expected
    assert system.trace_distance([rho, sigma], sigma).shape == (2,)


@pytest.mark.parametrize("wrong", [Operator([[1, 2], [3, 4]]), Operator([1, 2]), Operator("x"), object()])
def test_what_is_no_state(wrong):
    for system in (krdtheory, krdtheory.mp, krdtheory.ball):
        with pytest.raises((ValueError, TypeError), match="rho must be"):
            system.trace_distance(wrong, SIGMA)
