"""Lower confidence bounds on the capacity-bounded Renyi divergence, from samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, generator, reject
from krdtheory.arithmetic.checks import check_count
from krdtheory.audit.mean_bounds import lower_log_ratio
from krdtheory.audit.outputs import read_two
from krdtheory.audit.renyi_bounds import one_order, split, split_used
from krdtheory.audit.result import Bound


def capacity_bound(
    x: Any,
    y: Any,
    *,
    alpha: float,
    degree: int,
    support: tuple[float, float],
    level: float,
    claim: float | None = None,
    learn_from: float = 1 / 3,
    rng: Any = 0,
) -> Bound:
    r"""Lower confidence bound on the Renyi divergence restricted to polynomials, of distributions on a known interval.

    .. math:: D^H_\alpha(p\|q) = \sup_{h \in H,\, E_p h > 0} A \log E_p h - \log E_q |h|^A, \quad A = \alpha/(\alpha-1)

    at a learnt h. A polynomial of an unbounded output is unbounded, and then samples give no bound on its mean: the
    outputs of a Laplace or Gaussian mechanism must be clipped, by a function that is then part of the mechanism.

    Parameters
    ----------
    x, y : array_like, shapes (n,) and (m,)
        Independent draws from p and from q, at least 20 of each.
    alpha : float
        In (1, inf).
    degree : int
        1 to 20.
    support : pair of float
        Finite endpoints of an interval that is known to contain both distributions.
    level, claim, learn_from, rng
        As `krdtheory.audit.renyi_bounds.cut_bound`.

    Returns
    -------
    Bound
        In nats, at least 0 (h = 1).

    Raises
    ------
    ValueError, TypeError
        A support that is not finite, draws outside it, samples too small, parameters out of range.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), Definition 3 and equation 3.

    Examples
    --------
    >>> import numpy as np
    >>> from krdtheory.audit.capacity_bounds import capacity_bound
    >>> rng = np.random.default_rng(0)
    >>> x, y = (rng.random(6000) < 0.75).astype(float), (rng.random(6000) < 0.25).astype(float)
    >>> bound = capacity_bound(x, y, alpha=2, degree=1, support=(0, 1), level=0.05)
    >>> round(bound.value, 3), round(float(np.log(7 / 3)), 3)
    (0.81, 0.847)
    """
    order = one_order(alpha)
    if not 1 < order < np.inf:
        reject("alpha", alpha, "in (1, inf)")
    check_count(degree, "degree", 1)
    if degree > 20:
        reject("degree", degree, "an integer from 1 to 20")
    low, high = support if np.shape(support) == (2,) else (np.nan, np.nan)
    if not (np.isfinite([low, high]).all() and low < high):
        reject("support", support, "two finite numbers, the lower first: polynomials are unbounded on the line")
    draw = generator(rng)
    u, v = (sample.values for sample in read_two(x, y))
    for name, z in (("x", u), ("y", v)):
        if z.ndim != 2 or z.shape[1] != 1:
            reject(name, z.shape, "real numbers, shape (n,) (this is the shape)")
        if not ((z >= low) & (z <= high)).all():
            reject(name, z[(z < low) | (z > high)][0], f"within the support ({low:g}, {high:g}) (this is one of them)")
    (x_learn, x_test), (y_learn, y_test) = (split(z[:, 0], name, learn_from, draw) for z, name in ((u, "x"), (v, "y")))
    h, extreme = _polynomial(x_learn, y_learn, order, degree, (low, high))
    r = (order - 1) / order
    first, second = h(x_test), np.abs(h(y_test)) ** (1 / r)
    value, p_value = lower_log_ratio(
        np.clip(first, -extreme, extreme),
        np.minimum(second, extreme ** (1 / r)),
        power=r,
        level=level,
        tops=(extreme, extreme ** (1 / r)),
        bottom=-extreme,
        claim=None if claim is None else r * claim,
        rng=draw,
    )
    return Bound(
        value=max(value / r, 0.0),
        level=level,
        witness={"method": "polynomial", "domain": [low, high], "Chebyshev coefficients": [float(c) for c in h.coef]},
        used=split_used(len(x_learn), len(y_learn), len(x_test), len(y_test), "a polynomial", "one bet on both means"),
        extra={"p_value": p_value},
    )


def _polynomial(
    x: Array, y: Array, alpha: float, degree: int, domain: tuple[float, float]
) -> tuple[np.polynomial.Chebyshev, float]:
    """Return h with E_x h = 1 and the least E_y |h|^A, by reweighted least squares, and a bound on |h|."""
    power = alpha / (alpha - 1)
    z = [(2 * s - domain[0] - domain[1]) / (domain[1] - domain[0]) for s in (x, y)]
    u, v = (np.polynomial.chebyshev.chebvander(s, degree) for s in z)
    mean = u.mean(0)
    weights = np.ones(len(v))
    for _ in range(50):
        moment = (v * weights[:, None]).T @ v / len(v)
        c = np.linalg.solve(moment + 1e-9 * np.trace(moment) * np.eye(degree + 1), mean)
        c = c / (mean @ c)
        size = np.abs(v @ c)
        weights = 0.5 * weights + 0.5 * np.maximum(size, 1e-3 * size.mean()) ** (power - 2)
    h = np.polynomial.Chebyshev(c, domain=domain)
    turns = h.deriv().roots() if degree > 1 else np.zeros(0)
    at = np.concatenate([domain, np.clip(np.real(turns), *domain)])
    return h, float(np.abs(h(at)).max()) * (1 + 1e-9)
