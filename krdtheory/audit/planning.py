"""The number of outputs that an audit needs to find a violation, and the violation that given outputs would reveal."""

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

_FACTORS = 1e3  # the largest factor by which the claim is exceeded
_LEAST_ALARM = 1e-15  # smaller values make the confidence 1


def samples_to_detect(notion: Notion, *, false_alarm: float, factor: float = 2.0, scores: int = 3) -> int | None:
    """Return roughly how many pairs of outputs reveal an epsilon (or mu, rho) of `factor` times the claimed one.

    It is log(bettors / false_alarm), doubled as the capital fluctuates, divided by the growth rate on the best event
    that a mechanism of exactly this privacy can have; with delta > 0, that of Gaussian noise. The event that the
    auditor finds may be worse, and the given inputs may reveal less.

    Returns
    -------
    int or None
        None for f-DP, which has no parameter, and if no number of outputs suffices.

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
    """Return roughly the smallest epsilon (or mu, rho) that a sample of this size would have detected with this power.

    The assumed violation is that of `samples_to_detect`, which one event reveals; others need more outputs.

    Returns
    -------
    float or None
        None if no size suffices, if all outputs are the same, or if the notion has no such parameter.

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
    except ValueError:  # a notion with such a large parameter guarantees nothing
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
    """Return the probabilities (k, 1) of the best events of a mechanism with `factor` times the claimed parameter."""
    name, claimed = _strength(notion)
    leaky = notion._with(**{name: factor * claimed})
    q = np.geomspace(1e-6, 1, 400)[:-1, None]
    if isinstance(leaky, ApproximateDP) and leaky.delta > 0:
        noise = Gaussian.calibrated(epsilon=leaky.epsilon, delta=leaky.delta, sensitivity=1)
        return ndtr(ndtri(q) + 1 / float(noise.scale)), q
    over, more = half_planes(leaky)
    return np.minimum(over * q + more, 1 - (1 - q - more) / over).min(-1, keepdims=True).clip(0, 1), q


def check_false_alarm(value: float) -> None:
    """Check that a false-alarm rate is one that an audit can guarantee."""
    if not _LEAST_ALARM <= check_number(value, "false_alarm") < 1:
        reject("false_alarm", value, f"in [{_LEAST_ALARM:g}, 1)")
