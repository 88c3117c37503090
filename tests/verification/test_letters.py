"""Bounds at every letter are proved if they hold, and not if they nearly hold."""

import numpy as np
import pytest
import sympy
from sympy import Eq, Gt, Piecewise, Rational, Symbol

from verification.proof import ProofError
from verification.provers.kernel import pointwise
from verification.provers.letters import every_letter, largest_letter
from verification.provers.symbols import Case, Total, within
from verification.provers.values import Letters
from verification.provers.vocabulary import SymbolicVocabulary
from verification.vocabulary import Vocabulary

AT = Symbol("letters_")


@pytest.fixture
def setting():
    """Return a case with three distributions, the first two in the support of the last two."""
    case = Case()
    weights = [Symbol(f"p{i}", nonnegative=True) for i in range(3)]
    for w in weights:
        case.alphabets[w] = frozenset([AT])
        case.masses[w, AT] = 1
    p, q, r = weights
    for x, y in ((p, q), (q, r), (p, r)):
        case.excluded.append(sympy.And(Gt(x, 0), Eq(y, 0)))
    with within(case):
        yield case, weights, [Letters(w, [(AT,)]) for w in weights]


def ratios(letters):
    k = SymbolicVocabulary()
    p, q, r = letters
    return k.ratio(p, q), k.ratio(q, r), k.ratio(p, r)


def test_ratios_multiply(setting):
    case, _, letters = setting
    first, second, both = ratios(letters)
    shown = every_letter(case, both, first * second, facts={0: 1, 1: first})
    assert (shown.lhs, shown.rhs) == (both, first * second)


@pytest.mark.parametrize(
    ("bound", "facts"),
    [
        (lambda a, b: a * b * Rational(99, 100), lambda a: {0: 1, 1: a}),
        (lambda a, b: a + b, lambda a: {0: 1, 1: 1}),
        (lambda a, b: a, lambda a: {0: 1}),
        (lambda a, b: a * b, lambda a: {0: 1}),
        (lambda a, b: a * b, lambda a: {0: 1, 1: -a}),
        (lambda a, b: a * b, lambda a: {0: 2, 1: a}),
        (lambda a, b: sympy.oo, lambda a: {}),
        (lambda a, b: a * b * Symbol("p0", nonnegative=True), lambda a: {0: 1, 1: a}),
    ],
)
def test_ratios_multiply_with_no_smaller_bound(setting, bound, facts):
    case, _, letters = setting
    first, second, both = ratios(letters)
    with pytest.raises(ProofError):
        every_letter(case, both, bound(first, second), facts=facts(first))


def test_a_factor_that_varies_is_rejected(setting):
    case, weights, letters = setting
    first, second, both = ratios(letters)
    with pytest.raises(ProofError, match="varies"):
        every_letter(case, both, first * second, facts={0: weights[2], 1: first})


def test_other_symbols_are_not_suprema(setting):
    case, _, _ = setting
    with pytest.raises(ProofError, match="no supremum"):
        every_letter(case, Symbol("ratio_1", positive=True), 1)


def test_facts_are_used_only_where_they_help(setting):
    """(p - m q)_+ is 0, although p - m q is not."""
    case, (p, q, _), letters = setting
    m = SymbolicVocabulary().ratio(letters[0], letters[1])
    over = Total(sympy.Max(p - m * q, 0), AT)
    assert pointwise(case, over, 0, facts={0: 1}).rhs == 0
    for bound, facts in ((0, {}), (Rational(-1, 100), {0: 1})):
        with pytest.raises(ProofError):
            pointwise(case, over, bound, facts=facts)
    with pytest.raises(ProofError):
        pointwise(case, Total(sympy.Max(p - m * q / 2, 0), AT), 0, facts={0: 1})


def test_a_condition_that_holds_somewhere_must_be_possible(setting):
    """q is in the support of r, and p in that of q, so p is in that of r."""
    case, (p, _, r), _ = setting
    assert not case.impossible()
    case.excluded.pop()
    case.present.append(sympy.And(Gt(r, 0), Eq(p, 0)))
    assert not case.impossible()
    case.present.append(sympy.And(Gt(p, 0), Eq(r, 0)))
    assert case.impossible()


def test_a_letter_attains_the_largest_ratio(setting):
    case, (p, q, r), letters = setting
    k = SymbolicVocabulary()
    top, least = k.ratio(*letters[:2]), k.smallest_mass(letters[0])[0].e
    index = next(i for i, f in enumerate(case.facts) if f.expression.has(least))
    square = Total(Piecewise((p**2 / q, Gt(p, 0)), (0, True)), AT)
    shown = largest_letter(case, top, square, top * least, {index: top})
    assert (shown.lhs, shown.rhs, shown.premises) == (top * least, square, ())
    assert largest_letter(case, top, Total(p, AT) * square, least * top, {index: top}).rhs == square
    other = k.ratio(*letters[1:])
    for wrong in (
        lambda: largest_letter(case, top, square, top * least),
        lambda: largest_letter(case, top, square, top * least, {index: top / 2}),
        lambda: largest_letter(case, top, square, top * least, {index: -top}),
        lambda: largest_letter(case, top, square, 2 * top * least, {index: top}),
        lambda: largest_letter(case, top, square, top**2 * least, {index: top}),
        lambda: largest_letter(case, top, square, top, {index: top}),
        lambda: largest_letter(case, top, square, top * p, {}),
        lambda: largest_letter(case, other, square, other * least, {index: other}),
        lambda: largest_letter(case, least, square, top * least, {index: top}),
        lambda: largest_letter(case, top, Total(p * r, AT), 0, {}),
        lambda: largest_letter(case, top, square - 1, top * least - 1, {index: top}),
        lambda: largest_letter(case, top, Total(p - q * top / 2, AT), least / 2, {index: Rational(1, 2)}),
        lambda: largest_letter(case, top, Total(p**2 / q, AT), top * least, {index: top}),  # 0 / 0
    ):
        with pytest.raises(ProofError):
            wrong()


def test_the_smallest_mass():
    laws = np.array([[1 / 2, 0, 1 / 3, 1 / 6], [0, 1, 0, 0]])
    assert Vocabulary().smallest_mass(laws) == pytest.approx([1 / 6, 1])
