"""Audits of outputs in pieces, on one machine or several: an event that was learnt beforehand, and its counts.

The test of an event needs only four numbers, so no more is stored of a piece, and memory does not grow with the
outputs. Counts are additive: the result is that of all pieces together, in whatever order and wherever they were
counted.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, reject, seed_of
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.audit.events import BACKWARD, FORWARD, Event, LearntScore, learn
from krdtheory.audit.outputs import Features, Outputs, read, read_two
from krdtheory.audit.result import AuditResult, Bound
from krdtheory.audit.scores import make_scores
from krdtheory.audit.target import Target
from krdtheory.privacy.notions import CapacityBoundedDP, KernelRenyiDP, Notion


@dataclass(frozen=True, kw_only=True)
class EventAudit:
    """The counts of a learnt event in outputs for one input and for the other.

    It is immutable and can be sent to other processes: `partial_fit` and `merge` return the audit with further counts.
    The outputs must be independent of those that the event was learnt from, and each must be counted once. The level
    holds for one call of `result`, after a number of outputs that does not depend on their values.

    Parameters
    ----------
    event : Event
        The event from `learn_event`.
    digest : str
        Of the event; only audits of the same event can be merged.
    notion : Notion
        The claim.
    confidence : float
        In (0, 1).
    bound : {"epsilon", "delta"}
        For approximate DP, the bound to optimise.
    features : callable, optional
        The function of one output that was used in learning.
    like : str
        The kind of the outputs, and the count of numbers in each.
    seed : int
        The seed of the learning.
    n, m : int
        The number of outputs so far for the one input and for the other.
    a, b : int
        The number of these in the event.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.pieces import learn_event
    >>> from krdtheory.privacy.notions import PureDP
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.laplace(1, size=5000), rng.laplace(size=5000)
    >>> audit = learn_event(x[:1000], y[:1000], PureDP(epsilon=0.5), n=4000, m=4000)
    >>> here, there = audit.partial_fit(x[1000:2000], y[1000:4000]), audit.partial_fit(x[2000:]).partial_fit(y=y[4000:])
    >>> together = here.merge(there)
    >>> together == audit.partial_fit(x[1000:], y[1000:]), together.result().rejected
    (True, True)
    """

    event: Event = field(compare=False)
    digest: str  # of the event
    notion: Notion
    confidence: float
    bound: str = "epsilon"
    features: Features | None = None
    like: str = "1 numbers each"
    seed: int = 0
    n: int = 0
    m: int = 0
    a: int = 0
    b: int = 0

    def partial_fit(self, x: Any = None, y: Any = None) -> EventAudit:
        """Return the audit with further outputs for the one input, and for the other.

        Raises
        ------
        ValueError, TypeError
            Outputs of another kind or dimension than those that were learnt from.
        """
        (n, a), (m, b) = (self._counted(z, name) for z, name in ((x, "x"), (y, "y")))
        return replace(self, n=self.n + n, m=self.m + m, a=self.a + a, b=self.b + b)

    def merge(self, other: EventAudit) -> EventAudit:
        """Return the audit with the counts of another one of the same event added.

        Raises
        ------
        ValueError
            The other audit has another event, notion, confidence or bound.
        """
        if not isinstance(other, EventAudit) or replace(other, n=self.n, m=self.m, a=self.a, b=self.b) != self:
            raise ValueError("other must be an audit by the same event; got one by another")
        return replace(self, n=self.n + other.n, m=self.m + other.m, a=self.a + other.a, b=self.b + other.b)

    def result(self) -> AuditResult:
        """Return the joint exact test of the counts, and lower confidence bounds, as `krdtheory.audit.audit` does.

        Raises
        ------
        ValueError
            There are no outputs for one of the inputs.
        """
        for name, count in (("x", self.n), ("y", self.m)):
            if not count:
                raise ValueError(f"partial_fit must have been given outputs of {name}; got none")
        level = 1 - self.confidence
        target = Target(self.notion, self.bound, self.n, self.m, level)
        forward = self.event.direction == FORWARD
        first, second = ((self.a, self.n), (self.b, self.m))[:: 1 if forward else -1]
        test = target.test_of_counts(self.event, *first, *second, level)
        p_value, found = target.p_value(test), target.bounds(test)
        names = ("x", "y") if forward else ("y", "x")
        thresholds = [t for t in (self.event.lower, self.event.upper) if np.isfinite(t)]
        witness = {
            "event": self.event.words()[0 if forward else 1],
            "score": self.event.name,
            "thresholds": thresholds,
            "direction": self.event.direction,
            f"count in {names[0]}": f"{test.a} of {test.n}",
            f"count in {names[1]}": f"{test.b} of {test.m}",
        }
        used = {
            "learning": "outputs before these: score, threshold, direction",
            "testing": f"{self.n} of x and {self.m} of y: the counts of what was learnt",
            "level": f"{level:.6g} on one event; the direction was chosen in learning, and the other was not tested",
        }
        bounded = Bound(value=found["divergence_lower"], level=level, witness=witness, used=used)
        bounds: dict[str, Any] = found
        return AuditResult(
            notion=self.notion,
            method="joint exact test of a learnt event",
            confidence=self.confidence,
            p_value=p_value,
            rejected=p_value <= level,
            directions={self.event.direction: bounded},
            witness=witness,
            used=used,
            n=self.n,
            m=self.m,
            seed=self.seed,
            arguments={"bound": self.bound},
            score=LearntScore(self.event.name, self.event.score, self.like == "other objects", self.features),
            **bounds,
        )

    def _counted(self, outputs: Any, name: str) -> tuple[int, int]:
        """Return the number of outputs, and how many of them are in the event."""
        if outputs is None:
            return 0, 0
        sample = read(outputs, name, self.features)
        if not len(sample.values):
            return 0, 0
        if self.like == "other objects":
            sample = Outputs(sample.as_objects(name))
        if _like(sample) != self.like:
            reject(name, _like(sample), f"outputs like those that were learnt from, {self.like} (these are)")
        return len(sample.values), self.event.guesses(sample.values)[self.event.direction == BACKWARD]


def learn_event(
    x: Any,
    y: Any,
    notion: Notion,
    *,
    n: int,
    m: int,
    confidence: float = 0.95,
    bound: str = "epsilon",
    scores: Any = "auto",
    features: Features | None = None,
    rng: Any = None,
) -> EventAudit:
    """Learn an event from these outputs, and return an audit of future outputs by it.

    Parameters
    ----------
    x, y : array_like, tables, or sequences of any objects
        Outputs for the one input and for the other that the audit will not count, at least 2 of each.
    notion : Notion
        The claim, of `krdtheory.privacy.notions`, which must bound probabilities of events.
    n, m : int
        Roughly how many outputs will be counted. The audit is valid for any number; the event is optimised for these.
    confidence, bound, scores, features, rng
        As `krdtheory.audit.audit`.

    Returns
    -------
    EventAudit
        With no counts yet.

    Raises
    ------
    ValueError, TypeError
        As `krdtheory.audit.audit`, or a notion that does not bound probabilities of events.
    """
    if not isinstance(notion, Notion):
        reject("notion", notion, "a notion of krdtheory.privacy.notions", TypeError)
    if isinstance(notion, KernelRenyiDP | CapacityBoundedDP):
        reject("notion", notion, "one that bounds the probabilities of events (`audit` takes this one, of samples)")
    if not 0 < check_number(confidence, "confidence") < 1:
        reject("confidence", confidence, "in (0, 1)")
    if bound not in ("epsilon", "delta"):
        reject("bound", bound, "'epsilon' or 'delta'")
    first, second = read_two(x, y, features)
    for name, sample in (("x", first), ("y", second)):
        if len(sample.values) < 2:
            reject(f"the number of outputs in {name}", len(sample.values), "at least 2, to learn from")
    seed, level = seed_of(rng), 1 - float(confidence)
    draw = np.random.default_rng(seed)
    target = Target(notion, bound, check_count(n, "n", 1), check_count(m, "m", 1), level)
    u, v = (_shuffled(sample.values, draw) for sample in (first, second))
    (event,) = learn(u, v, make_scores(scores, u, v), target.objectives(1, level), [FORWARD, BACKWARD], draw)
    return EventAudit(
        event=event,
        digest=_digest(event),
        notion=notion,
        confidence=float(confidence),
        bound=bound,
        features=features,
        like=_like(first),
        seed=seed,
    )


def _digest(event: Event) -> str:
    """Return a digest, which is the same for events learnt from the same outputs with the same seed."""
    try:
        return hashlib.sha256(pickle.dumps(event)).hexdigest()
    except (pickle.PicklingError, AttributeError, TypeError):  # neither the function nor the audit can be pickled
        return secrets.token_hex()


def _shuffled(z: Array, draw: np.random.Generator) -> Array:
    return z[draw.permutation(len(z))]


def _like(sample: Outputs) -> str:
    return f"{sample.values.shape[1]} numbers each" if sample.kind == "numbers" else sample.kind
