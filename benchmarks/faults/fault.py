"""What a planted fault is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A text of a file, which occurs there once, what replaces it, and what that means.

    `explanation` is for those that no test can notice: why no answer gets wrong.
    """

    file: str
    old: str
    new: str
    meaning: str
    explanation: str = ""


def faults_of(file: str, *faults: tuple[str, ...]) -> list[Fault]:
    """Faults of one file: (old, new, meaning) or (old, new, meaning, explanation)."""
    return [Fault(file, *fault) for fault in faults]
