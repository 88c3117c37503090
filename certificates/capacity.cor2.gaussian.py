# capacity.cor2.gaussian: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 2, Table 1 (Gaussian)
#     (printed)
# Statement: \alpha > 2 \Rightarrow D^{lin}_{R,\alpha}(\mathcal{N}(0,\sigma^2),
#     \mathcal{N}(1,\sigma^2)) \le \tfrac1{\alpha-1} \log(1 + \sqrt{2\pi}^{\alpha-1} /
#     \sigma^\alpha)
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq \frac{1}{\alpha-1} \log \left(1 + \frac{\|v\|_\alpha^\alpha}{(0.5^d \times
#     \sqrt{2/\pi})^{\alpha-1} \sigma^\alpha} \right)
# In short: a bound for the Gaussian mechanism and linear adversaries, order > 2
# But: for large sigma the parameter is of order 1/sigma^2, the bound 1/sigma^alpha
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
factor = (2 * sqrt(pi() / 2))**(alpha - 1)
lhs = order * log(second) - order / 2 * log(second)
rhs = log(1 + factor * epsilon**alpha) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.00016274055168490847277"), "lhs is 0.00016274055168490847277")
check(agrees(rhs, "3.1291648851344221531e-7"), "rhs is 3.1291648851344221531e-7")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
