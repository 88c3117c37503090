"""Conversions between notions of differential privacy, in ball arithmetic.

Names, arguments, ranges and formulas are those of `krdtheory.privacy.conversions`. Arguments are exact (orders always)
or balls; every conversion is monotone in each of them, so that the value at balls lies between those at two of their
corners. A ball may extend beyond a closed end of a range, but not reach an open one. Results are balls of the shape to
which the arguments broadcast, in nats if they are epsilons or divergences; exactly +inf where nothing is guaranteed.
`UndecidedError` says that `digits` digits were not certified at the highest precision; its `lower` and `upper` are the
bounds known then. Invalid input raises as there: `ValueError` outside the range, `TypeError` for something that is not
a number, an irrational number that is not a ball, or an order that is a ball.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, fmpq

from krdtheory.arithmetic.ball import INF, interval, positive_part
from krdtheory.arithmetic.base import reject
from krdtheory.ball.best_order import Concentrated, epsilon_over_orders
from krdtheory.ball.inputs import INFINITY, check_shapes
from krdtheory.ball.monotone import (
    INSIDE_UNIT,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    Range,
    argument,
    monotone,
    nonnegative_part,
    positive_root,
)
from krdtheory.ball.optimal_conversion import Order, delta_at, epsilon_at

__all__ = [
    "approximate_dp_to_delta",
    "approximate_dp_to_hellinger",
    "approximate_dp_to_regularization",
    "approximate_dp_to_total_variation",
    "gdp_to_approximate_dp",
    "gdp_to_delta",
    "gdp_to_rdp",
    "hellinger_to_approximate_dp",
    "hellinger_to_delta",
    "kl_to_approximate_dp",
    "kl_to_delta",
    "pure_to_rdp",
    "pure_to_zcdp",
    "rdp_curve_to_approximate_dp",
    "rdp_to_approximate_dp",
    "rdp_to_delta",
    "tcdp_to_approximate_dp",
    "total_variation_to_approximate_dp",
    "total_variation_to_delta",
    "zcdp_to_approximate_dp",
]

METHODS = ("optimal", "certificate", "balle", "mironov")

ANY_ORDER = Range("in [0, inf]", 0, infinite=True, balls=False)
ORDER = Range("in [1, inf]", 1, infinite=True, balls=False)
ORDER_ABOVE_ONE = Range("in (1, inf]", 1, low_in=False, infinite=True, balls=False)
LARGEST_ORDER = Range("finite and > 1", 1, low_in=False, balls=False)
BOUND = Range(">= 0", 0, infinite=True)


# Renyi divergence of one order


def rdp_to_approximate_dp(
    *,
    alpha: Any,
    epsilon: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    digits: int = 50,
) -> Any:
    """The epsilon at delta that a bound on the Renyi divergence of one order guarantees.

    The result of "optimal" is enclosed between the value of a pair of distributions within the bound and that of a dual
    certificate, which holds for all pairs, so no search needs to be trusted.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.rdp_to_approximate_dp(alpha=2, epsilon="0.1", delta="1e-5", digits=20).str(20, radius=False))
    7.8748428999737837003
    """
    _check_method(method, two_sided)
    return monotone(
        lambda a, rho, d: nonnegative_part(_epsilon(a, arb(rho), d, method, two_sided), nonnegative),
        digits,
        alpha=argument(alpha, "alpha", _orders(method)),
        epsilon=argument(epsilon, "epsilon", NONNEGATIVE),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
    )


def rdp_to_delta(*, alpha: Any, epsilon: Any, target_epsilon: Any, two_sided: bool = False, digits: int = 50) -> Any:
    """The least delta at an epsilon that a bound on the Renyi divergence of one order guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=1, digits=20).str(20, radius=False))
    0.22145779371802126924
    """
    return monotone(
        lambda a, rho, e: delta_at(a, arb(rho), e, two_sided),
        digits,
        alpha=argument(alpha, "alpha", ORDER),
        epsilon=argument(epsilon, "epsilon", NONNEGATIVE),
        target_epsilon=argument(target_epsilon, "target_epsilon", _targets(two_sided), -1),
    )


def rdp_curve_to_approximate_dp(
    *,
    alpha: Any,
    epsilon: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    digits: int = 50,
) -> Any:
    """The epsilon at delta that bounds on the Renyi divergences of several orders guarantee.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.rdp_curve_to_approximate_dp(alpha=[4, 6, 8], epsilon=[2, 3, 4], delta="1e-5", digits=20)
    >>> print(value.str(20, radius=False))
    4.7619115811958975551
    """
    _check_method(method, two_sided)
    orders = argument(alpha, "alpha", _orders(method))
    bounds = argument(epsilon, "epsilon", BOUND)
    deltas = argument(delta, "delta", INSIDE_UNIT, -1)
    if max(orders.values.ndim, bounds.values.ndim) == 0 or 0 in (orders.values.size, bounds.values.size):
        reject("alpha", alpha, "a vector of at least one order, shape (..., n)")
    check_shapes({"alpha": orders.values, "epsilon": bounds.values})
    check_shapes({"p": np.broadcast_arrays(orders.values, bounds.values)[0][..., 0], "delta": deltas.values})
    each = monotone(
        lambda a, rho, d: INF if rho == INFINITY else _epsilon(a, arb(rho), d, method, two_sided),
        digits,
        alpha=orders,
        epsilon=bounds,
        delta=replace(deltas, values=deltas.values[..., None]),
    )
    out = np.empty(each.shape[:-1], dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = nonnegative_part(reduce(smaller, each[index]), nonnegative)
    return out[()]


def _epsilon(alpha: Any, rho: Any, delta: fmpq, method: str, two_sided: bool) -> Any:
    if method == "optimal":
        return epsilon_at(alpha, rho, delta, two_sided)
    if alpha == INFINITY:
        return rho
    if method == "certificate":
        order = Order(alpha, rho)
        return arb(0) if rho == 0 else order.slope(order.ratio(arb(0), arb(delta)))
    k = alpha - 1
    if method == "mironov":
        return rho - arb(delta).log() / k
    return rho + arb(k / alpha).log() - arb(alpha * delta).log() / k


# Renyi curves of mechanisms


def pure_to_rdp(*, epsilon: Any, alpha: Any, digits: int = 50) -> Any:
    """The largest Renyi divergence of order alpha under pure epsilon-DP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.pure_to_rdp(epsilon=1, alpha=3, digits=20).str(20, radius=False))
    0.84672683048544761728
    """
    return monotone(
        _response_divergence,
        digits,
        epsilon=argument(epsilon, "epsilon", NONNEGATIVE),
        alpha=argument(alpha, "alpha", ANY_ORDER),
    )


def _response_divergence(epsilon: fmpq, alpha: Any) -> Any:
    e = arb(epsilon)
    if alpha == INFINITY:
        return e
    if alpha == 1:
        return e * (e / 2).tanh()
    a, k = arb(alpha), arb(alpha - 1)
    return (1 + 2 * (a * e / 2).sinh() * (k * e / 2).sinh() / (e / 2).cosh()).log() / k


def pure_to_zcdp(*, epsilon: Any, digits: int = 50) -> Any:
    """The least rho for which every purely epsilon-DP mechanism is rho-zCDP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.pure_to_zcdp(epsilon=1, digits=20).str(20, radius=False))
    0.46211715726000975850
    """
    return pure_to_rdp(epsilon=epsilon, alpha=1, digits=digits)


def gdp_to_rdp(*, mu: Any, alpha: Any, digits: int = 50) -> Any:
    """The largest Renyi divergence of order alpha under mu-Gaussian DP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.gdp_to_rdp(mu="0.5", alpha=8))
    1.00000000000000
    """
    return monotone(
        lambda m, a: arb(0) if m == 0 else INF if a == INFINITY else arb(a * m * m / 2),
        digits,
        mu=argument(mu, "mu", NONNEGATIVE),
        alpha=argument(alpha, "alpha", ANY_ORDER),
    )


# Concentrated DP


def zcdp_to_approximate_dp(
    *,
    rho: Any,
    delta: Any,
    xi: Any = 0,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    digits: int = 50,
) -> Any:
    """The epsilon at delta that (xi, rho)-zero-concentrated DP guarantees, by the best single order.

    It is proved that no other order is better. For method "certificate" the proof may fail at large delta;
    `UndecidedError` then has the upper bound.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.zcdp_to_approximate_dp(rho="0.5", delta="1e-5", digits=20).str(20, radius=False))
    4.7283856486384876800
    """
    _check_method(method, two_sided)
    return monotone(
        lambda r, d, x: nonnegative_part(_concentrated(r, d, x, None, method, two_sided), nonnegative),
        digits,
        rho=argument(rho, "rho", POSITIVE),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
        xi=argument(xi, "xi", NONNEGATIVE),
    )


def tcdp_to_approximate_dp(
    *,
    rho: Any,
    omega: Any,
    delta: Any,
    method: str = "optimal",
    two_sided: bool = False,
    nonnegative: bool = False,
    digits: int = 50,
) -> Any:
    """The epsilon at delta that (rho, omega)-truncated concentrated DP guarantees, by the best single order; omega is
    rational.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.tcdp_to_approximate_dp(rho="0.5", omega=4, delta="1e-5", digits=20).str(20, radius=False))
    5.0870344844356548181
    """
    _check_method(method, two_sided)
    return monotone(
        lambda r, w, d: nonnegative_part(_concentrated(r, d, fmpq(0), w, method, two_sided), nonnegative),
        digits,
        rho=argument(rho, "rho", POSITIVE),
        omega=argument(omega, "omega", LARGEST_ORDER),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
    )


def _concentrated(rho: fmpq, delta: fmpq, xi: fmpq, most: fmpq | None, method: str, two_sided: bool) -> Any:
    if method in ("optimal", "certificate"):
        certificate = method == "certificate"
        return epsilon_over_orders(
            Concentrated(rho, xi), delta, certificate=certificate, two_sided=two_sided, most=most
        )
    r, d = arb(rho), arb(delta)

    def at(alpha: Any) -> Any:
        return _epsilon(alpha, arb(xi) + r * alpha, delta, method, False)

    if method == "mironov":
        best = (-d.log() / r).sqrt()
    else:  # the root of the slope of epsilon in alpha, times (alpha - 1)^2
        best = interval(*positive_root(lambda k: r * k * k + ((1 + k) * d).log()))
    return at(arb(most)) if most is not None and best > most - 1 else at(1 + best)


# Gaussian DP


def gdp_to_delta(*, mu: Any, epsilon: Any, digits: int = 50) -> Any:
    """The privacy profile of mu-Gaussian DP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.gdp_to_delta(mu=1, epsilon=1, digits=20).str(20, radius=False))
    0.12693673750664394580
    """
    return monotone(
        lambda m, e: _gaussian_delta(m, arb(e)),
        digits,
        mu=argument(mu, "mu", NONNEGATIVE),
        epsilon=argument(epsilon, "epsilon", REAL, -1),
    )


def gdp_to_approximate_dp(*, mu: Any, delta: Any, nonnegative: bool = False, digits: int = 50) -> Any:
    """The epsilon at delta that mu-Gaussian DP guarantees: the root of `gdp_to_delta`, rigorously enclosed.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.gdp_to_approximate_dp(mu=1, delta="1e-5", digits=20).str(20, radius=False))
    4.3771780956812246277
    """

    def formula(m: fmpq, d: fmpq) -> Any:
        least = (-arb(d)).log1p()  # the least epsilon of any mechanism
        if m == 0:
            return nonnegative_part(least, nonnegative)

        def excess(x: Any) -> Any:
            delta = _gaussian_delta(m, least + x)
            return (arb(d) / delta).log() if delta > 0 else arb(d) - delta

        return nonnegative_part(least + interval(*positive_root(excess)), nonnegative)

    return monotone(
        formula, digits, mu=argument(mu, "mu", NONNEGATIVE), delta=argument(delta, "delta", INSIDE_UNIT, -1)
    )


def _gaussian_delta(m: fmpq, epsilon: Any) -> Any:
    if m == 0:
        return positive_part(-epsilon.expm1())
    mu, root = arb(m), arb(2).sqrt()
    near, far = ((epsilon / mu + shift) / root for shift in (-mu / 2, mu / 2))
    return (near.erfc() - epsilon.exp() * far.erfc()) / 2


# Kullback-Leibler, Hellinger, total variation, approximate DP


def kl_to_approximate_dp(
    *, kl: Any, delta: Any, two_sided: bool = False, nonnegative: bool = False, digits: int = 50
) -> Any:
    """The least epsilon at delta that a bound on the Kullback-Leibler divergence guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.kl_to_approximate_dp(kl="0.1", delta="0.05", digits=20).str(20, radius=False))
    1.1224811191748740308
    """
    return monotone(
        lambda rho, d: nonnegative_part(epsilon_at(fmpq(1), arb(rho), d, two_sided), nonnegative),
        digits,
        kl=argument(kl, "kl", NONNEGATIVE),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
    )


def kl_to_delta(*, kl: Any, epsilon: Any, two_sided: bool = False, digits: int = 50) -> Any:
    """The least delta at epsilon that a bound on the Kullback-Leibler divergence guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.kl_to_delta(kl="0.1", epsilon=1, digits=20).str(20, radius=False))
    0.054973500229252881611
    """
    return monotone(
        lambda rho, e: delta_at(fmpq(1), arb(rho), e, two_sided),
        digits,
        kl=argument(kl, "kl", NONNEGATIVE),
        epsilon=argument(epsilon, "epsilon", _targets(two_sided), -1),
    )


def hellinger_to_delta(*, hellinger: Any, epsilon: Any, digits: int = 50) -> Any:
    """The least delta at epsilon that a bound on the Hellinger distance guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.hellinger_to_delta(hellinger="0.2", epsilon=1, digits=20).str(20, radius=False))
    0.45108981688175620365
    """

    def formula(rho: fmpq, epsilon: fmpq) -> Any:
        kappa, rise = arb(rho * (2 - rho)), arb(epsilon).expm1()
        root = (rise * rise + 4 * (1 + rise) * kappa).sqrt()
        return 2 * (1 + rise) * kappa / (root + rise) if epsilon > 0 else (root - rise) / 2

    return monotone(
        formula,
        digits,
        hellinger=argument(hellinger, "hellinger", UNIT),
        epsilon=argument(epsilon, "epsilon", REAL, -1),
    )


def hellinger_to_approximate_dp(*, hellinger: Any, delta: Any, nonnegative: bool = False, digits: int = 50) -> Any:
    """The least epsilon at delta that a bound on the Hellinger distance guarantees; +inf if there is none.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.hellinger_to_approximate_dp(hellinger="0.2", delta="0.37", digits=20).str(20, radius=False))
    3.1488824530476657642
    >>> ball.hellinger_to_approximate_dp(hellinger="0.2", delta="0.36") == float("inf")
    True
    """

    def formula(rho: fmpq, delta: fmpq) -> Any:
        gap = delta - rho * (2 - rho)
        return nonnegative_part(arb(delta * (1 - delta) / gap).log(), nonnegative) if gap > 0 else INF

    return monotone(
        formula,
        digits,
        hellinger=argument(hellinger, "hellinger", UNIT),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
    )


def total_variation_to_delta(*, total_variation: Any, epsilon: Any, digits: int = 50) -> Any:
    """The least delta at epsilon that a bound on the total variation distance guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.total_variation_to_delta(total_variation="0.1", epsilon=-1, digits=20).str(20, radius=False))
    0.66890850294570191056
    """
    return monotone(
        lambda tau, e: arb(tau) - arb(1 - tau) * arb(min(e, fmpq(0))).expm1(),
        digits,
        total_variation=argument(total_variation, "total_variation", UNIT),
        epsilon=argument(epsilon, "epsilon", REAL, -1),
    )


def total_variation_to_approximate_dp(
    *, total_variation: Any, delta: Any, nonnegative: bool = False, digits: int = 50
) -> Any:
    """The least epsilon at delta that a bound on the total variation distance guarantees; +inf if there is none.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.total_variation_to_approximate_dp(total_variation="0.1", delta="0.5", digits=20)
    >>> print(value.str(20, radius=False))
    -0.58778666490211900819
    """

    def formula(tau: fmpq, delta: fmpq) -> Any:
        return nonnegative_part(arb((1 - delta) / (1 - tau)).log(), nonnegative) if delta >= tau else INF

    return monotone(
        formula,
        digits,
        total_variation=argument(total_variation, "total_variation", UNIT),
        delta=argument(delta, "delta", INSIDE_UNIT, -1),
    )


def approximate_dp_to_delta(
    *, epsilon: Any, delta: Any, target_epsilon: Any, two_sided: bool = False, digits: int = 50
) -> Any:
    """The least delta at another epsilon that (epsilon, delta)-DP guarantees.

    Examples
    --------
    >>> from krdtheory import ball
    >>> value = ball.approximate_dp_to_delta(epsilon=1, delta=0, target_epsilon="0.5", two_sided=True, digits=20)
    >>> print(value.str(20, radius=False))
    0.28764913664496792492
    """

    def formula(e: fmpq, d: fmpq, target: fmpq) -> Any:
        fall = -arb(min(target - e, fmpq(0))).expm1()
        return arb(d) + arb(1 - d) * (fall / (1 + arb(-e).exp()) if two_sided else fall)

    return monotone(
        formula,
        digits,
        epsilon=argument(epsilon, "epsilon", NONNEGATIVE),
        delta=argument(delta, "delta", UNIT),
        target_epsilon=argument(target_epsilon, "target_epsilon", _targets(two_sided), -1),
    )


def approximate_dp_to_hellinger(*, epsilon: Any, delta: Any, digits: int = 50) -> Any:
    """The largest Hellinger distance under two-sided (epsilon, delta)-DP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.approximate_dp_to_hellinger(epsilon=1, delta="0.01", digits=20).str(20, radius=False))
    0.12204930486962683043
    """

    def formula(e: fmpq, d: fmpq) -> Any:
        root = arb(-e / 2).exp()
        return ((1 - root) ** 2 + 2 * arb(d) * root) / (1 + root * root)

    return _from_approximate_dp(formula, epsilon, delta, digits)


def approximate_dp_to_total_variation(*, epsilon: Any, delta: Any, digits: int = 50) -> Any:
    """The largest total variation distance under two-sided (epsilon, delta)-DP.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.approximate_dp_to_total_variation(epsilon=1, delta="0.01", digits=20).str(20, radius=False))
    0.46749598568740966092
    """
    return _from_approximate_dp(lambda e, d: arb(d) + arb(1 - d) * arb(e / 2).tanh(), epsilon, delta, digits)


def approximate_dp_to_regularization(*, epsilon: Any, delta: Any, digits: int = 50) -> Any:
    """The regularization at which (epsilon, delta)-DP bounds the kernel Renyi divergences of every order by epsilon.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.approximate_dp_to_regularization(epsilon=1, delta="0.005", digits=20).str(20, radius=False))
    0.0018393972058572116080
    """
    return _from_approximate_dp(lambda e, d: arb(d) * arb(-e).exp(), epsilon, delta, digits, falls=True)


def _from_approximate_dp(
    formula: Callable[[fmpq, fmpq], Any], epsilon: Any, delta: Any, digits: int, falls: bool = False
) -> Any:
    return monotone(
        formula,
        digits,
        epsilon=argument(epsilon, "epsilon", NONNEGATIVE, -1 if falls else 1),
        delta=argument(delta, "delta", UNIT),
    )


# Arguments and results


def _check_method(method: str, two_sided: bool) -> None:
    if method not in METHODS:
        reject("method", method, f"one of {', '.join(METHODS)}")
    if two_sided and method != "optimal":
        reject("two_sided", two_sided, f"False for method {method!r}")


def _orders(method: str) -> Range:
    return ORDER if method == "optimal" else ORDER_ABOVE_ONE


def _targets(two_sided: bool) -> Range:
    return Range("nonnegative if two_sided", 0) if two_sided else REAL


def smaller(x: Any, y: Any) -> Any:
    """Return the minimum of two balls or infinities, as a ball."""
    if x == INF or y == INF:
        return y if x == INF else x
    if x <= y or y <= x:
        return x if x <= y else y
    return interval(min(x.lower(), y.lower()), min(x.upper(), y.upper()))
