# krd.thm1.lambda: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proof of Theorem 1, first sentence (step)
# Statement: D_{\alpha,\lambda}(\Sigma_{g\#p}\|\Sigma_{g\#q}) \le
#     D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q)
# Claimed: lhs <= rhs, of the two sides below
# Quote: for any probability measures $p, q$ on $\mathcal{R}$ , $D_{\alpha,
#     \lambda}(\Sigma_{g\#p} || \Sigma_{g\#q}) \leq D_{\alpha, \lambda}(\Sigma_p || \Sigma_q)$
# In short: Post-processing at lambda > 0
# But: a channel need not map lambda Id to at most lambda Id
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, pulled, sandwiched_renyi, tensor

# The instance
psi = [[F(1), F(0)], [F(1), F(0)], [F(1), F(0)]]
g = [[0, 0, 0, 0]]
phi = [[F(0), F(1)], [F(1), F(0)], [F(1), F(0)], [F(1), F(0)]]
p = [[F(1, 2), F(0), F(0), F(1, 2)], [F(0), F(0), F(0), F(1)]]
alpha = F(2)
lam = F(1)

# The hypotheses
check(
    [len(w) for w in psi] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in psi),
    "psi: 3 real unit vectors of finite dimension",
)
check(
    [len(w) for w in g] == [4] and all(0 <= x < 3 for w in g for x in w),
    "g: a map from 4 points to 3",
)
check(g == [[0, 0, 0, 0]], "g: the formula below is written out for this one")
check(
    len(phi) == 4 and all(len(w) == 2 for w in phi) and all(sum(x * x for x in w) == 1 for w in phi),
    "phi: 4 real unit vectors of dimension 2",
)
check(
    [len(w) for w in p] == [4, 4] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 4 points",
)
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")
check(0 < lam, "lam: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
image = pulled(psi, g[0])
after_0 = covariance(image, p[0])
after_1 = covariance(image, p[1])
t1 = tensor(image, phi)
before_0 = covariance(t1, p[0])
before_1 = covariance(t1, p[1])
lhs = sandwiched_renyi(after_0, after_1, alpha, lam)
rhs = sandwiched_renyi(before_0, before_1, alpha, lam)

# Agreement with the program that found the instance
check(agrees(lhs, "-0.69314718055994530942"), "lhs is -0.69314718055994530942")
check(agrees(rhs, "-0.98082925301172623686"), "rhs is -0.98082925301172623686")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
