"""Claims that are derived from their sides, and similar false ones, which every rule must reject."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Abs, Gt, Piecewise, Rational, Symbol, exp, log, sqrt

from verification.claim import REGISTRY, Claim
from verification.instances import Distributions, Events, Fraction01, Integers, MarkovKernels, Order, PurePairs, Scale
from verification.proof import ProofError, proved
from verification.provers.convexity import holder, processing, sublinear
from verification.provers.corners import PAST
from verification.provers.derivation import Goal, derived
from verification.provers.kernel import (
    Theorem,
    assumed,
    at_most,
    every_event,
    maximum,
    pointwise,
    premise,
    rewrite,
    this_event,
    through,
)
from verification.provers.lemmas import instantiated
from verification.provers.scalars import is_zero
from verification.provers.symbols import Case, Total
from verification.provers.tactics import Concave, Convex, Factors, Parts, Rising, Split
from verification.provers.values import Letters, _array

HOME = Symbol("letters_")
HALF, TINY, ROOT = Rational(1, 2), 2.0**-50, sqrt(1 + PAST)
ONE, TWO, PAIR = {"p": Distributions(1)}, {"p": Distributions(2)}, {"pair": PurePairs()}
NUMBER, SCALE, PART = {"x": Scale(positive=True)}, {"x": Scale()}, {"x": Fraction01()}
KERNEL = {"p": Distributions(2), "K": MarkovKernels()}


@dataclass(frozen=True)
class Statement:
    name: str
    given: Any
    sides: Callable[..., Any]
    script: Callable[[Goal], Theorem] | None = None
    relation: str = "<="

    @property
    def claim(self) -> Claim:
        return Claim("own.neighbour", "", self.name, self.given, self.sides, self.relation)


def total(x: Any) -> Any:
    return x.sum(-1)


def or_obvious(script: Callable[[Goal], Any]) -> Callable[[Goal], Any]:
    return lambda g: g.obvious or script(g)


def by_letters(**hints: Any) -> Callable[[Goal], Theorem]:
    """Return a pointwise proof, with multipliers by their index in p."""

    def script(g: Goal) -> Theorem:
        told = dict(hints)
        if "multipliers" in told:
            told["multipliers"] = dict(zip(g.p, told["multipliers"], strict=False))
        return g.obvious or g.pointwise(**told)

    return script


def by(tactic: Callable[[Symbol], Any]) -> Callable[[Goal], Theorem]:
    """Return a proof by a tactic in the only symbol of the sides."""

    def script(g: Goal) -> Theorem:
        (x,) = g.lhs.free_symbols | g.rhs.free_symbols or {PAST}
        return g.obvious or g.at_most(tactic=tactic(x))

    return script


def changed(statement: Statement, name: str, **changes: Any) -> Statement:
    return replace(statement, name=f"{statement.name}: {name}", **changes)


def worse(statement: Statement, by: Any = TINY) -> Statement:
    """Decrease the right side slightly."""

    def sides(k: Any, **given: Any) -> Any:
        lhs, rhs = statement.sides(k, **given)
        return lhs, rhs - by

    return changed(statement, f"less {by}", sides=sides)


def shrunk(statement: Statement, by: float = 1 - 2.0**-30) -> Statement:
    """Multiply the right side by a factor less than 1."""

    def sides(k: Any, **given: Any) -> Any:
        lhs, rhs = statement.sides(k, **given)
        return lhs, rhs * by

    return changed(statement, f"times {by}", sides=sides)


def swapped(statement: Statement) -> Statement:
    """Exchange the sides."""
    return changed(statement, "exchanged", sides=lambda k, **given: statement.sides(k, **given)[::-1])


# Sums over letters

tv = Statement(
    "TV <= E_0",
    TWO,
    lambda k, p: (k.total_variation(*p), k.hockey_stick(*p, 0.0)),
    by_letters(multipliers=(-HALF, HALF)),
)
kl = Statement("0 <= KL", TWO, lambda k, p: (0.0, k.kl(*p)), by_letters(multipliers=(-1, 1), at=1))
INVERSE = Factors([1 / ROOT, (1 - 1 / ROOT, Rising(PAST))])
hellinger = Statement(
    "HD <= TV",
    TWO,
    lambda k, p: (k.hellinger(*p), k.total_variation(*p)),
    by_letters(
        multipliers=(-HALF, -HALF),
        tactic=lambda e, _: INVERSE if is_zero(e - (1 - 1 / ROOT) / ROOT) else Rising(PAST),
    ),
)
squares = Statement(
    "2 sum p q <= sum p^2 + sum q^2",
    TWO,
    lambda k, p: (2 * total(p[0] * p[1]), total(p[0] ** 2) + total(p[1] ** 2)),
    lambda g: g.pointwise(tactic=lambda e, s: Convex(s[0], s[1]) if len(s) == 2 else None),
)
mass = Statement(
    "x sum p == x", {"p": Distributions(1), "x": Scale()}, lambda k, p, x: (x * total(p[0]), x), None, "=="
)
absolute = Statement(
    "sum |p - q| == 2 sum (p - q)_+",
    TWO,
    lambda k, p: (total(abs(p[0] - p[1])), 2 * total(k.maximum(p[0] - p[1], 0.0))),
    by_letters(multipliers=(-1, 1)),
    "==",
)
pure = Statement(
    "E_epsilon of a pure pair <= 0",
    PAIR,
    lambda k, pair: (k.hockey_stick(*pair[0], k.log(pair[1])), 0.0),
    lambda g: g.pointwise(tactic=lambda e, s: Concave(s[0], 1 / g.pair[1], g.pair[1])),
)


def moment(k: Any, p: Any, a: Any) -> Any:
    return k.exp((a - 1) * k.renyi(*p, a))


# Channels, mixtures, means

through_kernel = Statement(
    "TV(pK, qK) <= TV(p, q)",
    KERNEL,
    lambda k, p, K: (
        k.total_variation(k.through(p[0], K), k.through(p[1], K)),
        k.total_variation(*p),
    ),
    lambda g: processing(g.case, lambda x, y: Abs(x - y) / 2, *g.p, g.K),
)


def edge(value: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return the sum of x + y where x > 0 and of a function of y elsewhere, after a kernel and before it."""

    def f(x: Any, y: Any) -> Any:
        return np.where(x > 0, x + y, value(y))

    return lambda k, p, K: (total(f(k.through(p[0], K), k.through(p[1], K))), total(f(*p)))


