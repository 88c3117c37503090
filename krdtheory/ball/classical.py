"""Classical divergences of exact weights, or of weights in balls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from krdtheory.arithmetic.ball import (
    INF,
    UndecidedError,
    add_up,
    interval,
    largest,
    positive_part,
    positive_power,
    quotient,
    x_log_x,
)
from krdtheory.arithmetic.base import check_signature, reject
from krdtheory.ball.inputs import INFINITY, Number, extended_numbers, limit, mapped, renyi_orders, two_weights


def renyi(p: Any, q: Any, alpha: Any, *, digits: int = 50) -> Any:
    r"""Renyi divergence of order alpha, as `krdtheory.renyi`.

    .. math:: D_\alpha(p\|q) = \frac{1}{\alpha-1} \log \frac{\sum_i p_i^\alpha q_i^{1-\alpha}}{\sum_i p_i}

    Parameters
    ----------
    p, q : array_like, shape (..., n)
        Nonnegative weights, exact or balls; p not all zero.
    alpha : array_like
        Rational orders in [0, inf], limits taken; broadcasts against the leading dimensions.
    digits : int
        Required number of correct digits.

    Returns
    -------
    arb or array of arb, shape (...)
        In nats.

    Raises
    ------
    UndecidedError
        Not certified at the highest precision, or the balls given do not say which weights are zero.
    ValueError, TypeError
        As `krdtheory.renyi`; irrational orders or regularisations.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.renyi([1, 2], [2, 1], "1/2", digits=10).str(10))
    [0.1177830357 +/- 4.37e-11]
    >>> ball.renyi([1, 0], [0, 1], 2) == float("inf")
    True
    """
    x, y = two_weights(p, q)
    return mapped(renyi_of, {"p": x, "q": y, "alpha": renyi_orders(alpha)}, digits)


def kl(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Kullback-Leibler divergence, as `krdtheory.kl`; parameters, results and errors as `renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.kl(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.1438410362 +/- 2.59e-11]
    """
    x, y = two_weights(p, q)
    return mapped(kl_of, {"p": x, "q": y}, digits)


