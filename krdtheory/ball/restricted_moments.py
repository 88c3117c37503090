"""Restricted divergences between mechanisms that are determined by moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq, fmpq_mat

from krdtheory.arithmetic.base import reject
from krdtheory.ball.inputs import number
from krdtheory.divergences.restricted import Affine, FunctionClass, Mechanism, Polynomials

MISSING = (
    "order 2 with extension 'absolute', KL with affine functions, or KL between Gaussians with polynomials, in ball "
    "arithmetic between mechanisms: for others an enclosure of the integral of f*(h) is missing"
)


def between_mechanisms(
    p: Mechanism, q: Mechanism, function_class: FunctionClass, order: fmpq | None, psi: str
) -> Callable[[], Any]:
    r"""Return a function that computes the Renyi or KL divergence as a ball at the working precision.

    In units of Q let P have mean m and scale s, and phi the powers up to the degree. Order 2 is log (E_P phi)^T (E_Q
    phi phi^T)^{-1} (E_P phi), a logarithm of a rational; KL of affine functions is sup_a a m - log E_Q e^{a z}, in
    terms of Q's cumulants; the log ratio of Gaussians is itself a quadratic polynomial.
    """
    plain = isinstance(function_class, Affine) and function_class.features is None
    if not plain and not isinstance(function_class, Polynomials):
        reject("function_class", function_class, "Affine() or Polynomials between mechanisms", TypeError)
    degree = function_class.degree if isinstance(function_class, Polynomials) else 1
    (a, b), (c, d) = _parameters(p, "p"), _parameters(q, "q")
    m, s = (a - c) / d, b / d
    if order == 2 and psi == "absolute":
        return lambda: arb(_square(p.family, q.family, degree, m, s)).log()
    if order is None and p.family == q.family == "gaussian" and degree > 1:
        return lambda: arb((s * s + m * m - 1) / 2) - arb(s).log()
    if order is not None or degree > 1:
        reject("alpha" if order is not None else "function_class", order or function_class, MISSING)
    return lambda: arb(m * m / 2) if q.family == "gaussian" else _laplace(m)


def _parameters(x: Mechanism, name: str) -> tuple[fmpq, fmpq]:
    location, scale = number(x.location, "location"), number(x.scale, "scale")
    for value, what in ((location, "location"), (scale, "scale")):
        if isinstance(value, arb):
            reject(f"{what} of {name}", value, "rational")
    if scale <= 0:
        reject(f"scale of {name}", scale, "positive")
    return location, scale


def _square(p_family: str, q_family: str, degree: int, m: fmpq, s: fmpq) -> fmpq:
    """Return the largest (E_P h)^2 / E_Q h^2."""
    n = degree + 1
    powers = _moments(q_family, 2 * degree, fmpq(0), fmpq(1))
    gram = fmpq_mat(n, n, [powers[i + j] for i in range(n) for j in range(n)])
    mean = fmpq_mat(n, 1, _moments(p_family, degree, m, s))
    return (mean.transpose() * gram.solve(mean))[0, 0]


def _moments(family: str, degree: int, m: fmpq, s: fmpq) -> list[fmpq]:
    """Return E x^k, k = 0, ..., degree, by the recursion that follows from the moment generating function M:
    M' = (m + s^2 t) M for a Gaussian distribution, and (1 - s^2 t^2) M = e^(m t) for a Laplace distribution."""
    out = [fmpq(1), m]
    for k in range(2, degree + 1):
        gaussian = m * out[k - 1] + (k - 1) * s * s * out[k - 2]
        out.append(gaussian if family == "gaussian" else m**k + k * (k - 1) * s * s * out[k - 2])
    return out[: degree + 1]


def _laplace(m: fmpq) -> Any:
    """Return the maximum of a m + log(1 - a^2) over a."""
    root = arb(1 + m * m).sqrt()
    return root - 1 - ((root + 1) / 2).log()
