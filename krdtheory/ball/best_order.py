r"""The least epsilon over all orders of a Renyi curve, alpha -> rho(alpha).

Any order gives an upper bound. A lower bound E needs a pair (p, q) within rho(alpha), with p = delta + e^E q, for every
alpha:

- near the best order, along log q = log q_0 + c (alpha - alpha_0): where
  Phi(alpha) = (alpha - 1) (rho(alpha) - D_alpha(p||q)) is convex it is at least its tangent at alpha_0, which is nearly
  flat there. Where it is monotone it has no new minimum, and none in the interior where it is concave down to 0 at
  alpha = 1. Derivatives are enclosed by Taylor series over intervals of orders;
- elsewhere, as D_alpha is increasing in alpha, a pair with D_b <= rho(a) suffices for all of [a, b].

For a bound in both orders of P and Q, the pairs have p + q <= 1 (see `optimal_conversion`). The proof does not depend
on how the best order and c are found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from flint import arb, arb_poly, arb_series, ctx, fmpq

from krdtheory.arithmetic.ball import HopelessError, UndecidedError, UnprovedError, interval, positive_part
from krdtheory.ball.inputs import INFINITY, rational
from krdtheory.ball.monotone import positive_root
from krdtheory.ball.optimal_conversion import NAN, Order, WorstPair, epsilon_at

CELLS = 300  # the most cells that are tried
STUCK = 40  # the most consecutive halvings of a step
SLOPES = 120  # the most slopes for the best order; rho from 1e-3 to 1e6 and delta from 1e-100 take up to 40
COARSE = 64  # bits
TERMS = 9  # of Taylor series
Path = Callable[[Any, int], Any]  # (alpha, terms) -> Taylor series of Phi(alpha + t); None if there is no pair


class Curve(Protocol):
    """A bound on the Renyi divergence of every order, increasing."""

    def rho(self, alpha: Any) -> Any:
        """Return the bound rho at a finite order, which is exact or a ball."""

    def moment(self, alpha: Any) -> Any:
        """Return (alpha - 1) rho(alpha) of a ball or a Taylor series."""


@dataclass(frozen=True)
class Concentrated:
    """The curve xi + rho alpha."""

    slope: fmpq
    xi: fmpq

    def rho(self, alpha: Any) -> Any:
        return arb(self.xi) + arb(self.slope) * arb(alpha)

    def moment(self, alpha: Any) -> Any:
        return (alpha - 1) * (alpha * arb(self.slope) + arb(self.xi))


@dataclass(frozen=True)
class Responses:
    """The curve of k randomised responses with log-odds epsilon > 0."""

    epsilon: fmpq
    k: int

    def rho(self, alpha: Any) -> Any:
        if alpha == 1:
            return self.k * arb(self.epsilon) * (arb(self.epsilon) / 2).tanh()
        return self.moment(arb(alpha)) / (arb(alpha) - 1)

    def moment(self, alpha: Any) -> Any:
        e = arb(self.epsilon)
        return self.k * ((alpha - 1) * e + (1 + ((1 - 2 * alpha) * e).exp()).log() - (-e).exp().log1p())


def epsilon_over_orders(
    curve: Curve, delta: fmpq, *, certificate: bool = False, two_sided: bool = False, most: fmpq | None = None
) -> Any:
    """Enclose the infimum over 1 < alpha <= most of the optimal epsilon at delta, or of that of the certificate."""
    if certificate:
        alpha = _best_order(lambda k: _certificate_slope(curve, delta, 1 + k), most)
        upper = _certificate(curve, delta, arb(alpha), 1)[0].upper()
    else:
        rises = _rises_from_one(curve, delta, two_sided)
        alpha = fmpq(1) if rises else _best_order(lambda k: _slope(curve, delta, two_sided, k), most)
        upper = epsilon_at(alpha, curve.rho(alpha), delta, two_sided).upper()
    if two_sided and not upper > 0:
        return arb(0)
    slack = max(abs(upper), arb(1)) * arb(2) ** (16 - ctx.prec)
    for _ in range(4):
        level = (upper - slack).lower()
        pairs = Pairs(curve, delta, level, two_sided)
        path = partial(_excess, curve, delta, level) if certificate else pairs.path(alpha)
        nearby = _nearby(path, alpha, alpha == most, pairs.bits)
        if nearby is not None:
            low, high = nearby
            below = (not certificate and _falls_to_one(path, low, pairs.bits)) or pairs.serve_below(low, alpha)
            if below and (alpha == most or pairs.serve_above(high, alpha)):
                return interval(positive_part(level) if two_sided else level, upper)
            break
        slack *= arb(2) ** 12
    raise UnprovedError("no lower bound is proved over all orders", upper=upper)


# The best order


def _best_order(slope: Callable[[Any], Any], most: fmpq | None) -> fmpq:
    """Return the order at which the slope of epsilon, a function of alpha - 1, becomes positive."""
    if most is not None and not slope(arb(most - 1).mid()) > 0:
        return most
    left = SLOPES

    def counted(k: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise HopelessError("the best order is out of reach of so many steps")
        return slope(k)

    return 1 + rational(positive_root(counted, 12)[1])


def _certificate(curve: Curve, delta: fmpq, alpha: Any, terms: int) -> Any:
    """Return the Taylor series of epsilon(alpha + t) of the certificate y = 0."""
    a = arb_series([alpha, 1], prec=terms)
    if not alpha > 1:
        raise UndecidedError(f"is {alpha.str(5)} above 1?")
    moment, share = curve.moment(a), a * arb(delta)
    if moment[0] > 1:  # its exponential may overflow
        grown = moment - share.log() + (1 + (share - 1) * (-moment).exp()).log()
    else:
        grown = (1 + (moment.exp() - 1) / share).log()
    return _log_expm1(grown * (a / (a - 1))) - _log_expm1(moment) + ((a - 1) * arb(delta)).log()


def _certificate_slope(curve: Curve, delta: fmpq, alpha: Any) -> Any:
    try:
        return _certificate(curve, delta, alpha, 2)[1]
    except UndecidedError:
        return NAN


def _log_expm1(x: Any) -> Any:
    """Return log(e^x - 1) of a Taylor series, x > 0."""
    if not x[0] > 0:
        raise UndecidedError(f"is {x[0].str(5)} positive?")
    return x + (1 - (-x).exp()).log() if x[0] > 1 else (x.exp() - 1).log()


def _excess(curve: Curve, delta: fmpq, level: Any, alpha: Any, terms: int) -> Any:
    try:
        return _certificate(curve, delta, alpha, terms) - level
    except UndecidedError:
        return None


def _slope(curve: Curve, delta: fmpq, two_sided: bool, k: Any) -> Any:
    """Return a positive multiple of the slope of epsilon at alpha = 1 + k, the slope of Phi at the best pair."""
    alpha = 1 + rational(k)
    try:
        pair = _best_pair(alpha, curve.rho(alpha), delta, two_sided)
    except UndecidedError:
        return NAN
    if pair is None:  # epsilon = rho(alpha) + log(1 - delta)
        return arb(1)
    moment = curve.moment(arb_series([arb(alpha), 1], prec=2))
    tilted = pair.p * (k * (pair.h - pair.y) - moment[0]).exp()
    return moment[1] - (tilted * pair.h - pair.y)


def _rises_from_one(curve: Curve, delta: fmpq, two_sided: bool) -> bool:
    """Return whether epsilon has a positive slope at alpha = 1, where the divergence is the Kullback-Leibler one."""
    try:
        pair = _best_pair(fmpq(1), curve.rho(fmpq(1)), delta, two_sided)
    except UndecidedError:
        return False
    assert pair is not None
    variance = pair.p * (1 - pair.p) * pair.h**2
    return bool(2 * curve.moment(arb_series([1, 1], prec=3))[2] > variance)


def _best_pair(alpha: fmpq, rho: Any, delta: fmpq, two_sided: bool) -> WorstPair | None:
    """Return the best pair, None if it has p = 1."""
    order = Order(alpha, rho)
    if two_sided:
        u = order.response()
        if alpha * delta >= 1 or not u + (-delta * (1 + (-u).exp())).log1p() > order.slope(2 * u) - u:
            return WorstPair(2 * u, u)
    elif alpha * delta >= 1:
        return None
    return order.tangent_at_delta(arb(delta))[1]


# The proof


def _nearby(path: Path, alpha: fmpq, at_end: bool, bits: int) -> tuple[Any, Any] | None:
    """Return an interval about alpha on which Phi is proved positive; at alpha = 1, where it is 0, increasing."""
    at, point = path(arb(alpha), 2), arb(alpha)
    if at is None or not at[1 if alpha == 1 else 0] > 0:
        return None
    with ctx.workprec(bits):
        low = point.mid() if alpha == 1 else _safe_until(path, alpha, -1)
        high = point.mid() if at_end else _safe_until(path, alpha, 1)
    if alpha == 1:
        return low, high
    for side, end in ((-1, low), (1, high)):
        turn = min(abs(end - point), point / 256).lower()  # where a convex Phi is already increasing away from alpha
        found = path(point + side * turn, 2)
        if found is None or not found[1] * side > 0:
            turn = abs(end - point)
        if not at[0] + side * at[1] * turn > 0:
            return None
    return low, high


def _safe_until(path: Path, alpha: fmpq, side: int) -> Any:
    """Return the end of the interval from alpha on which Phi is proved to be convex and then increasing."""
    end, convex = arb(alpha).mid(), True
    step = arb(max(alpha - 1, fmpq(1, 16))).mid() / 8
    least = step / 512
    for _ in range(CELLS):
        if step < least:
            break
        point = (end + side * step).mid()
        found = _derivatives(path, end, point) if point > 1 else None
        bends = found is not None and bool(found[1] > 0)
        if found is not None and ((convex and bends) or found[0] * side > 0):
            end, step, convex = point, 2 * step, convex and bends
        else:
            step = (step / 2).mid()
    return end


def _falls_to_one(path: Path, end: Any, bits: int) -> bool:
    """Return whether Phi, 0 at alpha = 1 and positive at `end`, is proved to be concave between, hence positive."""
    with ctx.workprec(bits):
        step = ((end - 1) / 2).mid()
        for _ in range(64):
            if end == 1:
                return True
            start = max((end - step).mid(), arb(1))
            found = _derivatives(path, start, end)
            if found is not None and found[1] < 0:
                end = start
            else:
                step = step / 2
    return False


def _derivatives(path: Path, start: Any, end: Any) -> tuple[Any, Any] | None:
    """Return the first and second derivative of Phi over an interval, directly or, if that does not determine the sign,
    by Taylor's theorem at the midpoint."""
    whole = interval(start, end)
    found = path(whole, TERMS)
    if found is None:
        return None
    if found[2] > 0:
        return found[1], 2 * found[2]
    middle = whole.mid()
    series = path(middle, TERMS)
    slope = arb_poly([*(series[j] for j in range(TERMS - 1)), found[TERMS - 1]]).derivative()
    return slope(whole - middle), slope.derivative()(whole - middle)


