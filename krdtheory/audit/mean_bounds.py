r"""Confidence bounds on means of bounded variables, and on the ratio of two such means, by betting.

A hypothesis says E x <= a + b E y, with 0 <= x <= X, 0 <= y <= Y and b >= 0. Pairs of an x and a y are drawn one after
the other, and a bettor multiplies a capital of 1 by 1 + s (x - a - b y), for a stake 0 <= s <= 1 / (a + b Y) fixed
before the pair is seen. Under the hypothesis the capital is a nonnegative supermartingale, so that it ever reaches
1 / level with probability at most `level` (Ville 1939). Validity needs no more than that, so a, b and s may depend on
the past.

The power depends on the stakes. With w the capital as a share of 1 / level, t the number of pairs to come, and v the
variance of x - b y,

.. math:: s = \frac{\varphi(\Phi^{-1}(w))}{w \sqrt{t v}}

is the bet that reaches the goal with the greatest probability if x - b y is a random walk of known variance: the hedge
of a digital option. The bound is then, to first order in 1 / sqrt(n), that of the normal approximation. Stakes that
maximise the growth rate give one that is wider by the ratio of sqrt(2 log(1 / level)) to the normal quantile, which is
1.5 at 5%.

References: Waudby-Smith and Ramdas (2024), for bounds on means by betting; Foellmer and Leukert (1999), for hedges that
succeed with the greatest probability; Voracek and Orabona (2025), for bets that aim at the goal in the time left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri

from krdtheory.arithmetic.base import Array, generator, reject

_BLOCKS = 50  # the next block of equal stakes is 1 / _BLOCKS of the remaining draws
_BOLDEST = 0.7  # share of the stake that could lose everything
_LOST = -25.0  # logarithm of the share of the goal at which a bettor gives up

Hypotheses = Callable[[float], tuple[Array, Array]]


def lower_mean(values: Any, *, level: float, top: float = 1.0, rng: Any = 0) -> float:
    """Return a lower confidence bound on the mean of a variable in [0, top].

    Parameters
    ----------
    values : array_like, shape (n,)
        Independent draws.
    level : float
        In (0, 1): the bound is above the mean with probability at most this.
    top : float
        A bound that no draw can exceed, known independently of the sample; positive.
    rng : int, Generator or None
        For the order in which the values are bet on; the bound does not depend on their original order.

    Returns
    -------
    float
        In [0, top].

    Raises
    ------
    ValueError, TypeError
        Values outside [0, top], none of them, or parameters out of range.

    References
    ----------
    Waudby-Smith and Ramdas (2024), with other stakes (see the module).

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.mean_bounds import lower_mean, upper_mean
    >>> values = np.random.default_rng(1).beta(2, 5, 2000)
    >>> bounds = lower_mean(values, level=0.05), values.mean(), upper_mean(values, level=0.05)
    >>> print(*(round(b, 4) for b in bounds))
    0.2793 0.286 0.2927
    """
    x = _bounded(values, "values", top)
    if top == 0 or not x.any():
        return 0.0
    x = generator(rng).permutation(np.sort(x))
    first = x[: _looks(len(x))]
    grid = _grid(first.mean(), np.sqrt(_variance(first, top)), len(first), len(x), 0.0, top)
    count = rejected(bet(x, np.zeros(1), lambda _: (grid, 0 * grid), level=level, tops=(top, 0.0)))
    return float(grid[count - 1]) if count else 0.0


def upper_mean(values: Any, *, level: float, top: float = 1.0, rng: Any = 0) -> float:
    """Return an upper confidence bound on the mean of a variable in [0, top], from `lower_mean` of top - values."""
    return top - lower_mean(top - _bounded(values, "values", top), level=level, top=top, rng=rng)


def lower_log_ratio(
    x: Any,
    y: Any,
    *,
    power: float,
    level: float,
    tops: tuple[float, float],
    added: float = 0.0,
    bottom: float = 0.0,
    floor: float = -np.inf,
    ceiling: float = np.inf,
    claim: float | None = None,
    rng: Any = 0,
) -> tuple[float, float | None]:
    r"""Return a lower confidence bound on log E x - power log(E y + added), x in [bottom, tops[0]], y in [0, tops[1]].

    One test covers both means, so that the squares of their errors add. The hypothesis that the value is at most c, E
    x <= e^c (E y + added)^power, is not linear in E y; as z^power is concave, it is below its tangents, each of which
    gives a linear hypothesis that is true whenever this one is. The test bets against the tangent at the mean of past
    y.

    Parameters
    ----------
    x, y : array_like, shapes (n,) and (m,)
        Independent draws; if n and m differ, means of equal parts of the longer sample are paired with the other.
    power : float
        In (0, 1].
    level : float
        In (0, 1): the bound is above the value with probability at most this.
    tops : pair of float
        Bounds that no x and no y can exceed.
    added : float
        Nonnegative.
    bottom : float
        At most 0. If E x <= 0, a bound above `floor` is returned with probability at most `level`.
    floor, ceiling : float
        The value is known to lie between them.
    claim : float, optional
        A claimed upper bound on the value.
    rng : int, Generator or None
        For the order in which draws are bet on; the bound does not depend on their original order.

    Returns
    -------
    bound : float
        At least `floor`, and equal to it if nothing is known.
    p : float or None
        The p-value of the claim; at most `level` exactly if the bound is at least the claim.

    Raises
    ------
    ValueError, TypeError
        Draws out of range, none of them, or parameters out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.mean_bounds import lower_log_ratio
    >>> rng = np.random.default_rng(0)
    >>> x, y = (rng.random(5000) < 0.5).astype(float), (rng.random(4000) < 0.1).astype(float)
    >>> bound, p = lower_log_ratio(x, y, power=1, level=0.05, tops=(1, 1), claim=1.6)
    >>> print(round(bound, 3), round(float(np.log(5)), 3), round(p, 2))
    1.496 1.609 0.84
    """
    if not -np.inf < bottom <= 0:
        reject("bottom", bottom, "finite and <= 0")
    u, v = _bounded(np.asarray(x, dtype=float) - bottom, "x - bottom", tops[0] - bottom), _bounded(y, "y", tops[1])
    if not 0 < power <= 1:
        reject("power", power, "in (0, 1]")
    if not 0 <= added < np.inf:
        reject("added", added, "finite and >= 0")
    if not u.any():
        return floor, None if claim is None else 1.0
    order = generator(rng)
    u, v = _paired(order.permutation(np.sort(u)), order.permutation(np.sort(v)))
    n, k = len(u), _looks(len(u))
    p, q = u[:k].mean() + bottom, v[:k].mean() + added
    unseen = tops[1] / k  # the least mean of y that is assumed if no positive y was seen
    p, q = max(p, tops[0] / k**2), max(q, unseen)
    spread = np.sqrt(_variance(u[:k], tops[0] - bottom)) / p + power * np.sqrt(_variance(v[:k], tops[1])) / q
    grid = _grid(np.log(p) - power * np.log(q), spread, k, n, max(floor, -300.0), min(ceiling, 300.0))
    if claim is not None:
        grid = np.union1d(grid, claim)

    def hypotheses(mean: float) -> tuple[Array, Array]:
        at = max(mean + added, unseen)
        slope = np.exp(grid) * power * at ** (power - 1)
        return np.exp(grid) * (1 - power) * at**power + slope * added - bottom, slope

    best = bet(u, v, hypotheses, level=level, tops=(tops[0] - bottom, tops[1]))
    count = rejected(best)
    bound = max(float(grid[count - 1]), floor) if count else floor
    if claim is None:
        return bound, None
    at = int(np.searchsorted(grid, claim))
    p = min(1.0, level * float(np.exp(-best[at])))
    return bound, min(p, level) if at < count else max(p, float(np.nextafter(level, 1)))


def expected_log_ratio(
    means: tuple[Any, Any],
    variances: tuple[Any, Any],
    sizes: tuple[int, int],
    *,
    power: float,
    top: Any,
    level: float,
) -> Any:
    """Return the expected value of `lower_log_ratio`, for choosing x and y before draws are seen; arguments broadcast.

    It is the bound of the normal approximation, minus an allowance for values of y up to `top` that may be too rare to
    be seen.

    Parameters
    ----------
    means : pair of float
        E x, and E y + added; positive.
    variances : pair of float
    sizes : pair of int
        Numbers of draws.
    power, level : float
    top : float
        The upper bound on y.
    """
    (p, q), (n, m) = means, sizes
    spread = np.hypot(np.sqrt(variances[0] / n) / p, power * np.sqrt(variances[1] / m) / q)
    unseen = power * top / q * np.log(1 / level) / (3 * m)
    return np.log(p) - power * np.log(q) + ndtri(level) * spread - unseen


def bet(x: Array, y: Array, hypotheses: Hypotheses, *, level: float, tops: tuple[float, float]) -> Array:
    """Bet against hypotheses E x <= a + b E y, the weakest last, until each is rejected or the capital is almost lost.

    Parameters
    ----------
    x, y : array, shape (n,)
        Draws in [0, tops[0]] and [0, tops[1]], in the order of the bets; a single y is used for all.
    hypotheses : callable
        A function of the mean of past y that returns (a, b), each (k,); under hypothesis k, a + b E y must be at least
        E x whatever that mean is.
    level : float
    tops : pair of float

    Returns
    -------
    array, shape (k,)
        Logarithm of the largest capital against each hypothesis, as a share of 1 / level; at 0 or more the hypothesis
        is rejected. Once the capital against one is almost lost, there are no more bets against those after it.
    """
    check_level(level)
    y = np.broadcast_to(y, x.shape)
    n, start = len(x), _looks(len(x))
    capital = np.full(len(hypotheses(0.0)[0]), np.log(level))
    best = capital.copy()
    left = np.arange(len(capital))
    while start < n and len(left):
        end = min(n, start + max(1, (n - start) // _BLOCKS))
        a, b = (z[left] for z in hypotheses(float(y[:start].mean())))
        variance = _variance(x[:start], tops[0]) + b * b * _variance(y[:start], tops[1])
        share = np.exp(np.minimum(capital[left], -1e-9))
        z = ndtri(share)
        stake = np.exp(-z * z / 2) / (share * np.sqrt(2 * np.pi * (n - start) * variance))
        stake = np.minimum(stake, _BOLDEST / (a + b * tops[1]))
        path = capital[left] + np.cumsum(np.log1p(stake * (x[start:end, None] - a - b * y[start:end, None])), axis=0)
        best[left], capital[left] = np.maximum(best[left], path.max(axis=0)), path[-1]
        left = left[best[left] < 0]
        lost = left[capital[left] < _LOST]
        left = left[left < lost[0]] if len(lost) else left
        start = end
    return best


def rejected(best: Array) -> int:
    """Return how many hypotheses are rejected before the first that is not, given the result of `bet`.

    If the hypotheses are fixed in advance and are all true from some one on, a true one is counted with probability at
    most the level, as the first true one must then be rejected.
    """
    return len(best) if (best >= 0).all() else int((best < 0).argmax())


def _variance(x: Array, top: float) -> float:
    """Return the variance of the past draws and another one as large as any, as rare values may not have been seen."""
    largest = float(x.max())
    return float(x.var()) + (largest if largest > 0 else top) ** 2 / len(x)


def _looks(n: int) -> int:
    """Return the number of draws that are not bet on, but give the scale and the first stakes."""
    return min(n, max(10, n // 50))


def _grid(value: float, spread: float, seen: int, n: int, low: float, high: float) -> Array:
    """Return the hypotheses to test, closely spaced near the value that the draws not bet on suggest."""
    fine, wide = spread / np.sqrt(n), spread / np.sqrt(seen)
    near = np.arange(value - 5 * wide - 5 * fine, value + 4 * wide, fine / 6)
    far = wide * np.geomspace(4, 400, 40)
    grid = np.unique(np.concatenate([value - far, near, value + far]))
    return grid[(grid > low) & (grid < high)]


def check_level(level: float) -> None:
    """Check the error probability of a bound."""
    if not 0 < level < 1:
        reject("level", level, "in (0, 1)")


def _paired(x: Array, y: Array) -> tuple[Array, Array]:
    """Return both samples at the length of the shorter one, the longer one as means of parts of nearly equal sizes."""
    n = min(len(x), len(y))

    def parts(z: Array) -> Array:
        starts = np.arange(n) * len(z) // n
        return np.add.reduceat(z, starts) / np.diff(starts, append=len(z)) if len(z) > n else z

    return parts(x), parts(y)


def _bounded(values: Any, name: str, top: float) -> Array:
    x = np.asarray(values, dtype=float)
    if x.ndim != 1 or len(x) == 0:
        reject(name, x.shape, "a vector of at least one draw (this is its shape)")
    if not 0 <= top < np.inf:
        reject("top", top, "finite and >= 0")
    inside = (x >= 0) & (x <= top)
    if not inside.all():
        reject(name, x[~inside][0], f"in [0, {top:g}] (this is one of them)")
    return x
