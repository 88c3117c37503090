"""Mechanisms whose outputs are not numbers, each with and without a leak: models, tables, sparse rows, weights.

Each puts one private value, a real number or a bit, somewhere into an output that is otherwise independent of the
input. In the private one the value is the input with Laplace noise of scale 1, or by randomised response at
epsilon = 1, so that any output is 1-private. In the other one the noise is a tenth of that or none, or the bit is
revealed 19 times of 20.
"""

from __future__ import annotations

import datetime
import decimal
import enum
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from krdtheory.privacy.notions import Notion, PureDP

Rng = np.random.Generator
Make = Callable[[Any, Rng], Any]


@dataclass(frozen=True, kw_only=True)
class StructuredSpecimen:
    """A mechanism of one output and its claim, like `zoo.Specimen`; audited with the default scores."""

    name: str
    claimed: Notion
    private: bool
    draw: Callable[[int, Rng], Any]
    why: str
    d: int = 1
    d_prime: int = 0
    scores: None = None

    def __call__(self, data: int, rng: Rng) -> Any:
        return self.draw(data, rng)


def structured() -> tuple[StructuredSpecimen, ...]:
    """Return all mechanisms, each leak before its private twin.

    Examples
    --------
    >>> from structured_zoo import structured
    >>> len(structured()), sum(s.private for s in structured())
    (70, 35)
    """
    return tuple(
        StructuredSpecimen(name=name, claimed=PureDP(epsilon=1), private=private, draw=_drawing(make, said), why=why)
        for name, make, (leak, twin, words) in _all()
        for private, said, why in ((False, leak, words), (True, twin, "its private twin"))
    )


def _drawing(make: Make, said: Make) -> Callable[[int, Rng], Any]:
    return lambda data, rng: make(said(data, rng), rng)


def _all() -> Iterator[tuple[str, Make, tuple[Make, Make, str]]]:
    private, response = _noisy(1.0), _response(1 / (1 + np.exp(-1)))
    bare = lambda data, rng: float(data), private, "no noise"
    little = _noisy(0.1), private, "a tenth of the noise"
    bit = _response(0.95), response, "told nineteen times of twenty"
    yield "regression model", _ridge, bare
    yield "decision tree", _tree, bare
    yield "unfitted model", _unfitted, bare
    yield "sparse row", _sparse_row, little
    yield "wide sparse row", _wide_sparse_row, little
    yield "weights by layer", _weights, little
    yield "label and number", lambda v, rng: (str(rng.choice(["cat", "dog"])), v), little
    yield "table", _records_table, little
    yield "records", lambda v, rng: [{"id": k, "value": v if k == 2 else rng.normal()} for k in range(4)], bare
    yield "one array filled again", _Buffer(), little
    yield "views of one array", _Views(), little
    yield "dataclass", lambda v, rng: _Report("mean", {"at": [rng.normal(), v]}), little
    yield "silent object", lambda v, rng: _Silent(v), little
    yield "slots", lambda v, rng: _Slots([rng.normal(), v]), little
    yield "complex phase", lambda v, rng: rng.lognormal() * np.exp(1j * v), little
    yield "spectrum", lambda v, rng: rng.normal(size=4) * np.exp(1j * (v + np.zeros(4))), bare
    yield "image", lambda v, rng: rng.normal(size=(8, 8)) + 5 * v * (np.arange(64).reshape(8, 8) == 19), little
    yield "named tuple", lambda v, rng: _Pair(rng.normal(), v), little
    yield "nested", lambda v, rng: {"run": {"metrics": [{"loss": rng.normal()}, {"loss": v}], "ok": True}}, little
    yield "date and time", lambda v, rng: datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=60 * v), little
    yield "decimal", lambda v, rng: decimal.Decimal(v).quantize(decimal.Decimal("0.001")), little
    yield "structured array", lambda v, rng: np.array([(rng.normal(), v)], dtype=[("a", float), ("b", float)]), little
    yield "queue", lambda v, rng: deque([rng.normal(), v]), little
    yield "length of a list", lambda b, rng: rng.normal(size=3 + b).tolist(), bit
    yield "key of a dict", lambda b, rng: {"mean": rng.normal()} | ({"warning": 0} if b else {}), bit
    yield "nan", lambda b, rng: float("nan") if b else rng.normal(), bit
    yield "nan in an array", lambda b, rng: np.where(np.arange(3) == 1 if b else False, np.nan, rng.normal(size=3)), bit
    yield "sign of infinity", lambda b, rng: float("inf") if b else float("-inf"), bit
    yield "text for a number", lambda b, rng: "too few" if b else rng.normal(), bit
    yield "missing", lambda b, rng: None if b else rng.normal(), bit
    yield "order of keys", lambda b, rng: {"a": 1, "b": 2} if b else {"b": 2, "a": 1}, bit
    yield "dtype", lambda b, rng: rng.normal(size=2).astype(np.float32 if b else float), bit
    yield "set", lambda b, rng: {k for k in range(6) if (b if k == 3 else rng.random() < 0.5)}, bit
    yield "enumeration", lambda b, rng: (_Answer(1 + b), rng.normal()), bit
    yield "stored zero", _stored, bit


