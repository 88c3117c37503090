"""Sequential audits, which are valid at any time and so can stop as soon as they reject.

A bettor bets on one event, {score >= threshold}. Scores are learnt from the outputs seen so far, and again whenever
their number has grown by half; thresholds are quantiles of the scores on the learning data; stakes depend on the counts
of each event on outputs that it was not learnt from. All of this is fixed before the next outputs are drawn, so each
bettor's capital is a supermartingale under the guarantee (`krdtheory.audit.betting`), and so is the average over
scores, thresholds, directions (p, q) and (q, p), half-planes of the guarantee, and pairs of inputs. The level is shared
only by this average, which is fixed before the first output.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import logsumexp

from krdtheory.arithmetic.base import Array, generator, reject, seed_of
from krdtheory.arithmetic.checks import check_number
from krdtheory.audit import betting, independence
from krdtheory.audit.basic_scores import sharing
from krdtheory.audit.event_bounds import family, half_planes
from krdtheory.audit.events import BACKWARD, FORWARD, LearntScore, constant, nudged, tells
from krdtheory.audit.outputs import Features, Outputs, all_same, read, read_two, unwrapped
from krdtheory.audit.result import NOTHING, AuditResult, Bound
from krdtheory.audit.scores import Fitted, Score, falls, make_scores, rule, values_of
from krdtheory.privacy.notions import ApproximateDP, Notion

FIRST = 10  # pairs to learn from before the first bet
_GROWTH = 1.5  # of the learning data, from one learning to the next
_LEARN = 20_000  # the most pairs to learn from, the latest ones
_PIECE = 1024  # pairs whose bets are evaluated at once
_ROUNDING = 1e-12  # rounding error of a sum of weights
_NONE = Outputs(np.zeros((0, 1)))
_LEVELS = np.array([0.03, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85])  # of P(T), one for each threshold


class SequentialAudit:
    """An audit of a stream of outputs, valid at any time, for any stopping rule.

    Parameters
    ----------
    notion : Notion
        The claimed guarantee: pure, approximate, Gaussian, trade-off, Renyi or concentrated.
    confidence : float
        In (0, 1). A mechanism that satisfies the guarantee is ever rejected with probability at most 1 - confidence.
    bound : {"epsilon", "delta"}, optional
        Which of the two parameters of approximate DP is bounded from below, at the other's claimed value; epsilon by
        default. Bounding both would halve the level of each.
    scores : str, Score, classifier, callable, kernel, or a sequence of them, optional
        As for `krdtheory.audit.audit`. By default, or with "auto": a linear score, a small tree and exact repetitions;
        for several coordinates also their spread and repetitions in each of them; for texts exact repetitions and
        words. The capital is the average over all of them.
    features : callable, optional
        A function of one output, whose value is audited in place of the output.
    go_on : bool
        Continue to bet after a rejection, for a larger lower bound, which is also valid at any time. Otherwise later
        outputs are ignored.
    rng : int, Generator or None
        For scores that use randomness.

    Raises
    ------
    ValueError, TypeError
        A notion that does not bound probabilities of events (kernel, capacity-bounded); a confidence outside (0, 1); a
        bound on a parameter that the notion does not have; with the first outputs, scores that are not valid.

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
        features: Features | None = None,
        go_on: bool = False,
        rng: Any = 0,
    ) -> None:
        if not isinstance(notion, Notion):
            reject("notion", notion, "a notion of krdtheory.privacy.notions", TypeError)
        if not 0 < check_number(confidence, "confidence") < 1:
            reject("confidence", confidence, "in (0, 1)")
        self.notion, self.confidence, self.seed = notion, float(confidence), seed_of(rng)
        self.scores, self.features, self.go_on = scores, features, bool(go_on)
        known = ("epsilon", "delta") if isinstance(notion, ApproximateDP) else (notion.bound_name,)
        self.bound = known[0] if bound is None else bound
        if self.bound not in known:
            reject("bound", bound, " or ".join(map(repr, known)))
        self.n = 0
        self.best = 1.0  # the highest capital so far
        self._rng = generator(self.seed)
        self._planes = half_planes(notion)
        self._pairs: list[_Bettors] = []
        self._warnings: tuple[str, ...] = ()
        self._next: tuple[str, float] | None = ("", 1.0)

    @property
    def level(self) -> float:
        """1 - confidence."""
        return 1 - self.confidence

    @property
    def rejected(self) -> bool:
        """Whether the capital has reached 1 / level."""
        return self.best >= 1 / self.level

    @property
    def p_value(self) -> float:
        """1 / the highest capital so far (Ville's inequality)."""
        return 1 / self.best

    @property
    def capital(self) -> float:
        """The average capital of all bettors, which is 1 for those of future pairs of inputs."""
        return 1 + sum(pair.weight * (pair.capital - 1) for pair in self._pairs)

    @property
    def pair_p_value(self) -> float:
        """1 / the capital on the current pair of inputs, at most 1."""
        return 1 / max(1.0, self._pairs[-1].capital) if self._pairs else 1.0

    def update(self, x: Any, y: Any) -> SequentialAudit:
        """Bet on further outputs x for one input and y for the other, one pair after the other.

        Without `go_on`, outputs after a rejection are ignored.

        Outputs in lists may be of another kind or length than those before. Scores that were learnt before do not bet
        on them until they are learnt again.

        Raises
        ------
        ValueError, TypeError
            Unequal numbers of outputs, or one array that was filled twice; arrays or tables unlike those before;
            outputs that `krdtheory.audit.outputs` rejects.
        """
        if independence.in_one_place(x, y):
            raise ValueError(
                "x and y must be apart; got one and the same memory, as of a mechanism that fills one array again and "
                "again: copy each output"
            )
        warnings = [text for name, z in (("x", x), ("y", y)) for text in independence.one_object(z, name)]
        self._warnings += independence.warn(warnings, self._warnings)
        return self.take(x, y)

    def take(self, x: Any, y: Any) -> SequentialAudit:
        """Do what `update` does, for samples that cannot change later."""
        first, second = read_two(x, y, self.features)
        x, y = first.values, second.values
        if len(x) != len(y):
            raise ValueError(f"x and y must be equally many outputs; got {len(x)} and {len(y)}")
        if not len(x):
            return self
        if self._next is not None:
            (name, weight), self._next = self._next, None
            scores = self._make_scores(_defaults(first), x, y)
            self._pairs.append(_Bettors(scores, self._planes, self._rng, name=name, weight=weight, like=first))
        pair, at = self._pairs[-1], 0
        x, y = self._like_before(pair, first, second)
        going = not self.rejected
        while at < len(x) and (self.go_on or not self.rejected):
            piece = slice(at, at + min(pair.room, _PIECE))
            others, before_it = self.capital - pair.weight * pair.capital, pair.n
            target = math.inf if self.go_on else (1 / self.level - others) / pair.weight
            reached = pair.take(x[piece], y[piece], target)
            self.best = max(self.best, others + pair.weight * reached)
            at += pair.n - before_it
            self.n += pair.n - before_it
        if going and self.rejected:
            self._warn(stacklevel=4)
        return self

    def _warn(self, stacklevel: int) -> None:
        """Warn of evidence against the independence of the latest outputs."""
        for pair in self._pairs:
            if pair.x:
                found = independence.suspicions(np.concatenate(pair.x), np.concatenate(pair.y), pair.like.names)
                self._warnings += independence.warn(
                    [f"{pair.name} {text}".strip() for text in found], self._warnings, stacklevel
                )

    def _make_scores(self, default: list[str], x: Array, y: Array) -> dict[str, Score]:
        own = self.scores is not None and not (isinstance(self.scores, str) and self.scores == "auto")
        return make_scores(self.scores if own else default, x, y)

    def _like_before(self, pair: _Bettors, first: Outputs, second: Outputs) -> tuple[Array, Array]:
        """Return further outputs in the form of the earlier ones; as objects, once outputs in a list differ in kind."""
        like = pair.like
        now, before = (
            f"{z.values.shape[1]} numbers each" if z.kind == "numbers" else z.kind for z in (first, pair.like)
        )
        if now == before and len(first.kinds | like.kinds) <= 1:
            return first.values, second.values
        if like.whole or first.whole:
            raise ValueError(f"x and y must be outputs like the first ones, {before}; got {now}")
        x, y = first.as_objects("x"), second.as_objects("y")
        if like.kind != "other objects":
            pair.become_objects(self._make_scores([*pair.scores], x, y))
        return x, y

    def next_pair(self, name: str, weight: float) -> None:
        """Continue with outputs of another pair of inputs.

        Everything about a pair, including its weight, must be chosen before its outputs are seen.

        Raises
        ------
        ValueError, TypeError
            A name that is already in use, or a weight that is not positive or exceeds 1 together with those of earlier
            pairs.
        """
        taken = sum(pair.weight for pair in self._pairs)
        if not 0 < check_number(weight, "weight") <= 1 - taken + _ROUNDING:
            reject("weight", weight, f"positive, and with those of the pairs before, {taken:.6g}, at most 1")
        if name in (pair.name for pair in self._pairs):
            reject("name", name, "a name of its own")
        self._next = (name, weight)

    def result(self, **extra: Any) -> AuditResult:
        """Return the current result. All its bounds hold simultaneously with probability `confidence`, at all times.

        A bound is the last value of a fixed grid before the first that is not rejected. The hypotheses are nested: the
        first true value of the grid is fixed, and is rejected with probability at most the level. Bounds of single
        directions and pairs of inputs use their shares of the average: a capital of 2 / (weight level) there is one of
        1 / level on average.
        """
        self._warn(stacklevel=4)
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
        if isinstance(self.notion, ApproximateDP):  # a refuted claim also bounds the other parameter
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
                "learning": "every bet: score, threshold and stake, from the outputs before it",
                "level": "shared by an average over pairs of inputs, directions, scores, thresholds and half-planes",
                "pairs of inputs": len(self._pairs),
            },
            n=self.n,
            m=self.n,
            seed=self.seed,
            warnings=self._warnings,
            score=None if richest is None else richest.score(self.features),
            extra={"capital": self.best, **extra},
        )

    def _lower_bounds(self) -> list[float]:
        """Return the overall lower bound, and that of each direction of every pair."""
        grid, planes = family(self.notion, self._planes, self.bound)
        targets = np.array([1, *(2 / pair.weight for pair in self._pairs for _ in range(2))]) / self.level
        bounds, going = np.zeros(len(targets)), np.ones(len(targets), dtype=bool)
        size = 1 if len(grid) < 32 else 32  # in short grids, whose values are expensive, one at a time
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
        """Return the highest capitals (values, 1 + 2 pairs) that bets against other guarantees would have reached."""
        total = np.ones(len(gain))
        whole, single = [total], []
        for pair in self._pairs:
            path = pair.capitals(gain, delta)
            gained = total + pair.weight * (path.mean(-1) - 1)
            whole.append(gained.max(0))
            single.append(path.max(0))
            total = gained[-1]
        return np.column_stack([np.max(whole, axis=0), *single])


