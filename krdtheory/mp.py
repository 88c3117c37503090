"""The divergences at any precision: names and arguments of `krdtheory`, and `digits` (50 unless told).

Input is exact wherever it is rational: integers, `fractions.Fraction`, decimal strings, sympy rationals, floats (as the
dyadic rationals they are), mpmath numbers, complex ones with rational parts ("1/2-3/11*I" as a string). Results are
mpmath numbers rounded to `digits` digits, found by raising the working precision until two precisions agree;
`PrecisionError` says when none did.

>>> from fractions import Fraction
>>> import krdtheory
>>> print(krdtheory.mp.renyi([Fraction(1, 3), Fraction(2, 3)], ["0.5", "0.5"], 2, digits=30))
0.105360515657826301227500980839
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from krdtheory import divergences, kernels
from krdtheory.arithmetic.mp import PrecisionError, at_digits


def _with_digits(formula: Callable[..., Any]) -> Callable[..., Any]:
    """`formula` with the keyword `digits` in place of `arithmetic`."""

    @functools.wraps(formula)
    def call(*args: Any, digits: int = 50, **kwargs: Any) -> Any:
        return at_digits(formula, digits, *args, **kwargs)

    signature = inspect.signature(formula)
    kept = [p for name, p in signature.parameters.items() if name != "arithmetic"]
    digits = inspect.Parameter("digits", inspect.Parameter.KEYWORD_ONLY, default=50, annotation=int)
    call.__signature__ = signature.replace(parameters=[*kept, digits])  # type: ignore[attr-defined]
    call.__module__ = __name__
    call.__doc__ = f"krdtheory.{formula.__name__} to `digits` digits.\n\nSee `krdtheory.{formula.__name__}`."
    return call


renyi = _with_digits(divergences.renyi)
kl = _with_digits(divergences.kl)
max_divergence = _with_digits(divergences.max_divergence)
hockey_stick = _with_digits(divergences.hockey_stick)
total_variation = _with_digits(divergences.total_variation)
hellinger = _with_digits(divergences.hellinger)
f_divergence = _with_digits(divergences.f_divergence)
sandwiched_renyi = _with_digits(divergences.sandwiched_renyi)
petz_renyi = _with_digits(divergences.petz_renyi)
maximal_renyi = _with_digits(divergences.maximal_renyi)
quantum_relative_entropy = _with_digits(divergences.quantum_relative_entropy)
max_relative_entropy = _with_digits(divergences.max_relative_entropy)
quantum_hockey_stick = _with_digits(divergences.quantum_hockey_stick)
trace_distance = _with_digits(divergences.trace_distance)
kernel_renyi = _with_digits(kernels.kernel_renyi)

__all__ = ["PrecisionError", "kernel_renyi", *divergences.__all__]
