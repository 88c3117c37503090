# colisson.thm13.infinite: a counterexample
#
# Stated in: Colisson (2016), Theorem 13, m = +infinity as in Theorem 14 (condition)
# Statement: (+\infty, \mathfrak z)\text{-tCDP} \Rightarrow \varepsilon\text{-DP for some }
#     \varepsilon < \infty
# Claimed: lhs <= rhs, of the two sides below
# Quote: $(\mathfrak{M}, \mathfrak{X})$ - $tCDP$ is strictly equivalent to pure ε -differential
#     privacy
# In short: Every tCDP algorithm, m infinite or not, is eps-DP for some eps
# But: False for infinite m: the Gaussian mechanism is not
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, gdp_to_rdp

# The instance
mu = F(8)
epsilon = F(1, 4096)

# The hypotheses
check(0 < mu, "mu: number in (0, inf)")
check(0 < epsilon, "epsilon: number in (0, inf)")

# The two sides
lhs = gdp_to_rdp(mu=mu, alpha=1 + 2 * (epsilon + 1) / (mu * mu))
rhs = epsilon

# Agreement with the program that found the instance
check(agrees(lhs, "33.000244140625"), "lhs is 33.000244140625")
check(rhs == F(1, 4096), "rhs is 1/4096")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
