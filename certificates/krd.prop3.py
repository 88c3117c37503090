# krd.prop3: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proposition 3 (printed)
# Statement: h(x,y) = \langle\varphi(x),\Sigma^{-1/2}\varphi(y)\rangle,\ \tilde p(y) = \int
#     h(x,y)\,dp(x) \Rightarrow D_\alpha(\tilde p\|\tilde q) \le D_\alpha(\Sigma_p\|\Sigma_q)
# Claimed: lhs <= rhs, of the two sides below
# Quote: We have that $D_\alpha(\tilde{p} || \tilde{q}) \leq D_\alpha(\Sigma_p || \Sigma_q)$
# In short: The Renyi divergence of smoothed densities is below the kernel one
# But: h must be squared, as in the proof (and the order must be at least 1/2)
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import (
    F, agrees, check, covariance, log, minimum, renyi, sandwiched_renyi, sqrt,
    sqrtm,
)

# The instance
phi = [[F(-1), F(0)], [F(-1), F(0)], [F(3, 5), F(4, 5)]]
p = [[F(0), F(1, 2), F(1, 2)], [F(1, 2), F(1, 4), F(1, 4)]]
alpha = F(2)

# The hypotheses
check(
    [len(w) for w in phi] == [2, 2, 2] and all(sum(x * x for x in w) == 1 for w in phi),
    "phi: 3 real unit vectors of finite dimension",
)
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)
check(F(1, 2) <= alpha and alpha != 1, "alpha: order other than 1 in [1/2, inf)")

# The two sides, with the names that the claim's own function uses
t1 = phi[2][0] * phi[2][0] + phi[2][1] * phi[2][1]
t2 = [phi[0][0] * phi[0][0], phi[0][0] * phi[1][0], phi[0][0] * phi[2][0]]
t3 = [phi[1][0] * phi[0][0], phi[1][0] * phi[1][0], phi[1][0] * phi[2][0]]
root = sqrtm([t2, t3, [phi[2][0] * phi[0][0], phi[2][0] * phi[1][0], t1]])
h_1_0 = root[1][0] * sqrt(3)
h_2_0 = root[2][0] * sqrt(3)
p_0 = p[0][1] * h_1_0 + p[0][2] * h_2_0
h_1_1 = root[1][1] * sqrt(3)
h_2_1 = root[2][1] * sqrt(3)
p_1 = p[0][1] * h_1_1 + p[0][2] * h_2_1
h_1_2 = root[1][2] * sqrt(3)
h_2_2 = root[2][2] * sqrt(3)
p_2 = p[0][1] * h_1_2 + p[0][2] * h_2_2
q_0 = p[1][0] * root[0][0] * sqrt(3) + p[1][1] * h_1_0 + p[1][2] * h_2_0
q_1 = p[1][0] * root[0][1] * sqrt(3) + p[1][1] * h_1_1 + p[1][2] * h_2_1
q_2 = p[1][0] * root[0][2] * sqrt(3) + p[1][1] * h_1_2 + p[1][2] * h_2_2
t4 = p_0 + p_1 + p_2
t5 = q_0 + q_1 + q_2
value = renyi([p_0 / t4, p_1 / t4, p_2 / t4], [q_0 / t5, q_1 / t5, q_2 / t5], alpha)
masses_0 = t4 / 3
masses_1 = t5 / 3
shift = alpha / (alpha - 1) * log(masses_0) - log(masses_1)
lower_2 = value + minimum(shift, 0)
lhs = lower_2
rhs = sandwiched_renyi(covariance(phi, p[0]), covariance(phi, p[1]), alpha)

# The branches taken, and the terms left out because they are zero
check(p_0 > 0 and p_1 > 0 and p_2 > 0 and q_0 > 0 and q_1 > 0 and q_2 > 0, "the branches taken")
check(all(x == 0 for x in [phi[0][1], phi[1][1], p[0][0]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.63955279704029996519"), "lhs is 0.63955279704029996519")
check(agrees(rhs, "0.23305088367500381057"), "rhs is 0.23305088367500381057")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
