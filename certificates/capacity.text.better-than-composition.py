# capacity.text.better-than-composition: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, 'better than composing d
#     times' (printed)
# Statement: \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} \epsilon^\alpha \|v\|_\alpha^\alpha) \le
#     \textstyle\sum_i \tfrac1{\alpha-1} \log(1 + 2^{\alpha-1} (\epsilon v_i)^\alpha)
# Claimed: lhs <= rhs, of the two sides below
# Quote: slightly better than using composition d times on the unidimensional Laplace mechanism
# In short: the bound in d dimensions is below the sum of d bounds in one
# But: it is above the sum unless epsilon is large
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
t = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 < t, "t: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides, with the names that the claim's own function uses
direct = 1 + 2 * 4**(alpha - 1) * t**alpha
factor = 2**(alpha - 1)
lhs = log(direct) / (alpha - 1)
rhs = 2 * (log(1 + factor * t**alpha) / (alpha - 1))

# Agreement with the program that found the instance
check(agrees(lhs, "2.5431218091891907186e-6"), "lhs is 2.5431218091891907186e-6")
check(agrees(rhs, "3.1789136301088227896e-7"), "rhs is 3.1789136301088227896e-7")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
