# colisson.thm21.a71: a counterexample
#
# Stated in: Colisson (2016), Theorem 21, (A.70) to (A.72) (step)
# Statement: \tfrac12 \varepsilon^2 \alpha - \tfrac{\ln\delta}{\alpha-1} \text{ is least at }
#     (\alpha_m - 1)^2 = -\tfrac{\varepsilon^2}{2\ln\delta}
# Claimed: lhs <= rhs, of the two sides below
# Quote: (\alpha_m - 1)^2 = -\frac{\varepsilon^2}{2 \ln(\delta)}
# In short: The best order is 1 + eps / sqrt(2 ln(1/delta))
# But: The fraction is inverted: the order is 1 + sqrt(2 ln(1/delta)) / eps
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, sqrt

# The instance
epsilon = F(1, 64)
odds = F(1, 64)
alpha = F(2)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(0 < odds, "odds: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
t1 = log(1 + 1 / odds)
printed = 1 + epsilon / sqrt(2 * t1)
lhs = printed * epsilon * epsilon / 2 + t1 / (printed - 1)
rhs = alpha * epsilon * epsilon / 2 + t1 / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "771.94106881173701974"), "lhs is 771.94106881173701974")
check(agrees(rhs, "4.1746314105206371107"), "rhs is 4.1746314105206371107")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
