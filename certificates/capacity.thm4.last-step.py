# capacity.thm4.last-step: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4, end of the proof (step)
# Statement: \tfrac1{\alpha-1} \log(a \eta_1 \eta_2 + \eta_1 + \eta_2) + 1 = \tfrac1{\alpha-1}
#     (\log(a \eta_1 + 1) + \log(a \eta_2 + 1)),\ a = \alpha^2 - \alpha
# Claimed: lhs = rhs, of the two sides below
# Quote: \frac{1}{\alpha-1} \log(a\eta_1\eta_2 + \eta_1 + \eta_2) + 1 &= \frac{1}{\alpha-1}
#     (\log(a\eta_1 + 1) + \log(a\eta_2 + 1))
# In short: log(a n1 n2 + n1 + n2) / (alpha - 1) + 1 is the sum of the parameters
# But: the 1 belongs inside the logarithm, and a in front of the bracket
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
one = F(1, 64)
two = F(1, 64)
alpha = F(2)

# The hypotheses
check(0 < one, "one: number in (0, inf)")
check(0 < two, "two: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
a = alpha * alpha - alpha
parts = log(a * one + 1) + log(a * two + 1)
lhs = log(a * one * two + one + two) / (alpha - 1) + 1
rhs = parts / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "-2.4502317162637612929"), "lhs is -2.4502317162637612929")
check(agrees(rhs, "0.061543317333507376742"), "rhs is 0.061543317333507376742")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
