"""Mechanisms, and what each leaks in every notion, exactly.

A mechanism is a frozen value. Its methods give the worst case over neighbouring inputs: the privacy profile
delta(epsilon), the Renyi divergence of every order, and with them KL, Hellinger and total variation. For noise added to
a vector that one individual moves by at most `sensitivity`, in the L1 norm (Laplace) or the L2 norm (Gaussian), the
worst case moves a single coordinate by all of it. For the Gaussian that is rotation. For both Laplace mechanisms it is
because two coordinates moved by u and v tell less than one moved by u + v, at every epsilon: with scale 1,
t = u + v - epsilon and epsilon >= 0 the profiles are 1 - e^{-t/2} (1 + min(t, 2u, 2v) / 4) and 1 - e^{-t/2}; and of two
pairs the one that tells less still does beside any independent output. So a single pair of distributions answers every
question.

Neighbouring is symmetric. Hence delta(-epsilon) = 1 - e^{-epsilon} + e^{-epsilon} delta(epsilon) and
(1 - alpha) D_alpha = alpha D_{1 - alpha}: only epsilon >= 0 and alpha >= 1/2 are computed.

Sampling is that of the textbook, in floating point, and not secure against an adversary who sees the low bits
(Mironov 2012): the mechanisms are here to be studied and audited.
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
