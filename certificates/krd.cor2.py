# krd.cor2: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Corollary 2 (projections) (printed)
# Statement: D_{\alpha,\lambda}(\Sigma_{P_1\#p}\|\Sigma_{P_1\#q}) \le
#     D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q)
# Claimed: lhs <= rhs, of the two sides below
# Quote: D_{\alpha, \lambda}(\Sigma_{\mathcal{L}(P_1(f(D)))} ||
#     \Sigma_{\mathcal{L}(P_1(f(D')))}) \leq D_{\alpha, \lambda}(\Sigma_{\mathcal{L}(f(D))} ||
#     \Sigma_{\mathcal{L}(f(D'))})
# In short: A projection decreases the regularised kernel divergence
# But: it fails for every lambda > 0: lambda must grow by the dimension projected out
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, sandwiched_renyi, tensor

# The instance
phi1 = [[F(1), F(0)], [F(1), F(0)]]
phi2 = [[F(1), F(0)], [F(0), F(1)]]
p = [[F(0), F(0), F(1, 2), F(1, 2)], [F(0), F(0), F(1), F(0)]]
alpha = F(2)
lam = F(1)

# The hypotheses
check(
    [len(w) for w in phi1] == [2, 2] and all(sum(x * x for x in w) == 1 for w in phi1),
    "phi1: 2 real unit vectors of dimension 2",
)
check(
    [len(w) for w in phi2] == [2, 2] and all(sum(x * x for x in w) == 1 for w in phi2),
    "phi2: 2 real unit vectors of dimension 2",
)
check(
    [len(w) for w in p] == [4, 4] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 4 points",
)
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")
check(0 < lam, "lam: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
grid = [phi1[0], phi1[0], phi1[1], phi1[1]]
after_0 = covariance(grid, p[0])
after_1 = covariance(grid, p[1])
pairs = tensor(grid, [phi2[0], phi2[1], phi2[0], phi2[1]])
before_0 = covariance(pairs, p[0])
before_1 = covariance(pairs, p[1])
lhs = sandwiched_renyi(after_0, after_1, alpha, lam)
rhs = sandwiched_renyi(before_0, before_1, alpha, lam)

# Agreement with the program that found the instance
check(agrees(lhs, "-0.69314718055994530942"), "lhs is -0.69314718055994530942")
check(agrees(rhs, "-0.98082925301172623686"), "rhs is -0.98082925301172623686")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
