# hyptest.thm16.region-formula: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 16, privacy region of the
#     Renyi divergence (step)
# Statement: R^{D^\alpha}(\rho) = \{(x,y) : x^\alpha(1-y)^{1-\alpha} + (1-x)^\alpha y^{1-\alpha}
#     \le e^{\rho(\alpha-1)}\},\ 0^{1-\alpha} = 0
# Claimed: lhs <= rhs, of the two sides below
# Quote: \le e^{\rho(\alpha-1)} \right\}.$$ Here we assume $0^{1-\alpha} = 0$ .
# In short: the Renyi region is F <= e^(rho (alpha - 1)), with 0^(1 - alpha) = 0
# But: with 0^(1 - alpha) = 0 it contains disjoint point masses, whose divergence is infinite
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, inf, renyi

# The instance
x = F(0)
y = F(0)
alpha = F(2)

# The hypotheses
check(0 <= x <= 1, "x: number in [0, 1]")
check(0 <= y <= 1, "y: number in [0, 1]")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides
lhs = renyi([1, x], [y, 1], alpha)
rhs = -inf / (alpha - 1)

# The branches taken, and the terms left out because they are zero
check(x <= 0 and y <= 0, "the branches taken")
check(all(x == 0 for x in [x, y]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "+inf"), "lhs is +inf")
check(agrees(rhs, "-inf"), "rhs is -inf")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
