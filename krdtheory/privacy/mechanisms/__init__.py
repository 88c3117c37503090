"""Mechanisms and their exact privacy in every notion.

A mechanism is an immutable object. Its methods give the worst case over neighbouring inputs: the privacy profile
delta(epsilon), the Renyi divergence of every order, and with them KL, Hellinger and total variation. For noise added to
a vector that one individual moves by at most `sensitivity`, in the L1 norm (Laplace) or the L2 norm (Gaussian), the
worst case moves a single coordinate by all of it. For the Gaussian this follows by rotation. For both Laplace
mechanisms it holds because two coordinates moved by u and v reveal less than one moved by u + v, at every epsilon: with
scale 1, t = u + v - epsilon and epsilon >= 0 the profiles are 1 - e^{-t/2} (1 + min(t, 2u, 2v) / 4) and 1 - e^{-t/2};
and this order is kept when the same independent output is added to both. So a single pair of distributions determines
every quantity.

The neighbour relation is symmetric. Hence delta(-epsilon) = 1 - e^{-epsilon} + e^{-epsilon} delta(epsilon) and
(1 - alpha) D_alpha = alpha D_{1 - alpha}: only epsilon >= 0 and alpha >= 1/2 are computed.

Samples are drawn in floating point as in textbooks, which is not secure against an adversary who sees the low bits
(Mironov 2012): the mechanisms are meant for study and for audits.
"""

from krdtheory.privacy.mechanisms.discrete_laplace import DiscreteLaplace
from krdtheory.privacy.mechanisms.exponential import Exponential
from krdtheory.privacy.mechanisms.gaussian import Gaussian
from krdtheory.privacy.mechanisms.laplace import Laplace
from krdtheory.privacy.mechanisms.matrix import MatrixMechanism
from krdtheory.privacy.mechanisms.mechanism import Mechanism
from krdtheory.privacy.mechanisms.randomized_response import RandomizedResponse

__all__ = [
    "DiscreteLaplace",
    "Exponential",
    "Gaussian",
    "Laplace",
    "MatrixMechanism",
    "Mechanism",
    "RandomizedResponse",
]
