"""Closed-form bounds of the literature."""

from __future__ import annotations

from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic, Float64
from krdtheory.arithmetic.base import Array, Floats, reject
from krdtheory.privacy.composition.arguments import checked_below_one, checked_mechanisms, unrevealed
from krdtheory.privacy.conversions.arguments import broadcast_arguments
from krdtheory.privacy.conversions.concentrated import best_order
from krdtheory.privacy.conversions.curves import pure_curve
from krdtheory.privacy.guarantees import relative, upper

METHODS = ("best", "basic", "dwork_rothblum_vadhan", "dwork_rothblum", "colisson", "tanh", "tanh_log", "renyi")


def composition_bound(
    *,
    epsilon: ArrayLike,
    delta: ArrayLike,
    k: ArrayLike,
    total_delta: ArrayLike,
    method: str = "best",
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""An epsilon of k (epsilon, delta)-DP mechanisms together at a total delta, by a theorem of the literature.

    With what the revealing outcomes leave of the total delta, :math:`d = 1 - (1-\delta_{tot})/(1-\delta)^k`, at least
    the :math:`\delta_{tot} - k\delta` of the first theorems, and :math:`S = \varepsilon\sqrt{2k\log(1/d)}`:

    - ``"basic"``: :math:`k\varepsilon`;
    - ``"dwork_rothblum_vadhan"``: :math:`k\varepsilon(e^\varepsilon - 1) + S`;
    - ``"dwork_rothblum"``: :math:`k\varepsilon(e^\varepsilon - 1)/2 + S`;
    - ``"colisson"``: :math:`k\varepsilon^2/2 + S` (Theorem 20);
    - ``"tanh"``: :math:`k\varepsilon\tanh(\varepsilon/2) + S`;
    - ``"tanh_log"``: the same with :math:`\log(e + \sqrt{k}\varepsilon/d)` for :math:`\log(1/d)`;
    - ``"renyi"``: k times the Renyi curve of randomised response, `pure_to_rdp`, at the best order by the optimal
      conversion of `rdp_to_approximate_dp`;
    - ``"best"``: the least of them, never below `optimal_composition`.

    Parameters
    ----------
    epsilon, delta, k, total_delta
        As `optimal_composition`.
    method : str
        One of those above.
    arithmetic : Arithmetic
        The number system; for errors, see the module.

    Returns
    -------
    float or array
        The epsilon in nats, negative for a large `total_delta` by "renyi" and "best" only; +inf where d < 0 and, but
        for "basic" and "best", where d = 0. In float64 never below the value of the bound, and at most 2 units in the
        last place above it; "renyi" searches for its order and is a few units above, and more where epsilon and the
        deltas are all about 1e-16 or less.

    Raises
    ------
    ValueError
        An unknown method.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010); Dwork and Rothblum (2016); Colisson (2016), Theorem 20; Kairouz, Oh and Viswanath
    (2015), Theorem 3.4.

    Examples
    --------
    >>> from krdtheory.privacy.composition import composition_bound
    >>> for method in "basic", "dwork_rothblum_vadhan", "colisson", "tanh", "renyi":
    ...     bound = composition_bound(epsilon=0.01, delta=0, k=1000, total_delta=1e-9, method=method)
    ...     print(method, round(float(bound), 9))
    basic 10.0
    dwork_rothblum_vadhan 2.136343798
    colisson 2.085842127
    tanh 2.085841711
    renyi 1.875456373
    """
    ar = arithmetic
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")
    total = checked_below_one(ar, total_delta, "total_delta")
    e, d, n, total = broadcast_arguments(ar, **checked_mechanisms(ar, epsilon, delta, k), total_delta=total)
    left = unrevealed(ar, d, n, total)
    with np.errstate(over="ignore"):
        whole = upper(ar, relative(lambda ar, n, e: n * e), n, e)
        basic = np.where(left >= 0, whole, ar.inf)
    if method == "basic":
        return ar.result(basic)
    some = (left > 0) & (basic < ar.inf)  # elsewhere the bounds are infinite or overflow
    names = [m for m in METHODS if m not in ("best", "basic")] if method == "best" else [method]
    bounds = []
    for name in names:
        bound = np.full_like(basic, ar.inf)
        if some.any():
            with np.errstate(over="ignore"):
                bound[some] = _bound_above(ar, name, *(x[some] for x in (e, d, n, total, left)))
        bounds.append(bound)
    if method == "best":
        bounds.append(basic)
    value = bounds[0]
    for bound in bounds[1:]:
        value = np.minimum(value, bound)
    return ar.result(value)


@singledispatch
def _bound_above(ar: Arithmetic, method: str, e: Array, d: Array, n: Array, total: Array, slack: Array) -> Array:
    """Return `_bound_of`; in float64 it is rounded up."""
    return _bound_of(ar, method, e, n, slack)


@_bound_above.register(Float64)
def _bound_above_in_float64(
    ar: Float64, method: str, e: Array, d: Array, n: Array, total: Array, slack: Array
) -> Array:
    """Evaluate "renyi" at a slack rounded down, and the other methods with a bound on their rounding error."""
    if method == "renyi":
        bound = _bound_of(ar, method, e, n, np.nextafter(slack, 0))
        return np.where(e > 0, bound, upper(ar, _of_nothing, d, n, total))

    def formula(ar: Arithmetic, e: Array, d: Array, n: Array, total: Array) -> tuple[Array, Array]:
        shown, hidden = ar.log1p(-total), n * ar.log1p(-d)
        left = -ar.expm1(np.minimum(shown - hidden, 1))
        some = left > 0
        left = np.where(some, left, 0.5)
        value = _bound_of(ar, method, e, n, left)
        error = (abs(shown) + abs(hidden)) / left
        return value, value * (8 + error / np.where(left < 0.5, -ar.log(left), (1 - left)))

    return upper(ar, formula, e, d, n, total)


def _bound_of(ar: Arithmetic, method: str, e: Array, n: Array, slack: Array) -> Array:
    if method == "renyi":
        positive = np.where(e > 0, e, 1)
        middle = ar.log(-2 * ar.log(slack) / n) / 2 - ar.log(positive)
        low = np.minimum(middle, 0) - 12
        high = np.maximum(middle, 0) + 12
        value = best_order(ar, _responses, slack, low, high, positive, n)
        return np.where(e > 0, value, ar.log1p(-slack))
    half = -ar.expm1(-e) / (1 + ar.exp(-e))  # tanh(e / 2)
    log_term = ar.log(ar.exp(0 * e + 1) + ar.sqrt(n) * e / slack) if method == "tanh_log" else -ar.log(slack)
    spread = e * ar.sqrt(2 * n * log_term)
    if method.startswith("tanh"):
        return n * e * half + spread
    if method == "colisson":
        return n * e * e / 2 + spread
    grown = np.where(e < ar.max_exponent, ar.expm1(np.where(e < ar.max_exponent, e, 0)), ar.inf)
    return n * e * (grown if method == "dwork_rothblum_vadhan" else grown / 2) + spread


def _of_nothing(ar: Arithmetic, d: Array, n: Array, total: Array) -> tuple[Array, Array]:
    """Return the total epsilon of mechanisms with epsilon = 0, log((1 - total) / (1 - d)^n)."""
    shown, hidden = ar.log1p(-total), n * ar.log1p(-d)
    return shown - hidden, abs(shown) + abs(hidden)


def _responses(ar: Arithmetic, a: Array, e: Array, n: Array) -> Array:
    return n * pure_curve(ar, e, a)
