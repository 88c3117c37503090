"""Proofs, provers and arguments. Only a prover makes a proof, which counts only if the prover passes the challenge."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verification.claim import Claim

_SEAL = object()


class ProofError(ArithmeticError):
    """The prover did not succeed, which does not mean that the statement is false.

    If there are several arguments, the first is a template with a ``{}`` for each of the others. It is filled in only
    when the message is read, since most errors are caught to try something else, and expressions are slow to print.
    """

    def __str__(self) -> str:
        text, *about = self.args or ("",)
        return str(text).format(*about) if about else str(text)


@dataclass(frozen=True)
class Proof:
    """A proof, derived from a claim's own two sides.

    `domain` is derived from the claim's kinds, and `complete` is whether it is all of their domain. `premises` are the
    registered claims and cited theorems on which the proof rests; `steps` has a line for every step.

    Raises
    ------
    ProofError
        The proof was not made by a prover.
    """

    method: str
    domain: str
    steps: tuple[str, ...]
    premises: tuple[str, ...] = ()
    complete: bool = True
    seal: object = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise ProofError("a proof is made by a prover")
        object.__setattr__(self, "seal", None)


@dataclass(frozen=True)
class Argument:
    """What was checked of a proof by hand: method, domain, and number of steps (identities, signs or cases).

    The functions of `verification.argument` make it. It does not change a verdict.
    """

    method: str
    domain: str
    steps: int
    detail: str = ""

    def __and__(self, other: Argument) -> Argument:
        """Return both arguments joined, for a statement with several parts."""
        joined = [a if a == b else f"{a}; {b}" for a, b in zip(self._texts(), other._texts(), strict=True)]
        return Argument(joined[0], joined[1], self.steps + other.steps, joined[2])

    def _texts(self) -> tuple[str, str, str]:
        return self.method, self.domain, self.detail


class Prover(ABC):
    """Base class of provers, which derive a claim from its own sides, over its own kinds; `method` names the method.

    Only those of `verification.provers` make a claim `proved`.
    """

    method: str = "derivation"

    @abstractmethod
    def derive(self, claim: Claim) -> Derivation:
        """Return what was derived.

        Raises
        ------
        ProofError
            The prover does not succeed.
        """


@dataclass(frozen=True)
class Derivation:
    """The result of a prover: steps, premises, the domain in words, and whether it is all of the claim's domain."""

    domain: str
    steps: tuple[str, ...]
    premises: tuple[str, ...] = ()
    complete: bool = True


def recalled(method: str, domain: str, steps: Iterable[str], premises: Iterable[str], complete: bool) -> Proof:
    """Return a proof of an earlier run, as read from its file."""
    return Proof(method, domain, tuple(steps), tuple(premises), complete, _SEAL)


def proved(claim: Claim, prover: Prover) -> Proof:
    """Run a prover on a claim, and return the proof.

    Raises
    ------
    ProofError
        The prover does not succeed.
    TypeError
        `prover` is not a prover.
    """
    if not isinstance(prover, Prover):
        raise TypeError(f"proof must be a prover of verification.provers; got {prover!r}")
    try:
        made = prover.derive(claim)
    except ProofError:
        raise
    except Exception as error:  # any failure inside a prover means that there is no proof
        where = traceback.extract_tb(error.__traceback__)[-1]
        line = f"{Path(where.filename).name}, line {where.lineno}: {where.line}"
        raise ProofError(f"{type(error).__name__}: {error} ({line})") from error
    return Proof(prover.method, made.domain, made.steps, made.premises, made.complete, _SEAL)