def _defaults(like: Outputs) -> list[str]:
    """Return the names of the default scores for outputs of this kind."""
    if like.kind == "text":
        return ["atoms", "words"]
    single = like.kind == "numbers" and like.values.shape[1] == 1
    return ["linear", "tree", "atoms", *([] if single else ["spread", "repeats"])]


# The bets on one pair of inputs


def bettors(scores: int) -> int:
    """Return the number of bettors, one for each direction, score and threshold."""
    return 2 * scores * len(_LEVELS)


@dataclass
class _Block:
    """The bets between two learnings: for each event the counts that determine the stakes, and the outcomes."""

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
        like: Outputs = _NONE,
    ) -> None:
        self.scores, self.rng, (self.gain, self.delta) = scores, rng, planes
        self.name, self.weight = name, weight  # the weight of the pair in the average
        self.like = like  # an example of the outputs
        self.before: Outputs | None = None  # an example from when the events were learnt, if different
        self.same = True  # whether all outputs so far are equal
        self.count = bettors(len(scores))
        self.x: list[Array] = []
        self.y: list[Array] = []
        self.n, self.next_learning = 0, FIRST
        self.blocks: list[_Block] = []
        self.log_capital = np.zeros((len(self.gain), self.count))  # for every half-plane and bettor
        self.events: list[tuple[Any, int, Array]] = []  # the score, its sign, and thresholds

    @property
    def room(self) -> int:
        """The number of pairs until the next learning."""
        return self.next_learning - self.n

    @property
    def capital(self) -> float:
        return float(np.exp(_log_mean(self.log_capital, (0, 1))))

    def take(self, x: Array, y: Array, target: float) -> float:
        """Bet on at most `room` further pairs, until the capital reaches `target`, and return the highest capital."""
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

    def become_objects(self, scores: dict[str, Score]) -> None:
        """Treat outputs as objects from now on, and convert the earlier ones."""
        self.before, self.same = self.like if self.events else None, False
        self.x, self.y = (
            [replace(self.like, values=z, raw=None).as_objects("x") for z in kept] for kept in (self.x, self.y)
        )
        self.like, self.scores = Outputs(np.concatenate(self.x)), scores

    def _keep(self, x: Array, y: Array) -> None:
        first = (*self.x, x)[0][:1]
        self.same = self.same and all_same(first, x) and all_same(first, y)
        self.x.append(x)
        self.y.append(y)
        self.n += len(x)

    def _learn(self) -> None:
        x, y = np.concatenate(self.x)[-_LEARN:], np.concatenate(self.y)[-_LEARN:]
        self.x, self.y = [x], [y]
        self.events = []
        with sharing():
            fitted = {name: score.fit(x, y, self.rng) for name, score in self.scores.items()}
            values = {name: [values_of(of, z, name) for z in (x, y)] for name, of in fitted.items()}
        for name, score in self.scores.items():
            of, (u, v) = partial(values_of, fitted[name], name=name), values[name]
            sign = -1 if falls(u, v) else 1
            thresholds = [np.quantile(w, 1 - _LEVELS, method="inverted_cdf") for w in (sign * u, -sign * v)]
            if getattr(score, "rounded", False):
                thresholds = [nudged(t, s * u, s * v) for t, s in zip(thresholds, (sign, -sign), strict=True)]
            if constant(u, v):  # so that no output is in the event
                thresholds = [np.full(len(_LEVELS), np.nan)] * 2
            self.events.append((of, sign, np.array(thresholds)))
        self.before = None
        if self.blocks:
            last = self.blocks[-1]
            x_known, y_known, known = last.known_x + last.x_hits, last.known_y + last.y_hits, last.known + last.n
        else:  # learning data count half, as they are biased
            x_known, y_known = (h.sum(0) / 2 for h in self._hits(x, y))
            known = len(x) / 2
        nothing = np.zeros(self.count)
        self.blocks.append(_Block(x_known, y_known, known, nothing, nothing))
        self.next_learning = math.ceil(self.n * _GROWTH)

    def _hits(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return whether the first and the second distribution's outputs are in the event, (n, bettors) each. For the
        first half of the bettors x is from the first distribution, for the second half y is."""
        first: list[Array] = []
        second: list[Array] = []
        scored = [[sign * self._values(of, z)[:, None] for z in (x, y)] for of, sign, _ in self.events]
        for direction in (0, 1):
            for (_, _, thresholds), values in zip(self.events, scored, strict=True):
                at = values if direction == 0 else [-value for value in values]
                first.append(at[direction] >= thresholds[direction])
                second.append(at[1 - direction] >= thresholds[direction])
        return np.concatenate(first, axis=1), np.concatenate(second, axis=1)

    def _values(self, of: Callable[[Array], Array], z: Array) -> Array:
        """Return scores, with NaN, which is in no event, for outputs unlike those that the score was learnt from."""
        if self.before is None:
            return of(z)
        like = self.before.kind, self.before.values.shape[1:], self.before.kinds
        each = [(i, read([one], "x")) for i, one in enumerate(unwrapped(z))]
        alike = [(i, one.values) for i, one in each if (one.kind, one.values.shape[1:], one.kinds) == like]
        out = np.full(len(z), np.nan)
        if alike:
            out[[i for i, _ in alike]] = of(np.concatenate([one for _, one in alike]))
        return out

    def capitals(self, gain: Array, delta: Array) -> Array:
        """Return the capital (1 + blocks, ..., 2) of each direction at the end of every block if the bets had been
        against the guarantee `gain`, `delta` (..., k)."""
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
        """The number of pairs of outputs that were bet on."""
        return sum(b.n for b in self.blocks)

    def witness(self, only: int | None = None) -> dict[str, Any]:
        """Return the event of the bettor with the largest capital (in one direction), and its counts in the bets."""
        if not self.events:
            return {}
        capital = logsumexp(self.log_capital, axis=0).reshape(2, -1)
        if only is not None:
            capital = np.where(np.arange(2)[:, None] == only, capital, -np.inf)
        best = int(np.argmax(capital))
        direction, score, level = np.unravel_index(best, (2, len(self.scores), len(_LEVELS)))
        hits = [float(sum(b.x_hits[best] for b in self.blocks)), float(sum(b.y_hits[best] for b in self.blocks))]
        _, sign, thresholds = self.events[score]
        hits = hits if direction == 0 else hits[::-1]
        name, rising = list(self.scores)[score], (direction == 0) == (sign == 1)
        threshold = float(thresholds[direction, level]) * (1 if rising else -1)
        dimension = self.like.values.shape[1] if self.like.kind == "numbers" else 1
        event = rule(self.learnt(int(score)), name, rising, threshold)
        if math.isnan(threshold):
            event = "none: the score tells no outputs apart"
        return {
            **({"pair": self.name.rstrip(":")} if self.name else {}),
            "score": name,
            "event": NOTHING if self.same else event,
            "direction": (FORWARD, BACKWARD)[direction],
            "thresholds": [threshold] if math.isfinite(threshold) else [],
            **tells(self.learnt(int(score)), self.like.names, dimension),
            "x_hits": int(hits[0]),
            "y_hits": int(hits[1]),
            "bets": self.bets,
            "count in x": f"{int(hits[0])} of {self.bets}",
            "count in y": f"{int(hits[1])} of {self.bets}",
        }

    def learnt(self, score: int) -> Fitted:
        """Return the current function of a score."""
        fitted: Fitted = self.events[score][0].args[0]
        return fitted

    def score(self, features: Features | None) -> LearntScore | None:
        """Return the score of the bettor with the largest capital."""
        if not self.events:
            return None
        name = self.witness()["score"]
        objects = (self.before or self.like).kind == "other objects"
        return LearntScore(name, self.learnt(list(self.scores).index(name)), objects, features)


def _log_mean(values: Array, axis: Any) -> Array:
    """Return the logarithm of the mean of exponentials, capped so that its exponential does not overflow."""
    size = np.prod([values.shape[a] for a in np.atleast_1d(axis)])
    return np.minimum(logsumexp(values, axis=axis) - np.log(size), 700)
