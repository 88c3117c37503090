"""Composition: the privacy of k mechanisms together, each (epsilon, delta)-DP for a symmetric neighbour relation.

Every such pair of output distributions is a post-processing of the canonical pair, which with probability delta reveals
which of the two it is and otherwise is randomised response with log-odds epsilon (Kairouz, Oh and Viswanath 2015). So
the composition of the canonical pairs is the worst one, also when each mechanism is chosen after the outputs of the
earlier ones: `optimal_composition` and `heterogeneous_composition` compute its privacy, and `composition_bound`
evaluates the closed-form bounds of the literature.

Arguments are numbers or arrays that broadcast, and `arithmetic` is as in `krdtheory.privacy.conversions`. An argument
outside the range given for it raises ValueError; one that is not numeric, or a k that is not an integer, raises
TypeError.
"""

from krdtheory.privacy.composition.bounds import METHODS as METHODS
from krdtheory.privacy.composition.bounds import composition_bound
from krdtheory.privacy.composition.heterogeneous import heterogeneous_composition, heterogeneous_composition_delta
from krdtheory.privacy.composition.homogeneous import optimal_composition, optimal_composition_delta

__all__ = [
    "composition_bound",
    "heterogeneous_composition",
    "heterogeneous_composition_delta",
    "optimal_composition",
    "optimal_composition_delta",
]
