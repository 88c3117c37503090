"""Positive operators as symbols: states, covariance operators, channels, and the vocabulary's functions of them.

An operator is a linear combination of atoms, noncommuting symbols that are known to be positive semidefinite: a state,
the projection phi(x) phi(x)^* at a generic letter, an identity, or a tensor product or block of these. A covariance
operator is the total over letters of a weight times a projection. The only numbers made of operators are traces and
`Moment`s, tr (B^s A B^s)^alpha, each of which is positive and finite, zero, or infinite in a case.
"""

from verification.provers.operators import kinds as kinds  # registers the symbols of its kinds
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
    terms,
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
    "terms",
    "trace",
    "traced_out",
    "turned",
]
