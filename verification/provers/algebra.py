"""Sympy's algebra with a cache, because a proof needs the same expressions in each of its cases."""

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
    """Return a bound variable that is positive, nonnegative or real, as `known` says.

    It is the same variable in every call, so that caches recognise functions of it. If an expression in `near` already
    contains that variable and would capture it, a new one is returned.
    """
    usual: sympy.Dummy = _bound(name, known)
    return sympy.Dummy(name, **{known: True}) if any(e.has(usual) for e in near) else usual
