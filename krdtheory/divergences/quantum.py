"""Divergences of positive semidefinite Hermitian matrices rho, sigma (..., n, n), batched over the leading dimensions.

Natural logarithms; Renyi divergences are normalised by tr rho, so neither argument need have trace one. Every function
takes `regularization` lambda >= 0, which adds lambda * Id to sigma, and `support_tol`.

**Supports.** The kernel of a rounded matrix cannot be determined exactly. In float64 an eigenvalue counts as zero if it
is at most `support_tol` times the largest one. The default is its rounding error, 4 n eps; for a diagonal matrix, which
has none, only exact zeros count. The support of rho counts as included in that of sigma if the mass of rho outside it
is within the rounding error of sigma's eigenvectors. A larger `support_tol` treats more eigenvalues as zero,
`support_tol=0` no positive one. In `krdtheory.mp` rational input (integers, fractions, decimal strings, floats) is
exact: ranks and inclusions are decided over Q, unless `support_tol` is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic, Embedding, Pair
from krdtheory.arithmetic.base import Array, Floats, check_labels, spread
from krdtheory.divergences.classical import log_ratio, renyi_from_ratio


def sandwiched_renyi(
    rho: ArrayLike,
    sigma: ArrayLike,
    alpha: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Sandwiched Renyi divergence, the papers' quantum Renyi divergence.

    .. math:: D_{\alpha,\lambda}(\rho\|\sigma) = \frac{1}{\alpha-1} \log
       \frac{\mathrm{tr}\,[(B^{\frac{1-\alpha}{2\alpha}} \rho B^{\frac{1-\alpha}{2\alpha}})^\alpha]}{\mathrm{tr}\,\rho},
       \qquad B = \sigma + \lambda\,\mathrm{Id}

    with its limits: alpha = 1, the relative entropy over tr rho; alpha = inf, `max_relative_entropy`; alpha = 0, where
    the eigenvalues of B enter greedily, the largest first, as long as they increase the rank of rho on their
    eigenspaces (equal to -log tr(P_rho B) + log tr rho when rho has full rank, smaller in general). It satisfies data
    processing for alpha >= 1/2.

    Parameters
    ----------
    rho, sigma : array_like, shape (..., n, n)
        Positive semidefinite; rho not zero. Traces need not be one.
    alpha : array_like
        Order in [0, inf]; an array broadcasts against the leading dimensions.
    regularization : array_like
        lambda in [0, inf), added times Id to sigma; broadcasts as alpha. With lambda > 0 the value may be negative.
    support_tol : float, optional
        Relative size below which an eigenvalue counts as zero; see the module.
    arithmetic : Arithmetic
        The number system; ``krdtheory.mp.sandwiched_renyi`` chooses mpmath.

    Returns
    -------
    float or array, shape (...)
        In nats. +inf where alpha >= 1 and supp rho is not in supp B, and where the two are orthogonal.

    Raises
    ------
    ValueError
        Not square, not Hermitian, not positive semidefinite, not finite, rho = 0, alpha or lambda out of range.
    TypeError
        Input that is not numeric.

    References
    ----------
    Mueller-Lennert et al. (2013); Domingo-Enrich and Mroueh (2022), Section 2. alpha = 0: Datta and Leditzky (2014).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.sandwiched_renyi(plus, np.diag([0.75, 0.25]), 2)), 12)
    0.911492788817
    >>> float(krdtheory.sandwiched_renyi(np.diag([1, 0]), np.diag([0, 1]), 0.5))
    inf
    """
    ar = arithmetic
    _check_labels(rho, sigma)
    order = ar.order(alpha)
    pair = ar.embedding(rho, sigma, ar.regularization(regularization), support_tol, order)
    return ar.result(sandwiched_from_embedding(ar, pair, ar.fits(order, "alpha", pair.trace.shape)))


