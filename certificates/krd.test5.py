# krd.test5: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 5, test (5) (printed)
# Statement: D_{\alpha,\lambda}(\Sigma_p\|\Sigma_q), D_{\alpha,\lambda}(\Sigma_q\|\Sigma_p) \le
#     \varepsilon \Rightarrow \Pr(D_{\alpha,\lambda}(\hat\Sigma_p\|\hat\Sigma_q) > \varepsilon +
#     B_n(x_0,\alpha,\lambda)) \le x_0
# Claimed: lhs <= rhs, of the two sides below
# Quote: The test has level $x_0$ because under the null hypothesis, the rejection probability
#     (the type I error) is below $x_0$
# In short: Rejecting above epsilon + B_n errs with probability at most x0
# But: it can err far more often, and B_n depends on unknown quantities
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, binomial_outside, check, exp, log, maximum, renyi, sqrt

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
q = [1 - part_2, part_2]
back = renyi(q, [1 - rare_2 + lam, rare_2 + lam], alpha)
epsilon = maximum(forth, back)
norm_2 = max(part_2, 1 - part_2)
power_2 = lam**(1 - alpha)
weight = (norm_2 + (1 + 1 / alpha) * lam)**(alpha - 1) * (2 * alpha * power_2 + 4 * (alpha - 1))
ell = log(1792)
variance = rare_2 * (1 - rare_2)
t1 = (ell / 3 + sqrt(ell * ell / 9 + 2 * n * ell * variance)) / n
bound = weight * t1 / ((alpha - 1) * ((1 - rare_2)**alpha + rare_2**alpha))
high = epsilon + bound
bottom = n * (exp(-high) - lam)
top = n + 1
lhs = (1 - rare_2)**n * binomial_outside(n, 1 - part_2, bottom, top)
rhs = F(1, 64)
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(level == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.016392494458896888091"), "lhs is 0.016392494458896888091")
check(rhs == F(1, 64), "rhs is 1/64")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