def at_edge(value: Callable[[Any], Any]) -> Callable[[Goal], Theorem]:
    return lambda g: processing(g.case, lambda x, y: Piecewise((x + y, Gt(x, 0)), (value(y), True)), *g.p, g.K)


continuous_edge = Statement("x + y through a kernel", KERNEL, edge(lambda y: y), at_edge(lambda y: y))

mixture = Statement(
    "TV of a mixture",
    {"p": Distributions(4), "x": Fraction01()},
    lambda k, p, x: (
        k.total_variation(x[:, None] * p[0] + (1 - x[:, None]) * p[1], x[:, None] * p[2] + (1 - x[:, None]) * p[3]),
        x * k.total_variation(p[0], p[2]) + (1 - x) * k.total_variation(p[1], p[3]),
    ),
    lambda g: rewrite(
        sublinear(g.case, lambda x, y: Abs(x - y) / 2, [(g.x, g.p[0], g.p[2]), (1 - g.x, g.p[1], g.p[3])], HOME),
        g.lhs,
        g.rhs,
    ),
)
holder_sums = Statement(
    "sum sqrt(p) sqrt(q) <= 1",
    TWO,
    lambda k, p: (total(k.sqrt(p[0]) * k.sqrt(p[1])), 1.0),
    lambda g: rewrite(holder(g.case, [(HALF, g.p[0]), (HALF, g.p[1])], HOME), g.lhs, g.rhs),
)
# Events


def event_at_most(g: Goal, **hints: Any) -> Theorem:
    top = next(iter(g.case.suprema))
    return every_event(g.case, top, g.rhs, lambda at, event: pointwise(g.case, at, g.rhs, **hints))


