"""Rules for cuts, which are suprema over the Markov kernels into finitely many cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Symbol

from verification.proof import ProofError
from verification.provers.corners import settle
from verification.provers.kernel import Theorem, _made, atoms, meaningful, same
from verification.provers.scalars import infinite, is_zero, seen_nonnegative
from verification.provers.symbols import Case, Total, at, cases, within
from verification.provers.tactics import nonnegative
from verification.provers.values import Letters, _array, expression
from verification.provers.vocabulary import Cut, SymbolicVocabulary


def cuts(case: Case) -> list[Symbol]:
    """Return the cuts that a claim has used, in the order of their first use."""
    return [s for s, (kind, _) in case.suprema.items() if kind == "cut"]


def value(case: Case, top: Symbol) -> Expr:
    """Return the value of a cut: its symbol, or an infinity in a case where it is infinite."""
    return _told(case, top).value


def every_kernel(case: Case, top: Symbol, bound: Any, proof: Callable[[Expr, Symbol], Theorem]) -> Theorem:
    """Prove that a cut is at most a bound that holds for every Markov kernel into its cells.

    `proof(divergence, kernel)` proves the bound for a generic kernel, given the divergence of the images and the symbol
    of the kernel. It may open cases: a supremum over finitely many parts is the largest of the suprema over the parts.

    Raises
    ------
    ProofError
        `proof` returns another theorem, or the bound depends on the kernel.
    """
    cut, bound = _told(case, top), sympy.sympify(bound)
    known = meaningful(case)
    with within(case):
        kernel = _generic(case, cut)
        here = _through(case, cut, [kernel])
        shown = proof(here, kernel)
        if shown.case is not case:
            raise ProofError("the theorem is about another case")
        if not same(case, shown.lhs, here) or not same(case, shown.rhs, bound):
            raise ProofError("the proof shows something else about a generic kernel")
        if (meaningful(case) - known) & atoms(case.unfold(bound)):
            raise ProofError("the bound may depend on the kernel")
        return _made(case, value(case, top), bound, ("a cut, of a generic kernel",), shown)


def this_kernel(case: Case, top: Symbol, *kernels: Symbol) -> Theorem:
    """Prove that a cut is at least the divergence of the images under a chain of kernels, applied in turn.

    The last kernel must have at most as many letters in its target as the cut has cells. Without kernels, the theorem
    is about the divergence of the weights themselves, and their alphabet must be that small.
    """
    cut = _told(case, top)
    with within(case):
        p, q = _images(case, cut, kernels)
        _fits(case, p, cut)
        said = f"a cut is at least its value at {', '.join(map(str, kernels)) or 'the identity'}"
        return _made(case, _divergence(cut, p, q), value(case, top), (said,))


def refines(case: Case, first: Symbol, second: Symbol, *kernels: Symbol) -> Theorem:
    """Prove that a cut of images under kernels is at most the cut of the weights, into at least as many cells.

    A kernel of the first cut composed with these kernels is a kernel of the second. Both cuts must be of the same
    divergence.
    """
    one, other = _told(case, first), _told(case, second)
    with within(case):
        _alike(one, other.divergence, other.parameters, _images(case, other, kernels))
        if not seen_nonnegative(other.cells - one.cells):
            raise ProofError(f"{one.cells} cells are not seen to be at most {other.cells}")
        if not is_zero(other.cells - one.cells):
            _unseen(one)
        said = f"every kernel after {', '.join(map(str, kernels)) or 'the identity'} is a kernel"
        return _made(case, value(case, first), value(case, second), (said,))


def cut_again(case: Case, top: Symbol, nested: Symbol) -> Theorem:
    """Prove that a cut is at most a cut of a cut of the same divergence, if both of these have at least as many cells.

    A kernel into the cells of the cut is a kernel of the outer cut, and the identity is a kernel of the inner one.
    """
    cut, outer = _told(case, top), _told(case, nested)
    with within(case):
        kernel = _generic(case, cut)
        p, q = _images(case, outer, [kernel])
        _fits(case, p, outer)
        before = set(case.suprema)
        here = _divergence(outer, p, q)
        (name,) = set(case.suprema) - before or (None,)
        if name is None or _told(case, name).value != here:
            raise ProofError(f"{nested} is no cut of a cut")
        inner = _told(case, name)
        _alike(inner, cut.divergence, cut.parameters, _images(case, cut, [kernel]))
        _fits(case, p, inner)
        return _made(case, value(case, top), value(case, nested), ("every kernel, and the identity after it",))


def this_test(case: Case, top: Symbol, accept: Any) -> Theorem:
    """Prove that a cut into two or more cells is at least its value at a test 0 <= T <= 1.

    The value is the divergence of (p(T), 1 - p(T)) from (q(T), 1 - q(T)).
    """
    cut, test = _told(case, top), sympy.sympify(accept)
    with within(case):
        ((source,),) = cut.p.axes
        if not seen_nonnegative(cut.cells - 2):
            raise ProofError(f"two letters are not seen to fit into {cut.cells} cells")
        if not is_zero(cut.cells - 2):
            _unseen(cut)
        if not case.ranges(test) <= {source}:
            raise ProofError(f"{test} is no test of that alphabet")
        for pattern in case.patterns(case.letters(test)):
            here = at(test, pattern)
            if infinite(here):
                raise ProofError(f"{test} is no number at a letter")
            for gap in (here, 1 - here):
                settle(gap, None, lambda e, _: nonnegative(e))
        pair = [
            np.stack([_array(Total(w.e * t, source)) for t in (test, 1 - test)], -1) for w in (cut.p, cut.q)
        ]  # the two cells as an explicit array
        return _made(case, _divergence(cut, *pair), value(case, top), (f"a cut is at least its value at {test}",))


def one_cell(case: Case, top: Symbol) -> Theorem:
    """Prove that a cut into one cell equals the divergence of a one-point distribution from itself.

    There is only one kernel into one cell.
    """
    cut = _told(case, top)
    with within(case):
        if not is_zero(cut.cells - 1):
            raise ProofError(f"the cut is into {cut.cells} cells, not one")
        point = np.stack([_array(sympy.Integer(1))], -1)
        return _made(case, value(case, top), _divergence(cut, point, point), ("one cell",), equal=True)


def _told(case: Case, top: Symbol) -> Cut:
    kind, cut = case.suprema.get(top, ("", None))
    if kind != "cut" or not isinstance(cut, Cut):
        raise ProofError(f"{top} is no cut")
    return cut


def _divergence(cut: Cut, p: Any, q: Any) -> Expr:
    return expression(cut.divergence(p, q, *cut.parameters))


def _images(case: Case, cut: Cut, kernels: Sequence[Symbol]) -> tuple[Letters, Letters]:
    """Return the images of the pair under the kernels, applied in turn."""
    p, q = cut.p, cut.q
    for kernel in kernels:
        ((here,),) = p.axes
        source, target = _ends(case, kernel, here)
        matrix = Letters(kernel, [(source,), (target,)])
        p, q = (SymbolicVocabulary().through(w, matrix) for w in (p, q))
    return p, q


def _through(case: Case, cut: Cut, kernels: Sequence[Symbol]) -> Expr:
    """Return the divergence of the images under the kernels."""
    return _divergence(cut, *_images(case, cut, kernels))


def _generic(case: Case, cut: Cut) -> Symbol:
    """Return the symbol of a new, arbitrary kernel into the cells of a cut."""
    ((source,),) = cut.p.axes
    kernel = case.fresh("kernel", nonnegative=True)
    target = Symbol(f"cells_{kernel.name}")
    case.alphabets[kernel] = frozenset([source, target])
    case.masses[kernel, target] = 1
    case.sizes[target] = cut.cells
    return kernel


def _fits(case: Case, p: Letters, cut: Cut) -> None:
    """Raise unless an alphabet is known to have at most as many letters as a cut has cells."""
    ((letters,),) = p.axes
    if not seen_nonnegative(cut.cells - case.size(letters)):
        raise ProofError(f"{case.size(letters)} letters are not seen to fit into {cut.cells} cells")
    if not is_zero(cut.cells - case.size(letters)):
        _unseen(cut)


def _unseen(cut: Cut) -> None:
    """Raise unless cells of weight 0 leave a divergence unchanged: they add 0 to sums and meet no condition."""
    home = Symbol("cells_any")
    known = None
    method = cut.divergence
    if isinstance(method, MethodType) and isinstance(method.__self__, SymbolicVocabulary):  # given by its definition
        known = (method.__func__, *map(expression, cut.parameters))
        if known in UNSEEN:
            return

    def run(case: Case) -> None:
        weights = [Symbol(f"weight{i}", nonnegative=True) for i in range(2)]
        for w in weights:
            case.alphabets[w], case.masses[w, home] = frozenset([home]), 1
        here = _divergence(cut, *(Letters(w, [(home,)]) for w in weights))
        empty = dict.fromkeys(weights, sympy.Integer(0))
        terms = [t.args[0] for e in (here, *case.definitions.values()) for t in e.atoms(Total)]
        conditions = [at(c, empty) for c in (*case.present, *case.excluded)]
        if any(at(t, empty) != 0 for t in terms) or any(c != sympy.false for c in conditions):
            raise ProofError("the divergence may depend on cells of weight 0")
        for kind, told in case.suprema.values():
            if kind != "cut":
                raise ProofError("the divergence may depend on cells of weight 0")
            _unseen(told)

    for _ in cases(run):
        pass
    if known is not None:
        UNSEEN.add(known)


UNSEEN: set[Any] = set()  # divergences for which `_unseen` has succeeded


def _alike(cut: Cut, divergence: Any, parameters: Sequence[Any], pair: Sequence[Letters]) -> None:
    """Raise unless a cut is of the given divergence and of the given pair of weights."""
    weights = [(w.e, w.axes) for w in (cut.p, cut.q)] == [(w.e, w.axes) for w in pair]
    same_parameters = [expression(x) for x in cut.parameters] == [expression(x) for x in parameters]
    if not (weights and same_parameters and cut.divergence == divergence):
        raise ProofError("the cuts are of different divergences, or of different weights")


def _ends(case: Case, kernel: Symbol, start: Symbol) -> tuple[Symbol, Symbol]:
    """Return the source and the target alphabet of a kernel; raise unless the source is `start`."""
    homes = case.alphabets.get(kernel, frozenset())
    targets = [a for a in homes if (kernel, a) in case.masses]
    if len(homes) != 2 or len(targets) != 1 or not kernel.is_nonnegative:
        raise ProofError(f"{kernel} is no Markov kernel")
    if homes - set(targets) != {start}:
        raise ProofError(f"{kernel} does not start at {start}")
    return start, targets[0]


__all__ = ["cut_again", "cuts", "every_kernel", "one_cell", "refines", "this_kernel", "this_test", "value"]
