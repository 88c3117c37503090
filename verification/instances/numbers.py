"""Kinds of numbers: orders, scales, reals, fractions, integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.exact import listed, rational, whole
from verification.instances.fields import Field
from verification.instances.kind import LARGEST, Kind, Raw, chosen, powers, range_text, real_text

ORDER_BITS = 20  # orders are multiples of 2^-20, most of them of 1/64
COARSE_ORDER = 1 << (ORDER_BITS - 6)
PART_BITS = 60  # fractions are multiples of 2^-60, half of those drawn of 1/64
WHOLE = 1 << PART_BITS
COARSE_PART = 1 << (PART_BITS - 6)
SPECIAL = np.array([1, 8, 16, 24, 32, 33, 48, 60, 63, 65, 68, 80, 96, 128, 192, 384, 768, 1920, 4096])  # 64 alpha
SEEN = 52  # float64 distinguishes 1 - 2^-52 from 1


def _batch(x: Fraction) -> Array:
    out = np.empty(1, dtype=object)
    out[0] = x
    return out


def _one_number(value: Any) -> Fraction | None:
    """Return the number in a batch of one, None for anything else."""
    if not isinstance(value, np.ndarray) or value.shape != (1,):
        return None
    return value[0] if isinstance(value[0], Fraction) else None


class _Real(Kind):
    """A kind of real numbers, (batch,)."""

    def parsed(self, shown: Any, at: str) -> Array:
        return _batch(rational(shown, at))


@dataclass(frozen=True)
class Order(_Real):
    """A finite Renyi order alpha > 0 in [low, high] other than 1. The ends belong to the range if `closed`.

    Multiples of 1/64 up to `drawn` are tried, and, less often, orders at a distance of 2^-bits to 2^-6 from the ends
    and from 1; with bits = 6 only the multiples are.
    """

    low: float
    high: float = np.inf
    closed: bool = True
    drawn: float = 64.0
    bits: int = ORDER_BITS

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 6 <= self.bits <= ORDER_BITS:
            raise ValueError(f"bits must be from 6 to {ORDER_BITS}; got {self.bits}")
        if not 0 <= self.low < self.high:
            raise ValueError(f"low and high must satisfy 0 <= low < high; got {self.low} and {self.high}")
        inside = np.arange(int(64 * self.low), int(64 * self.largest) + 2) * COARSE_ORDER
        if not self.legal({"alpha": inside}).any():
            raise ValueError(f"low and high must have a multiple of 1/64 between them; got {self.low} and {self.high}")

    @property
    def largest(self) -> float:
        """Largest order tried."""
        return min(self.high, self.drawn)

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        below, above = 64 * max(self.low, 1 / 64), 64 * self.largest
        geometric = np.rint(2 ** rng.uniform(np.log2(below), np.log2(above), size=batch)).astype(int)
        middle = rng.integers(int(below), int(min(above, max(below, 128))) + 1, size=batch)
        how = rng.random(batch)
        coarse = np.where(how < 0.35, chosen(rng, SPECIAL, (batch,)), np.where(how < 0.7, geometric, middle))
        drawn = coarse * COARSE_ORDER
        ends = np.rint(np.array([e for e in (self.low, 1, self.high) if e <= self.largest]) * 2**ORDER_BITS).astype(int)
        moves = chosen(rng, ends, (batch,)), chosen(rng, [-1, 1], (batch,)), powers(rng, (batch,), 1, ORDER_BITS - 6)
        near = moves[0] + moves[1] * moves[2]
        near = np.where(self.legal({"alpha": near}), near, drawn)
        drawn = np.where(rng.random(batch) < 0.15, near, drawn)
        ok = self.legal({"alpha": drawn})
        if not ok.all():
            plain = np.arange(int(below), int(above) + 1) * COARSE_ORDER
            drawn[~ok] = chosen(rng, plain[self.legal({"alpha": plain})], (int((~ok).sum()),))
        return {"alpha": drawn}

    def sound(self, raw: Raw) -> Array:
        x = raw["alpha"] / 2**ORDER_BITS
        inside = (x >= self.low) & (x <= self.high) if self.closed else (x > self.low) & (x < self.high)
        return inside & (x != 1) & (x > 0) & (x <= self.drawn) & (raw["alpha"] % (1 << (ORDER_BITS - self.bits)) == 0)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["alpha"]) / 2**ORDER_BITS

    def coarse(self) -> Mapping[str, int]:
        return {"alpha": COARSE_ORDER}

    def holds(self, value: Any) -> bool:
        x = _one_number(value)
        if x is None or x <= 0 or x == 1:
            return False
        low, high = Fraction(self.low), None if self.high == np.inf else Fraction(self.high)
        if self.closed:
            return x >= low and (high is None or x <= high)
        return x > low and (high is None or x < high)

    def describe(self) -> str:
        ends = {"open_low": not self.closed or self.low in (0, 1), "open_high": not self.closed or self.high == 1}
        steps = f"1/64, and of 2^-{self.bits} next to the ends" if self.bits > 6 else "1/64"
        inside = range_text(self.low, self.high, self.drawn, steps, **ends)
        return f"order other than 1 in {inside}" if self.low < 1 < self.high else f"order in {inside}"


@dataclass(frozen=True)
class Orders(Kind):
    """Two orders, the first at most the second, both in [low, high] and not 1."""

    low: float
    high: float = np.inf
    drawn: float = 64.0

    @property
    def _one(self) -> Order:
        return Order(self.low, self.high, drawn=self.drawn)

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        one = self._one
        first, second = (one.drawn_from(rng, batch, dim, start)["alpha"] for _ in range(2))
        near = first + powers(rng, (batch,), 1, ORDER_BITS - 6)
        second = np.where((rng.random(batch) < 0.1) & one.legal({"alpha": near}), near, second)
        return {"smaller": np.minimum(first, second), "larger": np.maximum(first, second)}

    def sound(self, raw: Raw) -> Array:
        one = self._one
        inside = one.legal({"alpha": raw["smaller"]}) & one.legal({"alpha": raw["larger"]})
        return inside & (raw["smaller"] <= raw["larger"])

    def build(self, raw: Raw, field: Field) -> tuple[Array, Array]:
        return field.real(raw["smaller"]) / 2**ORDER_BITS, field.real(raw["larger"]) / 2**ORDER_BITS

    def coarse(self) -> Mapping[str, int]:
        return {"smaller": COARSE_ORDER, "larger": COARSE_ORDER}

    def holds(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != 2 or not all(map(self._one.holds, value)):
            return False
        return bool(value[0][0] <= value[1][0])

    def parsed(self, shown: Any, at: str) -> tuple[Array, Array]:
        first, second = listed(shown, at, 2, "two orders")
        return _batch(rational(first, f"{at}[0]")), _batch(rational(second, f"{at}[1]"))

    def describe(self) -> str:
        return f"two orders, the first at most the second, each an {self._one.describe()}"


@dataclass(frozen=True)
class Scale(_Real):
    """A number in [0, high], such as a regularization lambda; `positive` excludes 0.

    Multiples of 2^-bits up to `drawn`, a power of two, are tried, uniformly in their logarithm: half of them above
    2^-24, and some close to `high`.
    """

    positive: bool = False
    high: float = np.inf
    bits: int = 48
    drawn: int = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.largest << self.bits > LARGEST:
            raise ValueError(f"bits must leave drawn * 2^bits at most 2^60; got {self.bits} and drawn = {self.drawn}")

    @property
    def largest(self) -> int:
        """Largest number tried."""
        return int(min(self.high, self.drawn))

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        top = int(np.log2(self.largest)) + self.bits
        ordinary = powers(rng, (batch,), max(self.bits - 24, 0), top)
        value = np.where(rng.random(batch) < 0.5, powers(rng, (batch,), 0, top), ordinary)
        if self.high <= self.drawn:
            close = (self.largest << self.bits) - powers(rng, (batch,), max(top - SEEN, 0), max(top - 3, 4))
            value = np.where((rng.random(batch) < 0.06) & (close > 0), close, value)
        value = np.maximum(value, 1)
        return {"scale": value if self.positive else np.where(rng.random(batch) < 0.12, 0, value)}

    def sound(self, raw: Raw) -> Array:
        x = raw["scale"]
        return (x >= (1 if self.positive else 0)) & (x <= self.largest << self.bits)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["scale"]) / 2**self.bits

    def coarse(self) -> Mapping[str, int]:
        return {"scale": 1 << max(self.bits - 6, 0)}

    def holds(self, value: Any) -> bool:
        x = _one_number(value)
        if x is None or (self.high != np.inf and x > Fraction(self.high)):
            return False
        return x > 0 if self.positive else x >= 0

    def describe(self) -> str:
        return f"number in {range_text(0, self.high, self.drawn, f'2^-{self.bits}', open_low=self.positive)}"


@dataclass(frozen=True)
class Reals(_Real):
    """A number in [-high, high].

    Multiples of 2^-bits up to `drawn`, a power of two, are tried: 0, or uniformly in their logarithm.
    """

    high: float = np.inf
    bits: int = 48
    drawn: int = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        self._size.__post_init__()

    @property
    def _size(self) -> Scale:
        return Scale(high=self.high, bits=self.bits, drawn=self.drawn)

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        size = self._size.drawn_from(rng, batch, dim, start)["scale"]
        return {"real": size * chosen(rng, [-1, 1], (batch,))}

    def sound(self, raw: Raw) -> Array:
        return abs(raw["real"]) <= self._size.largest << self.bits

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["real"]) / 2**self.bits

    def coarse(self) -> Mapping[str, int]:
        return {"real": 1 << max(self.bits - 6, 0)}

    def holds(self, value: Any) -> bool:
        x = _one_number(value)
        return x is not None and (self.high == np.inf or abs(x) <= Fraction(self.high))

    def describe(self) -> str:
        ends = "the reals" if self.high == np.inf else f"[-{real_text(self.high)}, {real_text(self.high)}]"
        largest = f" from -{real_text(self.drawn)} to {real_text(self.drawn)}" if self.drawn < self.high else ""
        return f"number in {ends}, tried{largest} in steps of 2^-{self.bits}"


@dataclass(frozen=True)
class Fraction01(_Real):
    """A number in [0, 1], where the ends may be excluded.

    Half of the numbers tried are multiples of 1/64; the others go down to 2^-60 or up to 1 - 2^-52, uniformly in the
    logarithm of the distance to the end.
    """

    zero: bool = True
    one: bool = True

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        plain = rng.integers(0 if self.zero else 1, 65 if self.one else 64, size=batch) * COARSE_PART
        small = np.maximum(powers(rng, (batch,), 0, PART_BITS - 1), 1)
        large = WHOLE - powers(rng, (batch,), PART_BITS - SEEN, PART_BITS - 1)
        how = rng.random(batch)
        return {"part": np.where(how < 0.5, plain, np.where(how < 0.75, small, large))}

    def sound(self, raw: Raw) -> Array:
        x = raw["part"]
        return (x >= (0 if self.zero else 1)) & (x <= (WHOLE if self.one else WHOLE - 1))

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["part"]) / WHOLE

    def coarse(self) -> Mapping[str, int]:
        return {"part": COARSE_PART}

    def holds(self, value: Any) -> bool:
        x = _one_number(value)
        if x is None or not 0 <= x <= 1:
            return False
        return (self.zero or x != 0) and (self.one or x != 1)

    def describe(self) -> str:
        steps = "1/64, and closer to the ends"
        return f"number in {range_text(0, 1, 1, steps, open_low=not self.zero, open_high=not self.one)}"


@dataclass(frozen=True)
class Integers(Kind):
    """An integer from low >= 1 to high, such as a number of samples. Integers up to `drawn` are tried, uniformly in
    their logarithm."""

    low: int = 1
    high: float = np.inf
    drawn: int = 1 << 14

    @property
    def largest(self) -> int:
        """Largest integer tried."""
        return int(min(self.high, self.drawn))

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        value = np.rint(np.exp(rng.uniform(np.log(self.low), np.log(self.largest), size=batch))).astype(int)
        return {"integer": np.clip(value, self.low, self.largest)}

    def sound(self, raw: Raw) -> Array:
        return (raw["integer"] >= self.low) & (raw["integer"] <= self.largest)

    def build(self, raw: Raw, field: Field) -> Array:
        return field.real(raw["integer"])

    def holds(self, value: Any) -> bool:
        x = _one_number(value)
        return x is not None and x.denominator == 1 and self.low <= x and (self.high == np.inf or x <= int(self.high))

    def parsed(self, shown: Any, at: str) -> Array:
        return _batch(Fraction(whole(shown, at, "an integer")))

    def describe(self) -> str:
        ends = f"at least {self.low}" if self.high == np.inf else f"from {self.low} to {real_text(self.high)}"
        return f"integer {ends}" + (f", tried up to {self.largest}" if self.drawn < self.high else "")
