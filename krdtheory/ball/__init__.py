"""Rigorous divergences, conversions and composition in balls: the same names and arguments, and `digits` (default 50).

A result is a `flint.arb` that is guaranteed to contain the value, with radius at most 10^-digits times the value (or
10^(-2 digits), for values below 10^-digits), or it is exactly +inf. `UndecidedError` says what could not be decided,
and at which precision.

Input is exact: integers, `fractions.Fraction`, decimal strings, sympy rationals, floats (as the dyadic rationals that
they are), complex numbers with rational parts; irrational numbers of sympy made of roots, exp and log are enclosed. A
matrix that is not exactly Hermitian is rejected. Zeros, ranks and supports are decided over Q and positive
semidefiniteness is proved, so there is no `support_tol`. Balls (`flint.arb`, `flint.acb`) are accepted too: the result
then contains the value at every valid point in them, and is as narrow as they allow.

>>> from fractions import Fraction
>>> import krdtheory.ball
>>> print(krdtheory.ball.renyi([Fraction(1, 3), Fraction(2, 3)], ["0.5", "0.5"], 2, digits=30).str(30))
[0.105360515657826301227500980839 +/- 3.13e-31]
"""

from typing import TYPE_CHECKING

from krdtheory.arithmetic.ball import UndecidedError

if TYPE_CHECKING:
    from krdtheory.ball.certificates import Certificate, certify
    from krdtheory.ball.classical import (
        f_divergence,
        hellinger,
        hockey_stick,
        kl,
        max_divergence,
        renyi,
        total_variation,
    )
    from krdtheory.ball.composition import (
        composition_bound,
        heterogeneous_composition,
        heterogeneous_composition_delta,
        optimal_composition,
        optimal_composition_delta,
    )
    from krdtheory.ball.conversions import (
        approximate_dp_to_delta,
        approximate_dp_to_hellinger,
        approximate_dp_to_regularization,
        approximate_dp_to_total_variation,
        gdp_to_approximate_dp,
        gdp_to_delta,
        gdp_to_rdp,
        hellinger_to_approximate_dp,
        hellinger_to_delta,
        kl_to_approximate_dp,
        kl_to_delta,
        pure_to_rdp,
        pure_to_zcdp,
        rdp_curve_to_approximate_dp,
        rdp_to_approximate_dp,
        rdp_to_delta,
        tcdp_to_approximate_dp,
        total_variation_to_approximate_dp,
        total_variation_to_delta,
        zcdp_to_approximate_dp,
    )
    from krdtheory.ball.cuts import coarsen, k_cut
    from krdtheory.ball.kernels import kernel_renyi
    from krdtheory.ball.quantum import (
        max_relative_entropy,
        maximal_renyi,
        petz_renyi,
        quantum_hockey_stick,
        quantum_relative_entropy,
        sandwiched_renyi,
        trace_distance,
    )
    from krdtheory.ball.restricted import restricted_alpha_divergence, restricted_kl, restricted_renyi
    from krdtheory.ball.smooth import approximate_max_divergence, optimal_smoothing, smooth_renyi
    from krdtheory.ball.spectra import eigvalsh, sqrtm
else:
    from krdtheory.imports import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "certificates": (
                "Certificate",
                "certify",
            ),
            "classical": (
                "f_divergence",
                "hellinger",
                "hockey_stick",
                "kl",
                "max_divergence",
                "renyi",
                "total_variation",
            ),
            "composition": (
                "composition_bound",
                "heterogeneous_composition",
                "heterogeneous_composition_delta",
                "optimal_composition",
                "optimal_composition_delta",
            ),
            "conversions": (
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
            ),
            "cuts": (
                "coarsen",
                "k_cut",
            ),
            "kernels": ("kernel_renyi",),
            "quantum": (
                "max_relative_entropy",
                "maximal_renyi",
                "petz_renyi",
                "quantum_hockey_stick",
                "quantum_relative_entropy",
                "sandwiched_renyi",
                "trace_distance",
            ),
            "restricted": (
                "restricted_alpha_divergence",
                "restricted_kl",
                "restricted_renyi",
            ),
            "smooth": (
                "approximate_max_divergence",
                "optimal_smoothing",
                "smooth_renyi",
            ),
            "spectra": (
                "eigvalsh",
                "sqrtm",
            ),
        },
    )

__all__ = [
    "Certificate",
    "UndecidedError",
    "approximate_dp_to_delta",
    "approximate_dp_to_hellinger",
    "approximate_dp_to_regularization",
    "approximate_dp_to_total_variation",
    "approximate_max_divergence",
    "certify",
    "coarsen",
    "composition_bound",
    "eigvalsh",
    "f_divergence",
    "gdp_to_approximate_dp",
    "gdp_to_delta",
    "gdp_to_rdp",
    "hellinger",
    "hellinger_to_approximate_dp",
    "hellinger_to_delta",
    "heterogeneous_composition",
    "heterogeneous_composition_delta",
    "hockey_stick",
    "k_cut",
    "kernel_renyi",
    "kl",
    "kl_to_approximate_dp",
    "kl_to_delta",
    "max_divergence",
    "max_relative_entropy",
    "maximal_renyi",
    "optimal_composition",
    "optimal_composition_delta",
    "optimal_smoothing",
    "petz_renyi",
    "pure_to_rdp",
    "pure_to_zcdp",
    "quantum_hockey_stick",
    "quantum_relative_entropy",
    "rdp_curve_to_approximate_dp",
    "rdp_to_approximate_dp",
    "rdp_to_delta",
    "renyi",
    "restricted_alpha_divergence",
    "restricted_kl",
    "restricted_renyi",
    "sandwiched_renyi",
    "smooth_renyi",
    "sqrtm",
    "tcdp_to_approximate_dp",
    "total_variation",
    "total_variation_to_approximate_dp",
    "total_variation_to_delta",
    "trace_distance",
    "zcdp_to_approximate_dp",
]
