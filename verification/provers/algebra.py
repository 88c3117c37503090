"""Sympy's algebra with a cache: a proof asks for the same expressions in each of its cases."""

from functools import lru_cache

import sympy

_remembered = lru_cache(maxsize=1 << 15)

cancel = _remembered(sympy.cancel)
expand = _remembered(sympy.expand)
factor = _remembered(sympy.factor)
simplify = _remembered(sympy.simplify)
together = _remembered(sympy.together)
maximum = _remembered(sympy.Max)
minimum = _remembered(sympy.Min)
written = _remembered(str)


@_remembered
def _bound(name: str, known: str) -> sympy.Dummy:
    return sympy.Dummy(name, **{known: True})


def bound(name: str, known: str, *near: sympy.Expr) -> sympy.Dummy:
    """Return a bound variable that is positive, nonnegative or real.

    It is always the same one, so that what is known of functions of it is found in the caches, unless an expression
    near which it is to stand has it already, which would capture it.
    """
    usual: sympy.Dummy = _bound(name, known)
    return sympy.Dummy(name, **{known: True}) if any(e.has(usual) for e in near) else usual
