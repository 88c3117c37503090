"""How many outputs an audit needs to find a leak, and which leak it would have found in the outputs that it had."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, ndtri

from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.audit import betting
from krdtheory.audit.event_bounds import half_planes
from krdtheory.audit.exact_test import deviation, shrunk
from krdtheory.audit.result import NOTHING, AuditResult
from krdtheory.audit.stream import FIRST, bettors
from krdtheory.privacy.mechanisms import Gaussian
from krdtheory.privacy.notions import ApproximateDP, CapacityBoundedDP, KernelRenyiDP, Notion, TradeOffDP

_FACTORS = 1e3  # of what is claimed
_LEAST_ALARM = 1e-15  # below, a confidence is 1


def samples_to_detect(notion: Notion, *, false_alarm: float, factor: float = 2.0, scores: int = 3) -> int | None:
    """About how many pairs of outputs reveal a mechanism whose epsilon (or mu, rho) is `factor` times the claimed one.

    It is twice (capital fluctuates) log(bettors / false_alarm) over the growth rate on the best event that a mechanism
    just as private as that can have; with delta > 0, that of Gaussian noise. The event that the auditor finds may be
    worse, and what leaks of the inputs at hand less.

    Returns
    -------
    int or None
        None for f-DP, which has no parameter, and where no number of outputs would do.

    Raises
    ------
    ValueError, TypeError
        false_alarm outside [1e-15, 1), a factor that is not above 1, or scores that are not at least 1.

    Examples
    --------
    >>> from krdtheory.audit.planning import samples_to_detect
    >>> from krdtheory.privacy.notions import PureDP
    >>> samples_to_detect(PureDP(epsilon=1), false_alarm=0.05)
    139
    """
    check_false_alarm(false_alarm)
    check_count(scores, "scores", 1)
    if not 1 < check_number(factor, "factor") < np.inf:
        reject("factor", factor, "finite and above 1")
    if isinstance(notion, TradeOffDP):
        return None
    gain, delta = half_planes(notion)
    p, q = _leak(notion, factor)
    rate = float(betting.growth_rate(p, q, gain, delta).max())
    return FIRST + int(np.ceil(2 * np.log(bettors(scores) * len(gain) / false_alarm) / rate)) if rate > 0 else None


def smallest_found(result: AuditResult, power: float = 0.8) -> float | None:
    """About the smallest epsilon (or mu, rho) that a sample of this size would have been rejected for with that power.

    The leak supposed is that of `samples_to_detect`, which shows in one event: what is harder to see takes more.

    Returns
    -------
    float or None
        None where no size would do, where all outputs are the same, or the notion has no such parameter.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit import audit
    >>> from krdtheory.audit.planning import smallest_found
    >>> from krdtheory.privacy.notions import PureDP
    >>> draw = np.random.default_rng(0)
    >>> result = audit(draw.laplace(size=400), draw.laplace(size=400), PureDP(epsilon=1), rng=0)
    >>> print(round(smallest_found(result), 2))
    1.27
    """
    notion = result.notion
    unnamed = isinstance(notion, TradeOffDP | KernelRenyiDP | CapacityBoundedDP)
    if unnamed or result.witness.get("event") == NOTHING or not {"tested", "capital"} & {*result.extra}:
        return None
    level = 1 - result.confidence
    planes = half_planes(notion)
    _, claimed = _strength(notion)

    def found(factor: float) -> bool:
        if "capital" in result.extra:
            needed = samples_to_detect(notion, false_alarm=max(level, _LEAST_ALARM), factor=factor)
            return needed is not None and needed <= result.n
        (gain, delta), (n, m) = planes, result.extra["tested"]
        p, q = _leak(notion, factor)
        u, v = shrunk(p * n, n), shrunk(q * m, m)
        each = zip(gain.tolist(), delta.tolist(), strict=True)
        z = np.array([(u - g * v - d) / deviation(u, n, v, m, g) for g, d in each])
        return bool(z.max() >= ndtri(1 - level) + ndtri(power))

    low = high = 1.0
    try:
        while claimed and not found(high := 1.5 * low):
            low = high
            if high > _FACTORS:
                return None
    except ValueError:  # what leaks so much more says nothing
        return None
    if not claimed:
        return None
    while high / low > 1.002:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if found(middle) else (middle, high)
    return high * claimed


def _strength(notion: Notion) -> tuple[str, float]:
    name = "epsilon" if hasattr(notion, "epsilon") else notion.bound_name
    return name, float(getattr(notion, name))


def _leak(notion: Notion, factor: float) -> tuple[Array, Array]:
    """Probabilities (k, 1) of the best events of a mechanism that leaks `factor` times what is claimed."""
    name, claimed = _strength(notion)
    leaky = notion._with(**{name: factor * claimed})
    q = np.geomspace(1e-6, 1, 400)[:-1, None]
    if isinstance(leaky, ApproximateDP) and leaky.delta > 0:
        noise = Gaussian.calibrated(epsilon=leaky.epsilon, delta=leaky.delta, sensitivity=1)
        return ndtr(ndtri(q) + 1 / float(noise.scale)), q
    over, more = half_planes(leaky)
    return np.minimum(over * q + more, 1 - (1 - q - more) / over).min(-1, keepdims=True).clip(0, 1), q


def check_false_alarm(value: float) -> None:
    """Raise unless a false-alarm rate is one that an audit can keep."""
    if not _LEAST_ALARM <= check_number(value, "false_alarm") < 1:
        reject("false_alarm", value, f"in [{_LEAST_ALARM:g}, 1)")
