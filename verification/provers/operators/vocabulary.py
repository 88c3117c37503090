"""The vocabulary's functions of operators, on symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Symbol

from verification.proof import ProofError
from verification.provers import algebra
from verification.provers.operators.channels import Map, Projection, Unitary, _compressed, turned
from verification.provers.operators.expressions import (
    Block,
    DualFunctional,
    Known,
    Kron,
    Largest,
    PositiveTrace,
    Trace,
    _atom,
    canonical,
    dimension,
    identity,
    linear,
    terms,
    trace,
)
from verification.provers.operators.moments import _above_one, divergence, moment, pairing, petz_moment, sandwiched
from verification.provers.operators.operator import Features, Operator, _blocks, _range_of
from verification.provers.operators.positivity import psd
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import CASE, Total
from verification.provers.values import Letters, _array, expression


class OperatorVocabulary:
    """The functions of operators, as rules on their atoms."""

    def covariance(self, phi: Features, p: Letters) -> Operator:
        """sum p(x) phi(x) phi(x)^*."""
        if p.axes != (phi.axes,):
            raise ProofError("weights and features of different alphabets")
        return Operator(Total(p.e * phi.e, *phi.axes), phi.space)

    def tensor(self, x: Features, y: Features) -> Features:
        """phi(x) (x) psi(x)."""
        if x.axes != y.axes:
            raise ProofError("features of different alphabets")
        return Features(Kron(x.e, y.e), ("tensor", x.space, y.space), x.axes)

    def pulled(self, psi: Features, g: Map) -> Features:
        """psi(g(x))."""
        if psi.axes != (g.target,):
            raise ProofError("a map into another alphabet")
        case = CASE.get()
        name = Symbol(f"{psi.e}_of_{g.name}", commutative=False)
        known = Known(psi.space, Integer(1), Integer(1))
        return Features(_atom(str(name), known, case, g.source), psi.space, (g.source,))

    def kron(self, x: Operator, y: Operator) -> Operator:
        """X (x) Y."""
        return Operator(Kron(x.e, y.e), ("tensor", x.space, y.space))

    def direct_sum(self, x: Operator, y: Operator) -> Operator:
        """X (+) Y."""
        return Operator(Block(0, x.e) + Block(1, y.e), ("sum", x.space, y.space))

    def complement(self, x: Operator) -> Operator:
        """1 - X, which is positive for X <= 1, as a new atom."""
        case = CASE.get()
        ((c, atom),) = terms(x.e)
        if c != 1 or not isinstance(atom, Symbol) or case.operators[atom].bound != 1:
            raise ProofError(f"{x.e} is not seen to be at most 1")
        known = Known(x.space, dimension(x.space) - case.operators[atom].trace, Integer(1))
        return Operator(_atom(f"complement_{atom}", known, case, *case.ranges(atom)), x.space)

    def conjugated(self, x: Operator, unitary: Unitary) -> Operator:
        """U X U^*."""
        return turned(unitary.name)(x)

    def compressed(self, x: Operator, projection: Projection) -> Operator:
        """P X P, on the range of P."""
        on = lambda atom: _compressed(projection.name, 0, atom)  # noqa: E731
        return Operator(linear(x.e, on), _range_of(projection.name, 0, x.space))

    def trace(self, x: Operator) -> Any:
        """Its trace."""
        return _array(trace(x.e))

    def dimension(self, x: Features) -> Any:
        """The dimension of the space in which the features lie."""
        return dimension(x.space)

    def largest_eigenvalue(self, x: Operator) -> Any:
        """The largest eigenvalue of a Hermitian operator."""
        return _array(Largest(x.e))

    def log_mixture(self, part: Any, x: Any, y: Any) -> Any:
        """log(part e^x + (1 - part) e^y)."""
        t, u, v = (expression(w) for w in (part, x, y))
        return _array(_log(t * _exp(u) + (1 - t) * _exp(v)))

    def sandwiched_renyi(self, rho: Any, sigma: Any, alpha: Any, regularization: Any = 0) -> Any:
        """log(tr (B^s A B^s)^alpha / tr A) / (alpha - 1), B = sigma + lambda."""
        order, lam = expression(alpha), expression(regularization)
        if isinstance(rho, np.ndarray):
            if rho.shape != (1, 1, 1) or sigma.shape != (1, 1, 1):
                raise ProofError("matrices written out")
            a, b = expression(rho), expression(sigma) + lam
            if not (seen_nonnegative(a, strict=True) and seen_nonnegative(b, strict=True)):
                raise ProofError("numbers that may be zero")
            return _array(sympy.log(a) - sympy.log(b))
        return _array(sandwiched(rho, sigma, order, lam))

    def petz_renyi(self, rho: Operator, sigma: Operator, alpha: Any) -> Any:
        """log(tr A^alpha B^(1 - alpha) / tr A) / (alpha - 1); for blocks that of the only block where A is not zero."""
        a, b, order = rho, sigma, expression(alpha)
        if a.space != b.space:
            raise ProofError("operators on different spaces")
        if isinstance(a.space, tuple) and a.space[0] == "sum":
            parts = [(x, y) for x, y in zip(_blocks(a), _blocks(b), strict=True) if x.e != 0]
            if len(parts) != 1:
                raise ProofError("several blocks")
            for x in _blocks(b):
                psd(x)
            return self.petz_renyi(*parts[0], alpha)
        return _array(divergence(petz_moment(a, b, order), trace(a.e), order))

    def sandwiched_moment(self, a: Operator, b: Operator, alpha: Any, regularization: Any = 0) -> Any:
        """tr (B^s A B^s)^alpha of B + lambda."""
        lam = expression(regularization)
        lifted = b if lam == 0 else b + Operator(lam * identity(b.space), b.space)
        return _array(moment(a, lifted, expression(alpha)))

    def pairing(self, x: Operator, y: Operator) -> Any:
        """tr X Y."""
        return _array(pairing(x, y))

    def dual_functional(self, h: Operator, b: Operator, alpha: Any) -> Any:
        """f(B) = tr (H^(1/2) B^r H^(1/2))^(1/r), r = (alpha - 1) / alpha."""
        order = expression(alpha)
        _above_one(order)
        if h.space != b.space:
            raise ProofError("operators on different spaces")
        psd(h)
        psd(b)
        return _array(DualFunctional(canonical(h.e), canonical(b.e), algebra.cancel(order)))

    def dual_gradient(self, h: Operator, base: Operator, shift: Any, alpha: Any) -> Operator:
        """The gradient of the dual functional at base + shift, which is positive as the functional rises with B."""
        order, more, case = algebra.cancel(expression(alpha)), expression(shift), CASE.get()
        _above_one(order)
        if h.space != base.space or not isinstance(h.space, Symbol):
            raise ProofError("operators on different spaces, or on a product or a sum")
        if any(case.ranges(e) for e in (h.e, base.e, more, order)):
            raise ProofError("a gradient that varies over the letters")
        if not seen_nonnegative(more, strict=True):
            raise ProofError(f"{more} is not seen to be positive")
        psd(h)
        psd(base)
        at = canonical((base + Operator(more * identity(base.space), base.space)).e)
        name = f"gradient[{sympy.srepr((canonical(h.e), at, order))}]"
        return Operator(_atom(name, Known(h.space, Trace(Symbol(name, commutative=False))), case), h.space)

    def quantum_hockey_stick(self, rho: Operator, sigma: Operator, epsilon: Any) -> Any:
        """tr (A - e^epsilon B)_+."""
        return _array(PositiveTrace((rho - sigma * sympy.exp(expression(epsilon))).e))


def _exp(x: Expr) -> Expr:
    """e^x of a sum of logarithms and numbers, or of an infinity."""
    return (
        sympy.powsimp(sympy.exp(algebra.expand(algebra.cancel(x)))) if x not in (sympy.oo, -sympy.oo) else sympy.exp(x)
    )


def _log(x: Expr) -> Expr:
    return -sympy.oo if x == 0 else sympy.log(x)
