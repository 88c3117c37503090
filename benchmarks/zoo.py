"""Mechanisms that satisfy their claim and mechanisms that do not, to test audits.

Every `Specimen` claims a notion of privacy and names two neighbouring inputs. The correct ones come from
`krdtheory.privacy.mechanisms`; the broken ones are faults made in practice: noise of the wrong size, in the wrong
places, of the wrong kind, and published algorithms with wrong proofs (Lyu, Su and Li 2017, Algorithms 3 to 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array
from krdtheory.privacy.mechanisms import (
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    MatrixMechanism,
    Mechanism,
    RandomizedResponse,
)
from krdtheory.privacy.notions import ApproximateDP, GaussianDP, Notion, PureDP, ZeroConcentratedDP

Sampler = Callable[[Array, int, np.random.Generator], Array]
Row = tuple[str, Notion, Any, Any, Sampler, str]


@dataclass(frozen=True, kw_only=True)
class Specimen:
    """A mechanism and its claim, callable as `krdtheory.audit.audit_mechanism` requires.

    Attributes
    ----------
    name : str
    claimed : Notion
        The notion that it claims to satisfy.
    private : bool
        Whether it does.
    d, d_prime : array
        Neighbouring inputs; if it is not private, a pair that shows it.
    sample : callable
        (data, size, rng) -> `size` outputs along the first axis.
    why : str
        What is right or wrong about it.
    low_bits : bool
        Whether it concerns floating point, and is audited by `krdtheory.audit.basic_scores.LowBits`. In exact
        arithmetic "float64 noise" would be private: its outputs differ in bits that no statistic of their values
        depends on.
    """

    name: str
    claimed: Notion
    private: bool
    d: Any
    d_prime: Any
    sample: Sampler
    why: str
    low_bits: bool = False

    @property
    def scores(self) -> str | None:
        """The scores to audit with: the default, or low bits."""
        return "low_bits" if self.low_bits else None

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Array:
        return self.sample(np.asarray(data), size, rng)


def specimens() -> tuple[Specimen, ...]:
    """Return all mechanisms.

    Examples
    --------
    >>> from zoo import specimens
    >>> len(specimens()), sum(s.private for s in specimens())
    (31, 14)
    >>> halved = next(s for s in specimens() if s.name == "scale halved")
    >>> halved.private, halved.claimed
    (False, PureDP(epsilon=1))
    """

    def made(row: Row, private: bool, low_bits: bool = False) -> Specimen:
        name, claimed, d, d_prime, sample, why = row
        return Specimen(
            name=name,
            claimed=claimed,
            private=private,
            d=d,
            d_prime=d_prime,
            sample=sample,
            why=why,
            low_bits=low_bits,
        )

    pure, pair = PureDP(epsilon=1), (1.1, 0.1)
    grid: Row = ("Laplace on a grid", pure, *pair, _on_a_grid, "geometric noise on multiples of 1 / 1024")
    single: Row = ("float32 noise", pure, *pair, _single, "the input's low bits are bare")
    textbook = _of(Laplace(scale=1, sensitivity=1))
    double: Row = ("float64 noise", pure, *pair, textbook, "low bits depend on the input (Mironov 2012)")
    return (
        *(made(row, True) for row in _right()),
        made(grid, True, low_bits=True),
        *(made(row, False) for row in _wrong()),
        made(single, False, low_bits=True),
        made(double, False, low_bits=True),
    )


def sparse_vector(algorithm: int, *, epsilon: float, cutoff: int, threshold: float) -> Sampler:
    """Return the sparse vector technique in one of six published forms, which finds the answers above a threshold.

    Answers have sensitivity 1. An output has one number for each answer: 1 above, 0 below, -1 not answered any more;
    Algorithm 3 returns the noisy answer + 1000 instead of 1.

    Parameters
    ----------
    algorithm : int
        1 to 6, the numbers of Lyu, Su and Li. 1 (theirs) and 2 (Dwork and Roth 2014) are epsilon-private. 3 (Roth 2011)
        publishes the noisy answers that it compared, 5 (Stoddard and others 2014) adds no noise to the answers, 6 (Chen
        and others 2015) adds some but never stops: these are not private at all. 4 (Lee and Clifton 2014) is
        (1 + 6 cutoff) epsilon / 4-private.
    epsilon, threshold : float
    cutoff : int
        The number of answers that may be above before it stops, in Algorithms 1 to 4.

    References
    ----------
    Lyu, Su and Li (2017), Understanding the sparse vector technique for differential privacy, Figure 1.
    """
    half, c = epsilon / 2, cutoff
    reference = {1: 1 / half, 2: c / half, 3: 1 / half, 4: 4 / epsilon, 5: 1 / half, 6: 1 / half}[algorithm]
    noise = {1: 2 * c / half, 2: 2 * c / half, 3: c / half, 4: 4 / (3 * epsilon), 5: 0.0, 6: 1 / half}[algorithm]
    stops = algorithm <= 4

    def sample(data: Array, size: int, rng: np.random.Generator) -> Array:
        bar = threshold + rng.laplace(0, reference, size)
        out = np.empty((size, len(data)))
        above = np.zeros(size, dtype=int)
        for i, answer in enumerate(data):
            noisy = answer + (rng.laplace(0, noise, size) if noise else np.zeros(size))
            yes, over = noisy >= bar, stops & (above >= c)
            out[:, i] = np.where(over, -1, np.where(yes, noisy + 1000 if algorithm == 3 else 1, 0))
            above += yes & ~over
            if algorithm == 2:
                bar = np.where(yes, threshold + rng.laplace(0, reference, size), bar)
        return out

    return sample


def _right() -> Iterator[Row]:
    pure, normal, histogram = PureDP(epsilon=1), Gaussian(scale=1, sensitivity=1), Laplace(scale=1, sensitivity=1)
    gaussian = Gaussian.calibrated(epsilon=1, delta=0.01, sensitivity=1)
    geometric = DiscreteLaplace.calibrated(epsilon=1, sensitivity=1)
    matrix = MatrixMechanism.calibrated(workload=_PREFIX, strategy=_TREE, epsilon=1)
    svt = {k: sparse_vector(k, epsilon=1, cutoff=2, threshold=1) for k in (1, 2)}
    yield "Laplace", pure, 1.0, 0.0, _of(histogram), "exactly epsilon"
    yield "Gaussian", ApproximateDP(epsilon=1, delta=0.01), 1.0, 0.0, _of(gaussian), "exactly (epsilon, delta)"
    yield "Gaussian, mu", GaussianDP(mu=1), 1.0, 0.0, _of(normal), "exactly mu"
    yield "Gaussian, rho", ZeroConcentratedDP(rho=0.5), 1.0, 0.0, _of(normal), "exactly rho"
    yield "geometric", pure, 1, 0, _of(geometric), "exactly epsilon"
    yield "randomised response", pure, 0, 1, _of(RandomizedResponse(epsilon=1)), "exactly epsilon"
    yield "exponential", pure, *_CHOICE, _of(Exponential(epsilon=1, sensitivity=1)), "at most epsilon"
    yield "report noisy max", pure, *_CHOICE, _noisy_max(2.0), "noise of scale 2 / epsilon"
    yield "histogram", pure, [5.0, 3.0, 0.0], [4.0, 3.0, 0.0], _of(histogram), "an individual is in one cell"
    yield "matrix mechanism", pure, [5.0, 3.0, 0.0, 1.0], [4.0, 3.0, 0.0, 1.0], _of(matrix), "by its strategy"
    yield "sparse vector 1", pure, *_answers(5), svt[1], "Lyu, Su and Li's own"
    yield "sparse vector 2", pure, *_answers(5), svt[2], "Dwork and Roth's book"
    yield "constant", pure, 1.0, 0.0, _constant, "says nothing"


def _wrong() -> Iterator[Row]:
    pure, approximate = PureDP(epsilon=1), ApproximateDP(epsilon=1, delta=0.005)
    half, wanted = Laplace(scale=0.5, sensitivity=1), Laplace(scale=1, sensitivity=1)
    sigma = float(Gaussian.calibrated(epsilon=1, delta=0.005, sensitivity=10).scale)
    root = _of(Gaussian(scale=sigma**0.5, sensitivity=10))
    svt = {k: sparse_vector(k, epsilon=1, cutoff=20, threshold=1) for k in (4, 6)}
    yield "scale halved", pure, 1.0, 0.0, _of(half), "twice epsilon"
    yield "sensitivity wrong", pure, [1.0, 0.0], [0.0, 1.0], _of(wanted), "an individual who moves changes two cells"
    yield "noise on one coordinate", pure, [0.5, 0.5, 0.5], [0.5, 0.75, 0.5], _one_coordinate, "the others are bare"
    yield "one noise for all", pure, [1.0, 0.0], [0.0, 0.0], _one_noise, "differences are exact"
    yield "seed fixed", pure, 1.0, 0.0, _fixed_seed, "every output is the same"
    yield "noise rounded", pure, 0.5, 0.0, _rounded, "the fraction is the input's"
    yield "noise clipped", pure, 1.0, 0.0, _clipped, "supports end in different places"
    yield "variance for deviation", approximate, 10.0, 0.0, root, "the deviation is the root of what was meant"
    yield "delta ignored", pure, 1.0, 0.0, _sometimes_bare, "bare once in twenty outputs"
    yield "budget spent twice", pure, 1.0, 0.0, _twice, "two outputs of epsilon each"
    yield "noisy max, little noise", pure, *_CHOICE, _noisy_max(0.5), "noise of scale 1 / (2 epsilon)"
    yield "sparse vector 3", PureDP(epsilon=2), *_LAST, sparse_vector(3, epsilon=2, cutoff=1, threshold=1), "Roth 2011"
    yield "sparse vector 4", pure, *_answers(10), svt[4], "Lee and Clifton 2014"
    yield "sparse vector 5", pure, *_answers(1), sparse_vector(5, epsilon=1, cutoff=1, threshold=0), "Stoddard 2014"
    yield "sparse vector 6", pure, *_answers(10), svt[6], "Chen and others 2015"


# The samplers


def _of(mechanism: Mechanism) -> Sampler:
    return lambda data, size, rng: mechanism.sample(np.broadcast_to(data, (size, *data.shape)), rng=rng)


def _noisy_max(scale: float) -> Sampler:
    return lambda data, size, rng: np.argmax(data + rng.laplace(0, scale, (size, len(data))), axis=1)


def _constant(data: Array, size: int, rng: np.random.Generator) -> Array:
    return np.zeros(size)


def _one_coordinate(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + rng.laplace(0, 1, (size, 1)) * (np.arange(len(data)) == 0)


def _one_noise(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + rng.laplace(0, 1, (size, 1))


def _fixed_seed(data: Array, size: int, rng: np.random.Generator) -> Array:
    return np.full(size, data + np.random.default_rng(7).laplace())


def _rounded(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + np.rint(rng.laplace(0, 1, size))


def _clipped(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + np.clip(rng.laplace(0, 1, size), -2, 2)


def _sometimes_bare(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + rng.laplace(0, 1, size) * (rng.random(size) > 0.05)


def _twice(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + rng.laplace(0, 1, (size, 2))


def _single(data: Array, size: int, rng: np.random.Generator) -> Array:
    return data + rng.laplace(0, 1, size).astype(np.float32).astype(np.float64)


def _on_a_grid(data: Array, size: int, rng: np.random.Generator) -> Array:
    noise = DiscreteLaplace.calibrated(epsilon=1, sensitivity=_STEPS + 1)  # rounding may add a step to the distance
    return np.asarray(noise.sample(np.full(size, round(float(data) * _STEPS)), rng=rng)) / _STEPS


def _answers(m: int) -> tuple[list[float], list[float]]:
    """Return 2 m answers; for the second input the first half is larger by 1 and the second half is smaller by 1."""
    return [0.0] * m + [1.0] * m, [1.0] * m + [0.0] * m


_STEPS = 1024
_CHOICE = [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0]
_LAST = [0.5] * 4 + [1.5], [1.5] * 4 + [0.5]
_PREFIX = np.tril(np.ones((4, 4)))
_TREE = [[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1], *np.eye(4).tolist()]