def petz_renyi(
    rho: ArrayLike,
    sigma: ArrayLike,
    alpha: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Petz-Renyi divergence.

    .. math:: \bar D_{\alpha,\lambda}(\rho\|\sigma) = \frac{1}{\alpha-1} \log
       \frac{\mathrm{tr}\,[\rho^\alpha B^{1-\alpha}]}{\mathrm{tr}\,\rho}, \qquad B = \sigma + \lambda\,\mathrm{Id}

    with its limits: alpha = 0, -log tr(P_rho B) + log tr rho; alpha = 1, the relative entropy over tr rho; alpha = inf,
    the largest log(a_i / b_j) over eigenvectors of rho and B that are not orthogonal. It satisfies data processing for
    alpha <= 2.

    It is computed as the classical Renyi divergence of the Nussbaum-Szkola weights a_i O_ij and b_j O_ij,
    ``O_ij = |<u_i, v_j>|^2``. In float64 an O_ij within its rounding error of 0 counts as 0, where eigenvectors have
    the rounding error divided by the gap to the next eigenvalue; smaller true overlaps, which matter at large orders,
    are lost.

    Notes
    -----
    Parameters, returns and errors: As `sandwiched_renyi`.

    References
    ----------
    Petz (1986); Nussbaum and Szkola (2009).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.petz_renyi(plus, np.diag([0.75, 0.25]), 2)), 12)
    0.980829253012
    """
    ar = arithmetic
    pair = _pair(ar, rho, sigma, regularization, support_tol)
    order = ar.order(alpha, pair.trace.shape)
    p, ratio = _nussbaum_szkola(ar, pair)
    apart = (pair.rank == 0) & (order < 1)
    return ar.result(np.where(apart, ar.inf, renyi_from_ratio(ar, p, ratio, order)))


def maximal_renyi(
    rho: ArrayLike,
    sigma: ArrayLike,
    alpha: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Maximal Renyi divergence.

    .. math:: \hat D_{\alpha,\lambda}(\rho\|\sigma) = \frac{1}{\alpha-1} \log
       \frac{\mathrm{tr}\,[B^{1/2} (B^{-1/2} \rho B^{-1/2})^\alpha B^{1/2}]}{\mathrm{tr}\,\rho},
       \qquad B = \sigma + \lambda\,\mathrm{Id}

    with its limits at 0, 1 (the Belavkin-Staszewski entropy over tr rho) and inf (`max_relative_entropy`). For singular
    B it is the limit of B + t Id, t -> 0: +inf for alpha >= 1 unless supp rho is in supp B; for alpha < 1 the formula
    holds with rho replaced by its Schur complement on supp B. It satisfies data processing for alpha <= 2, and is then
    an upper bound on every Renyi divergence that does and that agrees with the classical one on commuting states.

    With the eigenbasis w_i, tau_i of B^{-1/2} rho B^{-1/2} it is computed as the classical divergence of the weights
    tau_i d_i and d_i, d_i = <w_i, B w_i> (Matsumoto's minimal reverse test).

    Notes
    -----
    Parameters, returns and errors: As `sandwiched_renyi`.

    References
    ----------
    Colisson (2016), (4.2); Matsumoto (2015).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.maximal_renyi(plus, np.diag([0.75, 0.25]), 2)), 12)
    0.980829253012
    """
    ar = arithmetic
    pair = _pair(ar, rho, sigma, regularization, support_tol)
    order = ar.order(alpha, pair.trace.shape)
    p, ratio = _minimal_reverse_test(ar, pair)
    apart = np.where(order < 1, pair.meet == 0, np.logical_not(pair.included))
    return ar.result(np.where(apart, ar.inf, renyi_from_ratio(ar, p, ratio, order)))


def quantum_relative_entropy(
    rho: ArrayLike,
    sigma: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Umegaki's relative entropy.

    .. math:: D(\rho\|\sigma) = \mathrm{tr}\,[\rho (\log \rho - \log(\sigma + \lambda\,\mathrm{Id}))]

    It is not divided by tr rho: the limit of the Renyi divergences at alpha = 1 is this divided by tr rho.

    Notes
    -----
    Parameters and errors: As `sandwiched_renyi`, without alpha. It is +inf where supp rho is not in
    the support of sigma + lambda Id.

    References
    ----------
    Umegaki (1962).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.quantum_relative_entropy(plus, np.diag([0.75, 0.25]))), 12)
    0.836988216786
    """
    ar = arithmetic
    p, ratio = _nussbaum_szkola(ar, _pair(ar, rho, sigma, regularization, support_tol))
    return ar.result((p * ratio).sum(-1))


def max_relative_entropy(
    rho: ArrayLike,
    sigma: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    support_tol: float | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Max relative entropy, the sandwiched Renyi divergence of order infinity.

    .. math:: D_{\max}(\rho\|\sigma) = \inf\{\lambda' : \rho \le e^{\lambda'} (\sigma + \lambda\,\mathrm{Id})\}

    Notes
    -----
    Parameters and errors: As `sandwiched_renyi`, without alpha. It is +inf where supp rho is not in
    the support of sigma + lambda Id.

    References
    ----------
    Datta (2009); Colisson (2016), (4.3).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.max_relative_entropy(plus, np.diag([0.75, 0.25]))), 12)
    0.980829253012
    """
    ar = arithmetic
    _check_labels(rho, sigma)
    largest = ar.largest_quotient(rho, sigma, ar.regularization(regularization), support_tol)
    if largest is None:
        return sandwiched_renyi(rho, sigma, np.inf, regularization, support_tol=support_tol, arithmetic=ar)
    return ar.result(ar.log(largest))


