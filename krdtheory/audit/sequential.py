"""Audits that draw from a mechanism and stop as soon as its outputs refute the claim."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count
from krdtheory.audit.outputs import Features, kept
from krdtheory.audit.planning import check_false_alarm, samples_to_detect
from krdtheory.audit.result import NOTHING, AuditResult
from krdtheory.audit.stream import FIRST, SequentialAudit
from krdtheory.privacy.mechanisms import Mechanism
from krdtheory.privacy.notions import Notion

Draw = Callable[[Any, int], Any]


def audit_mechanism(
    mechanism: Any,
    d: Any,
    d_prime: Any,
    notion: Notion,
    *,
    neighbours: Iterable[tuple[Any, Any]] = (),
    max_samples: int = 10_000,
    max_pairs: int = 100,
    confidence: float = 0.95,
    bound: str | None = None,
    scores: Any = None,
    features: Features | None = None,
    go_on: bool = False,
    batch: int = 64,
    rng: Any = 0,
) -> AuditResult:
    """Draw outputs for two neighbouring inputs until they refute the claimed notion, or `max_samples` of each.

    Both directions, all scores, and all pairs of inputs share the level: the test statistic is the average capital of
    bettors against the guarantee (`krdtheory.audit.betting`), which may be monitored continuously.

    Parameters
    ----------
    mechanism : callable or krdtheory.privacy.mechanisms.Mechanism
        Called with the data, and by keyword with those of the following that it takes: ``size``, the number of
        independent outputs to return as a sequence (otherwise it is called once for each), and ``rng``, a Generator to
        draw from. An output is a number, an array of numbers, a string (which is compared as a whole, so numbers in it
        are better returned as numbers), or any object from which `krdtheory.audit.outputs` can extract features. It is
        copied immediately.
    d, d_prime : object
        Neighbouring inputs, passed to the mechanism unchanged.
    notion : Notion
        The guarantee that is claimed.
    neighbours : iterable of pairs, optional
        Further pairs, audited in turn. If their number is known, each of the k pairs has weight 1 / k in the average;
        otherwise, as for a generator, the i-th has weight 1 / (i (i + 1)). A generator receives, as the value of its
        ``yield``, the p-value of the previous pair so far, so that it can search.
    max_samples : int
        The most outputs for each input of a pair.
    max_pairs : int
        The most pairs that are audited.
    confidence, bound, scores, features
        As for `krdtheory.audit.stream.SequentialAudit`.
    go_on : bool
        Draw all outputs of the pair that refutes the claim, for a larger lower bound.
    batch : int
        The most outputs drawn at a time, until there are many. Without `go_on`, none is drawn after the batch that
        refutes the claim.
    rng : int, Generator or None
        For the same outcome with the same seed, a mechanism must draw from its ``rng``.

    Returns
    -------
    AuditResult
        `n` is the number of pairs of outputs that were used, and `extra["drawn"]` the number drawn. `arguments` has all
        arguments except the mechanism, the inputs and the scores.

    Raises
    ------
    ValueError, TypeError
        A mechanism that cannot be called or returns another number of outputs than requested; and as `SequentialAudit`.

    Examples
    --------
    >>> from krdtheory.audit import audit_mechanism
    >>> from krdtheory.privacy.mechanisms import Laplace
    >>> from krdtheory.privacy.notions import PureDP
    >>> found = audit_mechanism(Laplace(scale=1, sensitivity=1), 0, 1, PureDP(epsilon=0.5))  # it is 1
    >>> found.rejected, found.n < 400, 0.5 <= found.epsilon_lower <= 1
    (True, True, True)
    >>> def forgotten(data, size, rng):
    ...     return rng.laplace(size=(size, 1)) * [1, 0] + data  # noise on one coordinate only
    >>> found = audit_mechanism(forgotten, [0, 0], [0, 1], PureDP(epsilon=1))
    >>> found.rejected, found.n < 100
    (True, True)
    """
    check_count(max_samples, "max_samples", FIRST + 1)
    check_count(max_pairs, "max_pairs", 1)
    check_count(batch, "batch", 1)
    audit = SequentialAudit(
        notion, confidence=confidence, bound=bound, scores=scores, features=features, go_on=go_on, rng=rng
    )
    draw = _drawing(mechanism, generator([audit.seed, 1]))
    known = 1 + len(neighbours) if isinstance(neighbours, Sized) else None
    drawn = 0
    with _progress() as bar:
        task = bar.add_task("outputs", total=max_samples)
        for i, pair in enumerate(_pairs(d, d_prime, neighbours, audit), 1):
            if i > max_pairs:
                break
            try:
                first, second = pair
            except (TypeError, ValueError):
                reject("neighbours", pair, "pairs of inputs (this is one of them)", TypeError)
            audit.next_pair(f"pair {i}:" if known != 1 else "", 1 / known if known else 1 / (i * (i + 1)))
            n = 0
            while n < max_samples and (go_on or not audit.rejected):
                size = min(max(batch, n // 8), max_samples - n)
                audit.take(draw(first, size), draw(second, size))
                n, drawn = n + size, drawn + size
                bar.update(task, completed=n, description=f"pair {i}, p = {audit.p_value:.3g}")
            if audit.rejected:
                break
    arguments = {"max_samples": max_samples, "max_pairs": max_pairs, "batch": batch, "bound": bound}
    return replace(audit.result(drawn=drawn, mechanism=_name(mechanism)), arguments=arguments)


class NotPrivateError(AssertionError):
    """A mechanism was found to violate the guarantee; `result` shows how."""

    def __init__(self, message: str, result: AuditResult) -> None:
        super().__init__(message, result)
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


class Inconclusive(UserWarning):
    """The allowed number of outputs, in `result`, is too small to show whether the mechanism is private."""

    def __init__(self, message: str, result: AuditResult) -> None:
        super().__init__(message, result)
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


def assert_private(
    mechanism: Any,
    d: Any,
    d_prime: Any,
    notion: Notion,
    *,
    max_samples: int = 10_000,
    false_alarm: float = 1e-6,
    **options: Any,
) -> AuditResult:
    """Raise AssertionError, for a test suite, if the mechanism is found to violate the guarantee.

    It passes if no violation is found. It warns, with `Inconclusive`, if that is weak evidence: if `max_samples` is
    less than `samples_to_detect`, if a p-value below 0.05 but not below `false_alarm` suggests a violation, or if no
    bets were possible, as with texts that never repeat. In the first two cases it says how many outputs would suffice.

    Parameters
    ----------
    mechanism, d, d_prime, notion, max_samples
        As for `audit_mechanism`.
    false_alarm : float
        The largest probability that a mechanism that satisfies the guarantee fails. With a seed, and a mechanism that
        draws from its ``rng``, every run is the same.
    **options
        The other arguments of `audit_mechanism`, except `confidence`.

    Returns
    -------
    AuditResult

    Raises
    ------
    NotPrivateError
        An AssertionError with the event that shows the violation, its counts, and how to repeat the audit. Its `result`
        is the `AuditResult`, as is that of the warning `Inconclusive`.
    ValueError, TypeError
        As `audit_mechanism`, or false_alarm outside [1e-15, 1).

    Examples
    --------
    >>> from krdtheory.audit import assert_private
    >>> from krdtheory.privacy.mechanisms import Laplace
    >>> from krdtheory.privacy.notions import PureDP
    >>> assert_private(Laplace(scale=1, sensitivity=1), 0, 1, PureDP(epsilon=1), max_samples=2000).rejected
    False
    >>> try:
    ...     assert_private(Laplace(scale=0.5, sensitivity=1), 0, 1, PureDP(epsilon=1))
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    the mechanism is not PureDP(epsilon=1)
    """
    __tracebackhide__ = True  # hides this frame in pytest's reports
    check_false_alarm(false_alarm)
    if "confidence" in options:
        reject("confidence", options["confidence"], "left out: it is 1 - false_alarm", TypeError)
    result = audit_mechanism(
        mechanism, d, d_prime, notion, max_samples=max_samples, confidence=1 - false_alarm, **options
    )
    if result.rejected:
        raise NotPrivateError(_report(result, false_alarm), result)
    if message := _doubt(result, false_alarm, max_samples):
        warnings.warn(Inconclusive(message, result), stacklevel=2)
    return result


def _doubt(result: AuditResult, false_alarm: float, max_samples: int) -> str:
    """Return why a result without a rejection is inconclusive, or "" if it is informative."""
    needed = samples_to_detect(result.notion, false_alarm=false_alarm)
    if result.p_value < 0.05:
        settle = int(result.n * np.log(false_alarm) / np.log(result.p_value)) + 1
        message = f"p = {result.p_value:.2g} after {result.n} outputs points at a violation: about {settle} would tell"
        return f"{message} at false_alarm = {false_alarm:g}"
    if result.witness["event"] == NOTHING:
        return ""
    if result.extra["capital"] == 1 and not result.witness["x_hits"] + result.witness["y_hits"]:
        return "no output came twice or told anything: give scores that take outputs apart, or output numbers"
    if needed is not None and needed > max_samples:
        return f"{max_samples} outputs may miss even a mechanism that leaks twice what is claimed: allow {needed}"
    return ""


def _report(result: AuditResult, false_alarm: float) -> str:
    w = result.witness
    where = f", {w['pair']}" if "pair" in w else ""
    lines = [
        f"the mechanism is not {result.notion}",
        f"  p-value      {result.p_value:.2g}, at most {false_alarm:g} for a mechanism that is",
        f"  outputs     {result.n} of each input, {w['bets']} of them bet on",
        f"  event        {w['event']}, the score: {w['score']}",
        *([f"  tells        {', '.join(w['tells'])}"] if "tells" in w else []),
        f"  how often    {w['x_hits']} of {w['bets']} on d, {w['y_hits']} of {w['bets']} on d_prime{where}",
    ]
    if result.epsilon_lower is not None:
        lines.append(f"  epsilon      at least {result.epsilon_lower:.4g}, with confidence 1 - {false_alarm:g}")
    return "\n".join([*lines, f"  again        rng={result.seed}"])


def _pairs(d: Any, d_prime: Any, neighbours: Iterable[tuple[Any, Any]], audit: SequentialAudit) -> Iterator[Any]:
    if not isinstance(neighbours, Generator):
        yield from chain([(d, d_prime)], neighbours)
        return
    yield d, d_prime
    message = None  # the first value to send to a generator must be None
    while True:
        try:
            yield neighbours.send(message)
        except StopIteration:
            return
        message = audit.pair_p_value


def _drawing(mechanism: Any, rng: np.random.Generator) -> Draw:
    """Return a function (data, size) that draws `size` outputs."""
    if isinstance(mechanism, Mechanism):

        def sample(data: Any, size: int) -> Array:
            value = np.asarray(data)
            return np.asarray(mechanism.sample(np.broadcast_to(value, (size, *value.shape)), rng=rng))

        return sample
    if not callable(mechanism):
        reject("mechanism", mechanism, "a function of the data, or a mechanism", TypeError)
    try:
        takes = set(inspect.signature(mechanism).parameters)
    except ValueError:  # built-in functions may have no signature
        takes = set()
    given = {"rng": rng} if "rng" in takes else {}

    def draw(data: Any, size: int) -> Any:
        if "size" not in takes:
            return [kept(mechanism(data, **given)) for _ in range(size)]
        outputs = kept(mechanism(data, size=size, **given))
        got = len(outputs) if hasattr(outputs, "__len__") else "no sequence"
        if got != size:
            raise ValueError(f"mechanism must return a sequence of {size} outputs when asked for them; got {got}")
        return outputs

    return draw


def _name(mechanism: Any) -> str:
    return str(getattr(mechanism, "name", None) or getattr(mechanism, "__name__", None) or repr(mechanism))


def _progress() -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty())
