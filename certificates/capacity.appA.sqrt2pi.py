# capacity.appA.sqrt2pi: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Appendix A, read for every order above
#     2 (reading)
# Statement: \tfrac{\sqrt{2\pi}}\sigma < e^{\alpha/(2\sigma^2)} \text{ for all } \sigma
# Claimed: lhs <= rhs, of the two sides below
# Quote: $\frac{\sqrt{2\pi}}{\sigma} < e^{\alpha/(2\sigma^2)}$ for all σ
# In short: sqrt(2 pi) / sigma is below e^(alpha / (2 sigma^2)) for all sigma
# But: false at sigma^2 = alpha for orders up to 2 pi / e = 2.31
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, pi, sqrt

# The instance
ratio = F(3, 4)
alpha = F(17, 8)

# The hypotheses
check(0 < ratio, "ratio: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides
lhs = sqrt(2 * pi()) * ratio
rhs = exp(alpha * ratio * ratio / 2)

# Agreement with the program that found the instance
check(agrees(lhs, "1.8799712059732503768"), "lhs is 1.8799712059732503768")
check(agrees(rhs, "1.8178532101432967468"), "rhs is 1.8178532101432967468")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
