"""The rules for least levels and nearest distributions, and similar false statements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import Max, Rational, Symbol, oo

from verification.proof import ProofError
from verification.provers.kernel import at_most, equal, pointwise
from verification.provers.levels import excess, least, least_ratio, meets, nearest
from verification.provers.symbols import Case, Total, cases, within
from verification.provers.values import Letters, Scalar, expression
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

HOME = Symbol("letters_")
HALF = Rational(1, 2)
d, m = Symbol("d", positive=True), Symbol("m", positive=True)
p, q = (Symbol(name, nonnegative=True) for name in "pq")
k = SymbolicVocabulary()


def _letters(case: Case) -> list[Letters]:
    for w in (p, q):
        case.alphabets[w] = frozenset([HOME])
        case.masses[w, HOME] = 1
    return [Letters(w, [(HOME,)]) for w in (p, q)]


def _value(f: Any, choices: tuple[int, ...] = ()) -> tuple[Case, Any]:
    case = Case(choices)
    with within(case):
        return case, expression(f(*_letters(case)))


def _level(delta: Any = d / (1 + d)) -> tuple[Case, Symbol]:
    case, value = _value(lambda x, y: k.approximate_max_divergence(x, y, delta=Scalar(delta)))
    (level,) = value.free_symbols
    return case, level


def test_at_the_level_the_excess_is_delta() -> None:
    case, level = _level()
    theorem = meets(case, level)
    assert theorem.equal and theorem.rhs == d / (1 + d)
    with within(case):
        assert theorem.lhs == Total(Max(p - level * q, 0), HOME)
    with pytest.raises(ProofError):
        meets(case, d)


def test_the_cases_of_a_level() -> None:
    def values(delta: Any) -> set[Any]:
        def run(case: Case) -> Any:
            return expression(k.approximate_max_divergence(*_letters(case), delta=Scalar(delta)))

        return {v if v in (oo, -oo) else "log" for _, v in cases(run)}

    assert values(d / (1 + d)) == {"log", oo}
    assert values(1 + d) == {-oo}
    assert values(d) == {"log", oo, -oo}


def test_a_level_is_at_most_any_sufficient_one() -> None:
    case, level = _level(1 - HALF / (1 + d))
    with within(case):
        distance = pointwise(case, excess(case, level, 1), Total(abs(p - q) / 2, HOME), multipliers={p: HALF, q: -HALF})
    with pytest.raises(ProofError, match="will do"):
        least(case, level, 1, distance)  # the bound is not delta
    with pytest.raises(ProofError, match="positive"):
        least(case, level, 0, distance)
    with pytest.raises(ProofError, match="positive"):
        least(case, level, m - 1, distance)
    with pytest.raises(ProofError, match="positive"):
        least(case, level, m - 1, distance, at_most(case, 0, m))  # for another level
    other, its = _level()
    with pytest.raises(ProofError):
        least(other, its, 1, distance)


def test_the_level_is_sufficient() -> None:
    case, value = _value(
        lambda x, y: k.approximate_max_divergence(x, y, delta=k.total_variation(x, y) + Scalar(d)), (0,)
    )
    (level,) = value.free_symbols
    shown = pointwise(case, excess(case, level, 1), meets(case, level).rhs, multipliers={p: HALF, q: -HALF})
    assert least(case, level, 1, shown).rhs == 1
    for v in (HALF, 2, m):
        with pytest.raises(ProofError, match="will do"):
            least(case, level, v, shown)
    with pytest.raises(ProofError):
        pointwise(case, excess(case, level, HALF), meets(case, level).rhs, multipliers={p: HALF, q: -HALF})


def test_a_ratio_is_least() -> None:
    case, ratio = Case(), None
    with within(case):
        _letters(case)
        own = Letters(q, [(HOME,)])
        (ratio,) = expression(k.max_divergence(own, own)).free_symbols
        nothing, some = Total(Max(0 * q, 0), HOME), Total(Max(q / 2, 0), HOME)
    assert least_ratio(case, ratio, 1, at_most(case, nothing, 0)).rhs == 1
    with pytest.raises(ProofError, match="will do"):
        least_ratio(case, ratio, HALF, at_most(case, nothing, 0))
    with pytest.raises(ProofError, match="will do"):
        least_ratio(case, ratio, HALF, at_most(case, some, 1))
    for v in (0, -1, q, oo):
        with pytest.raises(ProofError, match="positive"):
            least_ratio(case, ratio, v, at_most(case, nothing, 0))
    with pytest.raises(ProofError, match="no ratio"):
        least_ratio(case, d, 1, at_most(case, nothing, 0))


def test_the_nearest_is_at_most_any_near_one() -> None:
    case, _ = _value(lambda x, y: k.smooth_renyi(x, y, Scalar(2), delta=k.total_variation(x, y) + Scalar(d)))
    near = next(s for s, (kind, _) in case.suprema.items() if kind == "nearest")
    with within(case):
        distance, to_self = Total(abs(p - q) / 2, HOME), Total(0 * p, HOME)
    theorem = nearest(case, near, q, at_most(case, distance, distance + d))
    with within(case):
        assert theorem.rhs == expression(k.renyi(*[Letters(q, [(HOME,)])] * 2, Scalar(2)))
    assert nearest(case, near, p, at_most(case, to_self, distance + d)).lhs == theorem.lhs
    for other, shown in (
        (q, equal(case, distance, distance)),  # nothing about delta
        (p, at_most(case, distance, distance + d)),  # for another pair
        (q / 2, at_most(case, distance, distance + d)),  # not a distribution
        (2 * q - p, at_most(case, distance, distance + d)),
    ):
        with pytest.raises(ProofError):
            nearest(case, near, other, shown)
    with pytest.raises(ProofError, match="nearest"):
        nearest(case, p, q, at_most(case, distance, distance + d))


def test_a_negative_radius_is_rejected() -> None:
    with pytest.raises(ProofError, match="radius"):
        _value(lambda x, y: k.smooth_renyi(x, y, Scalar(2), delta=Scalar(d - 1)))


def test_levels_agree_with_those_of_numbers() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = rng.dirichlet([1, 1, 1]), rng.dirichlet([1, 1, 1])
        delta = rng.uniform(0, 0.3)
        v = np.exp(Vocabulary().approximate_max_divergence(x[None], y[None], delta=np.array([delta])))[0]
        assert np.maximum(x - v * y, 0).sum() == pytest.approx(delta, abs=1e-12)
        near = Vocabulary().smooth_renyi(x[None], y[None], np.array([2.0]), delta=np.array([delta]))[0]
        for _ in range(20):
            other = x + rng.uniform(0, 1) * (rng.dirichlet([1, 1, 1]) - x)
            if abs(x - other).sum() / 2 <= delta:
                assert near <= Vocabulary().renyi(other[None], y[None], np.array([2.0]))[0] + 1e-12
