"""The restricted divergences themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from krdtheory.arithmetic import FLOAT64, Arithmetic
from krdtheory.arithmetic.base import reject
from krdtheory.arithmetic.checks import one_number
from krdtheory.divergences.restricted.classes import EXTENSIONS, FunctionClass, Mechanism, RestrictedSolution, Sample
from krdtheory.divergences.restricted.mechanisms import between_mechanisms
from krdtheory.divergences.restricted.points import between_weights, on_points
from krdtheory.divergences.restricted.values import is_polynomial, with_digits_as_needed


def restricted_renyi(
    p: ArrayLike | Sample | Mechanism,
    q: ArrayLike | Sample | Mechanism,
    alpha: ArrayLike,
    function_class: FunctionClass,
    *,
    points: ArrayLike | None = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> float:
    r"""H-restricted Renyi divergence of order alpha > 1.

    .. math:: D_{R,\alpha}^H = \frac{\log(1 + \alpha(\alpha-1) D_\alpha^H)}{\alpha-1},\qquad
       D_\alpha^H = \sup_{h \in H} E_P h - C\, E_Q |h|^A - \frac{1}{\alpha(\alpha-1)}

    with A = alpha / (alpha - 1), C = (alpha - 1)^A / alpha. For a class closed under positive scaling this is

    .. math:: D_{R,\alpha}^H = \sup_{h \in H,\ E_P h > 0} A \log E_P h - \log E_Q |h|^A. \tag{M}

    Parameters
    ----------
    p, q : array_like, shape (n,), or two samples, or two mechanisms
        Weights on `points`, divided by their sums; or `Sample`; or `LaplaceDistribution` / `GaussianDistribution` (one
        of each is allowed).
    alpha : number
        Order in (1, inf), tested from 1.01 to 100 (below 1.01 the optimum may not be found).
    function_class : Affine, Polynomials, ConvexHull, Box or RKHSBall
        The class H. Between mechanisms its functions or kernel are callables.
    points : array_like, shape (n,) or (n, d), optional
        The points of the weights; by default 0, ..., n - 1. Only with weights.
    extension : {"absolute", "positive"}
        f(t) at t < 0, which does not affect the unrestricted divergence, but the restricted one: "absolute",
        ``(|t|^alpha - 1) / (alpha^2 - alpha)``, as in the paper; "positive", +inf, which replaces ``|h|`` by max(h, 0).
        "positive" is the larger value, nondecreasing in alpha where H is linear with constants.
    arithmetic : Arithmetic
        The number system.

    Returns
    -------
    float
        The divergence in nats; +inf where a function of H separates P from Q.

    Raises
    ------
    ValueError
        alpha outside (1, inf); weights, points or a class that do not fit together; an unknown extension; (3) is
        undefined, as 1 + alpha (alpha - 1) D_alpha^H <= 0, for a class without large enough constants.
    TypeError
        Arguments of the wrong kind.
    PrecisionError
        The dual bound stayed more than 1e-9 (float64; with d digits 10^(10 - d); relative to ``1 + |value|``) above the
        value found; or between mechanisms, the quadrature did not converge, for example because the supremum is not
        attained.

    Notes
    -----
    `restricted_solution` returns the maximiser and the certificate.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), (3), Lemma 3.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import GaussianDistribution, Polynomials, restricted_renyi
    >>> p, q = GaussianDistribution(0), GaussianDistribution(1)
    >>> [round(float(restricted_renyi(p, q, 2, Polynomials(k))), 10) for k in (1, 2, 3)]  # log of 2, 5/2, 8/3
    [0.6931471806, 0.9162907319, 0.980829253]
    """
    return restricted_solution(
        p, q, function_class, alpha=alpha, points=points, extension=extension, arithmetic=arithmetic
    ).value


def restricted_alpha_divergence(
    p: ArrayLike | Sample | Mechanism,
    q: ArrayLike | Sample | Mechanism,
    alpha: ArrayLike,
    function_class: FunctionClass,
    *,
    points: ArrayLike | None = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> float:
    r"""H-restricted alpha-divergence D_alpha^H, generator (t^alpha - 1) / (alpha^2 - alpha).

    Parameters
    ----------
    p, q, alpha, function_class, points, extension, arithmetic
        As `restricted_renyi`.

    Returns
    -------
    float
        The divergence; it may be negative for classes that lack constants.

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`, except that (3) is not needed.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 3.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Box, restricted_alpha_divergence
    >>> float(restricted_alpha_divergence([1, 0], [0, 1], 2, Box([[0.0], [0.0]], 0, 1)))  # H = {0}
    -0.5
    """
    return _solution(p, q, function_class, alpha, points, extension, arithmetic).divergence


def restricted_kl(
    p: ArrayLike | Sample | Mechanism,
    q: ArrayLike | Sample | Mechanism,
    function_class: FunctionClass,
    *,
    points: ArrayLike | None = None,
    arithmetic: Arithmetic = FLOAT64,
) -> float:
    r"""H-restricted Kullback-Leibler divergence.

    .. math:: \mathrm{KL}^H(P\|Q) = \sup_{h \in H} E_P h - E_Q e^{h - 1}

    Parameters
    ----------
    p, q, function_class, points, arithmetic
        As `restricted_renyi`.

    Returns
    -------
    float
        The divergence in nats; negative for some classes without constants.

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`.

    References
    ----------
    Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 1 with f* = e^(s - 1).

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Affine, LaplaceDistribution, restricted_kl
    >>> round(float(restricted_kl(LaplaceDistribution(0), LaplaceDistribution(1), Affine())), 12)  # sqrt 2 - 1 - ...
    0.225987155913
    """
    return restricted_solution(p, q, function_class, points=points, arithmetic=arithmetic).value


def restricted_solution(
    p: ArrayLike | Sample | Mechanism,
    q: ArrayLike | Sample | Mechanism,
    function_class: FunctionClass,
    *,
    alpha: ArrayLike | None = None,
    points: ArrayLike | None = None,
    extension: str = "absolute",
    arithmetic: Arithmetic = FLOAT64,
) -> RestrictedSolution:
    """The restricted Renyi divergence of order alpha (KL if None) with its maximiser and dual certificate.

    Parameters
    ----------
    p, q, function_class, points, extension, arithmetic
        As `restricted_renyi`.
    alpha : number, optional
        The order, in (1, inf); None for KL.

    Returns
    -------
    RestrictedSolution

    Raises
    ------
    ValueError, TypeError, PrecisionError
        As `restricted_renyi`.

    Examples
    --------
    >>> from krdtheory.divergences.restricted import Affine, restricted_solution
    >>> s = restricted_solution([0.25, 0.75], [0.5, 0.5], Affine(), alpha=2)
    >>> round(float(s.value), 12), bool(s.gap < 1e-12), s.density.round(6).tolist()  # here lin is all functions
    (0.223143551314, True, [0.5, 1.5])
    """
    found = _solution(p, q, function_class, alpha, points, extension, arithmetic)
    if alpha is not None and not found.value > -np.inf:
        allowed = "a class for which (3) is defined, with 1 + alpha (alpha - 1) D_alpha^H > 0"
        reject("function_class", function_class, allowed)
    return found


def _solution(
    p: Any, q: Any, function_class: FunctionClass, alpha: Any, points: Any, extension: str, ar: Arithmetic
) -> RestrictedSolution:
    if not isinstance(function_class, FunctionClass):
        reject("function_class", function_class, "Affine, Polynomials, ConvexHull, Box or RKHSBall", TypeError)
    if extension not in EXTENSIONS:
        reject("extension", extension, f"one of {', '.join(EXTENSIONS)}")
    order = None if alpha is None else one_number(ar, alpha, "alpha", 1, "in (1, inf)")
    psi = "kl" if order is None else extension
    mechanisms = [isinstance(x, Mechanism) for x in (p, q)]
    if any(mechanisms):
        if not all(mechanisms):
            reject("q" if mechanisms[0] else "p", q if mechanisms[0] else p, "a mechanism, as the other is", TypeError)
        if points is not None:
            reject("points", points, "None between mechanisms")
        return between_mechanisms(ar, p, q, function_class, order, psi)
    x, y, at = on_points(ar, p, q, points)
    if not is_polynomial(function_class):
        return between_weights(ar, x, y, at, function_class, order, psi)

    def solve(system: Arithmetic) -> RestrictedSolution:
        weights, references, places, a = map(system.converted, (x, y, at, order))
        return between_weights(system, weights, references, places, function_class, a, psi)

    return with_digits_as_needed(ar, solve, (30, 60, 400))