def event_at_least(indicator: Callable[..., Any], times: int = 1) -> Callable[[Goal], Theorem]:
    def script(g: Goal) -> Theorem:
        top = next(iter(g.case.suprema))
        told, half = this_event(g.case, top, indicator(*g.p)), times * HALF
        return pointwise(g.case, g.lhs, told.lhs, multipliers={g.p[0]: -half, g.p[1]: half}).then(told)

    return script


probability = Statement(
    "sup P(S) <= 1",
    ONE,
    lambda k, p: (k.over_events(lambda P: P, p[0]), 1.0),
    lambda g: event_at_most(g, multipliers={g.p[0]: 1}),
)
advantage = Statement(
    "sup P(S) - Q(S) <= TV",
    TWO,
    lambda k, p: (k.over_events(lambda P, Q: P - Q, *p), k.total_variation(*p)),
    lambda g: event_at_most(g, multipliers={g.p[0]: HALF, g.p[1]: -HALF}),
)
attained = Statement(
    "TV <= sup P(S) - Q(S)",
    TWO,
    lambda k, p: (k.total_variation(*p), k.over_events(lambda P, Q: P - Q, *p)),
    event_at_least(lambda p, q: Piecewise((1, Gt(p, q)), (0, True))),
)
randomised = Statement(
    "a test's power <= 1",
    {"p": Distributions(1), "t": Events(1)},
    lambda k, p, t: (total(t[:, 0] * p[0]), 1.0),
    by_letters(multipliers=(1,)),
)

# Numbers

exponential = Statement("1 + x <= e^x", SCALE, lambda k, x: (1 + x, k.exp(x)), by(lambda x: Rising(x, Rising(x))))
minimum = Statement("x - 1 - log x >= 0", NUMBER, lambda k, x: (k.log(x), x - 1), by(lambda x: Convex(x, 1)))
parabola = Statement("x (1 - x) >= 0 on [0, 1]", PART, lambda k, x: (0.0, x * (1 - x)), None)
ODDS = Symbol("x_odds", positive=True)
quarter = Statement(
    "4 x (1 - x) <= 1",
    PART,
    lambda k, x: (4 * x * (1 - x), 1.0),
    or_obvious(lambda g: g.at_most(tactic=Factors([((ODDS - 1) ** 2, Convex(ODDS, 1)), 1 / (1 + ODDS) ** 2]))),
)
whole = Statement("1 <= n", {"n": Integers()}, lambda k, n: (1.0, n))
two_sides = Statement(
    "(x - 1) log x >= 0",
    NUMBER,
    lambda k, x: (0.0, (x - 1) * k.log(x)),
    lambda g: g.at_most(
        tactic=Split(g.x, 1, Factors([PAST / (1 + PAST), log(1 + PAST)]), Factors([PAST, log(1 + PAST)]))
    ),
)
parts = Statement(
    "x <= x^2 + 1",
    NUMBER,
    lambda k, x: (x, x * x + 1),
    lambda g: g.at_most(tactic=Parts([((g.x - 1) ** 2, Convex(g.x, 1)), g.x])),
)
rises = Statement(
    "log(1 + x) <= x by exp",
    SCALE,
    lambda k, x: (k.log(1 + x), x),
    or_obvious(lambda g: through(g.at_most(1 + g.x, exp(g.x), Rising(g.x, Rising(g.x))), log)),
)
order = Statement("(alpha - 1) x >= 0", {"a": Order(1), "x": Scale()}, lambda k, a, x: (0 * x, (a - 1) * x))
larger = Statement(
    "max(x, x / 2) <= x",
    NUMBER,
    lambda k, x: (k.maximum(x / 3, x / 2), x),
    lambda g: maximum([g.at_most(g.x / 3, g.x), g.at_most(g.x / 2, g.x)]),
)
split_case = Statement(
    "min(x, 1) <= 1",
    NUMBER,
    lambda k, x: (np.where(x <= 1, x, 1.0), 1.0),
    or_obvious(lambda g: assumed(g.case, 0)),
)

