r"""The sharp bound for a number of guesses that is fixed in advance, under (epsilon, delta)-DP.

Of r guesses about m canaries, W are right. Then, with B ~ Bin(r, q) and beta = P(B >= v),

.. math:: \Pr(W \ge v) \le \beta + m\,\delta\, \frac{\beta (1-\beta)}{v \Pr(B = v)},

and some mechanism attains it if m delta beta <= v P(B = v). Proof: with f_a = P(W = a), a f_a - e^epsilon (r - a + 1)
f_{a-1} is at most the sum over guesses of the excess over e^epsilon when that guess is flipped, so that the positive
parts s_a sum to at most m delta (for k secrets with e^epsilon / (k - 1)); solving for f, the coefficient of s_c in
P(W >= v) is largest at c = v, as binomial distributions are log-concave.

The bound does not hold if r depends on the output; see `blocks` and `tradeoff` for that.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binom

from krdtheory.arithmetic.base import reject
from krdtheory.arithmetic.checks import check_count, check_number
from krdtheory.audit.one_run.coins import Coins, Secrets


def p_value(
    *, right: int, guesses: int, canaries: int, epsilon: float, delta: float = 0.0, coins: Coins | Secrets | None = None
) -> float:
    """Return the p-value of (epsilon, delta)-DP, from `right` of `guesses` guesses about `canaries` canaries.

    Parameters
    ----------
    right, guesses, canaries : int
        0 <= right <= guesses <= canaries; the number of guesses must not depend on the data.
    epsilon : float
        Finite, >= 0.
    delta : float
        In [0, 1].
    coins : Coins or Secrets, optional
        Fair coins by default; for unfair ones all guesses are "in".

    Raises
    ------
    ValueError, TypeError
        Numbers out of range.

    Examples
    --------
    >>> from krdtheory.audit.one_run.fixed import p_value
    >>> round(p_value(right=80, guesses=100, canaries=1000, epsilon=1, delta=1e-5), 4)
    0.0719
    """
    coins = Coins() if coins is None else coins
    check_count(canaries, "canaries", 1)
    for name, value, most in (("guesses", guesses, canaries), ("right", right, guesses)):
        if check_count(value, name, 0) > most:
            reject(name, value, f"at most {most}")
    e = check_number(epsilon, "epsilon", allowed="a finite number >= 0")
    d = check_number(delta, "delta", 0, 1, allowed="in [0, 1]")
    if right == 0:
        return 1.0
    q = float(coins.right(e)[0])
    tail, point = (float(f(right - by, guesses, q)) for f, by in ((binom.logsf, 1), (binom.logpmf, 0)))
    beyond = math.exp(binom.logcdf(right - 1, guesses, q) + tail - point) / right
    total = canaries * (1.0 if coins.fair else float(coins.weight[0]))
    return float(np.clip(math.exp(tail) + total * d * beyond, 0, 1))
