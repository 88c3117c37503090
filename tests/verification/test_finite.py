"""Every case of a finite claim is decided; claims with a false case or infinitely many cases are rejected."""

import numpy as np
import pytest

from verification.claim import Claim
from verification.instances import Integers, Maps, Scale
from verification.proof import ProofError, proved
from verification.provers.finite import finite, members

SIX = {"n": Integers(1, 6)}


def made(sides, given=SIX, relation="<="):
    return Claim("own.test", "test", "test", given, sides, relation)


TRUE = {
    "n log n <= n^2": lambda k, n: (n * k.log(n), n * n),
    "n <= 6": lambda k, n: (n, 0 * n + 6),
    "two parts": lambda k, n: (np.stack([n, k.log(n)], -1), np.stack([n + 1, n], -1)),
}
FALSE = {
    "n <= 5": lambda k, n: (n, 0 * n + 5),
    "2 <= n": lambda k, n: (0 * n + 2, n),
    "one of two parts": lambda k, n: (np.stack([n, n], -1), np.stack([n + 1, 0 * n + 5], -1)),
    "log n <= log n - 10^-30": lambda k, n: (k.log(n), k.log(n) - 1 / (0 * n + 10**30)),
    "undecided": lambda k, n: (k.log(n * n * n), 3 * k.log(n) + 0 * n),
    "no sides": lambda k, n: (np.empty((1, 0)), np.empty((1, 0))),
}


@pytest.mark.parametrize("sides", TRUE.values(), ids=TRUE)
def test_every_case(sides):
    assert proved(made(sides), finite()).steps == ("all of 6 cases in balls of 160 bits",)


@pytest.mark.parametrize("sides", FALSE.values(), ids=FALSE)
def test_a_false_case(sides):
    with pytest.raises(ProofError):
        proved(made(sides), finite())


def test_infinite_kinds_are_rejected():
    everything = lambda k, n: (0 * n, 0 * n + 1)  # noqa: E731
    for kind in (Integers(1), Integers(1, 10**6), Scale(high=1), Maps(12, 4)):
        with pytest.raises(ProofError):
            proved(made(everything, {"n": kind}), finite())
    with pytest.raises(ProofError):
        proved(made(everything, relation="=="), finite())


def test_members_are_complete():
    assert [int(raw["integer"][0]) for raw in members(Integers(2, 4))] == [2, 3, 4]
    assert len({raw["map"].tobytes() for raw in members(Maps(3, 2, count=2))}) == 2**6