def max_divergence(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Max divergence, as `krdtheory.max_divergence`; parameters, results and errors as `renyi`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.max_divergence(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.6931471806 +/- 4.01e-11]
    """
    return renyi(p, q, float("inf"), digits=digits)


def hockey_stick(p: Any, q: Any, epsilon: Any, *, digits: int = 50) -> Any:
    """Hockey-stick divergence, as `krdtheory.hockey_stick`; epsilon is rational, a ball, or infinite.

    Examples
    --------
    >>> from flint import arb
    >>> from krdtheory import ball
    >>> print(ball.hockey_stick(["0.5", "0.5"], ["0.25", "0.75"], 0))
    0.250000000000000
    >>> ball.hockey_stick(["0.5", "0.5"], ["0.2", "0.8"], arb(2).log()).contains(arb("0.1"))
    True
    """
    x, y = two_weights(p, q)
    return mapped(hockey_stick_of, {"p": x, "q": y, "epsilon": extended_numbers(epsilon)}, digits)


def total_variation(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Total variation distance, as `krdtheory.total_variation`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.total_variation(["0.5", "0.5"], ["0.25", "0.75"]))
    0.250000000000000
    """
    x, y = two_weights(p, q)
    return mapped(total_variation_of, {"p": x, "q": y}, digits)


def hellinger(p: Any, q: Any, *, digits: int = 50) -> Any:
    """Hellinger distance 1 - sum sqrt(p q), as `krdtheory.hellinger`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.hellinger(["0.5", "0.5"], ["0.25", "0.75"], digits=10).str(10))
    [0.03407417371 +/- 9.32e-13]
    """
    x, y = two_weights(p, q)
    return mapped(hellinger_of, {"p": x, "q": y}, digits)


def f_divergence(
    p: Any, q: Any, f: Any, *, value_at_zero: Any = None, slope_at_infinity: Any = None, digits: int = 50
) -> Any:
    """Csiszar's f-divergence, as `krdtheory.f_divergence`.

    A callable f takes a ball (`flint.arb`) and returns one that contains f of every number in it; it is called with
    increasing `flint.ctx.prec`.

    Examples
    --------
    >>> from krdtheory import ball
    >>> print(ball.f_divergence(["0.5", "0.5"], ["0.25", "0.75"], lambda t: t * t.log(), digits=10).str(10))
    [0.1438410362 +/- 2.59e-11]
    """
    x, y = two_weights(p, q)
    exact = not any(isinstance(v, arb) and not v.is_exact() for v in (value_at_zero, slope_at_infinity))
    return mapped(f_formula(f, value_at_zero, slope_at_infinity), {"p": x, "q": y}, digits, exact=exact)


# Formulas


def _support(p: list[Number], q: list[Number]) -> tuple[list[tuple[Any, Any]], bool]:
    """Return the pairs (x, y) as balls where neither is 0, and whether p is absolutely continuous with respect to q."""
    pairs, inside = [], True
    for x, y in zip(p, q, strict=True):
        if x == 0:
            continue
        if y == 0:
            if isinstance(x, arb) and not x > 0:
                raise UndecidedError(f"is p = {x.str(5)} zero, as q is?")
            inside = False
        else:
            pairs.append((arb(x), arb(y)))
    return pairs, inside


def renyi_of(p: list[Number], q: list[Number], alpha: Any) -> Any:
    pairs, inside = _support(p, q)
    if not inside and (alpha == INFINITY or alpha >= 1):
        return INF
    if not pairs:
        return INF
    ratio = _common_ratio(p, q) if inside else None
    if ratio is not None:
        return arb(ratio).log()
    total = add_up(arb(x) for x in p)
    if alpha == 1:
        return kl_of(p, q) / total
    if alpha == INFINITY:
        return largest(quotient(x, y) for x, y in pairs).log()
    return renyi_of_power(add_up(power_term(x, y, alpha) for x, y in pairs), total, alpha)


def _common_ratio(p: list[Number], q: list[Number]) -> fmpq | None:
    """Return the rational x / y if it is the same for all x > 0; every divergence is then its logarithm."""
    if any(isinstance(x, arb) for x in (*p, *q)):
        return None
    support = [(x, y) for x, y in zip(p, q, strict=True) if x != 0]
    first = support[0][0] / support[0][1]
    return first if all(x == first * y for x, y in support) else None


def power_term(x: Number, y: Number, alpha: fmpq) -> Any:
    """Return x^alpha y^(1 - alpha), which is +inf if y = 0 < x and alpha > 1."""
    if x == 0:
        return arb(0)
    if y == 0:
        return INF if alpha > 1 else arb(0)
    if alpha == 0:
        if not x > 0:
            raise UndecidedError(f"is {x.str(5)} zero?")
        return arb(y)
    return positive_power(arb(x), alpha) * positive_power(arb(y), 1 - alpha)


def renyi_of_power(power: Any, total: Any, alpha: fmpq) -> Any:
    """Return log(power / total) / (alpha - 1)."""
    return (total / power).log() if alpha == 0 else (power / total).log() / arb(alpha - 1)


def kl_of(p: list[Number], q: list[Number]) -> Any:
    if not _support(p, q)[1]:
        return INF
    apart = [(arb(x), arb(y)) for x, y in zip(p, q, strict=True) if not (x == 0 or (isinstance(x, fmpq) and x == y))]
    return add_up(x_log_x(x) - x * quotient(y, arb(1)).log() for x, y in apart)


def hockey_stick_of(p: list[Number], q: list[Number], epsilon: Any) -> Any:
    if epsilon == INFINITY:
        return add_up(_beyond(arb(x), y) for x, y in zip(p, q, strict=True))
    if epsilon == "-inf":
        return add_up(arb(x) for x in p)
    if epsilon == 0:
        return add_up(_positive_number(x - y) for x, y in zip(p, q, strict=True))
    factor = arb(epsilon).exp()
    return add_up(positive_part(arb(x) - factor * arb(y)) for x, y in zip(p, q, strict=True))


def _beyond(x: Any, y: Number) -> Any:
    """Return x if y = 0, else 0."""
    return x if y == 0 else arb(0) if y > 0 else interval(arb(0), positive_part(x).upper())


def _positive_number(x: Number) -> Any:
    """Return max(x, 0), exactly for a rational."""
    return positive_part(x) if isinstance(x, arb) else arb(max(x, fmpq(0)))


def total_variation_of(p: list[Number], q: list[Number]) -> Any:
    return add_up(abs(arb(x - y)) for x, y in zip(p, q, strict=True)) / 2


def hellinger_of(p: list[Number], q: list[Number]) -> Any:
    if p == q:
        return 1 - add_up(arb(x) for x in p)
    return 1 - add_up(_root(x) * _root(y) for x, y in zip(p, q, strict=True))


def _root(x: Number) -> Any:
    return positive_power(arb(x), fmpq(1, 2))


def _kl_term(x: Any, y: Any) -> Any:
    """Return x log(x / y)."""
    return x * quotient(x, y).log() if x > 0 else x_log_x(x) - x * quotient(y, arb(1)).log()


# y f(x / y), f(0) and f'(inf), where None means +inf
_GENERATORS: dict[str, tuple[Callable[[Any, Any], Any], int | fmpq | None, int | fmpq | None]] = {
    "kl": (_kl_term, 0, None),
    "reverse_kl": (lambda x, y: _kl_term(y, x), None, 0),
    "chi_squared": (lambda x, y: quotient((x - y) * (x - y), y), 1, None),
    "total_variation": (lambda x, y: abs(x - y) / 2, fmpq(1, 2), fmpq(1, 2)),
    "hellinger": (lambda x, y: y - positive_power(x, fmpq(1, 2)) * positive_power(y, fmpq(1, 2)), 1, 0),
}


def f_formula(f: Any, value_at_zero: Any = None, slope_at_infinity: Any = None) -> Callable[..., Any]:
    """Return the f-divergence of a generator, as a function of p and q."""
    limits = (("value_at_zero", value_at_zero), ("slope_at_infinity", slope_at_infinity))
    if isinstance(f, str):
        if f not in _GENERATORS:
            reject("f", f, f"a callable or one of {', '.join(_GENERATORS)}")
        for name, given in limits:
            if given is not None:
                reject(name, given, "None where f is a name")
        term, *ends = _GENERATORS[f]
        zero, slope = (INF if v is None else v for v in ends)
    elif callable(f):
        check_signature(f, "f", "t")
        zero, slope = (limit(v, name) for name, v in limits)

        def term(u: Any, v: Any) -> Any:
            value = f(quotient(u, v))
            if not isinstance(value, arb):
                reject("f", value, "a function that returns a ball (flint.arb) for a ball", TypeError)
            if not u > 0:  # f(0) may differ from the value that f returns
                if not isinstance(zero, arb | fmpq) or not value.is_finite() or not arb(zero).is_finite():
                    raise UndecidedError(f"is {u.str(5)} zero?")
                value = interval(value, arb(zero))
            return v * value
    else:
        reject("f", f, "a callable or a name", TypeError)
    return lambda p, q: _f_divergence(p, q, term, zero, slope)


def _f_divergence(p: list[Number], q: list[Number], term: Callable[[Any, Any], Any], zero: Any, slope: Any) -> Any:
    total = arb(0)
    for x, y in zip(p, q, strict=True):
        if x == 0 and y == 0:
            continue
        if not (x == 0 or y == 0):
            total += term(arb(x), arb(y))
            continue
        limit, weight = (slope, x) if y == 0 else (zero, y)
        if limit is None:
            name, where = ("slope_at_infinity", "q") if y == 0 else ("value_at_zero", "p")
            reject(name, None, f"given, {where} being 0 where {'p' if where == 'q' else 'q'} is not")
        if limit not in (INF, -INF):
            total += arb(limit) * arb(weight)
        elif weight > 0:
            total += limit
        else:
            raise UndecidedError(f"is {weight.str(5)} zero?")
    return total
