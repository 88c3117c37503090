"""Positive operators on symbols: states, covariance operators, channels, and the vocabulary's functions of them.

An operator is a linear combination of atoms, noncommuting symbols that are known to be positive semidefinite: a state,
the projection phi(x) phi(x)^* at a generic letter, an identity, a tensor product or a block of such. A covariance
operator is the total over letters of a weight times a projection. Numbers see of an operator only what is made of it
here: its trace, and `Moment`s, tr (B^s A B^s)^alpha, which a case takes to be positive and finite, zero, or infinite.
"""

from verification.provers.operators import kinds as kinds  # which tells of the symbols of its kinds when it is imported
from verification.provers.operators.channels import (
    Map,
    Projection,
    SymbolicChannel,
    Unitary,
    added_up,
    each_block,
    kept,
    pinched,
    prepared,
    traced_out,
    turned,
)
from verification.provers.operators.expressions import (
    Block,
    Known,
    Kron,
    Largest,
    Moment,
    PositiveTrace,
    Seen,
    canonical,
    dimension,
    identity,
    trace,
)
from verification.provers.operators.moments import divergence, moment, pairing, sandwiched
from verification.provers.operators.operator import Features, Operator, classical, diagonal
from verification.provers.operators.positivity import commute, letterwise, psd
from verification.provers.operators.vocabulary import OperatorVocabulary

__all__ = [
    "Block",
    "Features",
    "Known",
    "Kron",
    "Largest",
    "Map",
    "Moment",
    "Operator",
    "OperatorVocabulary",
    "PositiveTrace",
    "Projection",
    "Seen",
    "SymbolicChannel",
    "Unitary",
    "added_up",
    "canonical",
    "classical",
    "commute",
    "diagonal",
    "dimension",
    "divergence",
    "each_block",
    "identity",
    "kept",
    "letterwise",
    "moment",
    "pairing",
    "pinched",
    "prepared",
    "psd",
    "sandwiched",
    "trace",
    "traced_out",
    "turned",
]
