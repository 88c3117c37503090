"""Notions of privacy as small objects, each a bound on a divergence of the output distributions of neighbouring inputs.

The neighbour relation is symmetric, so a pair of distributions satisfies a notion if both orders of it do. A notion
computes its divergence on finite distributions (`divergence`, `satisfied_by`) and knows what it implies (`implies`):

- A notion may have a *worst pair*, of which every pair that satisfies it is a post-processing: randomised response for
  pure DP, the four-symbol pair of Kairouz, Oh and Viswanath for approximate DP, two normal distributions for Gaussian
  DP. It decides every implication to a notion whose divergence no post-processing increases, with the optimal
  parameter.
- Otherwise an implication holds by a theorem, which is named, fails by a counterexample, which is returned, or is
  unknown.

=================== ======== ========== =========== ===================== ======== ==============
implies             Pure     Approx.    Renyi       zCDP                  Gaussian kernel Renyi
=================== ======== ========== =========== ===================== ======== ==============
PureDP              yes      yes        yes         eps tanh(eps / 2)     yes      yes
ApproximateDP       no       yes        alpha < 1   no                    no       lambda >= d e^-e
RenyiDP, alpha > 1  no       yes        alpha less  no                    no       alpha less
ZeroConcentratedDP  no       yes        yes         yes                   yes      yes
GaussianDP          no       yes        yes         mu^2 / 2              yes      yes
KernelRenyiDP       no       no         no          no                    no       parameters
=================== ======== ========== =========== ===================== ======== ==============

("no" means for no parameter; the table is for delta in (0, 1), and for lambda > 0 and the identity kernel.)
"""

from krdtheory.privacy.notions.capacity_bounded import CapacityBoundedDP
from krdtheory.privacy.notions.concentrated import MeanConcentratedDP, TruncatedConcentratedDP, ZeroConcentratedDP
from krdtheory.privacy.notions.differential import ApproximateDP, PureDP
from krdtheory.privacy.notions.kernel_renyi import KernelRenyiDP
from krdtheory.privacy.notions.notion import Implication, Notion
from krdtheory.privacy.notions.renyi import RenyiDP
from krdtheory.privacy.notions.tradeoff import GaussianDP, TradeOffDP

__all__ = [
    "ApproximateDP",
    "CapacityBoundedDP",
    "GaussianDP",
    "Implication",
    "KernelRenyiDP",
    "MeanConcentratedDP",
    "Notion",
    "PureDP",
    "RenyiDP",
    "TradeOffDP",
    "TruncatedConcentratedDP",
    "ZeroConcentratedDP",
]
