"""Pairs of distributions, and of density matrices, in which each is at most r times the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from krdtheory.arithmetic.base import Array
from verification.instances.classical import Distributions, family_of_weights
from verification.instances.exact import combination, listed, matrix, semidefinite_rank
from verification.instances.fields import Field
from verification.instances.kind import Kind, Raw, dimension_text, points_text
from verification.instances.numbers import Scale
from verification.instances.quantum import States, invertible, lies_in_family


@dataclass(frozen=True)
class _Pair(Kind):
    """(r x + y) / (1 + r) and (x + r y) / (1 + r) for any x and y of a kind, and r > 1: a list of two, and (batch,)."""

    dim: int | None = None
    drawn: int = 8
    bits: int = 48
    within: Sequence[str] = ()
    starts: Sequence[str] = ()

    @property
    @abstractmethod
    def rows(self) -> Kind:
        """The kind of (x, y), and of the pair."""

    @property
    def more(self) -> Scale:
        """The kind of r - 1."""
        return Scale(positive=True, drawn=self.drawn, bits=self.bits)

    def drawn_from(self, rng: np.random.Generator, batch: int, dim: int, start: str) -> Raw:
        rows = self.rows.drawn_from(rng, batch, dim, start)
        return {**rows, "more": self.more.drawn_from(rng, batch, dim, "plain")["scale"]}

    def sound(self, raw: Raw) -> Array:
        return np.asarray(self.rows.sound(raw) & self.more.sound({"scale": raw["more"]}))

    def pressed(self, raw: Raw, name: str) -> Raw:
        return self.rows.pressed(raw, name)

    def build(self, raw: Raw, field: Field) -> tuple[list[Array], Array]:
        (x, y), ratio = self.rows.build(raw, field), 1 + self.more.build({"scale": raw["more"]}, field)
        r = ratio.reshape(ratio.shape + (1,) * (x.ndim - 1))
        return [(r * x + y) / (1 + r), (x + r * y) / (1 + r)], ratio

    def coarse(self) -> Mapping[str, int]:
        return {"more": self.more.coarse()["scale"]}

    def holds(self, value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != 2 or not self.more.holds(value[1]) or value[1][0] <= 1:
            return False
        return self.rows.holds(value[0]) and self.bounded(value[0], value[1][0])

    @abstractmethod
    def bounded(self, pair: list[Array], r: Fraction) -> bool:
        """Whether each is at most r times the other."""

    def parsed(self, shown: Any, at: str) -> tuple[list[Array], Array]:
        pair, ratio = listed(shown, at, 2, "a pair, and r")
        return self.rows.parsed(pair, f"{at}[0]"), self.more.parsed(ratio, f"{at}[1]")

    def free_sizes(self, value: Any) -> list[int]:
        return self.rows.free_sizes(value[0])

    def _told(self, text: str) -> str:
        return self._words(f"{text}, and r > 1; r - 1 up to {self.drawn} is tried in steps of 2^-{self.bits}")


@dataclass(frozen=True)
class PurePairs(_Pair):
    """Two distributions (p, q) with p <= r q and q <= r p, and r = e^epsilon > 1: a list of two, and (batch,).

    Every such pair (Kairouz, Oh and Viswanath) is randomised response, (r, 1) and (1, r) over 1 + r, followed by a
    channel with two rows x and y: p = (r x + y) / (1 + r) and q = (x + r y) / (1 + r).

    Domains (`within`): "full" (p, and so q, has full support); "points" (x and y are point masses). The starts are
    those of Distributions, for x and y.
    """

    DOMAINS: ClassVar[Mapping[str, str]] = {
        "full": "every weight positive",
        "points": "randomised response on one point or two",
    }
    STARTS: ClassVar[Sequence[str]] = Distributions.STARTS
    corners: ClassVar[Sequence[str]] = Distributions.corners

    @property
    def rows(self) -> Distributions:
        return Distributions(2, self.dim)

    def inside(self, raw: Raw, name: str) -> Array:
        positive = raw["weights"] > 0
        return np.asarray(positive.any(-2).all(-1) if name == "full" else (positive.sum(-1) == 1).all(-1))

    def bounded(self, pair: list[Array], r: Fraction) -> bool:
        return all(a <= r * b and b <= r * a for a, b in zip(*(w[0] for w in pair), strict=True))

    def lies_in(self, value: Any, name: str) -> bool:
        (p, q), r = (x[0] for x in value[0]), value[1][0]
        if name == "full":
            return all(a > 0 for a in p)
        rows = ([(r * a - b) / (r - 1) for a, b in zip(*pair, strict=True)] for pair in ((p, q), (q, p)))
        return all(family_of_weights(row, "points") for row in rows)

    def describe(self) -> str:
        return self._told(f"two distributions, p <= r q and q <= r p, {points_text(self.dim)}")


@dataclass(frozen=True)
class PureStates(_Pair):
    """Two density matrices with rho <= r sigma, sigma <= r rho, and r = e^epsilon > 1: a list of two, and (batch,).

    Every such pair is rho = (r x + y) / (1 + r), sigma = (x + r y) / (1 + r) for density matrices x and y, namely
    (r rho - sigma) / (r - 1) and (r sigma - rho) / (r - 1).

    Domains (`within`): "full" (rho, and so sigma, invertible), "diagonal", "real", and "pure" (x and y of rank one).
    The starts are those of States, for x and y.
    """

    DOMAINS: ClassVar[Mapping[str, str]] = {
        "full": "invertible",
        "diagonal": "diagonal",
        "real": "real",
        "pure": "r rho - sigma and r sigma - rho of rank one",
    }
    STARTS: ClassVar[Sequence[str]] = States.STARTS
    corners: ClassVar[Sequence[str]] = States.corners

    @property
    def rows(self) -> States:
        return States(2, normalised=True, dim=self.dim)

    def inside(self, raw: Raw, name: str) -> Array:
        if name == "full":  # sufficient, though it would be enough that x + y is invertible
            return np.asarray(invertible(raw["re"], raw["im"]).any(-1))
        return self.rows.inside(raw, name)

    def bounded(self, pair: list[Array], r: Fraction) -> bool:
        return all(semidefinite_rank(a) is not None for a in self._gaps(pair, r))

    def _gaps(self, pair: list[Array], r: Fraction) -> list[Any]:
        rho, sigma = map(matrix, pair)
        return [combination(r, x, Fraction(-1), y) for x, y in ((rho, sigma), (sigma, rho))]

    def lies_in(self, value: Any, name: str) -> bool:
        states = self._gaps(value[0], value[1][0]) if name == "pure" else map(matrix, value[0])
        return all(lies_in_family(a, name) for a in states)

    def describe(self) -> str:
        return self._told(f"density matrices rho <= r sigma, sigma <= r rho {dimension_text(self.dim)}")
