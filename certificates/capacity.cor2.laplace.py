# capacity.cor2.laplace: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 2, Table 1 (Laplace)
#     (printed)
# Statement: \alpha > 2 \Rightarrow D^{lin}_{R,\alpha}(\mathrm{Lap}(0,\tfrac1\epsilon),
#     \mathrm{Lap}(1,\tfrac1\epsilon)) \le \tfrac1{\alpha-1} \log(1 + 2^{\alpha-1}
#     \epsilon^\alpha)
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq \frac{1}{\alpha-1} \log \left(1 + \frac{\|v\|_\alpha^\alpha
#     \epsilon^\alpha}{(0.5^d)^{\alpha-1}} \right)
# In short: a bound for the Laplace mechanism and linear adversaries, order > 2
# But: for small epsilon the parameter is of order epsilon^2, the bound epsilon^alpha
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
epsilon = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(2 < alpha and alpha != 1, "alpha: order in (2, inf)")

# The two sides, with the names that the claim's own function uses
order = alpha / (alpha - 1)
square = epsilon * epsilon / 2
second = 1 + square
factor = 2**(alpha - 1)
lhs = order * log(second) - order / 2 * log(second)
rhs = log(1 + factor * epsilon**alpha) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.000081375241683784914415"), "lhs is 0.000081375241683784914415")
check(agrees(rhs, "1.5894568150544113948e-7"), "rhs is 1.5894568150544113948e-7")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
