r"""The optimal conversion of a Renyi divergence of order alpha to approximate DP, enclosed by a pair and a certificate.

Pairs are distributions (p, 1 - p) and (q, 1 - q), given by their likelihood ratios: log(p / q) = h - y > 0 and
log((1-p) / (1-q)) = -y < 0. With k = alpha - 1 and g(x) = (e^(k x) - 1) / k, or x where k = 0,

- a pair within D_alpha <= rho has delta >= p - e^eps q: a lower bound;
- lambda t^alpha + mu t + nu >= max(t - e^eps, 0) for all t >= 0 gives delta <= lambda e^(k rho) + mu + nu (for k = 0, t
  log t and rho replace the powers). The one that touches at e^-y and e^(h-y) is

      delta <= (g(rho + y) + e^-y - 1) / (alpha g(h)),   e^(eps + y) = (e^(alpha h) - 1) / (alpha g(h)):

  an upper bound for every y > 0, where h is determined by delta, or y by eps.

The value of the pair of the same y and h equals that of the certificate if its divergence is rho, which is one equation
for h. Its root is bracketed with rigorous signs; an imprecise bracket only widens the result.

If alpha delta >= 1 the best certificate would need a negative touching point, and the best pair has p = 1 and
q = e^-rho. For both orders: D(P||Q) >= D(Q||P) if p + q <= 1, because p^a q^(1-a) - q^a p^(1-a) is p - q times an
increasing function of p / q. The region is symmetric about p + q = 1, where it has a kink at randomised response; so
that is the best pair unless the slope e^eps exceeds that of the region beside the kink.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flint import arb, fmpq

from krdtheory.arithmetic.ball import UndecidedError, interval, positive_part
from krdtheory.ball.inputs import INFINITY
from krdtheory.ball.monotone import positive_root

NAN = arb.nan()


class WorstPair(NamedTuple):
    """h and y of the best pair."""

    h: Any
    y: Any

    def checked(self) -> WorstPair:
        """Return this pair after checking 0 < y < h."""
        if not 0 < self.y < self.h:
            raise UndecidedError(f"is {self.y.str(5)} between 0 and {self.h.str(5)}?")
        return self

    @property
    def p(self) -> Any:
        return (-self.y).expm1() / (-self.h).expm1()

    @property
    def q(self) -> Any:
        return self.y.expm1() / self.h.expm1()


class Order:
    """A finite order alpha >= 1 and a bound rho on the divergence, a ball that is 0 or positive."""

    def __init__(self, alpha: fmpq, rho: Any) -> None:
        self.a, self.k, self.rho = arb(alpha), arb(alpha - 1), rho

    def growth(self, x: Any) -> Any:
        """Return g(x)."""
        return x if self.k == 0 else (self.k * x).expm1() / self.k

    def slope(self, h: Any) -> Any:
        """Return eps + y of the certificate."""
        return ((self.a * h).expm1() / (self.a * self.growth(h))).log()

    def weight(self, h: Any) -> Any:
        """Return delta / (1 - e^-y) of the pair, between 1/2 and 1/alpha."""
        return (self.slope(h) - h).expm1() / (-h).expm1()

    def delta(self, h: Any, y: Any) -> Any:
        """Return the delta of the certificate."""
        return self.gain(y) / (self.a * self.growth(h))

    def gain(self, y: Any) -> Any:
        """Return alpha delta g(h)."""
        return self.growth(self.rho + y) + (-y).expm1()

    def ratio(self, y: Any, delta: Any) -> Any:
        """Return h of the certificate of y at delta."""
        growth = self.gain(y) / (self.a * delta)
        return growth if self.k == 0 else (self.k * growth).log1p() / self.k

    def divergence(self, h: Any, y: Any) -> Any:
        """Return the divergence of the pair."""
        if self.k == 0:
            return h * WorstPair(h, y).p - y
        return ((y.expm1() * (self.a * h).expm1() / h.expm1()).log1p() - self.a * y) / self.k

    def tangent_at_delta(self, delta: Any) -> tuple[WorstPair, WorstPair]:
        """Return the best pair if alpha delta < 1 and rho > 0: one just within rho, and balls that contain the best.

        The certificate at delta determines an h for each y. The pair of y and h has its own divergence D and its own
        certificate at delta', with g(D + y) - g(rho + y) = alpha g(h) (delta' - delta): if delta' < delta, then
        D < rho.
        """

        def excess(y: Any) -> Any:
            return -(-y).expm1() * self.weight(self.ratio(y, delta)) / delta - 1

        low, high = positive_root(excess)
        return self.pair_at_delta(low, delta), self.pair_at_delta(interval(low, high), delta)

    def pair_at_delta(self, y: Any, delta: Any) -> WorstPair:
        """Return the pair of y and the h of its certificate."""
        return WorstPair(self.ratio(y, delta), y).checked()

    def tangent_at_epsilon(self, epsilon: Any) -> WorstPair:
        """Return the best pair if e^epsilon > e^rho (alpha - 1) / alpha and rho > 0."""

        def excess(h: Any) -> Any:
            y = self.slope(h) - epsilon
            if y <= 0 or y >= h:  # before the first pair, p = q
                return -self.rho
            return self.divergence(h, y) - self.rho if y > 0 and y < h else NAN

        h = positive_root(excess)[0]
        return WorstPair(h, self.slope(h) - epsilon).checked()

    def value(self, h: Any, epsilon: Any) -> Any:
        """Return p - e^epsilon q of the pair with this h whose certificate is at epsilon; 0 before the first pair."""
        y = self.slope(h) - epsilon
        if y <= 0 or y >= h:
            return arb(0)
        return WorstPair(h, y).p - epsilon.exp() * WorstPair(h, y).q if y > 0 and y < h else NAN

    def response(self) -> Any:
        """Return the log-odds of randomised response with divergence rho."""
        if self.rho == 0:
            return arb(0)
        low, high = positive_root(lambda u: self.divergence(2 * u, u) - self.rho)
        return interval(low, high)


# epsilon at delta


def epsilon_at(alpha: Any, rho: Any, delta: fmpq, two_sided: bool = False) -> Any:
    """Enclose the least epsilon."""
    d = arb(delta)
    if alpha == INFINITY:
        u = rho
    elif two_sided:
        u = Order(alpha, rho).response()
    if not two_sided:
        return rho + (-d).log1p() if alpha == INFINITY else _one_sided_epsilon(alpha, rho, delta)
    left = d * (1 + (-u).exp())
    if left >= 1:
        return arb(0)
    response = u + (-left).log1p()
    if alpha == INFINITY or rho == 0 or alpha * delta >= 1:
        return positive_part(response)
    kink = Order(alpha, rho).slope(2 * u) - u
    if response <= kink:
        return positive_part(response)
    beyond = _one_sided_epsilon(alpha, rho, delta)
    return positive_part(beyond if response > kink else interval(response, beyond))


def _one_sided_epsilon(alpha: fmpq, rho: Any, delta: fmpq) -> Any:
    d = arb(delta)
    if alpha * delta >= 1 or rho == 0:
        return rho + (-d).log1p()
    order = Order(alpha, rho)
    pair = order.tangent_at_delta(d)[0]
    return interval(pair.h - pair.y + (-d / pair.p).log1p(), order.slope(pair.h) - pair.y)


# delta at epsilon


def delta_at(alpha: Any, rho: Any, epsilon: fmpq, two_sided: bool = False) -> Any:
    """Enclose the least delta."""
    e = arb(epsilon)
    if not two_sided:
        return _one_sided_delta(alpha, rho, epsilon)
    u = rho if alpha == INFINITY else Order(alpha, rho).response()
    response = positive_part(-(e - u).expm1() / (1 + (-u).exp()))
    if alpha == INFINITY or rho == 0:
        return response
    kink = Order(alpha, rho).slope(2 * u) - u
    if e <= kink:
        return response
    beyond = _one_sided_delta(alpha, rho, epsilon)
    return beyond if e > kink else interval(response, beyond)


def _one_sided_delta(alpha: Any, rho: Any, epsilon: fmpq) -> Any:
    e = arb(epsilon)
    corner = positive_part(-(e - rho).expm1())
    if alpha == INFINITY or rho == 0:
        return corner
    if alpha > 1:
        edge = rho + arb((alpha - 1) / alpha).log()
        if e <= edge:
            return corner
        if not e > edge:
            raise UndecidedError(f"is epsilon below {edge.str(10)}?")
    order = Order(alpha, rho)
    pair = order.tangent_at_epsilon(e)
    return interval(pair.p - e.exp() * pair.q, order.delta(*pair))
