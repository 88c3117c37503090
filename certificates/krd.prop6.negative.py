# krd.prop6.negative: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 6 (parallel composition), epsilon of
#     either sign (condition)
# Statement: \varepsilon_1, \varepsilon_2 \in \mathbb{R},\
#     (k_1,\alpha,\lambda/3,\varepsilon_1),\ (k_2,\alpha,\lambda/3,\varepsilon_2)\text{-RKRDP}
#     \Rightarrow (k_1 k_2,\alpha,\lambda,\varepsilon_1+\varepsilon_2)\text{-RKRDP}
# Claimed: lhs <= rhs, of the two sides below
# In short: Parallel composition, negative epsilons too
# But: it fails for lambda > 3
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, covariance, kron, maximum, sandwiched_renyi

# The instance
phi1 = [[F(1), F(0)], [F(1), F(0)]]
phi2 = [[F(1), F(0), F(0)], [F(1), F(0), F(0)], [F(1), F(0), F(0)]]
f = [[F(0), F(1)], [F(0), F(1)]]
g = [[F(0), F(1), F(0)], [F(0), F(0), F(1)]]
alpha = F(1, 64)
lam = F(4)

# The hypotheses
check(
    [len(w) for w in phi1] == [2, 2] and all(sum(x * x for x in w) == 1 for w in phi1),
    "phi1: 2 real unit vectors of dimension 2",
)
check(
    [len(w) for w in phi2] == [3, 3, 3] and all(sum(x * x for x in w) == 1 for w in phi2),
    "phi2: 3 real unit vectors of dimension 3",
)
check(
    [len(w) for w in f] == [2, 2] and all(x >= 0 for w in f for x in w)
    and all(sum(w) == 1 for w in f),
    "f: 2 distributions on 2 points",
)
check(
    [len(w) for w in g] == [3, 3] and all(x >= 0 for w in g for x in w)
    and all(sum(w) == 1 for w in g),
    "g: 2 distributions on 3 points",
)
check(0 < alpha and alpha != 1, "alpha: order other than 1 in (0, inf)")
check(0 <= lam, "lam: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
first_0 = covariance(phi1, f[0])
second_0 = covariance(phi2, g[0])
p = kron(first_0, second_0)
first_1 = covariance(phi1, f[1])
second_1 = covariance(phi2, g[1])
q = kron(first_1, second_1)
whole = maximum(sandwiched_renyi(p, q, alpha, lam), sandwiched_renyi(q, p, alpha, lam))
mu = lam / 3
t1 = sandwiched_renyi(first_0, first_1, alpha, mu)
first = maximum(t1, sandwiched_renyi(first_1, first_0, alpha, mu))
t2 = sandwiched_renyi(second_0, second_1, alpha, mu)
second = maximum(t2, sandwiched_renyi(second_1, second_0, alpha, mu))
lhs = whole
rhs = first + second

# Agreement with the program that found the instance
check(agrees(lhs, "-1.6094379124341003746"), "lhs is -1.6094379124341003746")
check(agrees(rhs, "-1.6945957207744072274"), "rhs is -1.6945957207744072274")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
