# krd.thm1: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Theorem 1 (post-processing) (printed)
# Statement: k(x,x') = k'(g(x),g(x'))\,\tilde k(x,x') \Rightarrow
#     D_\alpha(\Sigma_{g\#p}\|\Sigma_{g\#q}) \le D_\alpha(\Sigma_p\|\Sigma_q)
# Claimed: lhs <= rhs, of the two sides below
# Quote: D_\alpha(\Sigma_{\mathcal{L}(g(f(D)))} || \Sigma_{\mathcal{L}(g(f(D')))}) \leq
#     D_\alpha(\Sigma_{\mathcal{L}(f(D))} || \Sigma_{\mathcal{L}(f(D'))}). \quad (2)
# In short: Post-processing decreases the kernel divergence (no range of orders)
# But: it fails for orders below 1/2, which Definition 2 allows
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, pulled, sandwiched_renyi, tensor

# The instance
psi = [[F(-1015, 1033), F(192, 1033)], [F(1), F(0)], [F(1), F(0)]]
g = [[0, 2, 2, 2]]
phi = [[F(1), F(0)], [F(0), F(1)], [F(1), F(0)], [F(0), F(1)]]
p = [[F(0), F(0), F(1, 2), F(1, 2)], [F(1, 2), F(1, 2), F(0), F(0)]]
alpha = F(1, 8)

# The hypotheses
check(
    [len(w) for w in psi] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in psi),
    "psi: 3 real unit vectors of finite dimension",
)
check(
    [len(w) for w in g] == [4] and all(0 <= x < 3 for w in g for x in w),
    "g: a map from 4 points to 3",
)
check(g == [[0, 2, 2, 2]], "g: the formula below is written out for this one")
check(
    len(phi) == 4 and all(len(w) == 2 for w in phi) and all(sum(x * x for x in w) == 1 for w in phi),
    "phi: 4 real unit vectors of dimension 2",
)
check(
    [len(w) for w in p] == [4, 4] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 4 points",
)
check(0 < alpha and alpha != 1, "alpha: order other than 1 in (0, inf)")

# The two sides, with the names that the claim's own function uses
image = pulled(psi, g[0])
after_0 = covariance(image, p[0])
after_1 = covariance(image, p[1])
t1 = tensor(image, phi)
before_0 = covariance(t1, p[0])
before_1 = covariance(t1, p[1])
lhs = sandwiched_renyi(after_0, after_1, alpha)
rhs = sandwiched_renyi(before_0, before_1, alpha)

# Agreement with the program that found the instance
check(agrees(lhs, "0.010000758308783369124"), "lhs is 0.010000758308783369124")
check(agrees(rhs, "0.0025084663942562005643"), "rhs is 0.0025084663942562005643")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
