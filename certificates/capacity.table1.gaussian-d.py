# capacity.table1.gaussian-d: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Table 1, Gaussian in d dimensions
#     (printed)
# Statement: D^{lin}_{R,\alpha} \le \tfrac1{\alpha-1} \log(1 + 2^{d(\alpha-1)}
#     \sqrt{\pi/2}^{\alpha-1} \|v\|_\alpha^\alpha / \sigma^\alpha)
# Claimed: lhs <= rhs, of the two sides below
# Quote: $\leq \frac{1}{\alpha-1} \log\left(1 + \frac{2^{d(\alpha-1)}\sqrt{\pi/2}^{\alpha-1}\ v\
#     _\alpha^\alpha}{\sigma^\alpha}\right)$
# In short: an upper bound for the Gaussian mechanism in d dimensions
# But: for alpha > 2 and large sigma the parameter is above it
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, pi, sqrt

# The instance
epsilon = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides, with the names that the claim's own function uses
order = alpha / (alpha - 1)
square = epsilon * epsilon
second = 1 + square
factor = (4 * sqrt(pi() / 2))**(alpha - 1)
lhs = order * log(second) - order / 2 * log(second)
rhs = log(1 + factor * epsilon**alpha) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.00016274055168490847277"), "lhs is 0.00016274055168490847277")
check(agrees(rhs, "2.5033236831409257942e-6"), "rhs is 2.5033236831409257942e-6")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
