# colisson.fig2.1.other-order: a counterexample
#
# Stated in: Colisson (2016), Section 2.5.1, on Figure 2.1, the other order (reading)
# Statement: D_\alpha(\mathcal N(4, 4^2)\|\mathcal N(5, 5^2)) \text{ is not bounded in } \alpha
# Claimed: lhs <= rhs, of the two sides below
# Quote: Divergence of two Gaussian functions such that $\mu_P = 4, \sigma_P = 4$ and $\mu_Q =
#     5, \sigma_Q = 5$
# In short: D(P||Q) of the two Gaussians of Figure 2.1 is unbounded
# But: D(P||Q) is at most ln(5/4) + 1/18; only D(Q||P) is unbounded
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
bound = F(64)

# The hypotheses
check(0 < bound, "bound: number in (0, inf)")

# The two sides
lhs = bound
rhs = log(F(5, 4)) + F(1, 18)
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(lhs == 64, "lhs is 64")
check(agrees(rhs, "0.27869910686976531132"), "rhs is 0.27869910686976531132")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
