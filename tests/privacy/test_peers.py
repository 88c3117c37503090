"""Guarantees and states of other libraries; the tests in the lane `peers` use these libraries."""

import doctest
import importlib.util
import math
import re
from dataclasses import make_dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import krdtheory
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, PureDP, RenyiDP, TradeOffDP, ZeroConcentratedDP
from krdtheory.privacy.peers import (
    Profile,
    from_accountant,
    from_dp_accounting,
    from_opendp,
    from_pld,
    to_dp_accounting,
    to_opendp,
    to_pld,
)


def event(kind, **values):
    """Return an event with the names of dp_accounting."""
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
def test_events_without_a_notion(given):
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
def test_round_trips(notion):
    pytest.importorskip("opendp")
    assert from_opendp(*to_opendp(notion)) == notion


def test_guarantees_of_opendp():
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    for made, notion in (
        (dp.m.make_laplace(*space, scale=2.0), PureDP(epsilon=0.5)),
        (dp.m.make_gaussian(*space, scale=1.0), ZeroConcentratedDP(rho=0.5)),
    ):
        found = from_opendp(made.output_measure, made.map(1.0))
        assert (type(found), found.bound) == (type(notion), pytest.approx(notion.bound, rel=1e-9))


def test_values_of_dp_accounting():
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
    for epsilon in (0.0, 0.5, 1.0):  # pure DP: (e^1.5 - e^epsilon) / (1 + e^1.5)
        expected = (math.exp(1.5) - math.exp(epsilon)) / (1 + math.exp(1.5))
        assert accountant.get_delta(epsilon) == pytest.approx(expected, abs=1e-4)
    notion = ZeroConcentratedDP(rho=0.5, xi=0.25)
    assert from_dp_accounting(to_dp_accounting(notion)) == notion


@pytest.mark.parametrize("notion", [RenyiDP(alpha=2, epsilon=1), ZeroConcentratedDP(rho=1, xi=1)])
def test_notions_without_an_equivalent(notion):
    pytest.importorskip("opendp")
    with pytest.raises(ValueError, match="notion must be"):
        to_opendp(notion)
    pytest.importorskip("dp_accounting")
    if not isinstance(notion, ZeroConcentratedDP):
        with pytest.raises(ValueError, match="notion must be"):
            to_dp_accounting(notion)


RHO, SIGMA = np.array([[0.75, 0.25j], [-0.25j, 0.25]]), np.array([[0.5, 0], [0, 0.5]])


class Operator:
    """An operator like those of QuTiP, which return their entries only by a method."""

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
def test_objects_that_are_not_states(wrong):
    for system in (krdtheory, krdtheory.mp, krdtheory.ball):
        with pytest.raises((ValueError, TypeError), match="rho must be"):
            system.trace_distance(wrong, SIGMA)


# Privacy loss distributions and accountants


class Distribution:
    """A distribution like those of dp_accounting, of Gaussian noise, with mass at infinity."""

    def __init__(self, mu, beyond=0.0):
        self.mu, self.beyond = mu, beyond

    def get_delta_for_epsilon(self, epsilon):
        return self.beyond + (1 - self.beyond) * krdtheory.privacy.conversions.gdp_to_delta(mu=self.mu, epsilon=epsilon)

    def get_epsilon_for_delta(self, delta):
        if delta <= self.beyond:
            return math.inf
        left = (delta - self.beyond) / (1 - self.beyond)
        return max(0.0, float(krdtheory.privacy.conversions.gdp_to_approximate_dp(mu=self.mu, delta=left)))


def test_a_distribution_gives_its_trade_off_curve():
    notion = from_pld(Distribution(1.0))
    a = np.linspace(0.001, 0.999, 99)
    exact = ndtr(ndtri(1 - a) - 1.0)  # Dong, Roth and Su (2022), equation (6)
    below = exact - notion.tradeoff(a)
    assert (below >= -1e-12).all()  # all of it is true
    assert below.max() < 1e-3
    assert GaussianDP(mu=1.0).implies(notion)
    assert not GaussianDP(mu=1.05).implies(notion)
    assert from_pld(Distribution(1.0), points=2).tradeoff(a).max() <= exact.max()


def test_mass_at_infinity_is_kept():
    notion = from_pld(Distribution(1.0, beyond=1e-7))
    assert 0.99e-7 < 1 - notion.tradeoff(0.0) < 1.2e-6
    with pytest.raises(ValueError, match=r"distribution must be such that epsilon is finite at delta = 0\.001"):
        from_pld(Distribution(1.0, beyond=0.01))


