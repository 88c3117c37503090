"""Conversions between notions and the guarantees of other privacy libraries.

These are OpenDP's measures, dp_accounting's events and privacy loss distributions, and the accountants of
dp_accounting, Opacus and jax_privacy. No library is imported to read its objects; to create them it must be installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject
from krdtheory.privacy.notions import (
    ApproximateDP,
    GaussianDP,
    Notion,
    PureDP,
    RenyiDP,
    TradeOffDP,
    ZeroConcentratedDP,
)

__all__ = [
    "Profile",
    "from_accountant",
    "from_dp_accounting",
    "from_opendp",
    "from_pld",
    "to_dp_accounting",
    "to_opendp",
    "to_pld",
]
POINTS = 400  # epsilons at which a profile is read
TAILS = (
    1e-15,
    1e-12,
    1e-9,
    1e-6,
    1e-3,
)  # a profile is read down to the first of these deltas at which epsilon is finite

_MEASURES: dict[str, Callable[[Any], Notion]] = {
    "MaxDivergence": lambda epsilon: PureDP(epsilon=epsilon),
    "ZeroConcentratedDivergence": lambda rho: ZeroConcentratedDP(rho=rho),
    "Approximate(MaxDivergence)": lambda both: ApproximateDP(epsilon=both[0], delta=both[1]),
    "FixedSmoothedMaxDivergence": lambda both: ApproximateDP(epsilon=both[0], delta=both[1]),  # its former name
}
_EVENTS: dict[str, Callable[[Any], Notion]] = {
    "GaussianDpEvent": lambda event: GaussianDP(mu=1 / _noise(event, event.noise_multiplier)),
    "LaplaceDpEvent": lambda event: PureDP(epsilon=1 / _noise(event, event.noise_multiplier)),
    "DiscreteLaplaceDpEvent": lambda event: PureDP(epsilon=event.noise_parameter * event.sensitivity),
    "RandomizedResponseDpEvent": lambda event: PureDP(
        epsilon=math.log1p(event.num_buckets * (1 / _noise(event, event.noise_parameter) - 1))
    ),
    "ZCDpEvent": lambda event: ZeroConcentratedDP(rho=event.rho, xi=event.xi),
    "SelfComposedDpEvent": lambda event: _composed(event, [from_dp_accounting(event.event)], int(event.count)),
    "ComposedDpEvent": lambda event: _composed(event, [from_dp_accounting(one) for one in event.events], 1),
}


def from_opendp(measure: Any, distance: Any) -> Notion:
    """The guarantee of an OpenDP measurement: `from_opendp(measurement.output_measure, measurement.map(d_in))`.

    Parameters
    ----------
    measure : opendp.Measure
        MaxDivergence, ZeroConcentratedDivergence, or Approximate(MaxDivergence).
    distance : float, or pair of float
        epsilon, rho, or (epsilon, delta).

    Returns
    -------
    PureDP, ZeroConcentratedDP or ApproximateDP

    Raises
    ------
    ValueError
        Another measure, for example of a local or a smoothed divergence.

    Examples
    --------
    >>> from krdtheory.privacy.peers import from_opendp
    >>> from_opendp("MaxDivergence", 0.5)  # what a measure is called will do
    PureDP(epsilon=0.5)
    """
    name = "".join(str(measure).split()).replace("<", "(").replace(">", ")").replace("()", "")
    if name not in _MEASURES:
        reject("measure", str(measure), "MaxDivergence, ZeroConcentratedDivergence or Approximate(MaxDivergence)")
    return _MEASURES[name](distance)


def to_opendp(notion: Notion) -> tuple[Any, Any]:
    """A notion in OpenDP's terms: its measure, and the distance.

    Parameters
    ----------
    notion : PureDP, ZeroConcentratedDP or ApproximateDP

    Raises
    ------
    ImportError
        OpenDP is not installed.
    ValueError
        A notion for which OpenDP has no measure.
    """
    import opendp.prelude as dp

    if isinstance(notion, PureDP):
        return dp.max_divergence(), float(notion.epsilon)
    if isinstance(notion, ZeroConcentratedDP) and not notion.xi:
        return dp.zero_concentrated_divergence(), float(notion.rho)
    if not isinstance(notion, ApproximateDP):
        reject("notion", notion, "PureDP, ApproximateDP or ZeroConcentratedDP with xi = 0")
    return dp.approximate(dp.max_divergence()), (float(notion.epsilon), float(notion.delta))


def from_dp_accounting(event: Any) -> Notion:
    """The guarantee of an event of dp_accounting.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        Gaussian, Laplace or discrete Laplace, randomised response or zCDP; one of these composed with itself, or with
        others of its kind. The result for Laplace noise is pure DP, although it is more private than that.

    Returns
    -------
    GaussianDP, PureDP or ZeroConcentratedDP

    Raises
    ------
    ValueError
        Another event; compositions of several kinds; no noise.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from krdtheory.privacy.peers import from_dp_accounting
    >>> class GaussianDpEvent(SimpleNamespace):  # as dp_accounting's, for one who does not have it
    ...     pass
    >>> from_dp_accounting(GaussianDpEvent(noise_multiplier=2.0))
    GaussianDP(mu=0.5)
    """
    kind = type(event).__name__
    if kind not in _EVENTS:
        reject("event", event, "a Gaussian, Laplace, randomised response or zCDP event, or several of one kind")
    return _EVENTS[kind](event)


def _noise(event: Any, amount: float) -> float:
    if not amount > 0:
        reject("event", event, "an event with noise")
    return float(amount)


def _composed(event: Any, parts: list[Notion], count: int) -> Notion:
    kinds = {type(part) for part in parts}
    if kinds == {GaussianDP}:
        return GaussianDP(mu=(count * sum(float(part.bound) ** 2 for part in parts)) ** 0.5)
    if kinds == {PureDP}:
        return PureDP(epsilon=count * sum(part.bound for part in parts))
    if kinds != {ZeroConcentratedDP}:
        reject("event", event, "composed of Gaussian, of Laplace and pure, or of zCDP events alone")
    both = [(part.rho, part.xi) for part in parts if isinstance(part, ZeroConcentratedDP)]
    rho, xi = (count * sum(float(one[k]) for one in both) for k in (0, 1))
    return ZeroConcentratedDP(rho=rho, xi=xi)


def to_dp_accounting(notion: Notion) -> Any:
    """An event of dp_accounting with exactly the guarantee of the notion.

    Parameters
    ----------
    notion : PureDP, GaussianDP or ZeroConcentratedDP
        Pure DP becomes binary randomised response, which accountants understand for the replacement of one record.

    Raises
    ------
    ImportError
        dp_accounting is not installed.
    ValueError
        A notion for which dp_accounting has no event.
    """
    import dp_accounting

    if isinstance(notion, PureDP):
        return dp_accounting.RandomizedResponseDpEvent(2 / (1 + math.exp(notion.epsilon)), 2)
    if isinstance(notion, GaussianDP):
        return dp_accounting.GaussianDpEvent(1 / float(notion.mu))
    if not isinstance(notion, ZeroConcentratedDP):
        reject("notion", notion, "PureDP, GaussianDP or ZeroConcentratedDP")
    return dp_accounting.ZCDpEvent(float(notion.rho), float(notion.xi))


@dataclass(frozen=True)
class Profile:
    r"""The trade-off function of finitely many (epsilon, delta), a lower bound for mechanisms that satisfy them all.

    .. math:: f(a) = \max_i \max(0,\ 1 - \delta_i - e^{\varepsilon_i} a,\ e^{-\varepsilon_i} (1 - \delta_i - a))

    Parameters
    ----------
    epsilon, delta : sequence of float
        Of the same length; epsilon nonnegative, delta in [0, 1].

    References
    ----------
    Dong, Roth and Su (2022), Proposition 2.12.

    Examples
    --------
    >>> from krdtheory.privacy.notions import PureDP, TradeOffDP
    >>> from krdtheory.privacy.peers import Profile
    >>> notion = TradeOffDP(tradeoff=Profile((0.0, 1.0), (0.3, 0.01)))
    >>> round(float(notion.tradeoff(0.1)), 6), bool(PureDP(epsilon=1).implies(notion))
    (0.718172, False)
    """

    epsilon: Sequence[float]
    delta: Sequence[float]

    def __post_init__(self) -> None:
        e, d = (np.asarray(one, dtype=float) for one in (self.epsilon, self.delta))
        if e.ndim != 1 or e.shape != d.shape or not len(e):
            reject("delta", self.delta, f"as many numbers as epsilon, {np.size(e)}, and at least one")
        if not ((e >= 0) & (e < np.inf)).all():
            reject("epsilon", self.epsilon, "nonnegative and finite")
        if not ((d >= 0) & (d <= 1)).all():
            reject("delta", self.delta, "in [0, 1]")

    def __call__(self, level: Any) -> Array:
        """Evaluate f elementwise."""
        a = np.asarray(level, dtype=float)[..., None]
        e, room = np.asarray(self.epsilon, dtype=float), 1 - np.asarray(self.delta, dtype=float)
        with np.errstate(over="ignore", invalid="ignore"):
            steep = np.where(a > 0, room - np.exp(e) * a, room)
        return np.maximum(steep, np.exp(-e) * (room - a)).max(-1).clip(0)


def from_pld(distribution: Any, *, points: int = POINTS) -> TradeOffDP:
    """The guarantee of a privacy loss distribution of dp_accounting: its whole trade-off curve.

    The privacy profile is read at finitely many epsilons, which gives a valid, slightly weaker guarantee.

    Parameters
    ----------
    distribution : dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution
        A pessimistic one, as they are unless told otherwise.
    points : int
        Number of epsilons, at least 2.

    Returns
    -------
    TradeOffDP
        Its `tradeoff` is a `Profile`.

    Raises
    ------
    TypeError
        The argument is not such a distribution.
    ValueError
        The distribution guarantees nothing: delta is above 1e-3 at every epsilon.
    """
    if not (hasattr(distribution, "get_delta_for_epsilon") and hasattr(distribution, "get_epsilon_for_delta")):
        reject("distribution", distribution, "a privacy loss distribution of dp_accounting", TypeError)
    if points < 2:
        reject("points", points, "an integer >= 2")
    ends = (float(distribution.get_epsilon_for_delta(tail)) for tail in TAILS)
    end = next((one for one in ends if one < math.inf), None)
    if end is None:
        reject("distribution", distribution, f"such that epsilon is finite at delta = {TAILS[-1]:g}")
    epsilon = np.linspace(0, max(end, 1e-9), points)
    delta = np.clip(np.asarray(distribution.get_delta_for_epsilon(epsilon), dtype=float), 0, 1)
    return TradeOffDP(tradeoff=Profile(tuple(epsilon.tolist()), tuple(delta.tolist())))


def to_pld(notion: Notion) -> Any:
    """The privacy loss distribution of dp_accounting with exactly the guarantee of a notion.

    Parameters
    ----------
    notion : PureDP, ApproximateDP or GaussianDP

    Raises
    ------
    ImportError
        dp_accounting is not installed.
    ValueError
        Another notion.
    """
    from dp_accounting.pld import common, privacy_loss_distribution

    if isinstance(notion, GaussianDP):
        return privacy_loss_distribution.from_gaussian_mechanism(1 / float(notion.mu))
    if not isinstance(notion, PureDP | ApproximateDP):
        reject("notion", notion, "PureDP, ApproximateDP or GaussianDP")
    parameters = common.DifferentialPrivacyParameters(float(notion.epsilon), float(getattr(notion, "delta", 0)))
    return privacy_loss_distribution.from_privacy_parameters(parameters)


def from_accountant(
    accountant: Any,
    *run: Any,
    delta: float | None = None,
    epsilon: float | None = None,
    alpha: float | None = None,
) -> ApproximateDP | RenyiDP:
    """The guarantee that an accountant gives for the mechanisms recorded in it.

    Parameters
    ----------
    accountant
        An accountant of dp_accounting or of Opacus (``privacy_engine.accountant``), or a training accountant of
        jax_privacy.
    *run
        For an accountant of jax_privacy, which records nothing: the number of updates, and `DpParams` with the delta.
    delta, epsilon, alpha : float, optional
        Exactly one of them: return epsilon at this delta, delta at this epsilon (dp_accounting), or the Renyi
        divergence of this order, which must be one of the accountant's (dp_accounting's Renyi accountant).

    Returns
    -------
    ApproximateDP or RenyiDP

    Raises
    ------
    ValueError
        None or several of delta, epsilon and alpha are given; the accountant does not track the order; it is Opacus'
        accountant "gdp", whose epsilon is an approximation that may be too small; or nothing is guaranteed.
    TypeError
        The argument is not such an accountant.

    Examples
    --------
    >>> from krdtheory.privacy.peers import from_accountant
    >>> class Accountant:  # as Opacus', for one who does not have it
    ...     def get_epsilon(self, delta):
    ...         return 2.5
    >>> from_accountant(Accountant(), delta=1e-5)
    ApproximateDP(epsilon=2.5, delta=1e-05)
    """
    asked = {"delta": delta, "epsilon": epsilon, "alpha": alpha}
    given = [name for name, value in asked.items() if value is not None]
    if hasattr(accountant, "compute_epsilon"):
        if len(run) != 2 or given:
            reject(
                "run", run, "the number of updates and DpParams, which have the delta, of an accountant of jax_privacy"
            )
        return _guaranteed(accountant, accountant.compute_epsilon(*run), run[1].delta)
    if not hasattr(accountant, "get_epsilon") or run:
        reject("accountant", accountant, "an accountant of dp_accounting, Opacus or jax_privacy", TypeError)
    if len(given) != 1:
        raise ValueError(f"give one of delta, epsilon and alpha; got {' and '.join(given) or 'none'}")
    if callable(kind := getattr(accountant, "mechanism", None)) and kind() == "gdp":
        reject("accountant", kind(), '"rdp" or "prv" of Opacus: this one\'s epsilon may be too small')
    if delta is not None:
        return _guaranteed(accountant, accountant.get_epsilon(delta), delta)
    if epsilon is not None:
        if not hasattr(accountant, "get_delta"):
            reject("epsilon", epsilon, f"left out: {type(accountant).__name__} has epsilon at a delta alone")
        return _guaranteed(accountant, epsilon, accountant.get_delta(epsilon))
    orders = getattr(accountant, "orders", None)
    if orders is None or alpha not in np.asarray(orders):
        known = "left out: the accountant has none" if orders is None else "one of the accountant's orders"
        reject("alpha", alpha, known)
    (place,) = np.flatnonzero(np.asarray(orders) == alpha)[:1]
    return RenyiDP(alpha=alpha, epsilon=float(accountant.rdp[place]))


def _guaranteed(accountant: Any, epsilon: Any, delta: Any) -> ApproximateDP:
    if not 0 <= float(epsilon) < math.inf:
        reject("accountant", accountant, f"such that epsilon is finite; it is {float(epsilon)} at delta = {delta}")
    return ApproximateDP(epsilon=float(epsilon), delta=float(delta))
