"""Kinds: a domain, which drawing, changing and reading instances never leaves, and families to start from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from typing import Any, ClassVar

import numpy as np

from krdtheory.arithmetic.base import Array, reject
from verification.instances.exact import wrong
from verification.instances.fields import Field

Raw = dict[str, Array]
Batch = Mapping[str, Raw]
FIXED = "dim"  # the raw entry that is the same for a whole batch and never changes
SMALL = (2, 3, 4, 2, 3, 2)  # sizes taken in turn, two for each larger size


def sizes_up_to(largest: int) -> tuple[int, ...]:
    """Return the dimensions and alphabet sizes of successive batches, where the kinds do not fix them."""
    few = cycle(n for n in SMALL if n <= largest)
    return tuple(n for size in range(5, max(largest, 7) + 1) for n in (next(few), next(few), size) if n <= largest)


SIZES = sizes_up_to(8)
LARGEST = 1 << 60  # the largest raw integer, so that sums and steps fit into 64 bits
MAGNITUDES = np.array([1, 3, 30, 1000])
GROUP = 32  # the number of instances of a batch that start from one family


class Kind(ABC):
    """A kind of random object: `draw` returns integers for a batch, `build` makes the objects from them.

    `within` names families to which the domain is restricted: if there are any, an instance lies in at least one of
    them. `starts` names the families from which drawing starts, by default all. `DOMAINS` maps the families that may
    restrict the domain to their descriptions; `STARTS` lists all families to start from. `corners` are those of
    discrete structure (zeros, axes, point masses): statements often fail if everything in an instance is discrete.
    """

    within: Sequence[str] = ()
    starts: Sequence[str] = ()
    DOMAINS: ClassVar[Mapping[str, str]] = {}
    STARTS: ClassVar[Sequence[str]] = ("plain",)
    corners: ClassVar[Sequence[str]] = ()

    def __post_init__(self) -> None:
        for name, allowed in (("within", self.DOMAINS), ("starts", self.STARTS)):
            chosen = getattr(self, name)
            if isinstance(chosen, str) or not all(isinstance(x, str) for x in chosen):
                reject(name, chosen, "a list of names", TypeError)
            if not allowed and chosen:
                reject(name, chosen, f"empty: {type(self).__name__} has none")
            for x in chosen:
                if x not in allowed:
                    reject(name, x, f"among {', '.join(allowed)}")
            if name in getattr(self, "__dataclass_fields__", {}):
                object.__setattr__(self, name, tuple(chosen))

    # What a kind defines

    @abstractmethod
    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        """Return integers of the kind with a leading axis of length `batch`, as if `within` were empty."""

    @abstractmethod
    def build(self, raw: Raw, field: Field) -> Any:
        """Return the object in the numbers of `field`."""

    def sound(self, raw: Raw) -> Array:
        """Return for which instances of a batch the integers describe an object, as if `within` were empty."""
        return np.ones(len(next(iter(raw.values()))), dtype=bool)

    def mended(self, raw: Raw) -> Raw:
        """Return changed integers, made sound where that is easy."""
        return raw

    def inside(self, raw: Raw, name: str) -> Array:
        """Return which instances, given by sound integers, certainly lie in a family of `DOMAINS`."""
        raise NotImplementedError(name)

    def pressed(self, raw: Raw, name: str) -> Raw:
        """Return sound integers, changed so that the instances lie in a family of `DOMAINS`."""
        raise NotImplementedError(name)

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Whether a value in exact rationals (batch of one) is of this kind, as if `within` were empty."""

    def lies_in(self, value: Any, name: str) -> bool:
        """Whether a value of the kind, in exact rationals, lies in a family of `DOMAINS`."""
        raise NotImplementedError(name)

    @abstractmethod
    def parsed(self, shown: Any, at: str) -> Any:
        """Return the value that `shown` wrote, in exact rationals (batch of one); it may be of another kind."""

    def free_sizes(self, value: Any) -> list[int]:
        """Return the sizes of a value that the batch determines, because the kind does not fix its `dim`."""
        parts = value if isinstance(value, list | tuple) else [value]
        return [x.shape[-1] for x in parts] if getattr(self, "dim", 0) is None else []

    def fits(self, dim: int) -> bool:
        """Whether there is an instance if the dimension of a batch is `dim`."""
        return True

    def coarse(self) -> Mapping[str, int]:
        """Return, for raw entries in fine steps, the number of fine steps in a step of plain numbers."""
        return {}

    # What follows from these definitions

    def draw(self, rng: np.random.Generator, batch: int, dim: int, family: str) -> Raw:
        """Return legal integer arrays with a leading axis of length `batch`, drawn from a family of `STARTS`."""
        raw = self.drawn_from(rng, batch, dim, family)
        return self.pressed_somewhere(raw, rng.integers(len(self.within), size=batch)) if self.within else raw

    def legal(self, raw: Raw) -> Array:
        """Return for which instances of a batch the integers, perhaps changed, describe a member of the domain."""
        ok = np.asarray(self.sound(raw))
        if self.within and ok.any():
            # `inside` accepts only sound integers
            index = np.flatnonzero(ok)
            some = {key: value[index] for key, value in raw.items()}
            ok = ok.copy()
            ok[index] = np.logical_or.reduce([self.inside(some, name) for name in self.within])
        return ok

    def project(self, raw: Raw) -> Raw:
        """Return changed integers, moved back into the domain where that is easy."""
        raw = self.mended(raw)
        if not self.within:
            return raw
        ok = np.asarray(self.sound(raw)) & ~self.legal(raw)
        index = np.flatnonzero(ok)
        if not len(index):
            return raw
        some = {key: value[index] for key, value in raw.items()}
        total = sum(value.reshape(len(index), -1).astype(np.uint64).sum(-1) for value in some.values())
        chosen = (np.asarray(total) % np.uint64(len(self.within))).astype(int)
        new = self.pressed_somewhere(some, chosen)
        out = {key: value.copy() for key, value in raw.items()}
        for key, value in new.items():
            out[key][index] = value
        return out

    def pressed_somewhere(self, raw: Raw, chosen: Array) -> Raw:
        """Return the instances, each pressed into the family of `within` that is chosen for it."""
        out = {key: value.copy() for key, value in raw.items()}
        for i, name in enumerate(self.within):
            index = np.flatnonzero(chosen == i)
            some = {key: value[index] for key, value in raw.items()}
            if len(index):
                for key, value in self.pressed(some, name).items():
                    out[key][index] = value
        for name in self.within:  # not every family has members in every dimension
            index = np.flatnonzero(~self.legal(out))
            if not len(index):
                break
            for key, value in self.pressed({key: value[index] for key, value in raw.items()}, name).items():
                out[key][index] = value
        return out

    def contains(self, value: Any) -> bool:
        """Whether a value in exact rationals (batch of one) is in the domain, decided by exact arithmetic."""
        if not self.holds(value):
            return False
        return not self.within or any(self.lies_in(value, name) for name in self.within)

    def read(self, shown: Any, at: str = "value") -> Any:
        """Return the value that `shown` wrote, in exact rationals with a batch axis of one.

        Parameters
        ----------
        shown : str, number, list or dict
            As in the counterexamples of a JSON report; decimals and fractions are allowed.
        at : str
            The name of the value in an error message.

        Raises
        ------
        ValueError
            The value cannot be read, or lies outside the domain; the message names the place.
        """
        value = self.parsed(shown, at)
        if not self.contains(value):
            raise wrong(at, self.domain(), shown)
        return value

    @property
    def started(self) -> Sequence[str]:
        """The families from which drawing starts; what is drawn is pressed into the domain."""
        return self.starts or self.STARTS

    def describe(self) -> str:
        """Return the domain in words, and which part of it is tried."""
        return repr(self)

    def domain(self) -> str:
        """Return the domain in words."""
        return self.describe().split("; drawing starts from")[0].split(", tried")[0]

    def _words(self, text: str) -> str:
        """Return the words for a kind, with its restriction and the families to start from, if they are set."""
        if self.within:
            text = f"{text}; of these only: {' or '.join(self.DOMAINS[name] for name in self.within)}"
        return f"{text}; drawing starts from: {', '.join(self.starts)}" if self.starts else text


