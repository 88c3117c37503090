"""Divergences between classical distributions and between quantum states, each over any `Arithmetic`."""

from krdtheory.divergences.classical import (
    f_divergence,
    hellinger,
    hockey_stick,
    kl,
    max_divergence,
    renyi,
    total_variation,
)
from krdtheory.divergences.quantum import (
    max_relative_entropy,
    maximal_renyi,
    petz_renyi,
    quantum_hockey_stick,
    quantum_relative_entropy,
    sandwiched_renyi,
    trace_distance,
)

__all__ = [
    "f_divergence",
    "hellinger",
    "hockey_stick",
    "kl",
    "max_divergence",
    "max_relative_entropy",
    "maximal_renyi",
    "petz_renyi",
    "quantum_hockey_stick",
    "quantum_relative_entropy",
    "renyi",
    "sandwiched_renyi",
    "total_variation",
    "trace_distance",
]