@np.errstate(over="ignore")
def quantum_hockey_stick(
    rho: ArrayLike,
    sigma: ArrayLike,
    epsilon: ArrayLike,
    regularization: ArrayLike = 0.0,
    *,
    arithmetic: Arithmetic = FLOAT64,
) -> Floats:
    r"""Quantum hockey-stick divergence.

    .. math:: E_{e^\epsilon}(\rho\|\sigma) = \mathrm{tr}\,(\rho - e^\epsilon (\sigma + \lambda\,\mathrm{Id}))_+

    Parameters
    ----------
    rho, sigma : array_like, shape (..., n, n)
        Hermitian, and positive semidefinite for this to be a divergence (which is not checked, as no support is
        needed).
    epsilon : array_like
        Any real with finite exponential; broadcasts against the leading dimensions.
    regularization : array_like
        lambda in [0, inf).
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float or array, shape (...)
        The divergence, at least 0.

    Raises
    ------
    ValueError, TypeError
        As `sandwiched_renyi`; epsilon > 700 in float64.

    Notes
    -----
    In float64 the error is about n eps (tr rho + e^epsilon tr sigma), as that is the effect of rounding sigma: if sigma
    is singular and epsilon above about 20, use `krdtheory.mp`.

    References
    ----------
    Hirche, Rouze and Stilck Franca (2023).

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.quantum_hockey_stick(plus, np.diag([0.75, 0.25]), 0)), 12)
    0.559016994375
    """
    ar = arithmetic
    high = min(ar.max_exponent, np.finfo(float).max)
    e = ar.parameter(epsilon, "epsilon", -np.finfo(float).max, high, f"a finite number, at most {high:g}")
    down = ar.exp(np.where(e > 0, -e, 0))  # the larger factor is 1, so nothing overflows
    eigenvalues = _difference_spectrum(ar, rho, sigma, down, ar.exp(np.where(e > 0, 0, e)), regularization)
    return ar.result(np.where(eigenvalues > 0, eigenvalues, 0 * down[..., None]).sum(-1) / down)


