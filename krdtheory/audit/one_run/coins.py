r"""The coins that include canaries, and the bounds of a guarantee on guesses of them.

An independent coin includes a canary with probability p (`Coins`), or chooses one of k secrets (`Secrets`; for a pair,
one of two). Given the output y and the other coins, under pure epsilon-DP, a guess is right with probability at most

.. math:: q_{in} = \frac{e^\epsilon p}{1 - p + e^\epsilon p},\quad q_{out} = \frac{e^\epsilon (1-p)}{p + e^\epsilon
    (1-p)},\qquad q = \frac{e^\epsilon}{e^\epsilon + k - 1},

and under (epsilon, delta)-DP the mean excess over that, E(P(right | y, other coins) - q)_+, is at most p (1 - q_in)
delta for guesses "in", (1 - p)(1 - q_out) delta for guesses "out", and (1 - q) delta for secrets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from krdtheory.arithmetic.base import Array


@dataclass(frozen=True)
class Coins:
    """Canaries that are included independently with one probability; guesses "in" and guesses "out" are two sides."""

    inclusion: float = 0.5

    @property
    def prior(self) -> Array:
        """The log-odds of a guess without a score, for each side."""
        odds = float(logit(self.inclusion))
        return np.array([odds, -odds])

    @property
    def weight(self) -> Array:
        """The weight of delta on each side."""
        return np.array([self.inclusion, 1 - self.inclusion])

    @property
    def fair(self) -> bool:
        return self.inclusion == 0.5

    @property
    def shares(self) -> tuple[float, float]:
        """(a, b): an event and a right or wrong guess have mean probabilities T / (m a) and U / (m b).

        Fair coins use both kinds of guesses, others only the guesses "in".
        """
        return (1.0, 1.0) if self.fair else (self.inclusion, 1 - self.inclusion)

    def right(self, epsilon: float) -> Array:
        """Return the largest probability of a right guess, for each side."""
        return np.asarray(expit(self.prior + epsilon))


@dataclass(frozen=True)
class Secrets:
    """Canaries that hold one of k secrets each, chosen at random. A guess names one of them, and there is one side."""

    k: int = 2
    fair = True

    @property
    def prior(self) -> Array:
        return np.array([-np.log(self.k - 1.0)])

    @property
    def weight(self) -> Array:
        return np.ones(1)

    @property
    def shares(self) -> tuple[float, float]:
        return 1.0, self.k - 1.0

    def right(self, epsilon: float) -> Array:
        return np.asarray(expit(self.prior + epsilon))
