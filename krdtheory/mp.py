"""The divergences at any precision: the names and arguments of `krdtheory`, and `digits` (50 by default).

Rational input is exact: integers, `fractions.Fraction`, decimal strings, sympy rationals, floats (which are dyadic
rationals), mpmath numbers, complex numbers with rational parts ("1/2-3/11*I" as a string). Results are mpmath numbers
rounded to `digits` digits. Where `krdtheory.ball` encloses the value narrowly enough, they are its digits, which are
proved, and found sooner. Otherwise, and always in `evaluate`, the formula of `krdtheory` is evaluated in mpmath with
the working precision raised until two precisions agree; `PrecisionError` is raised if none do.

A value that is not distinguished from 0 is exactly 0, with an absolute error of at most 10^(-2 digits), which is also
the bound of `krdtheory.ball` near 0. Any other result has all its digits, however small it is.

>>> from fractions import Fraction
>>> import krdtheory
>>> print(krdtheory.mp.renyi([Fraction(1, 3), Fraction(2, 3)], ["0.5", "0.5"], 2, digits=30))
0.105360515657826301227500980839
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import acb, arb

from krdtheory import ball, divergences, kernels
from krdtheory.arithmetic.ball import check_digits, is_accurate
from krdtheory.arithmetic.base import by_name
from krdtheory.arithmetic.mp import PrecisionError, at_digits, rounded
from krdtheory.divergences import cuts, restricted, smooth
from krdtheory.privacy import composition, conversions
from krdtheory.table import names

SPARE = 3  # digits of a ball beyond those that are asked for
DIGITS = """digits : int
    Significant digits of the results, which are mpmath numbers, or object arrays of them. A result that is exactly
    0 has an absolute error of at most 10^(-2 digits).
"""


def _with_digits(formula: Callable[..., Any], *, balls: bool = True) -> Callable[..., Any]:
    """Return `formula` with the keyword `digits` in place of `arithmetic`; `balls` says that those are asked first."""

    @functools.wraps(formula)
    def call(*args: Any, digits: int = 50, **kwargs: Any) -> Any:
        value = _from_ball(formula.__name__, digits, args, kwargs) if balls else None
        return at_digits(formula, digits, *args, **kwargs) if value is None else value

    signature = inspect.signature(formula)
    kept = [p for name, p in signature.parameters.items() if name != "arithmetic"]
    digits = inspect.Parameter("digits", inspect.Parameter.KEYWORD_ONLY, default=50, annotation=int)
    call.__signature__ = signature.replace(parameters=[*kept, digits])  # type: ignore[attr-defined]
    call.__module__ = __name__
    call.__doc__ = _documented(inspect.getdoc(formula) or "")
    return by_name(call)


def _from_ball(name: str, digits: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the value rounded to `digits` digits, or None where balls do not determine it, and the formula has to find
    it or to say why there is none."""
    enclosure = getattr(ball, name, None)
    given = {key: value for key, value in kwargs.items() if key != "support_tol" or value is not None}
    if enclosure is None or any(_is_left_to_formula(value) for value in (*args, *given.values())):
        return None
    try:
        check_digits(digits)
        known = int(digits) + SPARE
        value = np.asarray(enclosure(*args, digits=known, **given), dtype=object)
        if not all(_determines(x, known) for x in value.flat):  # values below 10^-known have fewer digits
            value = np.asarray(enclosure(*args, digits=2 * known, **given), dtype=object)
            value = np.asarray(np.frompyfunc(lambda x: _zero_or_itself(x, 2 * known), 1, 1)(value))
    except (ArithmeticError, TypeError, ValueError):
        return None
    if not all(_determines(x, known) for x in value.flat):
        return None
    return np.asarray(np.frompyfunc(lambda x: rounded(x, int(digits)), 1, 1)(value))[()]


def _determines(x: arb, digits: int) -> bool:
    """Return whether a ball has so many digits; one around 0 has none, and that of irrational input may have fewer."""
    return bool(x.rad() <= arb(10) ** -digits * abs(x.mid()))


def _zero_or_itself(x: arb, digits: int) -> arb:
    """Return 0 for a ball of radius at most 10^(-2 digits) around 0, which is not distinguished from it."""
    return arb(0) if x.contains(0) and is_accurate(x, digits) else x


