"""Table 1 of Chaudhuri, Imola and Machanavajjhala (2019), the printed bounds beside bounds that hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import Array, reject
from krdtheory.arithmetic.checks import one_number
from krdtheory.divergences._noise import laplace_renyi
from krdtheory.results import Result


@dataclass(frozen=True, kw_only=True, eq=False)
class Table1Row(Result):
    """A row of Table 1: the linear adversary's parameter as printed (an upper bound, exact for KL), corrected bounds
    `linear_lower` <= parameter <= `linear_upper`, and the unrestricted parameter as printed (a lower bound for the
    Laplace mechanism and Renyi) and exact. `printed_holds` is None if these bounds do not decide it.
    """

    divergence: str
    mechanism: str
    printed_linear: float
    linear_lower: float
    linear_upper: float
    printed_unrestricted: float
    unrestricted: float
    printed_holds: bool | None


def table1(
    *,
    epsilon: ArrayLike = 1,
    sigma: ArrayLike = 1,
    alpha: ArrayLike = 2,
    v: ArrayLike = (1,),
    arithmetic: Arithmetic = FLOAT64,
) -> tuple[Table1Row, ...]:
    r"""Return Table 1 of the paper, the printed bounds beside bounds that hold.

    The printed Renyi bounds of the linear adversary (Theorem 13, Corollary 2, Theorem 5) are proved for
    1 < alpha <= 2 only; for alpha > 2 they fail at small v (epsilon small, sigma large). With Y one coordinate of the
    noise, A = alpha / (alpha - 1) and ||Y||_A = (E|Y|^A)^(1/A), for every dimension,

    .. math:: 1 < \alpha \le 2: \quad D \le \min\Big\{\frac{1}{\alpha-1} \log\Big(1 + \frac{\|v\|_\alpha^\alpha}
       {\|Y\|_A^\alpha}\Big),\ \frac{A}{2} \log\Big(1 + \frac{\|v\|_2^2}{\mathrm{Var}\,Y}\Big)\Big\}

    .. math:: \alpha \ge 2: \quad D \le \min\Big\{\frac{A}{2} \log\Big(1 + (\alpha-1) \frac{\|v\|_2^2}{s^2}\Big),\
       A \log\Big(1 + \frac{\kappa \|v\|_2}{\|Y\|_A}\Big)\Big\}

    with s = ||Y||_A (Laplace) or sigma (Gaussian), kappa = 1 in one dimension and sqrt 2 in more; and D is at most the
    unrestricted divergence.

    Parameters
    ----------
    epsilon, sigma : number
        Laplace noise of scale 1 / epsilon, Gaussian noise of standard deviation sigma; positive.
    alpha : number
        The order, in (1, inf).
    v : array_like, shape (d,)
        The sensitivity along each coordinate, for the d-dimensional rows.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    tuple of Table1Row
        KL Laplace, KL Gaussian, Renyi Laplace, Renyi Gaussian (all of unit sensitivity), then Renyi Laplace and
        Gaussian in d dimensions.

    Raises
    ------
    ValueError, TypeError
        Parameters out of range or of the wrong kind.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), Table 1, Theorems 8 to 13, Corollary 2. The bounds for alpha >= 2 are
    by hypercontractivity (Bonami; Gaussian) and Khintchine's inequality (Szarek).

    Examples
    --------
    >>> from verification.table1 import table1
    >>> row = table1(epsilon=0.1, alpha=4)[2]
    >>> row.divergence, row.mechanism, row.printed_holds
    ('Renyi', 'Laplace', False)
    >>> [round(float(x), 6) for x in (row.printed_linear, row.linear_lower, row.linear_upper)]
    [0.000267, 0.003325, 0.015219]
    """
    ar = arithmetic
    e, s = (one_number(ar, x, n, 0, "positive and finite") for x, n in ((epsilon, "epsilon"), (sigma, "sigma")))
    a = one_number(ar, alpha, "alpha", 1, "in (1, inf)")
    w = abs(ar.array(v, "v"))
    if w.ndim != 1 or not w.size or not w.any():
        reject("v", v, "a vector that is not zero, shape (d,)")
    unit = w[:1] * 0 + 1
    root = ar.sqrt(1 + e * e)
    lin = root - 1 - ar.log((root + 1) / 2)  # as printed, rearranged to avoid cancellation
    full = ar.expm1(-e) + e
    half = 1 / (2 * s * s)
    return (
        _row("KL", "Laplace", lin, lin, lin, full, full),
        _row("KL", "Gaussian", half, half, half, half, half),
        _renyi_row(ar, "Laplace", a, e * unit),
        _renyi_row(ar, "Gaussian", a, unit / s),
        _renyi_row(ar, "Laplace", a, e * w),
        _renyi_row(ar, "Gaussian", a, w / s),
    )


def _row(
    divergence: str, mechanism: str, printed: Any, lower: Any, upper: Any, printed_full: Any, full: Any, size: int = 1
) -> Table1Row:
    return Table1Row(
        divergence=divergence,
        mechanism=mechanism if size == 1 else f"{mechanism}, {size}-dim",
        printed_linear=printed,
        linear_lower=lower,
        linear_upper=upper,
        printed_unrestricted=printed_full,
        unrestricted=full,
        printed_holds=True if printed >= upper else False if printed < lower else None,
    )


def _renyi_row(ar: Arithmetic, mechanism: str, a: Any, x: Array) -> Table1Row:
    """Return the row of Renyi divergences for sensitivities x (d) in units of the noise's scale."""
    power, d = a / (a - 1), len(x)
    log2 = ar.log(0 * a + 2)
    total = _log_sum_power(ar, x, a)
    square = (x * x).sum()
    if mechanism == "Laplace":
        printed = _log1p_exp(ar, d * (a - 1) * log2 + total) / (a - 1)
        log_norm, variance, base = ar.log_gamma(power + 1) / power, 2, None
        printed_full = x.sum() - d * log2 / (a - 1)
        full = laplace_renyi(ar, a + 0 * x, x).sum()
    else:
        printed = _log1p_exp(ar, (a - 1) * (d * log2 + ar.log(ar.pi / 2) / 2) + total) / (a - 1)
        log_norm = (power / 2 * log2 + ar.log_gamma((power + 1) / 2) - ar.log(ar.pi) / 2) / power
        variance, base = 1, 1
        printed_full = full = a * square / 2
    norm = ar.exp(log_norm)
    by_variance = power / 2 * ar.log1p(square / variance)
    by_norm = power / 2 * ar.log1p((a - 1) * square / (norm * norm if base is None else base))
    if a <= 2:
        lower = by_norm
        upper = min(by_variance, _log1p_exp(ar, total - a * log_norm) / (a - 1))
    else:
        kappa = 1 if d == 1 else ar.sqrt(0 * a + 2)
        lower = by_variance
        upper = min(by_norm, power * ar.log1p(kappa * ar.sqrt(square) / norm))
    return _row("Renyi", mechanism, printed, lower, min(upper, full), printed_full, full, d)


def _log_sum_power(ar: Arithmetic, x: Array, a: Any) -> Any:
    logs = a * ar.log(x[x > 0])
    top = logs.max()
    return top + ar.log(ar.exp(logs - top).sum())


def _log1p_exp(ar: Arithmetic, x: Any) -> Any:
    return x + ar.log1p(ar.exp(-x)) if x > 0 else ar.log1p(ar.exp(x))
