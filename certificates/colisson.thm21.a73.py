# colisson.thm21.a73: a counterexample
#
# Stated in: Colisson (2016), Theorem 21, (A.73) (step)
# Statement: \tfrac12 \varepsilon^2 \alpha_m - \tfrac{\ln\delta}{\alpha_m-1} = \tfrac12
#     \varepsilon^2 (1 + \tfrac\varepsilon{\sqrt{2\ln(1/\delta)}})
# Claimed: lhs = rhs, of the two sides below
# Quote: This is greater than 1, so the minimum is
# In short: The value at the best order is eps^2/2 times that order
# But: The term ln(1/delta) / (alpha - 1) is dropped
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, sqrt

# The instance
epsilon = F(1, 64)
odds = F(1, 64)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(0 < odds, "odds: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
t1 = log(1 + 1 / odds)
printed = 1 + epsilon / sqrt(2 * t1)
lhs = printed * epsilon * epsilon / 2 + t1 / (printed - 1)
rhs = epsilon * epsilon / 2 * printed

# Agreement with the program that found the instance
check(agrees(lhs, "771.94106881173701974"), "lhs is 771.94106881173701974")
check(agrees(rhs, "0.00012273042615392516418"), "rhs is 0.00012273042615392516418")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
