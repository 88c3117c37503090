r"""Conversions between notions of differential privacy: which parameters of one notion those of another guarantee.

A guarantee bounds a divergence of the output distributions P, Q of neighbours; (epsilon, delta)-DP bounds the
hockey-stick divergence, P(S) <= e^epsilon Q(S) + delta for every event S. *Optimal* means that no smaller value holds
for every pair P, Q within the bound. Unless `two_sided`, only the divergence of P from Q is bounded, and the conclusion
is about P relative to Q; a mechanism with a symmetric neighbour relation is bounded in both orders, which gives a
slightly better result near the largest deltas.

An epsilon may be negative (delta is then so large that even P(S) <= e^epsilon Q(S) + delta holds); `nonnegative=True`
returns 0 instead, and `two_sided=True` always does. Natural logarithms throughout.

In float64 results are rounded to the safe side: never below the true value at the given arguments, and at most 2 units
in the last place above it. For concentrated DP the true value is the least over the orders that float64 distinguishes
from 1.

Arguments are numbers or arrays that broadcast, and the result has their shape. `arithmetic` is the number system;
`krdtheory.mp` has the functions in mpmath. An argument outside the range given for it raises ValueError, as do shapes
that do not broadcast; one that is not numeric raises TypeError. Docstrings name other errors only.
"""

from krdtheory.privacy.conversions.concentrated import (
    tcdp_to_approximate_dp,
    zcdp_to_approximate_dp,
)
from krdtheory.privacy.conversions.curves import gdp_to_rdp, pure_to_rdp, pure_to_zcdp
from krdtheory.privacy.conversions.divergences import (
    approximate_dp_to_delta,
    approximate_dp_to_hellinger,
    approximate_dp_to_regularization,
    approximate_dp_to_total_variation,
    hellinger_to_approximate_dp,
    hellinger_to_delta,
    kl_to_approximate_dp,
    kl_to_delta,
    total_variation_to_approximate_dp,
    total_variation_to_delta,
)
from krdtheory.privacy.conversions.gaussian import gdp_to_approximate_dp, gdp_to_delta
from krdtheory.privacy.conversions.optimum import METHODS as METHODS
from krdtheory.privacy.conversions.renyi import rdp_curve_to_approximate_dp, rdp_to_approximate_dp, rdp_to_delta

__all__ = [
    "approximate_dp_to_delta",
    "approximate_dp_to_hellinger",
    "approximate_dp_to_regularization",
    "approximate_dp_to_total_variation",
    "gdp_to_approximate_dp",
    "gdp_to_delta",
    "gdp_to_rdp",
    "hellinger_to_approximate_dp",
    "hellinger_to_delta",
    "kl_to_approximate_dp",
    "kl_to_delta",
    "pure_to_rdp",
    "pure_to_zcdp",
    "rdp_curve_to_approximate_dp",
    "rdp_to_approximate_dp",
    "rdp_to_delta",
    "tcdp_to_approximate_dp",
    "total_variation_to_approximate_dp",
    "total_variation_to_delta",
    "zcdp_to_approximate_dp",
]