@pytest.mark.parametrize("wrong", [0.5, "pld", object()])
def test_objects_that_are_not_distributions(wrong):
    with pytest.raises(TypeError, match="distribution must be a privacy loss distribution"):
        from_pld(wrong)


def test_profiles():
    """For one pair (epsilon, delta) it is the trade-off function of (epsilon, delta)-DP: Wasserman and Zhou (2010)."""
    a = np.linspace(0, 1, 101)
    e, d = 1.0, 0.1
    expected = np.maximum.reduce([0 * a, 1 - d - math.e * a, (1 - d - a) / math.e])
    assert np.allclose(Profile((e,), (d,))(a), expected, rtol=0, atol=1e-15)
    notion = TradeOffDP(tradeoff=Profile((e,), (d,)))
    assert ApproximateDP(epsilon=1, delta=0.1).implies(notion)
    assert not ApproximateDP(epsilon=1.01, delta=0.1).implies(notion)
    assert notion.implies(ApproximateDP(epsilon=1, delta=0.102))
    assert Profile((800.0,), (0.0,))(0.0) == 1  # no overflow
    for wrong in (((1,), (2,)), ((-1,), (0,)), ((1, 2), (0,)), ((), ()), ((math.nan,), (0,)), ((1,), (math.nan,))):
        with pytest.raises(ValueError, match=r"(epsilon|delta) must be"):
            Profile(*wrong)


class OfOpacus:
    """An accountant like those of Opacus."""

    def __init__(self, kind="rdp", epsilon=2.5):
        self.kind, self.epsilon = kind, epsilon

    def get_epsilon(self, delta, *args, **kwargs):
        return self.epsilon if delta == 1e-5 else math.nan

    def mechanism(self):
        return self.kind


class OfDpAccounting(OfOpacus):
    """An accountant like the Renyi accountant of dp_accounting."""

    orders, rdp = np.array([2.0, 4.0]), np.array([0.5, 1.0])
    mechanism = None

    def get_delta(self, target_epsilon):
        return 1e-6 if target_epsilon == 1 else math.nan


class OfJax:
    """An accountant like the training accountants of jax_privacy."""

    def compute_epsilon(self, num_updates, dp_params, allow_approximate_cache=False):
        return num_updates * dp_params.noise


def test_accountants():
    assert from_accountant(OfOpacus(), delta=1e-5) == ApproximateDP(epsilon=2.5, delta=1e-5)
    assert from_accountant(OfOpacus("prv"), delta=1e-5) == ApproximateDP(epsilon=2.5, delta=1e-5)
    assert from_accountant(OfDpAccounting(), delta=1e-5) == ApproximateDP(epsilon=2.5, delta=1e-5)
    assert from_accountant(OfDpAccounting(), epsilon=1) == ApproximateDP(epsilon=1.0, delta=1e-6)
    assert from_accountant(OfDpAccounting(), alpha=4) == RenyiDP(alpha=4, epsilon=1.0)
    assert from_accountant(OfJax(), 3, SimpleNamespace(noise=0.5, delta=1e-6)) == ApproximateDP(epsilon=1.5, delta=1e-6)


@pytest.mark.parametrize(
    ("accountant", "run", "given", "error", "words"),
    [
        (OfOpacus(), (), {}, ValueError, "give one of delta, epsilon and alpha; got none"),
        (OfDpAccounting(), (), {"delta": 1e-5, "alpha": 2}, ValueError, "got delta and alpha"),
        (OfOpacus("gdp"), (), {"delta": 1e-5}, ValueError, "epsilon may be too small"),
        (OfOpacus(epsilon=math.inf), (), {"delta": 1e-5}, ValueError, "epsilon is finite; it is inf at delta = 1e-05"),
        (OfOpacus(), (), {"delta": 1e-4}, ValueError, "epsilon is finite; it is nan"),
        (OfOpacus(), (), {"epsilon": 1}, ValueError, "epsilon must be left out: OfOpacus has epsilon at a delta alone"),
        (OfOpacus(), (), {"alpha": 2}, ValueError, "alpha must be left out"),
        (OfDpAccounting(), (), {"alpha": 3}, ValueError, "alpha must be one of the accountant's orders; got 3"),
        (OfJax(), (), {"delta": 1e-5}, ValueError, "run must be the number of updates and DpParams"),
        (OfJax(), (3, SimpleNamespace(noise=1, delta=0.1)), {"delta": 0.1}, ValueError, "run must be"),
        (OfOpacus(), (3,), {"delta": 1e-5}, TypeError, "accountant must be an accountant of"),
        (object(), (), {"delta": 1e-5}, TypeError, "accountant must be an accountant of"),
    ],
)
def test_accountants_without_a_guarantee(accountant, run, given, error, words):
    with pytest.raises(error, match=words):
        from_accountant(accountant, *run, **given)


