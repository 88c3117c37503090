"""Divergences for private mechanisms: computed, verified and estimated from samples."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type checkers see the names, and nothing is imported
    from krdtheory import ball, kernels, mp, privacy
    from krdtheory.divergences import (
        f_divergence,
        hellinger,
        hockey_stick,
        kl,
        max_divergence,
        max_relative_entropy,
        maximal_renyi,
        petz_renyi,
        quantum_hockey_stick,
        quantum_relative_entropy,
        renyi,
        sandwiched_renyi,
        total_variation,
        trace_distance,
    )
    from krdtheory.divergences.cuts import coarsen, k_cut, k_cut_cells, weak_birkhoff_von_neumann
    from krdtheory.divergences.restricted import (
        restricted_alpha_divergence,
        restricted_kl,
        restricted_renyi,
        restricted_solution,
    )
    from krdtheory.divergences.smooth import approximate_max_divergence, optimal_smoothing, smooth_renyi
    from krdtheory.version import __version__ as __version__
else:
    from krdtheory.imports import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "": ("ball", "kernels", "mp", "privacy"),
            "divergences": (
                "f_divergence",
                "hellinger",
                "hockey_stick",
                "kl",
                "max_divergence",
                "max_relative_entropy",
                "maximal_renyi",
                "petz_renyi",
                "quantum_hockey_stick",
                "quantum_relative_entropy",
                "renyi",
                "sandwiched_renyi",
                "total_variation",
                "trace_distance",
            ),
            "divergences.cuts": ("coarsen", "k_cut", "k_cut_cells", "weak_birkhoff_von_neumann"),
            "divergences.restricted": (
                "restricted_alpha_divergence",
                "restricted_kl",
                "restricted_renyi",
                "restricted_solution",
            ),
            "divergences.smooth": ("approximate_max_divergence", "optimal_smoothing", "smooth_renyi"),
            "version": ("__version__",),
        },
    )

__all__ = [
    "approximate_max_divergence",
    "ball",
    "coarsen",
    "f_divergence",
    "hellinger",
    "hockey_stick",
    "k_cut",
    "k_cut_cells",
    "kernels",
    "kl",
    "max_divergence",
    "max_relative_entropy",
    "maximal_renyi",
    "mp",
    "optimal_smoothing",
    "petz_renyi",
    "privacy",
    "quantum_hockey_stick",
    "quantum_relative_entropy",
    "renyi",
    "restricted_alpha_divergence",
    "restricted_kl",
    "restricted_renyi",
    "restricted_solution",
    "sandwiched_renyi",
    "smooth_renyi",
    "total_variation",
    "trace_distance",
    "weak_birkhoff_von_neumann",
]