class Pairs:
    """Pairs with p = delta + e^level q."""

    def __init__(self, curve: Curve, delta: fmpq, level: Any, two_sided: bool) -> None:
        self.curve, self.delta, self.level, self.two_sided = curve, delta, level, two_sided
        rest = 1 - arb(delta)
        self.most_q = (rest / (1 + level.exp()) if two_sided else rest * (-level).exp()).lower()
        self.bits = min(ctx.prec, COARSE + int(1 / delta).bit_length())

    def path(self, alpha: fmpq) -> Path:
        """Return Phi along the pairs that are best near alpha."""
        best = _best_pair(alpha, self.curve.rho(alpha), self.delta, self.two_sided)
        if best is None:
            raise UnprovedError("the best order is not separated from 1 / delta")
        centre, most = arb(alpha), self.most_q.log().lower()
        at, tilt = min(best.q.log().mid(), most), arb(0)
        if alpha > 1 and not (self.two_sided and best.h.overlaps(2 * best.y)):  # there is no tilt at the kink
            along, across, both = (self.phi(centre, at, *d, 3)[2] for d in ((1, 0), (0, 1), (1, 1)))
            tilt = ((along + across - both) / (2 * across)).mid()

        def phi(a: Any, terms: int) -> Any:
            log_q = at + tilt * (a - centre) if tilt != 0 else at  # exact if there is no tilt
            return self.phi(a, log_q, 1, tilt, terms) if log_q <= most else None

        return phi

    def phi(self, alpha: Any, log_q: Any, along: Any, across: Any, terms: int) -> Any:
        """Return the Taylor series of Phi at alpha + along t, log q + across t."""
        a, z = arb_series([alpha, along], prec=terms), arb_series([log_q, across], prec=terms)
        return self.curve.moment(a) - self.power(a, z)

    def power(self, alpha: Any, log_q: Any) -> Any:
        """Return (alpha - 1) D_alpha of the pair, for balls or Taylor series."""
        q = log_q.exp()
        p = arb(self.delta) + self.level.exp() * q
        log_p, rest_p, rest_q = p.log(), (1 - p).log(), (1 - q).log()
        first = alpha * log_p - (alpha - 1) * log_q
        return first + (1 + (alpha * (rest_p - log_p) - (alpha - 1) * (rest_q - log_q)).exp()).log()

    def divergence(self, alpha: Any) -> Any:
        """Return D_alpha of an approximately best pair; NaN if none is found."""
        if alpha == INFINITY:
            return (self.level.exp() + arb(self.delta) / self.most_q).log()
        q, a = self.most_q, rational(alpha)
        if a * self.delta < 1:
            order = Order(a, arb(0))
            try:
                h = positive_root(lambda h: order.value(h, self.level) - arb(self.delta))[1]
                q = min(WorstPair(h, order.slope(h) - self.level).q.mid(), q)
            except UndecidedError:
                return NAN
        elif not self.two_sided:  # p = 1
            return -q.log()
        return self.power(alpha, q.log()) / (alpha - 1)

    def serve_above(self, start: Any, alpha: fmpq) -> bool:
        """Return whether pairs suffice for all orders from `start` > alpha on."""
        with ctx.workprec(self.bits):
            step = max(start - arb(alpha), (start - 1) / 4096)
            everywhere, halved = self.divergence(INFINITY), 0
            for _ in range(CELLS):
                rho = self.curve.rho(start)
                if everywhere <= rho:
                    return True
                end = (start + step).mid()
                if self.divergence(end) <= rho:
                    start, step, halved = end, 2 * step, 0
                else:
                    step, halved = step / 2, halved + 1
                    if halved > STUCK:
                        return False
        return False

    def serve_below(self, end: Any, alpha: fmpq) -> bool:
        """Return whether pairs suffice for all orders from 1 to `end` < alpha."""
        with ctx.workprec(self.bits):
            step = max(arb(alpha) - end, (end - 1) / 4096)
            for _ in range(CELLS if end > 1 else 0):
                least = self.divergence(end)
                if least <= self.curve.rho(fmpq(1)):
                    return True
                for _ in range(40):
                    start = (end - step).mid()
                    if start > 1 and least <= self.curve.rho(start):
                        break
                    step = step / 2
                else:
                    return False
                end, step = start, 2 * step
        return bool(end == 1)
