# colisson.thm20.literal: a counterexample
#
# Stated in: Colisson (2016), Theorem 20, k and n as printed (reading)
# Statement: \text{the composition of } n \text{ mechanisms is } (\tfrac{k\varepsilon^2}2 +
#     \sqrt{2k\ln(1/\delta')}\,\varepsilon, n\delta + \delta')\text{-DP, for any } k \text{ and
#     } n
# Claimed: lhs <= rhs, of the two sides below
# In short: The bound of Theorem 20 holds with any k for n mechanisms
# But: k must be n, the number of mechanisms
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, optimal_composition_delta, sqrt

# The instance
epsilon = F(1, 4)
delta = F(0)
folds = F(1)
odds = F(1, 64)
n = F(4)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(0 <= delta <= 1, "delta: number in [0, 1]")
check(folds.denominator == 1 and 1 <= folds, "folds: integer at least 1")
check(0 < odds, "odds: number in (0, inf)")
check(n.denominator == 1 and 1 <= n, "n: integer at least 1")

# The two sides, with the names that the claim's own function uses
extra = odds / (1 + odds)
total = sqrt(2 * folds * log(1 / extra)) * epsilon + folds * epsilon * epsilon / 2
lhs = optimal_composition_delta(epsilon=epsilon, delta=delta, k=n, total_epsilon=total)
rhs = extra

# The branches taken, and the terms left out because they are zero
check(delta == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.021812974778505558809"), "lhs is 0.021812974778505558809")
check(rhs == F(1, 65), "rhs is 1/65")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