def _noisy(scale: float) -> Make:
    return lambda data, rng: float(data + rng.laplace(0, scale))


def _response(told: float) -> Make:
    return lambda data, rng: int(data) if rng.random() < told else 1 - int(data)


# Parts of outputs


_X = np.column_stack([np.linspace(-1, 1, 12), np.linspace(-1, 1, 12) ** 2])


class _Pair(NamedTuple):
    a: float
    b: float


class _Answer(enum.Enum):
    YES = 1
    NO = 2


@dataclass
class _Report:
    name: str
    parts: dict[str, list[float]] = field(repr=False)


class _Silent:
    def __init__(self, value: float) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "<result>"


class _Slots:
    __slots__ = ("values",)

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return "<result>"


class _Buffer:
    """Fill and return one array."""

    def __init__(self) -> None:
        self.array = np.zeros(3)

    def __call__(self, value: float, rng: Rng) -> Any:
        self.array[:] = rng.normal(), value, rng.normal()
        return self.array


class _Views(_Buffer):
    """Return a part of the array."""

    def __call__(self, value: float, rng: Rng) -> Any:
        return super().__call__(value, rng)[1:]


def _ridge(value: float, rng: Rng) -> Any:
    from sklearn.linear_model import Ridge

    target = _X @ [1.0, 2.0]
    target[0] += value
    return Ridge().fit(_X, target)


def _tree(value: float, rng: Rng) -> Any:
    from sklearn.tree import DecisionTreeRegressor

    target = _X @ [1.0, 2.0]
    target[0] += value
    return DecisionTreeRegressor(max_depth=2, random_state=0).fit(_X, target)


def _unfitted(value: float, rng: Rng) -> Any:
    from sklearn.linear_model import Ridge

    return Ridge(alpha=float(np.exp(value)))


def _sparse_row(value: float, rng: Rng) -> Any:
    row = np.where(rng.random(60) < 0.1, rng.normal(size=60), 0)
    row[11] = value
    return sparse.csr_array(row[None])


def _wide_sparse_row(value: float, rng: Rng) -> Any:
    places = np.append(rng.choice(100_000, 5, replace=False), 100_000)
    return sparse.csr_array((np.append(rng.normal(size=5), value), (np.zeros(6, int), places)), (1, 100_001))


def _stored(bit: int, rng: Rng) -> Any:
    """Return one number, and a zero that is stored or not."""
    return sparse.csr_array((np.eye(1 + bit)[0], ([0] * (1 + bit), [4, 7][: 1 + bit])), (1, 9))


def _weights(value: float, rng: Rng) -> Any:
    bias = rng.normal(size=3)
    bias[1] = value
    return {"dense": {"kernel": rng.normal(size=(4, 3)), "bias": bias}, "steps": 100}


def _records_table(value: float, rng: Rng) -> Any:
    dtype = [("group", "U1"), ("size", float)]
    return np.array([(str(rng.choice(["a", "b"])), rng.normal()), ("c", value)], dtype=dtype)
