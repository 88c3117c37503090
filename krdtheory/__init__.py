"""Divergences for private mechanisms: computed, verified and estimated from samples."""

from importlib.metadata import version

from krdtheory import ball, kernels, mp, privacy
from krdtheory.divergences import *  # noqa: F403
from krdtheory.divergences import __all__ as _divergences
from krdtheory.divergences.cuts import coarsen, k_cut, k_cut_cells, weak_birkhoff_von_neumann
from krdtheory.divergences.restricted import (
    restricted_alpha_divergence,
    restricted_kl,
    restricted_renyi,
    restricted_solution,
)
from krdtheory.divergences.smooth import approximate_max_divergence, optimal_smoothing, smooth_renyi

__version__ = version("krdtheory")
__all__ = [
    "approximate_max_divergence",
    "ball",
    "coarsen",
    "k_cut",
    "k_cut_cells",
    "kernels",
    "mp",
    "optimal_smoothing",
    "privacy",
    "restricted_alpha_divergence",
    "restricted_kl",
    "restricted_renyi",
    "restricted_solution",
    "smooth_renyi",
    "weak_birkhoff_von_neumann",
    *_divergences,
]
