"""Audits that draw as they go: valid at every moment, so they stop as soon as they know.

A bettor looks at one event, {score >= threshold}. Scores are learnt from the releases seen so far, and relearnt when
half as many again have come; thresholds are quantiles of the scores of what was learnt from; stakes follow what each
event has done on releases it was not learnt from. All of it is fixed before the next releases are drawn, so each
bettor's capital is a supermartingale under the guarantee (`krdtheory.audit.betting`), and so is the average over
scores, thresholds, directions (p, q) and (q, p), half-planes of the guarantee, and pairs of inputs. The level is shared
in this way only: by an average, decided before the first release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import logsumexp

from krdtheory.arithmetic.base import Array, check_integers, reject
from krdtheory.audit import betting
from krdtheory.audit.cheap_scores import as_text, rows
from krdtheory.audit.half_planes import family, half_planes
from krdtheory.audit.result import AuditResult, Bound, seed_of
from krdtheory.audit.scores import Score, falls, make_scores, values_of
from krdtheory.privacy.mechanisms import check_number, generator
from krdtheory.privacy.notions import ApproximateDP, Notion

FIRST = 10  # pairs to learn from before the first bet
_GROWTH = 1.5  # of what is learnt from, from one learning to the next
_LEARN = 20_000  # the latest pairs are enough to learn from
_PIECE = 1024  # pairs whose bets are followed at once
_ROUNDING = 1e-12  # of a sum of weights
_LEVELS = np.array([0.03, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85])  # of P(T)


class SequentialAudit:
    """An audit of a stream of releases: valid at every moment, whatever made it stop there.

    Parameters
    ----------
    notion : Notion
        The guarantee that is claimed: pure, approximate, Gaussian, trade-off, Renyi or concentrated.
    confidence : float
        In (0, 1). A mechanism that keeps the guarantee is rejected, ever, with probability at most 1 - confidence.
    bound : {"epsilon", "delta"}, optional
        Which of the two parameters of approximate DP is bounded from below, at the other's claimed value; epsilon
        unless told. Bounding both would halve the level of each.
    scores : str, Score, classifier, callable, kernel, or a sequence of them, optional
        What to look at, as for `krdtheory.audit.audit`; by default a linear score, a small tree and exact repetitions,
        and only these where releases are no numbers. The capital is the average over all of them.
    rng : Generator or int
        For the scores that draw.

    Raises
    ------
    ValueError, TypeError
        A notion that bounds no probabilities of events (kernel, capacity-bounded); a confidence outside (0, 1); a bound
        of a parameter that it has not; with the first releases, scores that are none.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.stream import SequentialAudit
    >>> from krdtheory.privacy.notions import PureDP
    >>> rng = np.random.default_rng(0)
    >>> audit = SequentialAudit(PureDP(epsilon=0.5))
    >>> while not audit.rejected:  # Laplace noise of epsilon = 1
    ...     audit = audit.update(1 + rng.laplace(size=20), rng.laplace(size=20))
    >>> audit.n < 400, audit.result().epsilon_lower >= 0.5
    (True, True)
    """

    def __init__(
        self,
        notion: Notion,
        *,
        confidence: float = 0.95,
        bound: str | None = None,
        scores: Any = None,
        rng: Any = 0,
    ) -> None:
        if not isinstance(notion, Notion):
            reject("notion", notion, "a notion of krdtheory.privacy.notions", TypeError)
        if not 0 < check_number(confidence, "confidence") < 1:
            reject("confidence", confidence, "in (0, 1)")
        self.notion, self.confidence, self.seed = notion, float(confidence), seed_of(rng)
        self.scores = scores
        known = ("epsilon", "delta") if isinstance(notion, ApproximateDP) else (notion.bound_name,)
        self.bound = known[0] if bound is None else bound
        if self.bound not in known:
            reject("bound", bound, " or ".join(map(repr, known)))
        self.n = 0
        self.best = 1.0  # the highest capital so far
        self._rng = generator(self.seed)
        self._planes = half_planes(notion)
        self._pairs: list[_Bettors] = []
        self._next: tuple[str, float] | None = ("", 1.0)

    @property
    def level(self) -> float:
        """1 - confidence."""
        return 1 - self.confidence

    @property
    def rejected(self) -> bool:
        """Has the capital reached 1 / level?"""
        return self.best >= 1 / self.level

    @property
    def p_value(self) -> float:
        """1 / the highest capital so far (Ville's inequality)."""
        return 1 / self.best

    @property
    def capital(self) -> float:
        """The average capital of all bettors, those not yet called with 1."""
        return 1 + sum(pair.weight * (pair.capital - 1) for pair in self._pairs)

    @property
    def pair_p_value(self) -> float:
        """1 / the capital on the present pair of inputs, at most 1."""
        return 1 / max(1.0, self._pairs[-1].capital) if self._pairs else 1.0

    def update(self, x: Any, y: Any) -> SequentialAudit:
        """Bet on further releases x of one input and y of the other, one pair after the other, until it rejects.

        Raises
        ------
        ValueError
            Not equally many, or not of the kind and length of those before.
        """
        x, y, dimension = _alike(x, y)
        if not len(x):
            return self
        if self._next is not None:
            (name, weight), self._next = self._next, None
            default = ["atoms"] if dimension is None else ["linear", "tree", "atoms"]
            scores = make_scores(default if self.scores is None else self.scores, x, y)
            pair = _Bettors(scores, self._planes, self._rng, name=name, weight=weight, dimension=dimension)
            self._pairs.append(pair)
        pair, at = self._pairs[-1], 0
        if dimension != pair.dimension:
            before, now = ("text" if d is None else f"{d} numbers each" for d in (pair.dimension, dimension))
            raise ValueError(f"x and y must be releases like the first ones, {before}; got {now}")
        while at < len(x) and not self.rejected:
            piece = slice(at, at + min(pair.room, _PIECE))
            others, before_it = self.capital - pair.weight * pair.capital, pair.n
            reached = pair.take(x[piece], y[piece], (1 / self.level - others) / pair.weight)
            self.best = max(self.best, others + pair.weight * reached)
            at += pair.n - before_it
            self.n += pair.n - before_it
        return self

    def next_pair(self, name: str, weight: float) -> None:
        """Go on with releases of another pair of inputs.

        Everything about a pair, as its weight, must be chosen before its releases are seen.

        Raises
        ------
        ValueError, TypeError
            A name that was taken, or a weight that is not positive or with those of the pairs before exceeds 1.
        """
        taken = sum(pair.weight for pair in self._pairs)
        if not 0 < check_number(weight, "weight") <= 1 - taken + _ROUNDING:
            reject("weight", weight, f"positive, and with those of the pairs before, {taken:.6g}, at most 1")
        if name in (pair.name for pair in self._pairs):
            reject("name", name, "a name of its own")
        self._next = (name, weight)

    def result(self, **extra: Any) -> AuditResult:
        """What is known now. The bounds hold at once with probability `confidence`, at all times.

        A bound is the last of a fixed grid of values before the first that is not rejected. The hypotheses are nested:
        the first value of the grid that is true is fixed, and is rejected with probability at most the level. Bounds of
        single directions and pairs of inputs take their parts of the average: a capital of 2 / (weight level) there is
        one of 1 / level on the average.
        """
        overall, *single = self._lower_bounds()
        directions = {
            f"{pair.name} {order}".strip(): Bound(
                value=single.pop(0),
                level=self.level * pair.weight / 2,
                witness=pair.witness(direction),
                used={"pairs": pair.n, "bets": pair.bets},
                extra={"bounded": self.bound},
            )
            for pair in self._pairs
            for direction, order in enumerate(("p, q", "q, p"))
        }
        epsilon_lower = delta_lower = None
        divergence = overall
        if isinstance(self.notion, ApproximateDP):  # what one parameter says about the other
            refuted = overall >= float(getattr(self.notion, self.bound))
            epsilon_lower = overall if self.bound == "epsilon" else float(self.notion.epsilon) * refuted
            divergence = delta_lower = overall if self.bound == "delta" else float(self.notion.delta) * refuted
        elif self.bound == "epsilon":
            epsilon_lower = overall
        richest = max(self._pairs, key=lambda pair: pair.weight * pair.capital, default=None)
        return AuditResult(
            notion=self.notion,
            method="betting against the guarantee, valid at any time",
            confidence=self.confidence,
            divergence_lower=divergence,
            epsilon_lower=epsilon_lower,
            delta_lower=delta_lower,
            p_value=self.p_value,
            rejected=self.rejected,
            directions=directions,
            witness={} if richest is None else richest.witness(),
            used={
                "learning": "every bet: score, threshold and stake, from the releases before it",
                "level": "shared by an average over pairs of inputs, directions, scores, thresholds and half-planes",
                "pairs of inputs": len(self._pairs),
            },
            n=self.n,
            m=self.n,
            seed=self.seed,
            extra={"capital": self.best, **extra},
        )

    def _lower_bounds(self) -> list[float]:
        """Of the whole, and of the directions of every pair."""
        grid, planes = family(self.notion, self._planes, self.bound)
        targets = np.array([1, *(2 / pair.weight for pair in self._pairs for _ in range(2))]) / self.level
        bounds, going = np.zeros(len(targets)), np.ones(len(targets), dtype=bool)
        size = 1 if len(grid) < 32 else 32  # where a value is dear one is looked at, no more than needed
        for at in range(0, len(grid), size):
            values = grid[at : at + size]
            refuted = self._highest(*planes(values)) >= targets
            kept = np.where(refuted.all(0), len(values), np.argmin(refuted, axis=0))
            bounds = np.where(going & (kept > 0), values[np.maximum(kept, 1) - 1], bounds)
            going &= kept == len(values)
            if not going.any():
                break
        return [float(b) for b in bounds]

    def _highest(self, gain: Array, delta: Array) -> Array:
        """(values, 1 + 2 pairs): the highest capitals there would have been, had the guarantee been another."""
        total = np.ones(len(gain))
        whole, single = [total], []
        for pair in self._pairs:
            path = pair.capitals(gain, delta)
            gained = total + pair.weight * (path.mean(-1) - 1)
            whole.append(gained.max(0))
            single.append(path.max(0))
            total = gained[-1]
        return np.column_stack([np.max(whole, axis=0), *single])


def _alike(x: Any, y: Any) -> tuple[Array, Array, int | None]:
    """Both as rows of numbers (n, d) and d, or both as text (n,) and None."""
    x, y = rows(x), rows(y)
    for name, value in (("x", x), ("y", y)):
        if not hasattr(value, "__len__") or isinstance(value, (str, bytes, Mapping, Set)):
            reject(name, value, "a sequence of releases", TypeError)
    if len(x) != len(y):
        raise ValueError(f"x and y must be equally many releases; got {len(x)} and {len(y)}")
    a, b = _numbers(x, "x"), _numbers(y, "y")
    if a is not None and b is not None and a.shape[1] == b.shape[1] > 0:
        return a, b, a.shape[1]
    return as_text(x), as_text(y), None


def _numbers(values: Any, name: str) -> Array | None:
    """(n, d), or None where they are no numbers or not equally many each."""
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    check_integers(array, name)
    try:
        if array.dtype == object:  # None among numbers is NaN
            array = np.asarray(values, dtype=float)
    except (ValueError, TypeError):
        return None
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    return array.reshape(len(array), -1 if array.size else 0).astype(float) if array.dtype.kind in "biuf" else None


# The bets on one pair of inputs


def bettors(scores: int) -> int:
    """How many there are: for each direction, score and threshold."""
    return 2 * scores * len(_LEVELS)


@dataclass
class _Block:
    """Bets between two learnings, one for each event: what the stakes are based on, and what came."""

    known_x: Array
    known_y: Array
    known: float
    x_hits: Array
    y_hits: Array
    n: int = 0


class _Bettors:
    """One bettor for each direction, score and threshold (2 S L of them), on one pair of inputs."""

    def __init__(
        self,
        scores: dict[str, Score],
        planes: tuple[Array, Array],
        rng: np.random.Generator,
        *,
        name: str = "",
        weight: float = 1.0,
        dimension: int | None = None,
    ) -> None:
        self.scores, self.rng, (self.gain, self.delta) = scores, rng, planes
        self.name, self.weight, self.dimension = name, weight, dimension  # of the pair, in the average, of a release
        self.count = bettors(len(scores))
        self.x: list[Array] = []
        self.y: list[Array] = []
        self.n, self.next_learning = 0, FIRST
        self.blocks: list[_Block] = []
        self.log_capital = np.zeros((len(self.gain), self.count))  # of every half-plane and bettor
        self.events: list[tuple[Callable[[Array], Array], int, Array]] = []  # score, its sign, thresholds

    @property
    def room(self) -> int:
        """Pairs until the next learning."""
        return self.next_learning - self.n

    @property
    def capital(self) -> float:
        return float(np.exp(_log_mean(self.log_capital, (0, 1))))

    def take(self, x: Array, y: Array, target: float) -> float:
        """Bet on at most `room` further pairs, or fewer where the capital reaches `target`; the highest it has been."""
        if len(self.blocks) == 0:
            self._keep(x, y)
            best = 1.0
        else:
            block = self.blocks[-1]
            hits = self._hits(x, y)
            u, q = betting.stakes(block.known_x, block.known_y, block.known, self.gain[:, None], self.delta[:, None])
            hit, miss, hit_y, miss_y = betting.log_factors(u, q, self.gain[:, None], self.delta[:, None])
            steps = np.where(hits[0][:, None], hit, miss) + np.where(hits[1][:, None], hit_y, miss_y)
            path = self.log_capital + np.cumsum(steps, axis=0)
            capital = np.exp(_log_mean(path, (1, 2)))
            reached = np.flatnonzero(capital >= target)
            end = int(reached[0]) + 1 if len(reached) else len(x)
            self.log_capital, best = path[end - 1], float(capital[:end].max())
            block.x_hits, block.y_hits = block.x_hits + hits[0][:end].sum(0), block.y_hits + hits[1][:end].sum(0)
            block.n += end
            self._keep(x[:end], y[:end])
        if self.room == 0:
            self._learn()
        return best

    def _keep(self, x: Array, y: Array) -> None:
        self.x.append(x)
        self.y.append(y)
        self.n += len(x)

    def _learn(self) -> None:
        x, y = np.concatenate(self.x)[-_LEARN:], np.concatenate(self.y)[-_LEARN:]
        self.x, self.y = [x], [y]
        self.events = []
        for name, score in self.scores.items():
            of = partial(values_of, score.fit(x, y, self.rng), name=name)
            sign = -1 if falls(of(x), of(y)) else 1
            thresholds = [np.quantile(v, 1 - _LEVELS, method="inverted_cdf") for v in (sign * of(x), -sign * of(y))]
            self.events.append((of, sign, np.array(thresholds)))
        if self.blocks:
            last = self.blocks[-1]
            x_known, y_known, known = last.known_x + last.x_hits, last.known_y + last.y_hits, last.known + last.n
        else:  # what was learnt from counts half, as it flatters
            x_known, y_known = (h.sum(0) / 2 for h in self._hits(x, y))
            known = len(x) / 2
        nothing = np.zeros(self.count)
        self.blocks.append(_Block(x_known, y_known, known, nothing, nothing))
        self.next_learning = math.ceil(self.n * _GROWTH)

    def _hits(self, x: Array, y: Array) -> tuple[Array, Array]:
        """(n, bettors) each: is the first law's release in the event, is the second's? In the first half of the
        bettors x is the first, in the second half y is."""
        first: list[Array] = []
        second: list[Array] = []
        for direction in (0, 1):
            for of, sign, thresholds in self.events:
                at = [(sign if direction == 0 else -sign) * of(z)[:, None] for z in (x, y)]
                first.append(at[direction] >= thresholds[direction])
                second.append(at[1 - direction] >= thresholds[direction])
        return np.concatenate(first, axis=1), np.concatenate(second, axis=1)

    def capitals(self, gain: Array, delta: Array) -> Array:
        """(1 + blocks, ..., 2): the capital of each direction at the end of every block, had the guarantee been `gain`,
        `delta` (..., k)."""
        total = np.zeros((*gain.shape, self.count))
        out = [np.ones((*gain.shape[:-1], 2))]
        for b in self.blocks:
            u, q = betting.stakes(b.known_x, b.known_y, b.known, gain[..., None], delta[..., None])
            hit, miss, hit_y, miss_y = betting.log_factors(u, q, gain[..., None], delta[..., None])
            total = total + b.x_hits * hit + (b.n - b.x_hits) * miss + b.y_hits * hit_y + (b.n - b.y_hits) * miss_y
            by_direction = total.reshape(*gain.shape, 2, -1)
            out.append(np.exp(_log_mean(np.moveaxis(by_direction, -2, -3), (-2, -1))))
        return np.array(out)

    @property
    def bets(self) -> int:
        """Pairs of releases that were bet on."""
        return sum(b.n for b in self.blocks)

    def witness(self, only: int | None = None) -> dict[str, Any]:
        """The event of the richest bettor (of one direction), and how often it came when it was bet on."""
        if not self.events:
            return {}
        capital = logsumexp(self.log_capital, axis=0).reshape(2, -1)
        if only is not None:
            capital = np.where(np.arange(2)[:, None] == only, capital, -np.inf)
        best = int(np.argmax(capital))
        direction, score, level = np.unravel_index(best, (2, len(self.scores), len(_LEVELS)))
        hits = [float(sum(b.x_hits[best] for b in self.blocks)), float(sum(b.y_hits[best] for b in self.blocks))]
        _, sign, thresholds = self.events[score]
        rising = "score" if (direction == 0) == (sign == 1) else "-score"
        hits = hits if direction == 0 else hits[::-1]
        return {
            **({"pair": self.name.rstrip(":")} if self.name else {}),
            "score": list(self.scores)[score],
            "event": f"{rising} >= {thresholds[direction, level]:.6g}",
            "x_hits": int(hits[0]),
            "y_hits": int(hits[1]),
            "bets": self.bets,
        }


def _log_mean(values: Array, axis: Any) -> Array:
    """log of the mean of exponentials, below what a float can hold."""
    size = np.prod([values.shape[a] for a in np.atleast_1d(axis)])
    return np.minimum(logsumexp(values, axis=axis) - np.log(size), 700)
