# hyptest.conj.optimal.two-sided: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), B.11, closing conjecture, for a
#     symmetric relation (reading)
# Statement: D_\alpha(P\|Q), D_\alpha(Q\|P) \le \rho \Rightarrow \text{the tangent conversion is
#     optimal}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, rdp_to_approximate_dp

# The instance
alpha = F(2)
rho = F(1)
delta = F(1, 2)

# The hypotheses
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")
check(0 < rho, "rho: number in (0, inf)")
check(0 < delta < 1, "delta: number in (0, 1)")

# The two sides
lhs = rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, nonnegative=1)
rhs = rdp_to_approximate_dp(alpha=alpha, epsilon=rho, delta=delta, nonnegative=1, two_sided=1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.30685281944005469058"), "lhs is 0.30685281944005469058")
check(agrees(rhs, "0.19327515720012198032"), "rhs is 0.19327515720012198032")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
