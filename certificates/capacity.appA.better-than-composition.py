# capacity.appA.better-than-composition: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A, 'slightly better than
#     composing' (printed)
# Statement: \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)} \sqrt{\pi/2}^{\alpha-1}
#     (\|v\|_\alpha/\sigma)^\alpha) \le \textstyle\sum_i \text{the same for } v_i
# Claimed: lhs <= rhs, of the two sides below
# Quote: slightly better than composing the Gaussian mechanism d times
# In short: the Gaussian bound in d dimensions is below the sum of d bounds
# But: it is above the sum unless sigma is small
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, pi, sqrt

# The instance
t = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 < t, "t: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides, with the names that the claim's own function uses
t1 = sqrt(pi() / 2)
direct = 1 + 2 * (4 * t1)**(alpha - 1) * t**alpha
factor = (2 * t1)**(alpha - 1)
lhs = log(direct) / (alpha - 1)
rhs = 2 * (log(1 + factor * t**alpha) / (alpha - 1))

# Agreement with the program that found the instance
check(agrees(lhs, "5.0066285665346493345e-6"), "lhs is 5.0066285665346493345e-6")
check(agrees(rhs, "6.2583297702688443062e-7"), "rhs is 6.2583297702688443062e-7")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
