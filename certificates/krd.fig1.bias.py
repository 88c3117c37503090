# krd.fig1.bias: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 6, 'close to the real value' (reading)
# Statement: \mathbb{E} D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) \le
#     D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q)
# Claimed: lhs <= rhs, of the two sides below
# Quote: the RKR estimates with different numbers of samples are close (and presumably close to
#     the real value)
# In short: On average the estimate is at most the true value
# But: it is biased upward, most for p = q and small lambda
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, renyi

# The instance
p = [[F(1, 2), F(1, 2)], [F(0), F(1)]]
alpha = F(2)
lam = F(1, 8)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 2 points",
)
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")
check(0 < lam, "lam: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
t1 = [lam, 1 + lam]
t2 = 3 * p[0][0] * p[0][1]**2 * p[1][1]**3 * renyi([F(1, 3), F(2, 3)], t1, alpha)
t3 = 3 * p[0][0]**2 * p[0][1] * p[1][1]**3 * renyi([F(2, 3), F(1, 3)], t1, alpha)
t4 = p[0][1]**3 * p[1][1]**3 * renyi([0, 1], t1, alpha) + t2 + t3
total = t4 + p[0][0]**3 * p[1][1]**3 * renyi([1, 0], t1, alpha)
lhs = total
rhs = renyi(p[0], [lam, p[1][1] + lam], alpha)

# The branches taken, and the terms left out because they are zero
check(p[1][0] == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.82490182979813987388"), "lhs is 0.82490182979813987388")
check(agrees(rhs, "0.79850769621777161064"), "rhs is 0.79850769621777161064")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
