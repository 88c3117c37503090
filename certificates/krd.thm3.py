# krd.thm3: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Theorem 3 (printed)
# Statement: \alpha \ge 2,\ 0 < x_0 < 1 \Rightarrow
#     \Pr(|D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) -
#     D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q)| \le B_n(x_0,\alpha,\lambda)) \ge 1 - x_0
# Claimed: lhs <= rhs, of the two sides below
# Quote: |D_{\alpha,\lambda}(\hat{\Sigma}_p||\hat{\Sigma}_q) -
#     D_{\alpha,\lambda}(\Sigma_p||\Sigma_q)| \leq B_n(x_0, \alpha, \lambda)
# In short: The estimate's error is at most B_n with probability 1 - x0
# But: B_n overlooks q's fluctuation and loses a factor lambda^-alpha
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, binomial_outside, check, exp, log, renyi, sqrt

# The instance
n = F(4096)
rare = F(1, 64)
part = F(1, 2)
alpha = F(2)
lam = F(1, 4)
level = F(0)

# The hypotheses
check(n.denominator == 1 and 1 <= n, "n: integer at least 1")
check(0 < rare <= 1, "rare: number in (0, 1]")
check(0 <= part <= 1, "part: number in [0, 1]")
check(2 <= alpha and alpha != 1, "alpha: order in [2, inf)")
check(0 < lam, "lam: number in (0, inf)")
check(0 <= level <= 1, "level: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
rare_2 = rare / 1024
part_2 = (30 * part + 1) / 32
p = [1 - rare_2, rare_2]
forth = renyi(p, [1 - part_2 + lam, part_2 + lam], alpha)
norm_2 = max(part_2, 1 - part_2)
power_2 = lam**(1 - alpha)
weight = (norm_2 + (1 + 1 / alpha) * lam)**(alpha - 1) * (2 * alpha * power_2 + 4 * (alpha - 1))
ell = log(1792)
variance = rare_2 * (1 - rare_2)
t1 = (ell / 3 + sqrt(ell * ell / 9 + 2 * n * ell * variance)) / n
bound = weight * t1 / ((alpha - 1) * ((1 - rare_2)**alpha + rare_2**alpha))
high = forth + bound
bottom = n * (exp(-high) - lam)
low = forth - bound
top = n * (exp(-low) - lam)
lhs = (1 - rare_2)**n * binomial_outside(n, 1 - part_2, bottom, top)
rhs = F(1, 64)
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(level == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.031560108485863565173"), "lhs is 0.031560108485863565173")
check(rhs == F(1, 64), "rhs is 1/64")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