def _is_left_to_formula(value: Any) -> bool:
    """Return whether an argument is a function, or has balls in it, whose width mpmath does not carry."""
    if callable(value) or isinstance(value, arb | acb):
        return True
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist() if value.dtype.hasobject else []
    return isinstance(value, list | tuple) and any(map(_is_left_to_formula, value))


def _documented(text: str) -> str:
    """Return a docstring with `digits` in place of `arithmetic`, without its examples, which use float64."""
    text = text.partition("\nExamples\n---")[0].rstrip()
    text = re.sub(r"^arithmetic : Arithmetic\n( +.*\n?)+", DIGITS, text, flags=re.MULTILINE)
    text = re.sub(r"^((?:\w+, )+)arithmetic$", r"\1digits", text, flags=re.MULTILINE).rstrip()
    return text if "digits" in text else f"{text}\n\n{DIGITS}"


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

approximate_max_divergence = _with_digits(smooth.approximate_max_divergence)
smooth_renyi = _with_digits(smooth.smooth_renyi)
optimal_smoothing = _with_digits(smooth.optimal_smoothing)
k_cut = _with_digits(cuts.k_cut)
coarsen = _with_digits(cuts.coarsen)
restricted_renyi = _with_digits(restricted.restricted_renyi, balls=False)
restricted_alpha_divergence = _with_digits(restricted.restricted_alpha_divergence, balls=False)
restricted_kl = _with_digits(restricted.restricted_kl, balls=False)
approximate_dp_to_delta = _with_digits(conversions.approximate_dp_to_delta)
approximate_dp_to_hellinger = _with_digits(conversions.approximate_dp_to_hellinger)
approximate_dp_to_regularization = _with_digits(conversions.approximate_dp_to_regularization)
approximate_dp_to_total_variation = _with_digits(conversions.approximate_dp_to_total_variation)
gdp_to_approximate_dp = _with_digits(conversions.gdp_to_approximate_dp)
gdp_to_delta = _with_digits(conversions.gdp_to_delta)
gdp_to_rdp = _with_digits(conversions.gdp_to_rdp)
hellinger_to_approximate_dp = _with_digits(conversions.hellinger_to_approximate_dp)
hellinger_to_delta = _with_digits(conversions.hellinger_to_delta)
kl_to_approximate_dp = _with_digits(conversions.kl_to_approximate_dp)
kl_to_delta = _with_digits(conversions.kl_to_delta)
pure_to_rdp = _with_digits(conversions.pure_to_rdp)
pure_to_zcdp = _with_digits(conversions.pure_to_zcdp)
rdp_curve_to_approximate_dp = _with_digits(conversions.rdp_curve_to_approximate_dp)
rdp_to_approximate_dp = _with_digits(conversions.rdp_to_approximate_dp)
rdp_to_delta = _with_digits(conversions.rdp_to_delta)
tcdp_to_approximate_dp = _with_digits(conversions.tcdp_to_approximate_dp)
total_variation_to_approximate_dp = _with_digits(conversions.total_variation_to_approximate_dp)
total_variation_to_delta = _with_digits(conversions.total_variation_to_delta)
zcdp_to_approximate_dp = _with_digits(conversions.zcdp_to_approximate_dp)
composition_bound = _with_digits(composition.composition_bound)
heterogeneous_composition = _with_digits(composition.heterogeneous_composition, balls=False)
heterogeneous_composition_delta = _with_digits(composition.heterogeneous_composition_delta, balls=False)
optimal_composition = _with_digits(composition.optimal_composition)
optimal_composition_delta = _with_digits(composition.optimal_composition_delta)


def evaluate(method: Callable[..., Any], /, *args: Any, digits: int = 50, **kwargs: Any) -> Any:
    """Evaluate any formula that takes `arithmetic`, to `digits` digits.

    >>> from krdtheory import mp
    >>> from krdtheory.privacy.mechanisms import Laplace
    >>> print(mp.evaluate(Laplace(scale=1, sensitivity=1).renyi, 2, digits=20))
    0.6191236299985928834
    """
    return at_digits(method, digits, *args, **kwargs)


__all__ = ["PrecisionError", *names("mp")]
