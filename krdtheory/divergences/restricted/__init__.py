r"""Restricted divergences: the variational form of an f-divergence, its supremum taken over a class H of functions.

.. math:: D_f^H(P\|Q) = \sup_{h \in H} E_P h - E_Q f^*(h)

This is how well an adversary who can compute only functions of H distinguishes P from Q (capacity-bounded privacy).
Every value is bounded from both sides: a function h of the class gives a lower bound, and a density r, with P' = r Q in
place of P, gives an upper bound, D_f^H <= E_Q f(r) + sup_H (E_P h - E_Q r h). The gap between the two is checked.

References: Chaudhuri, Imola and Machanavajjhala (2019), "Capacity bounded differential privacy".
"""

from krdtheory.divergences.restricted.api import (
    restricted_alpha_divergence,
    restricted_kl,
    restricted_renyi,
    restricted_solution,
)
from krdtheory.divergences.restricted.classes import (
    EXTENSIONS,
    Affine,
    Box,
    ConvexHull,
    FunctionClass,
    GaussianDistribution,
    LaplaceDistribution,
    Mechanism,
    Polynomials,
    RestrictedSolution,
    RKHSBall,
    Sample,
)

__all__ = [
    "EXTENSIONS",
    "Affine",
    "Box",
    "ConvexHull",
    "FunctionClass",
    "GaussianDistribution",
    "LaplaceDistribution",
    "Mechanism",
    "Polynomials",
    "RKHSBall",
    "RestrictedSolution",
    "Sample",
    "restricted_alpha_divergence",
    "restricted_kl",
    "restricted_renyi",
    "restricted_solution",
]
