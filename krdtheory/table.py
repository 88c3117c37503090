"""A table of all public functions with their formulas, the ranges of their arguments, and their number systems.

The lists of `krdtheory.mp` and `krdtheory.ball`, the vocabulary of claims and the sweep over all functions are
generated from this table. In the formulas S is an event, K a channel, B = sigma + lambda Id, and lambda the
`regularization`.

>>> from krdtheory.table import FUNCTIONS
>>> FUNCTIONS["smooth_renyi"].systems, FUNCTIONS["smooth_renyi"].ranges
(('float64', 'mp', 'ball'), {'alpha': '[0, inf]', 'delta': '[0, inf)'})
>>> float(FUNCTIONS["total_variation"].load()([1, 0], [0, 1]))
1.0
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

EVERY = ("float64", "mp", "ball")
FLOAT64, MP, BALL = (("float64",), ("mp",), ("ball",))


@dataclass(frozen=True)
class Function:
    """A public function.

    Attributes
    ----------
    name, module : str
        Its name, the same in every number system, and its module, the float64 one if there is one.
    formula : str
        What it computes.
    systems : tuple of {"float64", "mp", "ball"}
        The number systems that have it.
    ranks : bool
        Whether it determines ranks of matrices, and takes `support_tol`.
    ranges : dict
        The legal values of numeric arguments, as intervals.
    """

    name: str
    module: str
    formula: str
    systems: tuple[str, ...]
    ranks: bool
    ranges: dict[str, str]

    def load(self) -> Callable[..., Any]:
        """Return the function itself."""
        return getattr(import_module(self.module), self.name)


Row = tuple[str, str, tuple[str, ...], bool, dict[str, str]]


def row(name: str, formula: str, systems: tuple[str, ...] = EVERY, *, ranks: bool = False, **ranges: str) -> Row:
    """Return a row of the table."""
    return name, formula, systems, ranks, ranges


ROWS: dict[str, tuple[Row, ...]] = {
    "krdtheory.divergences.classical": (
        row("renyi", "log(sum p^alpha q^(1-alpha) / sum p) / (alpha-1)", alpha="[0, inf]"),
        row("kl", "sum p log(p/q)"),
        row("max_divergence", "log max p/q"),
        row("hockey_stick", "sum (p - e^epsilon q)_+", epsilon="[-inf, inf]"),
        row("total_variation", "sum |p - q| / 2"),
        row("hellinger", "1 - sum sqrt(p q)"),
        row("f_divergence", "sum q f(p/q)"),
    ),
    "krdtheory.divergences.quantum": (
        row(
            "sandwiched_renyi",
            "log(tr (B^s rho B^s)^alpha / tr rho) / (alpha-1), s = (1-alpha)/(2 alpha)",
            ranks=True,
            alpha="[0, inf]",
            regularization="[0, inf)",
        ),
        row(
            "petz_renyi",
            "log(tr rho^alpha B^(1-alpha) / tr rho) / (alpha-1)",
            ranks=True,
            alpha="[0, inf]",
            regularization="[0, inf)",
        ),
        row(
            "maximal_renyi",
            "log(tr B (B^(-1/2) rho B^(-1/2))^alpha / tr rho) / (alpha-1)",
            ranks=True,
            alpha="[0, inf]",
            regularization="[0, inf)",
        ),
        row("quantum_relative_entropy", "tr rho (log rho - log B)", ranks=True, regularization="[0, inf)"),
        row("max_relative_entropy", "log min {t : rho <= t B}", ranks=True, regularization="[0, inf)"),
        row("quantum_hockey_stick", "tr (rho - e^epsilon B)_+", epsilon="(-inf, inf)", regularization="[0, inf)"),
        row("trace_distance", "tr |rho - B| / 2", regularization="[0, inf)"),
    ),
    "krdtheory.divergences.smooth": (
        row("approximate_max_divergence", "max log((p(S) - delta) / q(S))", delta="[0, inf)"),
        row("smooth_renyi", "min {D_alpha(p' || q) : TV(p', p) <= delta}", alpha="[0, inf]", delta="[0, inf)"),
        row("optimal_smoothing", "argmin {D_alpha(p' || q) : TV(p', p) <= delta}", delta="[0, inf)"),
    ),
    "krdtheory.divergences.cuts": (
        row("k_cut", "max {D(p K || q K) : K into k cells}", k="[1, inf)"),
        row("k_cut_cells", "argmax {D(p K || q K) : K into k cells}", FLOAT64, k="[1, inf)"),
        row("coarsen", "p K", k="[1, inf)"),
        row("weak_birkhoff_von_neumann", "K = sum of weights times maps", FLOAT64),
    ),
    "krdtheory.divergences.restricted": (
        row("restricted_alpha_divergence", "sup {E_p h - E_q f*(h) : h in H}", alpha="(1, inf)"),
        row("restricted_renyi", "log(1 + alpha (alpha-1) D^H_alpha) / (alpha-1)", alpha="(1, inf)"),
        row("restricted_kl", "sup {E_p h - E_q e^(h-1) : h in H}"),
        row("restricted_solution", "argmax of these, and a certificate", FLOAT64, alpha="(1, inf)"),
    ),
    "krdtheory.kernels": (
        row(
            "kernel_renyi",
            "sandwiched_renyi of covariance operators",
            ranks=True,
            alpha="[0, inf]",
            regularization="[0, inf)",
        ),
        row("kernel_renyi_estimate", "kernel_renyi of samples", FLOAT64, alpha="[0, inf]", regularization="[0, inf)"),
        row("covariance", "sum_x p(x) phi(x) phi(x)^*", FLOAT64),
        row("median_bandwidth", "median |x - y|", FLOAT64),
    ),
    "krdtheory.privacy.conversions": (
        row(
            "rdp_to_approximate_dp",
            "min epsilon' at delta, D_alpha <= epsilon",
            alpha="[1, inf]",
            epsilon="[0, inf)",
            delta="(0, 1)",
        ),
        row(
            "rdp_to_delta",
            "min delta at target_epsilon, D_alpha <= epsilon",
            alpha="[1, inf]",
            epsilon="[0, inf)",
            target_epsilon="(-inf, inf)",
        ),
        row("rdp_curve_to_approximate_dp", "rdp_to_approximate_dp at the best order", delta="(0, 1)"),
        row("kl_to_approximate_dp", "min epsilon at delta, KL <= kl", kl="[0, inf)", delta="(0, 1)"),
        row("kl_to_delta", "min delta at epsilon, KL <= kl", kl="[0, inf)", epsilon="(-inf, inf)"),
        row(
            "hellinger_to_approximate_dp",
            "log(delta (1-delta) / (delta - r (2-r)))",
            hellinger="[0, 1]",
            delta="(0, 1)",
        ),
        row(
            "hellinger_to_delta",
            "(sqrt(u^2 + 4 (u+1) r (2-r)) - u) / 2, u = e^epsilon - 1",
            hellinger="[0, 1]",
            epsilon="(-inf, inf)",
        ),
        row(
            "total_variation_to_approximate_dp",
            "log((1-delta) / (1-tau)), delta >= tau",
            total_variation="[0, 1]",
            delta="(0, 1)",
        ),
        row(
            "total_variation_to_delta",
            "max(tau, 1 - e^epsilon (1-tau))",
            total_variation="[0, 1]",
            epsilon="(-inf, inf)",
        ),
        row(
            "approximate_dp_to_delta",
            "delta + (1-delta) (1 - e^(epsilon' - epsilon))_+",
            epsilon="[0, inf)",
            delta="[0, 1]",
            target_epsilon="(-inf, inf)",
        ),
        row("approximate_dp_to_hellinger", "1 - (1-delta) / cosh(epsilon/2)", epsilon="[0, inf)", delta="[0, 1]"),
        row(
            "approximate_dp_to_total_variation", "delta + (1-delta) tanh(epsilon/2)", epsilon="[0, inf)", delta="[0, 1]"
        ),
        row("approximate_dp_to_regularization", "delta e^-epsilon", epsilon="[0, inf)", delta="[0, 1]"),
        row(
            "gdp_to_delta",
            "Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)",
            mu="[0, inf)",
            epsilon="(-inf, inf)",
        ),
        row("gdp_to_approximate_dp", "the inverse of gdp_to_delta", mu="[0, inf)", delta="(0, 1)"),
        row("gdp_to_rdp", "alpha mu^2 / 2", mu="[0, inf)", alpha="[0, inf]"),
        row("pure_to_rdp", "D_alpha of randomised response", epsilon="[0, inf)", alpha="[0, inf]"),
        row("pure_to_zcdp", "epsilon tanh(epsilon/2)", epsilon="[0, inf)"),
        row(
            "zcdp_to_approximate_dp",
            "min epsilon at delta, D_alpha <= xi + rho alpha",
            rho="(0, inf)",
            delta="(0, 1)",
            xi="[0, inf)",
        ),
        row(
            "tcdp_to_approximate_dp",
            "min epsilon at delta, D_alpha <= rho alpha, alpha < omega",
            rho="(0, inf)",
            omega="(1, inf)",
            delta="(0, 1)",
        ),
    ),
    "krdtheory.privacy.composition": (
        row(
            "optimal_composition",
            "min epsilon of k mechanisms at total_delta",
            epsilon="[0, inf)",
            delta="[0, 1)",
            k="[1, 1e9]",
            total_delta="[0, 1)",
        ),
        row(
            "optimal_composition_delta",
            "min delta of k mechanisms at total_epsilon",
            epsilon="[0, inf)",
            delta="[0, 1]",
            k="[1, 1e9]",
            total_epsilon="(-inf, inf)",
        ),
        row(
            "composition_bound",
            "an epsilon of k mechanisms, in closed form",
            epsilon="[0, inf)",
            delta="[0, 1)",
            k="[1, 1e9]",
            total_delta="[0, 1)",
        ),
        row("heterogeneous_composition", "bounds of the min epsilon of several kinds", total_delta="[0, 1)"),
        row("heterogeneous_composition_delta", "bounds of the min delta of several kinds", total_epsilon="(-inf, inf)"),
    ),
    "krdtheory.mp": (row("evaluate", "a function or method that takes `arithmetic`", MP),),
    "krdtheory.ball": (
        row("eigvalsh", "eigenvalues, ascending", BALL),
        row("sqrtm", "the positive square root", BALL),
        row("certify", "is one number at most another?", BALL),
    ),
}
CLASSES: dict[str, tuple[str, ...]] = {  # classes whose methods compute
    "krdtheory.kernels": ("Covariance", "Kernel", "ProductKernel"),
    "krdtheory.privacy.mechanisms": (
        *("DiscreteLaplace", "Exponential", "Gaussian", "Laplace", "MatrixMechanism", "RandomizedResponse"),
    ),
    "krdtheory.privacy.notions": (
        *("ApproximateDP", "CapacityBoundedDP", "GaussianDP", "KernelRenyiDP", "MeanConcentratedDP", "PureDP"),
        *("RenyiDP", "TradeOffDP", "TruncatedConcentratedDP", "ZeroConcentratedDP"),
    ),
    "krdtheory.privacy.regions": (
        *("ApproximateDPRegion", "GaussianDPRegion", "HellingerRegion", "KLRegion", "PureDPRegion", "RenyiRegion"),
        "TotalVariationRegion",
    ),
}
FUNCTIONS = {
    name: Function(name, module, formula, systems, ranks, ranges)
    for module, rows in ROWS.items()
    for name, formula, systems, ranks, ranges in rows
}


def names(system: str) -> list[str]:
    """Return the names of the functions that a number system has."""
    return sorted(name for name, function in FUNCTIONS.items() if system in function.systems)