TRUE = [
    tv, kl, hellinger, squares, mass, absolute, pure, through_kernel, continuous_edge, mixture, holder_sums,
    probability, advantage, attained, randomised, exponential, minimum, parabola, quarter, whole, two_sides,
    parts, rises, order, larger, split_case,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("statement", TRUE, ids=lambda s: s.name)
def test_true(statement):
    assert proved(statement.claim, derived(statement.script)).complete


# False claims


def operator(g: Goal) -> Theorem:
    """Return a function that is a sum over letters: x - sum x q."""
    p, q = g.p
    told = through(at_most(g.case, 0, p), lambda x: x - Total(x * q, HOME))
    return rewrite(through(told, lambda x: Total(x * p, HOME)).plus(Total(p * q, HOME)), g.lhs, g.rhs)


def zero_times_infinity(g: Goal) -> Theorem:
    one = at_most(g.case, 0, sympy.oo).times(0).plus(1).then(at_most(g.case, -sympy.oo, 0).times(0))
    return rewrite(one.times(g.x), g.lhs, g.rhs)


def assumed_positive(g: Goal) -> Theorem:
    z = g.case.define("z", sympy.Integer(-1), positive=True)
    return at_most(g.case, 0, z).then(g.equal(z, -1)).times(g.x)


def altered(g: Goal) -> Theorem:
    return replace(at_most(g.case, 0, 1), lhs=g.lhs, rhs=g.rhs)


def two_letters(g: Goal, alphabet: str = "letters_") -> Theorem:
    (told,) = premise(g.case, REGISTRY["own.two-letters"], p=[Letters(g.p[0], [(Symbol(alphabet),)])])
    return told


def unregistered(g: Goal) -> Theorem:
    lie = Claim("own.lie", "", "", NUMBER, lambda k, x: (x, 0 * x))
    (told,) = premise(g.case, lie, x=_array(g.x))
    return told


def with_a_letter(g: Goal) -> Theorem:
    (told,) = premise(g.case, REGISTRY["own.scaled"], p=[Letters(g.p[0], [(HOME,)])], x=_array(g.p[0]))
    return rewrite(told, g.lhs, g.rhs)


def other_parameter(g: Goal) -> Theorem:
    shown = event_at_most(replace(g, rhs=g.x), multipliers={g.p[0]: g.x})
    return rewrite(instantiated(shown, {g.x: g.x / 2}), g.lhs, g.rhs)


def linear_in_the_moment(g: Goal) -> Theorem:
    (m,) = g.case.definitions
    return rewrite(pointwise(g.case, 0, (4 - m**2) / (m - 2)), g.lhs, g.rhs)


def by_holder(*terms: Callable[..., Any]) -> Callable[[Goal], Theorem]:
    return lambda g: rewrite(holder(g.case, [t(*g.p) for t in terms], HOME), g.lhs, g.rhs)


def by_processing(f: Callable[..., Any]) -> Callable[[Goal], Theorem]:
    return lambda g: processing(g.case, lambda x, y: f(x, y, *g.p), *g.p, g.K)


def corners(k: Any, p: Any) -> Any:
    return 1.0, total(p[1] * k.maximum(1 / (1 + p[0]), p[0] / 8)) * total(p[2] * k.maximum(1 + p[0], 3 * p[0]))


def self_overlap(k: Any, p: Any, K: Any) -> Any:
    image = k.through(p[0], K)
    return total(p[0] * total(image[:, None, :] * K)), total(p[0] * total(K * K))


def overlap(k: Any, p: Any) -> Any:
    return total(p[0] * p[1]), total(p[0] ** 2)


OVERLAP = Statement("sum p q <= sum p^2", TWO, overlap)
ZERO = Statement("x <= 0", NUMBER, lambda k, x: (x, 0 * x))
BELOW_ONE, ABOVE_ONE = ({"p": Distributions(2), "a": o} for o in (Order(0, 1, closed=False), Order(1)))
ORDER_BELOW_ONE = {"a": Order(0, 1, closed=False), "x": Scale()}
NAMED = {"p": Distributions(1), "p0": Scale(positive=True)}
TESTS = {"t": Events(1, within=("deterministic",)), "p": Distributions(1)}

FALSE_SUMS = [
    worse(tv),
    shrunk(tv),
    changed(tv, "E_1", sides=lambda k, p: (k.total_variation(*p), k.hockey_stick(*p, 1.0))),
    worse(kl),
    swapped(kl),
    changed(kl, "above TV", sides=lambda k, p: (k.total_variation(*p), k.kl(*p))),
    worse(hellinger),
    shrunk(hellinger),
    swapped(hellinger),
    worse(squares),
    shrunk(squares),
    swapped(squares),
    changed(mass, "of more", sides=lambda k, p, x: (x * (1 + TINY) * total(p[0]), x)),
    changed(mass, "of squares", sides=lambda k, p, x: (x * total(p[0] ** 2), x), script=by_letters()),
    changed(absolute, "once", sides=lambda k, p: (total(abs(p[0] - p[1])), total(k.maximum(p[0] - p[1], 0.0)))),
    worse(pure),
    changed(pure, "of a smaller ratio", sides=lambda k, pair: (k.hockey_stick(*pair[0], k.log(pair[1]) / 2), 0.0)),
    changed(OVERLAP, "letter by letter", script=lambda g: g.pointwise()),
    changed(OVERLAP, "by an operator", script=operator),
    changed(OVERLAP, "by a fact", script=lambda g: (g.case.fact(g.p[0] - g.p[1]), g.pointwise())[1]),
    Statement("sum p^2 <= p0", NAMED, lambda k, p, p0: (total(p[0] ** 2), p0), lambda g: g.pointwise()),
    Statement("M <= -2", ABOVE_ONE, lambda k, p, a: (0.0, -moment(k, p, a) - 2), linear_in_the_moment),
    Statement("1 <= a product of means", {"p": Distributions(3)}, corners),
    Statement("D_alpha <= 0", ABOVE_ONE, lambda k, p, a: (k.renyi(*p, a), 0.0)),
    Statement("D_2a <= 1000", BELOW_ONE, lambda k, p, a: (k.renyi(*p, 2 * a), 1000.0)),
    Statement("D_inf <= 0", TWO, lambda k, p: (k.max_divergence(*p), 0.0)),
    Statement(
        "t <= t^2",
        TESTS,
        lambda k, t, p: (total(t[:, 0] * p[0]), total(t[:, 0] ** 2 * p[0])),
        lambda g: g.pointwise(),
    ),
    Statement("1/10 <= min p", ONE, lambda k, p: (0.1, p[0].min(-1)), lambda g: g.pointwise(facts={0: 1})),
    Statement("max p <= 1/2", ONE, lambda k, p: (p[0].max(-1), 0.5), lambda g: g.pointwise(facts={0: 1})),
    Statement("1/2 <= sum p^2", ONE, lambda k, p: (0.5, total(p[0] ** 2)), two_letters),
    Statement("sum p^2 <= 0", ONE, lambda k, p: (total(p[0] ** 2), 0.0), with_a_letter),
]
FALSE_MEANS = [
    worse(through_kernel),
    swapped(through_kernel),
    changed(
        through_kernel,
        "-|x - y|",
        sides=lambda k, p, K: tuple(-v for v in through_kernel.sides(k, p, K)),
        script=by_processing(lambda x, y, *_: -Abs(x - y) / 2),
    ),
    changed(
        through_kernel,
        "(x - y)^2, not homogeneous",
        sides=lambda k, p, K: (total((k.through(p[0], K) - k.through(p[1], K)) ** 2), total((p[0] - p[1]) ** 2)),
        script=by_processing(lambda x, y, *_: (x - y) ** 2),
    ),
    changed(
        through_kernel,
        "a weight in the function",
        sides=lambda k, p, K: (1.0, total(p[0] ** 2)),
        script=by_processing(lambda x, y, p, q: p * x),
    ),
    changed(continuous_edge, "y^2 at the edge", sides=edge(lambda y: y * y), script=at_edge(lambda y: y * y)),
    changed(continuous_edge, "y / 2 at the edge", sides=edge(lambda y: y / 2), script=at_edge(lambda y: y / 2)),
    changed(continuous_edge, "0 at the edge", sides=edge(lambda y: 0 * y), script=at_edge(lambda y: 0 * y)),
    Statement("sum (pK)^2 == sum p K^2", {"p": Distributions(1), "K": MarkovKernels()}, self_overlap, None, "=="),
    worse(mixture),
    swapped(mixture),
    changed(mixture, "by weights above 1", given={"p": Distributions(4), "x": Scale()}),
    changed(
        OVERLAP,
        "by a mixture with letters",
        script=lambda g: sublinear(g.case, lambda x, y: x, [(g.p[0], g.p[1], g.p[0])], HOME),
    ),
    worse(holder_sums),
    changed(
        holder_sums,
        "exponents of sum 3/4",
        sides=lambda k, p: (total(k.sqrt(p[0]) * k.sqrt(k.sqrt(p[1]))), 1.0),
        script=by_holder(lambda p, q: (HALF, p), lambda p, q: (HALF / 2, q)),
    ),
    changed(
        holder_sums,
        "an exponent below 0",
        sides=lambda k, p: (total((p[0] + p[1]) ** 2 / (2 * p[0] + p[1])), 0.5),
        script=by_holder(lambda p, q: (2, p + q), lambda p, q: (-1, 2 * p + q)),
    ),
    changed(
        holder_sums,
        "exponents that vary",
        sides=lambda k, p: (total(p[0] ** (1 / (1 + p[0])) * p[1] ** (p[0] / (1 + p[0]))), 1.0),
        script=by_holder(lambda p, q: (1 / (1 + p), p), lambda p, q: (p / (1 + p), q)),
    ),
]
FALSE_EVENTS = [
    worse(probability),
    shrunk(probability),
    worse(advantage),
    shrunk(advantage),
    changed(
        advantage,
        "2 P - Q",
        sides=lambda k, p: (k.over_events(lambda P, Q: 2 * P - Q, *p), k.total_variation(*p)),
    ),
    worse(attained),
    shrunk(attained, 1 / 2),
    changed(attained, "where q > p", script=event_at_least(lambda p, q: Piecewise((1, Gt(q, p)), (0, True)))),
    changed(
        attained,
        "of twice an event",
        sides=lambda k, p: (2 * k.total_variation(*p), attained.sides(k, p)[1]),
        script=event_at_least(lambda p, q: Piecewise((2, Gt(p, q)), (0, True)), 2),
    ),
    worse(randomised),
    changed(randomised, "the size of it", sides=lambda k, p, t: (total(t[:, 0]), 1.0)),
    Statement(
        "sup x P(S) <= x / 2",
        {"p": Distributions(1), "x": Scale(positive=True)},
        lambda k, p, x: (k.over_events(lambda P: x * P, p[0]), x / 2),
        other_parameter,
    ),
]
FALSE_NUMBERS = [
    worse(exponential),
    swapped(exponential),
    changed(exponential, "to x^2", sides=lambda k, x: (1 + x + x * x * (0.5 + 2.0**-9), k.exp(x))),
    worse(minimum),
    swapped(minimum),
    changed(minimum, "at 2", sides=lambda k, x: (k.log(x) + TINY, x - 1), script=by(lambda x: Convex(x, 2))),
    worse(parabola),
    changed(parabola, "x <= 1 - 2^-50", sides=lambda k, x: (x, 1 - 2.0**-50)),
    changed(parabola, "2^-50 <= x", sides=lambda k, x: (TINY, x)),
    changed(parabola, "beyond 1", given=SCALE),
    worse(quarter, 2.0**-50),
    shrunk(quarter),
    worse(whole),
    changed(whole, "2 <= n", sides=lambda k, n: (2.0, n)),
    worse(two_sides),
    swapped(two_sides),
    changed(
        two_sides,
        "a narrow dip",
        sides=lambda k, x: (0.0, (x - 1) * (x - 1 - 2.0**-40)),
        script=lambda g: g.at_most(tactic=Split(g.x, 1, None, Factors([PAST, PAST]))),
    ),
    changed(
        two_sides,
        "split beyond itself",
        sides=lambda k, x: (2.0**-10, x),
        script=lambda g: g.at_most(tactic=Split(g.x, 1 + PAST)),
    ),
    changed(parts, "1/8", sides=lambda k, x: (x, x * x + 0.125)),
    Statement(
        "a dip at 0",
        SCALE,
        lambda k, x: (0.0, (x + 2.0**-10) ** 2 * (x - 2.0**-10)),
        by(lambda x: Convex(x, -Rational(1, 1024))),
    ),
    worse(rises),
    swapped(rises),
    changed(
        rises,
        "through 1 / x",
        sides=lambda k, x: (1 / (1 + x), k.exp(-x)),
        script=or_obvious(lambda g: through(g.at_most(1 + g.x, exp(g.x), Rising(g.x, Rising(g.x))), lambda v: 1 / v)),
    ),
    worse(order),
    swapped(order),
    changed(order, "below 1", given=ORDER_BELOW_ONE),
    worse(larger),
    changed(larger, "2 x", sides=lambda k, x: (k.maximum(2 * x, x / 2), x)),
    worse(split_case),
    changed(split_case, "2", sides=lambda k, x: (np.where(x <= 2, x, 1.0), 1.0)),
    Statement("min(x, 1 / x) >= 1", NUMBER, lambda k, x: (1.0, k.minimum(x, 1 / x))),
    changed(ZERO, "0 times infinity", script=zero_times_infinity),
    changed(ZERO, "-1 assumed positive", sides=lambda k, x: (0 * x, -x), script=assumed_positive),
    changed(ZERO, "an altered theorem", script=altered),
    changed(ZERO, "a claim of its own", script=unregistered),
    Statement("no sides", NUMBER, lambda k, x: (x, 2 * x) if (x < 1).any() else (np.zeros((1, 0)),) * 2),
    Statement("nan", NUMBER, lambda k, x: (x * np.inf - np.inf,) * 2, None, "=="),
]
FALSE = [*FALSE_SUMS, *FALSE_MEANS, *FALSE_EVENTS, *FALSE_NUMBERS]


@pytest.fixture
def premises(monkeypatch):
    """Register true claims as premises of proofs."""
    two = Claim("own.two-letters", "", "", {"p": Distributions(1, dim=2)}, lambda k, p: (0.5, total(p[0] ** 2)))
    scaled = Claim("own.scaled", "", "", mass.given, mass.sides, "==")
    for made in (two, scaled):
        monkeypatch.setitem(REGISTRY, made.id, made)


@pytest.mark.slow
@pytest.mark.parametrize("statement", FALSE, ids=lambda s: s.name)
def test_false(statement, premises):
    with pytest.raises(ProofError):
        proved(statement.claim, derived(statement.script))


def test_number_of_false_claims():
    assert len(FALSE) >= 60
    assert len({s.name for s in FALSE}) == len(FALSE)


def test_a_premise_of_fixed_size_is_accepted(premises):
    given = {"p": Distributions(1, dim=2), "x": Scale(positive=True)}
    claim = Claim("own.n", "", "", given, lambda k, p, x: (x / 2, x * total(p[0] ** 2)))
    made = proved(claim, derived(lambda g: two_letters(g, "letters_2").times(g.x)))
    assert made.premises == ("own.two-letters",)


def test_a_claim_is_not_its_own_premise(premises):
    with pytest.raises(ProofError, match="rests on itself"):
        proved(REGISTRY["own.two-letters"], derived(lambda g: two_letters(g, "letters_2")))


def test_cases_are_reproducible():
    """A script that makes another comparison when it is run again omits a case."""
    asked = []

    def script(g):
        asked.append(1)
        if g.case.holds(Gt(g.x, len(asked), evaluate=False)):
            return rewrite(assumed(g.case, 0), g.lhs, g.rhs)
        return g.obvious

    with pytest.raises(ProofError, match="run again"):
        proved(replace(ZERO, sides=lambda k, x: (x / x, x)).claim, derived(script))


def test_a_theorem_of_another_case_is_rejected():
    other = at_most(Case(), 0, 1)
    with pytest.raises(ProofError, match="of its own goal"):
        proved(Claim("own.n", "", "", {"a": Order(0)}, lambda k, a: (1 + 0 * a, a * a)), derived(lambda g: other))
