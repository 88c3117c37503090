"""The divergences at any precision: the names and arguments of `krdtheory`, and `digits` (50 by default).

Rational input is exact: integers, `fractions.Fraction`, decimal strings, sympy rationals, floats (which are dyadic
rationals), mpmath numbers, complex numbers with rational parts ("1/2-3/11*I" as a string). Results are mpmath numbers
rounded to `digits` digits, computed by raising the working precision until two precisions agree; `PrecisionError` is
raised if none do.

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

from krdtheory import divergences, kernels
from krdtheory.arithmetic.mp import PrecisionError, at_digits
from krdtheory.divergences import cuts, restricted, smooth
from krdtheory.privacy import composition, conversions
from krdtheory.table import names

DIGITS = """digits : int
    Significant digits of the results, which are mpmath numbers, or object arrays of them.
"""


def _with_digits(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return `formula` with the keyword `digits` in place of `arithmetic`."""

    @functools.wraps(formula)
    def call(*args: Any, digits: int = 50, **kwargs: Any) -> Any:
        return at_digits(formula, digits, *args, **kwargs)

    signature = inspect.signature(formula)
    kept = [p for name, p in signature.parameters.items() if name != "arithmetic"]
    digits = inspect.Parameter("digits", inspect.Parameter.KEYWORD_ONLY, default=50, annotation=int)
    call.__signature__ = signature.replace(parameters=[*kept, digits])  # type: ignore[attr-defined]
    call.__module__ = __name__
    call.__doc__ = _documented(inspect.getdoc(formula) or "")
    return call


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
restricted_renyi = _with_digits(restricted.restricted_renyi)
restricted_alpha_divergence = _with_digits(restricted.restricted_alpha_divergence)
restricted_kl = _with_digits(restricted.restricted_kl)
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
heterogeneous_composition = _with_digits(composition.heterogeneous_composition)
heterogeneous_composition_delta = _with_digits(composition.heterogeneous_composition_delta)
optimal_composition = _with_digits(composition.optimal_composition)
optimal_composition_delta = _with_digits(composition.optimal_composition_delta)


def evaluate(method: Callable[..., Any], *args: Any, digits: int = 50, **kwargs: Any) -> Any:
    """Evaluate any formula that takes `arithmetic`, to `digits` digits.

    >>> from krdtheory import mp
    >>> from krdtheory.privacy.mechanisms import Laplace
    >>> print(mp.evaluate(Laplace(scale=1, sensitivity=1).renyi, 2, digits=20))
    0.6191236299985928834
    """
    return at_digits(method, digits, *args, **kwargs)


__all__ = ["PrecisionError", *names("mp")]
