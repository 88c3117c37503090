"""Audits of canaries in pieces, by bets that may be monitored continuously and stopped at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import check_number
from krdtheory.audit.one_run.guesses import read
from krdtheory.audit.one_run.mixture import layout
from krdtheory.audit.one_run.walk import RUNGS
from krdtheory.privacy.notions import ApproximateDP, PureDP


@dataclass(frozen=True, eq=False)
class OneRunStream:
    r"""An audit of canaries in pieces, from one run or from one run after the other.

    Each piece multiplies a capital, which starts at 1, by the mixture of likelihood ratios of its right guesses
    (`krdtheory.audit.one_run.mixture`). At any time the p-value of (epsilon, delta)-DP is

    .. math:: \frac{1}{\max_t \text{capital}_t} + \sum_j \text{cost of delta of piece } j

    (Ville's inequality, and the theorem of `krdtheory.audit.one_run.blocks` for the region in which the capital ever
    reaches this value). The next piece, and the decision to stop, may depend on all earlier observations; each canary
    has an independent coin, on which nothing before its piece may depend.

    Parameters
    ----------
    notion : PureDP or ApproximateDP
        The claim, for every run.
    confidence, inclusion : float
        As `krdtheory.audit.audit_one_run`.
    rng : int, Generator or None
        Breaks ties; stored as a seed.

    Raises
    ------
    ValueError, TypeError
        Another notion, or numbers out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.one_run import OneRunStream
    >>> from krdtheory.privacy.notions import ApproximateDP
    >>> rng, stream = np.random.default_rng(0), OneRunStream(ApproximateDP(epsilon=1, delta=1e-6))
    >>> while not stream.rejected:
    ...     included = rng.random(200) < 0.5
    ...     stream = stream.update(rng.normal(size=200) + 2 * included, included)
    >>> stream.canaries < 2000, stream.epsilon_lower >= 1
    (True, True)
    """

    notion: PureDP | ApproximateDP
    confidence: float = 0.95
    inclusion: float = 0.5
    rng: Any = 0
    canaries: int = 0
    pieces: int = 0
    _capital: Array | None = None  # logarithms, for each epsilon
    _most: Array | None = None
    _cost: Array | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.notion, PureDP | ApproximateDP):
            reject("notion", self.notion, "PureDP or ApproximateDP, which bets can be made against in pieces")
        for name, value in (("confidence", self.confidence), ("inclusion", self.inclusion)):
            if not 0 < check_number(value, name, 0, 1, allowed="in (0, 1)") < 1:
                reject(name, value, "in (0, 1)")
        object.__setattr__(self, "rng", seed_of(self.rng))

    @property
    def _rungs(self) -> Array:
        return np.unique(np.append(RUNGS, float(self.notion.epsilon)))

    def update(self, scores: Any, included: Any) -> OneRunStream:
        """Return the audit after one more piece.

        Parameters
        ----------
        scores, included : array_like
            As `krdtheory.audit.audit_one_run`, for canaries that were not in an earlier piece.
        """
        guesses = read(scores, included, self.inclusion, np.random.default_rng([self.rng, self.pieces]))
        delta, rungs = float(getattr(self.notion, "delta", 0)), self._rungs
        made = layout(guesses.coins, guesses.canaries, tuple(map(len, guesses.sides)), delta, 1 - self.confidence)
        counts = made.counts(guesses)
        gained = np.array([float(made.log_evidence(counts, e)) for e in rungs.tolist()])
        cost = np.array([made.cost(e, delta) for e in rungs.tolist()])
        zero = np.zeros(len(rungs))
        capital = (zero if self._capital is None else self._capital) + gained
        return replace(
            self,
            canaries=self.canaries + guesses.canaries,
            pieces=self.pieces + 1,
            _capital=capital,
            _most=np.maximum(zero if self._most is None else self._most, capital),
            _cost=(zero if self._cost is None else self._cost) + cost,
        )

    def _p_values(self) -> Array:
        if self._most is None or self._cost is None:
            return np.ones(len(self._rungs))
        return np.minimum(np.exp(-self._most) + self._cost, 1.0)

    def _reach(self) -> tuple[int, int, Array]:
        """Return the indices of the first tested claim and of the first that is not rejected, and all p-values."""
        p, level = self._p_values(), 1 - self.confidence
        cost = np.zeros(len(p)) if self._cost is None else self._cost
        start = int(np.argmax(cost < level)) if (cost < level).any() else len(p)
        kept = np.flatnonzero(p[start:] > level)
        return start, start + int(kept[0]) if len(kept) else len(p), p

    @property
    def epsilon_lower(self) -> float:
        """The lower bound on epsilon at the claimed delta; those at all times hold simultaneously."""
        start, reach, _ = self._reach()
        return float(self._rungs[reach - 1]) if reach > start else 0.0

    @property
    def p_value(self) -> float:
        """The p-value of the claim."""
        start, _, p = self._reach()
        if start == len(p):
            return 1.0
        claimed = int(np.searchsorted(self._rungs, float(self.notion.epsilon)))
        return float(p[start : max(start, claimed) + 1].max())  # if a larger claim is refuted, so is this one

    @property
    def rejected(self) -> bool:
        """Whether the claim is rejected."""
        return self.p_value <= 1 - self.confidence
