"""Guarantees as other libraries say them: OpenDP's measures and dp_accounting's events, from notions and to them.

None of the libraries is imported to read what is theirs; to write it, they must be installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from krdtheory.arithmetic.base import reject
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, Notion, PureDP, ZeroConcentratedDP

_MEASURES: dict[str, Callable[[Any], Notion]] = {
    "MaxDivergence": lambda epsilon: PureDP(epsilon=epsilon),
    "ZeroConcentratedDivergence": lambda rho: ZeroConcentratedDP(rho=rho),
    "Approximate(MaxDivergence)": lambda both: ApproximateDP(epsilon=both[0], delta=both[1]),
    "FixedSmoothedMaxDivergence": lambda both: ApproximateDP(epsilon=both[0], delta=both[1]),  # as it was called
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
    """What OpenDP promises: `from_opendp(measurement.output_measure, measurement.map(d_in))`.

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
        Another measure, as of local or of smoothed divergences.

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
    """A notion as OpenDP has it: its measure, and the distance.

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
    """What an event of dp_accounting guarantees.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        Gaussian, Laplace or discrete Laplace, randomised response or zCDP; one of these composed with itself, or with
        others of its kind. Of Laplace noise, which is more private than that, it is pure DP.

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
    """An event of dp_accounting that has no other guarantee than the notion.

    Parameters
    ----------
    notion : PureDP, GaussianDP or ZeroConcentratedDP
        Pure DP is as private as randomised response with two answers is, which accountants take for neighbours of which
        one record is replaced.

    Raises
    ------
    ImportError
        dp_accounting is not installed.
    ValueError
        A notion for which it has no event.
    """
    import dp_accounting

    if isinstance(notion, PureDP):
        return dp_accounting.RandomizedResponseDpEvent(2 / (1 + math.exp(notion.epsilon)), 2)
    if isinstance(notion, GaussianDP):
        return dp_accounting.GaussianDpEvent(1 / float(notion.mu))
    if not isinstance(notion, ZeroConcentratedDP):
        reject("notion", notion, "PureDP, GaussianDP or ZeroConcentratedDP")
    return dp_accounting.ZCDpEvent(float(notion.rho), float(notion.xi))