# With the libraries, if they are installed


def test_distributions_of_dp_accounting():
    loss = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    a = np.linspace(0.01, 0.99, 50)
    found = from_pld(loss.from_gaussian_mechanism(1.0)).tradeoff(a)
    exact = ndtr(ndtri(1 - a) - 1.0)
    assert (found <= exact + 1e-12).all() and (exact - found).max() < 2e-3
    found = from_pld(loss.from_laplace_mechanism(1.0)).tradeoff(a)
    assert (found >= Profile((1.0,), (0.0,))(a) - 1e-3).all()  # Laplace noise is more private than pure DP
    for notion, delta in (
        (PureDP(epsilon=1), (math.e - math.exp(0.5)) / (1 + math.e)),
        (ApproximateDP(epsilon=1, delta=0.1), 0.1 + 0.9 * (math.e - math.exp(0.5)) / (1 + math.e)),
        (GaussianDP(mu=0.5), krdtheory.privacy.conversions.gdp_to_delta(mu=0.5, epsilon=0.5)),
    ):
        assert to_pld(notion).get_delta_for_epsilon(0.5) == pytest.approx(delta, abs=2e-4)
    with pytest.raises(ValueError, match="notion must be PureDP, ApproximateDP or GaussianDP"):
        to_pld(ZeroConcentratedDP(rho=1))


def test_accountants_of_dp_accounting():
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting import pld, rdp

    accountant = rdp.RdpAccountant([2, 4, 8])
    accountant.compose(accounting.GaussianDpEvent(2.0), 4)
    assert from_accountant(accountant, alpha=4).epsilon == pytest.approx(4 * 4 / (2 * 2.0**2))  # k alpha / (2 sigma^2)
    exact = krdtheory.privacy.conversions.gdp_to_approximate_dp(mu=1.0, delta=1e-5)
    assert from_accountant(accountant, delta=1e-5).epsilon > exact
    accountant = pld.PLDAccountant()
    accountant.compose(accounting.GaussianDpEvent(2.0), 4)
    assert from_accountant(accountant, delta=1e-5).epsilon == pytest.approx(exact, abs=1e-3)
    assert from_accountant(accountant, epsilon=exact).delta == pytest.approx(1e-5, rel=1e-2)


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")  # from Opacus, if a step uses all data
def test_accountants_of_opacus():
    accountants = pytest.importorskip("opacus.accountants")
    for kind in (accountants.RDPAccountant, accountants.PRVAccountant):
        accountant = kind()
        accountant.history = [(2.0, 1.0, 4)]  # noise, share of the data, steps
        exact = krdtheory.privacy.conversions.gdp_to_approximate_dp(mu=1.0, delta=1e-5)
        assert exact < from_accountant(accountant, delta=1e-5).epsilon < 1.3 * exact
    with pytest.warns(UserWarning, match="experimental"):
        accountant = accountants.GaussianAccountant()
    with pytest.raises(ValueError, match="epsilon may be too small"):
        from_accountant(accountant, delta=1e-5)


def test_accountants_of_jax_privacy():
    accounting = pytest.importorskip("jax_privacy.accounting")
    parameters = accounting.DpParams(noise_multipliers=2.0, num_samples=100, delta=1e-5, batch_size=100)
    accountant = accounting.DpsgdTrainingAccountant(accounting.PldAccountantConfig())
    found = from_accountant(accountant, 4, parameters)
    exact = krdtheory.privacy.conversions.gdp_to_approximate_dp(mu=1.0, delta=1e-5)
    assert (found.epsilon, found.delta) == (pytest.approx(exact, abs=1e-2), 1e-5)


PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
BLOCKS = re.findall(r"^```{code-block} pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_the_page_has_an_example_of_each():
    text = "".join(BLOCKS)
    libraries = (
        "opendp",
        "dp_accounting",
        "opacus",
        "jax_privacy",
        "qutip",
        "qiskit",
        "toqito",
        "sklearn",
        "scipy",
        "pandas",
    )
    assert [name for name in libraries if f"import {name}" not in text and f"from {name}" not in text] == []


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_of_the_page(block):
    for name in re.findall(r"^>>> (?:import|from) (\w+)", block, re.MULTILINE):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    test = doctest.DocTestParser().get_doctest(block, {}, "peers", "peers.md", 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0