def real_text(x: float) -> str:
    """Return an end of a range as text, a fraction if it is a short one."""
    short = x != np.inf and Fraction(x).denominator <= 1 << 24
    return str(Fraction(x)) if short else f"{x:.6g}"


def range_text(
    low: float, high: float, drawn: float, step: str, *, open_low: bool = False, open_high: bool = False
) -> str:
    """Return a range as text, and which part of it is tried."""
    left, right = "(" if open_low else "[", ")" if open_high or high == np.inf else "]"
    upto = f" up to {real_text(drawn)}" if drawn < high else ""
    return f"{left}{real_text(low)}, {real_text(high)}{right}, tried{upto} in steps of {step}"


def counted(count: int, one: str, many: str) -> str:
    """Return a count and its noun."""
    return one if count == 1 else f"{count} {many}"


def points_text(dim: int | None) -> str:
    """Return the alphabet in words."""
    return f"on {dim} points" if dim else f"on finitely many points, tried on {sizes_text()}"


def dimension_text(dim: int | None) -> str:
    """Return the dimension in words."""
    return f"of dimension {dim}" if dim else f"of finite dimension, tried in {sizes_text()}"


def sizes_text() -> str:
    """Return the sizes that are tried by default."""
    return f"{min(SIZES)} to {max(SIZES)}"


def chosen(rng: np.random.Generator, values: Sequence[int] | Array, shape: tuple[int, ...]) -> Array:
    """Return values drawn with replacement: those of `rng.choice`, in half its time for a few."""
    return np.asarray(values)[rng.integers(0, len(values), size=shape)]


def integers_of_a_magnitude(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return integers of size up to 1, 3, 30 or 1000, with one bound for each instance."""
    top = chosen(rng, MAGNITUDES, (shape[0],) + (1,) * (len(shape) - 1))
    return rng.integers(-top, top + 1, size=shape)


def powers(rng: np.random.Generator, shape: tuple[int, ...], low: int, high: int) -> Array:
    """Return integers uniform in their logarithm, between about 2^low and 2^high, with four leading bits."""
    shift = rng.integers(low - 4, high - 4, size=shape)
    mantissa = rng.integers(16, 33, size=shape)
    return np.where(shift < 0, mantissa >> np.maximum(-shift, 0), mantissa << np.maximum(shift, 0))
