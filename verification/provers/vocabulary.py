"""The vocabulary of a claim on symbols: literal definitions, at one generic letter or on explicit lists of weights."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Abs, And, Expr, Gt, Integer, Piecewise

from verification.instances import Region
from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.kinds import Spectral, deterministic
from verification.provers.operators import Map, Operator, OperatorVocabulary, diagonal
from verification.provers.scalars import is_zero, seen_nonnegative
from verification.provers.symbols import CASE, Total, free
from verification.provers.values import Letters, Scalar, Where, _array, expression
from verification.vocabulary import NoneAssumed

Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Cut:
    """The supremum of f(p K, q K) over the Markov kernels K into at most `cells` cells.

    f is `divergence` with `parameters`. `value` is the supremum in the current case, a symbol or an infinity.
    """

    divergence: Callable[..., Any]
    p: Letters
    q: Letters
    cells: Expr
    parameters: tuple[Any, ...]
    value: Expr


def _each(f: Callable[..., Any], inputs: int) -> Callable[..., Any]:
    """Return the elementwise function of numbers, arrays of numbers, and arrays of letters."""
    ufunc = np.frompyfunc(lambda *x: Scalar(f(*map(expression, x))), inputs, 1)

    def apply(*x: Any) -> Any:
        letters = next((v for v in x if isinstance(v, Letters)), None)
        if letters is None:
            return np.asarray(ufunc(*x), dtype=object)
        axes, values = letters.axes, []
        for v in x:
            y, found = letters._paired(v)
            values.append(y)
            axes = tuple(a or b for a, b in zip(axes, found, strict=True))
        return Letters(f(*values), axes)

    return apply


def _log(x: Expr) -> Expr:
    if x == 0:
        return -sympy.oo
    if isinstance(x, Total) and x.is_nonnegative and not CASE.get().ranges(x):
        if not x.is_positive and not CASE.get().somewhere(Gt(x.args[0], 0)):
            return -sympy.oo
        return sympy.log(CASE.get()._define("M", x, positive=True))
    return sympy.expand_log(sympy.log(x))


def _exp(x: Expr) -> Expr:
    return sympy.powsimp(sympy.exp(x)) if x not in (sympy.oo, -sympy.oo) else sympy.exp(x)


def _same_kernel(p: Any, q: Any) -> bool:
    """Return whether both arrays are images under the same nonnegative kernel."""
    first, second = (getattr(w, "origin", None) for w in (p, q))
    if first is None or second is None or first[1] is not second[1]:
        return False
    kernel = first[1]
    images = [(start[:, :, None] * kernel).sum(-2).e for start, _ in (first, second)]
    return bool(kernel.e.is_nonnegative) and images == [p.e, q.e]


def _trials(region: Region, trials: Sequence[tuple[Any, dict[tuple[int, int], Expr]]]) -> Any:
    case = CASE.get()
    chance = case.fresh("rejection", nonnegative=True)
    case.suprema[chance] = ("trials", (region, trials))
    return _array(chance)


class SymbolicVocabulary(OperatorVocabulary):
    """Divergences by their definitions; infinite values and the orders 0, 1 and infinity are separate cases."""

    exact = True
    inf = float("inf")
    log = staticmethod(_each(_log, 1))
    exp = staticmethod(_each(_exp, 1))
    sqrt = staticmethod(_each(sympy.sqrt, 1))
    power = staticmethod(_each(operator.pow, 2))
    maximum = staticmethod(_each(algebra.maximum, 2))
    minimum = staticmethod(_each(algebra.minimum, 2))

    @property
    def pi(self) -> Scalar:
        """The number pi."""
        return Scalar(sympy.pi)

    def __getattr__(self, name: str) -> Any:
        raise ProofError(f"k.{name} has no symbolic definition")

    def assume(self, condition: Any) -> None:
        """Assume a hypothesis. If it is undecided, cases are opened, and the claim is about those in which it holds."""
        holds = condition.all(-1) if isinstance(condition, Where) else condition
        if not all(bool(x) for x in np.asarray(holds, dtype=object).ravel()):
            raise NoneAssumed

    # Sums over letters

    def sum(self, f: Callable[..., Expr], *weights: Any) -> Expr:
        """Return the sum of f over the letters of weights on one alphabet."""
        if isinstance(weights[0], Letters):
            axes = weights[0].axes
            if len(axes) != 1 or any(not isinstance(w, Letters) or w.axes != axes for w in weights):
                raise ProofError("weights of different alphabets")
            return Total(f(*(w.e for w in weights)), *axes[0])
        rows = [[expression(v) for v in np.asarray(w, dtype=object)[0]] for w in weights]
        return sympy.Add(*(f(*values) for values in zip(*rows, strict=True)))

    def somewhere(self, condition: Callable[..., Any], *weights: Any) -> bool:
        """Return whether a condition holds at some letter."""
        case = CASE.get()
        if isinstance(weights[0], Letters):
            return case.somewhere(condition(*(w.e for w in weights)))
        rows = [[expression(v) for v in np.asarray(w, dtype=object)[0]] for w in weights]
        return any(self._decided(condition(*values)) for values in zip(*rows, strict=True))

    def _decided(self, condition: Any) -> bool:
        if isinstance(condition, And):
            return all(CASE.get().holds(part) for part in condition.args)
        return CASE.get().holds(condition)

    def outside(self, p: Any, q: Any) -> bool:
        """Return whether p has mass where q has none. If not, nor do images under a common kernel."""
        if _same_kernel(p, q) and not self.outside(p.origin[0], q.origin[0]):
            return False
        return self.somewhere(lambda x, y: And(Gt(x, 0), sympy.Eq(y, 0)), p, q)

    def meet(self, p: Any, q: Any) -> bool:
        """Return whether p and q have mass at a common letter. If they do, so do images under the same kernel."""
        if _same_kernel(p, q) and self.meet(p.origin[0], q.origin[0]):
            return True
        return self.somewhere(lambda x, y: And(Gt(x, 0), Gt(y, 0)), p, q)

    def normalised(self, *weights: Any) -> None:
        """Raise unless the weights are shown to sum to 1."""
        for w in weights:
            if not is_zero(self.sum(lambda x: x, w) - 1):
                raise ProofError(f"{w} is not seen to sum to 1")

    def masked(self, p: Any, f: Callable[..., Expr], *weights: Any) -> Expr:
        """Return the sum of f over the letters with p > 0."""
        if isinstance(p, Letters):
            return self.sum(lambda x, *w: Piecewise((f(*w), Gt(x, 0)), (Integer(0), True)), p, *weights)
        rows = [[expression(v) for v in np.asarray(w, dtype=object)[0]] for w in (p, *weights)]
        case = CASE.get()
        return sympy.Add(*(f(*v[1:]) for v in zip(*rows, strict=True) if case.holds(Gt(v[0], 0))))

    def _moment(self, e: Expr) -> Expr:
        """Return a positive sum, as a defined symbol if it is over generic letters."""
        return CASE.get()._define("M", e, positive=True) if e.has(Total) else e

    # Classical divergences

    def renyi(self, p: Any, q: Any, alpha: Any) -> Any:
        """Return log sum p^alpha q^(1 - alpha) / (alpha - 1)."""
        order, case = expression(alpha), CASE.get()
        self.normalised(p, q)
        if order == sympy.oo:
            return self.max_divergence(p, q)
        if order == 1 or case.holds(sympy.Eq(order, 1, evaluate=False)):
            return self.kl(p, q)
        if order != 0 and not case.holds(Gt(order, 0, evaluate=False)):
            raise ProofError(f"the order {order} may be <= 0")
        if order == 0:
            return _array(sympy.oo if not self.meet(p, q) else -sympy.log(self._moment(self.masked(p, lambda y: y, q))))
        if case.holds(Gt(order, 1)):
            if self.outside(p, q):
                return _array(sympy.oo)
        elif not self.meet(p, q):
            return _array(sympy.oo)
        moment = self.masked(p, lambda x, y: x**order * y ** (1 - order), p, q)
        return _array(sympy.log(self._moment(moment)) / (order - 1))

    def sandwiched_renyi(self, rho: Any, sigma: Any, alpha: Any, regularization: Any = 0) -> Any:
        """Return the divergence of operators, which for diagonal operators is the classical one."""
        p, q = (diagonal(x) if isinstance(x, Operator) else None for x in (rho, sigma))
        if p is not None and q is not None and expression(regularization) == 0:
            return self.renyi(p, q, alpha)
        return super().sandwiched_renyi(rho, sigma, alpha, regularization)

    def petz_renyi(self, rho: Operator, sigma: Operator, alpha: Any) -> Any:
        """Return the divergence of operators, which for diagonal operators is the classical one."""
        p, q = diagonal(rho), diagonal(sigma)
        return super().petz_renyi(rho, sigma, alpha) if p is None or q is None else self.renyi(p, q, alpha)

    def kl(self, p: Any, q: Any) -> Any:
        """Return sum p log(p / q)."""
        self.normalised(p, q)
        if self.outside(p, q):
            return _array(sympy.oo)
        return _array(self.masked(p, lambda x, y: x * (_log(x) - _log(y)), p, q))

    def max_divergence(self, p: Any, q: Any) -> Any:
        """Return the logarithm of the least m with p <= m q at every letter."""
        self.normalised(p, q)
        if self.outside(p, q):
            return _array(sympy.oo)
        if not isinstance(p, Letters):
            raise ProofError("max_divergence needs weights at a generic letter, not a list of them")
        if p.axes != q.axes:
            raise ProofError("weights of different alphabets")
        return _array(sympy.log(self.ratio(p, q)))

    def ratio(self, p: Any, q: Any) -> Expr:
        """Return the least m with p <= m q at every letter, a positive symbol; q must be positive where p is."""
        case = CASE.get()
        for symbol, (kind, e) in case.suprema.items():
            if kind == "ratio" and e == (p.e, q.e):
                return symbol
        top = case.fresh("ratio", positive=True)
        case.suprema[top] = ("ratio", (p.e, q.e))
        case._fact(top * q.e - p.e)
        return top

    def approximate_max_divergence(self, p: Any, q: Any, *, delta: Any) -> Any:
        """Return the logarithm of the least v >= 0 with sum (p - v q)_+ <= delta."""
        allowed, case = expression(delta), CASE.get()
        self.normalised(p, q)
        if not (isinstance(p, Letters) and isinstance(q, Letters) and p.axes == q.axes and len(p.axes[0]) == 1):
            raise ProofError("approximate_max_divergence needs weights on one alphabet")
        if not seen_nonnegative(allowed):
            raise ProofError(f"the mass {allowed} is not seen to be nonnegative")
        if not case.holds(Gt(1, allowed)):
            return _array(-sympy.oo)
        if self.outside(p, q):
            escaped = self.sum(lambda x, y: Piecewise((x, sympy.Eq(y, 0)), (Integer(0), True)), p, q)
            if case.holds(Gt(escaped, allowed)):
                return _array(sympy.oo)
        level = case.fresh("level", positive=True)
        case.suprema[level] = ("level", (p.e, q.e, allowed, p.axes[0][0]))
        return _array(sympy.log(level))

    def maximal_renyi(self, rho: Any, sigma: Any, alpha: Any) -> Any:
        """Return log(tr sigma X^alpha) / (alpha - 1) for X = sigma^(-1/2) rho sigma^(-1/2), by the spectrum of X."""
        good = isinstance(rho, Spectral) and isinstance(sigma, Spectral) and rho.partner is sigma.partner
        if not (good and rho.first and not sigma.first):
            raise ProofError("maximal_renyi needs the two states of a pair, in their order")
        return self.renyi(rho.weights, sigma.weights, alpha)

    def smooth_renyi(self, p: Any, q: Any, alpha: Any, *, delta: Any) -> Any:
        """Return the least D_alpha(p' || q) with TV(p, p') <= delta, as that of a symbol p' that attains it."""
        case, radius = CASE.get(), expression(delta)
        self.normalised(p, q)
        if not (isinstance(p, Letters) and isinstance(q, Letters) and p.axes == q.axes and len(p.axes[0]) == 1):
            raise ProofError("smooth_renyi needs weights on one alphabet")
        if not seen_nonnegative(radius):
            raise ProofError(f"the radius {radius} is not seen to be nonnegative")
        near = case.fresh("near", nonnegative=True)
        case.alphabets[near] = frozenset(p.axes[0])
        case.masses[near, p.axes[0][0]] = 1
        case.suprema[near] = ("nearest", (p, q, alpha, radius))
        return self.renyi(Letters(near, p.axes), q, alpha)

    def level(self, epsilon: Any) -> Expr:
        """Return e^epsilon, as a defined symbol if epsilon contains sums over letters."""
        e = _exp(expression(epsilon))
        case = CASE.get()
        if any(s in case.definitions for s in free(e)) or e.has(Total):
            return case._define("v", e, positive=True)
        return e

    def hockey_stick(self, p: Any, q: Any, epsilon: Any) -> Any:
        """Return sum (p - e^epsilon q)_+."""
        v = self.level(epsilon)
        if v == sympy.oo:
            return _array(self.sum(lambda x, y: Piecewise((x, sympy.Eq(y, 0)), (Integer(0), True)), p, q))
        return _array(self.sum(lambda x, y: algebra.maximum(x - v * y, 0), p, q))

    def total_variation(self, p: Any, q: Any) -> Any:
        """Return sum |p - q| / 2."""
        return _array(self.sum(lambda x, y: Abs(x - y) / 2, p, q))

    def hellinger(self, p: Any, q: Any) -> Any:
        """Return 1 - sum sqrt(p q)."""
        return _array(1 - self.sum(lambda x, y: sympy.sqrt(x) * sympy.sqrt(y), p, q))

    # Restrictions

    def product(self, p: Any, q: Any) -> Any:
        """Return the product of two distributions."""
        if isinstance(p, Letters) and isinstance(q, Letters):
            return (p[:, :, None] * q[:, None, :]).reshape(1, -1)
        return (np.asarray(p)[:, :, None] * np.asarray(q)[:, None, :]).reshape(1, -1)

    def through(self, p: Letters, kernel: Letters) -> Letters:
        """Return the image of p under a Markov kernel."""
        image = (p[:, :, None] * kernel).sum(-2)
        return Letters(image.e, image.axes, (p, kernel))

    def smallest_mass(self, p: Letters) -> Any:
        """Return the least p(x) > 0 as a symbol, which is positive because there are finitely many letters."""
        if not (isinstance(p, Letters) and len(p.axes) == 1 and len(p.axes[0]) == 1):
            raise ProofError("smallest_mass needs weights on one alphabet")
        self.normalised(p)
        case = CASE.get()
        least = case.fresh("least", positive=True)
        case.suprema[least] = ("least", p.e)
        case._fact(Piecewise((p.e - least, Gt(p.e, 0)), (Integer(0), True)))
        return _array(least)

    def graph(self, g: Map, image: int) -> Letters:
        """Return the kernel of a map of letters, which has entries 0 and 1."""
        return deterministic("graph", g.source)

    def cells(self, score: Letters, thresholds: Letters) -> Letters:
        """Return the kernel that maps points to the cells of a score: a generic map into finitely many cells."""
        ((source,),) = score.axes
        return deterministic("cells", source)

    def rejection(self, region: Region, p: Any, q: Any) -> Any:
        """Return P((a, b) in a region) as a symbol, for n trials that may raise a and m trials that may raise b."""
        x, y = expression(p), expression(q)
        return _trials(region, [(region.n, {(1, 0): x, (0, 0): 1 - x}), (region.m, {(0, 1): y, (0, 0): 1 - y})])

    def game_rejection(self, region: Region, right: Any, wrong: Any) -> Any:
        """Return P((a, b) in a region) as a symbol, for n games each of which raises a, or b, or neither."""
        x, y = expression(right), expression(wrong)
        return _trials(region, [(region.n, {(1, 0): x, (0, 1): y, (0, 0): 1 - x - y})])

    def over_events(self, f: Callable[..., Any], *weights: Letters) -> Any:
        """Return the largest f(w_1(S), w_2(S), ...) over all events S, as a symbol."""
        case = CASE.get()
        axis = weights[0].axes
        if len(axis) != 1 or len(axis[0]) != 1 or any(w.axes != axis for w in weights):
            raise ProofError("over_events needs weights on one alphabet")
        kept = tuple(w.e for w in weights)

        def at(event: Expr) -> Expr:
            return expression(f(*(_array(Total(event * w, *axis[0])) for w in kept)))

        top = case.fresh("sup", real=True)
        case.suprema[top] = ("events", (at, axis[0][0]))
        return _array(top)

    def cut(self, divergence: Callable[..., Any], pair: Sequence[Letters], cells: Any, *parameters: Any) -> Any:
        """Return the supremum over all Markov kernels into at most `cells` cells: a symbol if finite, or an infinity.

        Whether it is finite is a case. It is at least the value at one cell, and thus not -oo if that value is a
        number.
        """
        case, (p, q) = CASE.get(), pair
        self.normalised(p, q)
        if not (isinstance(p, Letters) and isinstance(q, Letters) and p.axes == q.axes and len(p.axes) == 1):
            raise ProofError("a cut needs weights on one alphabet")
        if len(p.axes[0]) != 1:
            raise ProofError("a cut needs weights that are not of a product")
        count = case.size(p.axes[0][0]) if cells is None else expression(cells)
        if not count.is_integer or not seen_nonnegative(count - 1) or case.ranges(count):
            raise ProofError(f"{count} is no number of cells")
        top = case.fresh("cut", real=True)
        options = [(f"{top} is finite", top), (f"{top} is infinite", sympy.oo)]
        if not self._number_at_one_point(divergence, parameters):
            options.append((f"{top} is minus infinite", -sympy.oo))
        value = case.choose(options)
        case.suprema[top] = ("cut", Cut(divergence, p, q, count, parameters, value))
        return _array(value)

    def _number_at_one_point(self, divergence: Callable[..., Any], parameters: tuple[Any, ...]) -> bool:
        point = np.stack([_array(Integer(1))], -1)
        try:
            here = expression(divergence(point, point, *parameters))
        except ProofError:
            return False
        return bool(here.is_real and here.is_finite)

    # Conversions that are formulas

    def gdp_to_rdp(self, *, mu: Any, alpha: Any) -> Any:
        """Return alpha mu^2 / 2."""
        return alpha * mu * mu / 2

    def pure_to_rdp(self, *, epsilon: Any, alpha: Any) -> Any:
        """Return log(cosh((alpha - 1/2) eps) / cosh(eps / 2)) / (alpha - 1), the divergence of randomised response."""
        r, order = _exp(expression(epsilon)), expression(alpha)
        if order == 1:
            return _array(sympy.log(r) * (r - 1) / (r + 1))
        return _array(sympy.log((r**order + r ** (1 - order)) / (1 + r)) / (order - 1))