@np.errstate(over="ignore")
def trace_distance(
    rho: ArrayLike, sigma: ArrayLike, regularization: ArrayLike = 0.0, *, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    r"""Trace distance.

    .. math:: T(\rho, \sigma) = \tfrac12 \|\rho - \sigma - \lambda\,\mathrm{Id}\|_1

    Notes
    -----
    Parameters, returns and errors: As `quantum_hockey_stick`, without epsilon.

    Examples
    --------
    >>> import numpy as np, krdtheory
    >>> plus = np.full((2, 2), 0.5)
    >>> round(float(krdtheory.trace_distance(plus, np.diag([0.75, 0.25]))), 12)
    0.559016994375
    """
    ar = arithmetic
    eigenvalues = _difference_spectrum(ar, rho, sigma, np.asarray(1), np.asarray(1), regularization)
    return ar.result((abs(eigenvalues) / 2).sum(-1))


def _pair(ar: Arithmetic, rho: Any, sigma: Any, regularization: Any, support_tol: float | None) -> Pair:
    _check_labels(rho, sigma)
    return ar.pair(*ar.spectra(rho, sigma, support_tol), ar.regularization(regularization))


def _check_labels(rho: Any, sigma: Any) -> None:
    check_labels(0, rho=rho, sigma=sigma)
    check_labels(1, rho=rho, sigma=sigma)


def _difference_spectrum(ar: Arithmetic, rho: Any, sigma: Any, a: Array, b: Array, regularization: Any) -> Array:
    """Return the eigenvalues of a * rho - b * (sigma + regularization * Id)."""
    x, y = ar.two_hermitians(rho, sigma)
    lam = ar.fits(ar.regularization(regularization), "regularization", np.broadcast_shapes(x.shape, y.shape)[:-2])
    ar.fits(a, "epsilon", np.broadcast_shapes(x.shape[:-2], y.shape[:-2], lam.shape))
    a, b, lam = (np.asarray(v)[..., None, None] for v in (a, b, lam))
    return ar.eigvalsh(a * x - b * y - b * lam * np.eye(x.shape[-1], dtype=int))


def sandwiched_from_embedding(ar: Arithmetic, pair: Embedding, alpha: Array) -> Array:
    """Return the sandwiched Renyi divergence from joint spectral data, for arrays of orders alpha (...).

    With t_i the eigenvalues of the sandwich, c_j = <v_j, rho v_j> and s = (1 - alpha) / alpha, log(Q / tr rho) is taken
    as log1p of (sum t_i expm1((alpha - 1) log t_i) + sum c_j expm1(s log b_j)) / tr rho near alpha = 1, since
    sum t_i = sum c_j b_j^s, and as a log-sum-exp of alpha log t_i elsewhere.
    """
    pair = ar.of_trace_one(pair)
    batch = np.broadcast_shapes(pair.trace.shape, alpha.shape)
    alpha = np.where(alpha > ar.last_order, ar.inf, np.where(alpha < 1 / ar.last_order, 0, alpha))
    alpha = spread(alpha, batch)
    b, on = spread(pair.b, (*batch, pair.b.shape[-1])), pair.b > 0
    trace, rank = pair.trace, pair.rank[..., None]
    proper = (alpha > 0) & (alpha < ar.inf)
    a = np.where(proper, alpha, 1)
    s = np.where(alpha == ar.inf, -1, (1 - a) / a)
    log_b = ar.log(np.where(on, b, 1))
    # t_i are the squared singular values of diag(b^(s/2)) overlap. The largest weight is taken out before the
    # exponential, as b^(s/2) overflows for small orders, and put back in the logarithm.
    scaled = np.where(on, (s / 2)[..., None] * log_b, -ar.inf)
    peak = scaled.max(-1)
    peak = np.where(peak > -ar.inf, peak, 0)
    overlap = spread(pair.overlap, batch + pair.overlap.shape[-2:])
    noise = spread(pair.noise, batch)
    log_t = 2 * (ar.graded_log_singular_values(scaled - peak[..., None], overlap, alpha, noise) + peak[..., None])
    log_t = np.where(np.arange(log_t.shape[-1]) < rank, log_t, -ar.inf)

    shift = np.where(proper & (alpha != 1), a - 1, 1)
    powers = a[..., None] * log_t
    top = powers[..., 0]
    base = np.where(abs(top) < ar.inf, top, 0)
    value = (base + ar.log(ar.exp(powers - base[..., None]).sum(-1)) - ar.log(trace)) / shift

    # Near order 1 the quotient above is 0 / 0. There sum t_i^alpha / tr rho - 1 is computed directly: sum t_i expm1(.)
    # is the effect of the power, and sum c_j expm1(.) the difference of sum t_i and tr rho.
    close = proper & (abs(a - 1) < 0.05)
    if close.any():
        seen = (log_t > -ar.inf) & close[..., None]
        log_seen = np.where(seen, log_t, 0)
        t = np.where(seen, ar.exp(np.where(seen, log_t - np.asarray(ar.log(trace))[..., None], 0)), 0)
        c = (abs(overlap) ** 2).sum(-1) / trace[..., None]
        lost = np.where(on, 0, -1) + np.where(on, ar.expm1(np.where(close[..., None], s[..., None] * log_b, 0)), 0)
        gained = t * ar.expm1(np.where(close & (alpha != 1), shift, 0)[..., None] * log_seen)
        deviation = gained.sum(-1) + (c * lost).sum(-1)
        near = close & (deviation > -0.5)
        value = np.where(near, ar.log1p(np.where(near, deviation, 0)) / shift, value)

        at_one = (t * log_seen).sum(-1) - (c * log_b).sum(-1)
        value = np.where(alpha == 1, at_one, value)
    value = np.where(alpha == ar.inf, log_t[..., 0], value)
    value = np.where(np.logical_not(pair.included) & (alpha >= 1), ar.inf, value)
    if (alpha == 0).any():
        value = np.where(alpha == 0, ar.log(trace) - ar.log(_greedy_sum(ar, pair)), value)
    return np.where((pair.rank == 0) & (alpha < 1), ar.inf, value)


def _greedy_sum(ar: Arithmetic, pair: Embedding) -> Array:
    """Return lim Q_alpha, alpha -> 0, the sum of the b_j, largest first, whose rows of overlap are independent."""
    rows = np.where(pair.b[..., None] > 0, pair.overlap, 0 * pair.overlap)
    cut = (pair.noise * pair.noise) * (abs(rows) ** 2).sum((-1, -2))
    total, count = 0 * pair.trace, 0 * pair.rank
    for j in reversed(range(pair.b.shape[-1])):  # b is in ascending order
        row = rows[..., j, :]
        size = np.asarray((abs(row) ** 2).sum(-1))
        new = np.asarray((size > cut) & (count < pair.rank))
        count = count + new
        total = total + np.where(new, pair.b[..., j], 0)
        unit = np.where(new[..., None], row, 0 * row) / np.where(new, size, 1)[..., None]
        rows = rows - (rows @ np.conj(unit)[..., None]) * row[..., None, :]
    return total


def _nussbaum_szkola(ar: Arithmetic, pair: Pair) -> tuple[Array, Array]:
    """Return weights a_i O_ij, flattened, and log(a_i / b_j); O_ij within the errors of u_i and v_j counts as 0."""
    p = abs(pair.overlap) ** 2
    a = np.broadcast_to(pair.a[..., None, :], p.shape)
    b = np.broadcast_to(pair.b[..., :, None], p.shape)
    error_a, error_b = (_eigenvector_error(ar, values, pair.noise) for values in (pair.a, pair.b))
    error = pair.noise[..., None, None] + error_a[..., None, :] + error_b[..., :, None]
    seen = p > error * error * a
    p = np.where(seen, p, 0 * p)
    flat = (*p.shape[:-2], p.shape[-1] * p.shape[-2])
    ratio = np.where(seen, log_ratio(ar, a, b), 0)
    return p.reshape(flat), ratio.reshape(flat)


def _eigenvector_error(ar: Arithmetic, values: Array, noise: Array) -> Array:
    """Return the noise divided by the distance of each eigenvalue (ascending) to its neighbours, at most sqrt(noise):
    eigenvalues closer than that may be one, with arbitrary eigenvectors.
    """
    top = values[..., -1:]
    steps = np.diff(values / np.where(top > 0, top, 1))
    edge = np.full_like(top, ar.inf)
    gap = np.minimum(np.concatenate([edge, steps], -1), np.concatenate([steps, edge], -1))
    return noise[..., None] / np.maximum(gap, ar.sqrt(noise)[..., None])


def _minimal_reverse_test(ar: Arithmetic, pair: Pair) -> tuple[Array, Array]:
    """Return weights tau_i d_i and log tau_i, followed by the mass of rho outside the support of B, with ratio +inf."""
    on = (pair.b > 0)[..., None]
    root = ar.sqrt(np.where(on, pair.b[..., None], 1))
    seen = np.where(on, pair.overlap, 0)
    if not pair.included.all():
        hidden = np.where(on, 0, pair.overlap)
        outside = (pair.a > 0).sum(-1) - pair.meet
        right = ar.right_singular_vectors(hidden, outside)[1]
        seen = seen - (seen @ right) @ np.conj(right.swapaxes(-1, -2))
    values, right = ar.right_singular_vectors(seen / root, pair.meet)
    p = (abs(seen @ right) ** 2).sum(-2)  # tau <w, B w>, computed without overflow
    ratio = 2 * ar.log(np.where(values > 0, values, 1))
    rest = np.where(pair.included, 0, pair.trace - p.sum(-1))[..., None]
    unseen = np.where(rest > 0, ar.inf, 0 * rest)
    return np.concatenate([p, np.where(rest > 0, rest, 0 * rest)], -1), np.concatenate([ratio, unseen], -1)
