r"""The coins that put canaries in, and what a guarantee says of guesses at them.

A canary is in by a coin of its own: included with probability p (`Coins`), or one of k secrets at random (`Secrets`; of
a pair, one of two). Given the output y and the other coins, under (epsilon, delta)-DP with delta = 0, a guess at one
is right with probability at most

.. math:: q_{in} = \frac{e^\epsilon p}{1 - p + e^\epsilon p},\quad q_{out} = \frac{e^\epsilon (1-p)}{p + e^\epsilon
    (1-p)},\qquad q = \frac{e^\epsilon}{e^\epsilon + k - 1},

and with delta the excess over that, E(P(right | y, other coins) - q)_+, is in the mean at most p (1 - q_in) delta over
the guesses "in", (1 - p)(1 - q_out) delta over the guesses "out", and (1 - q) delta of secrets.
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
        """The log-odds of a guess that knows no score, of each side."""
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
        """(a, b): the mean probabilities of an event with the guess right and wrong are T / (m a) and U / (m b).

        Fair coins take both kinds of guesses, others the guesses "in" alone.
        """
        return (1.0, 1.0) if self.fair else (self.inclusion, 1 - self.inclusion)

    def right(self, epsilon: float) -> Array:
        """The largest probability of a right guess, of each side."""
        return np.asarray(expit(self.prior + epsilon))


@dataclass(frozen=True)
class Secrets:
    """Canaries of which each holds one of k secrets at random, and the guess is one of them: one side."""

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
