# capacity.thm13.step: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13, second inequality of the
#     proof (step)
# Statement: \mathbb{E}|a^T x + b|^A \ge 2^{-d} \textstyle\sum |a_i|^A K + b^A
# Claimed: lhs <= rhs, of the two sides below
# Quote: \left[\sum_{i=1}^d (a_i x_i)^A \right] + b^A
# In short: E |a.x + b|^A is at least the sum of |a_i|^A K / 2^d, plus b^A
# But: the discarded orthants contain a part of b^A
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, power

# The instance
a = F(1, 16)
alpha = F(4)

# The hypotheses
check(0 <= a <= 1, "a: number in [0, 1]")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
order = alpha / (alpha - 1)
exact = (power(1 + a, order) + power(1 - a, order)) / 2
lhs = power(a, order) / 2 + 1
rhs = exact

# Agreement with the program that found the instance
check(agrees(lhs, "1.0124015707185015584"), "lhs is 1.0124015707185015584")
check(agrees(rhs, "1.0008683699228739932"), "rhs is 1.0008683699228739932")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
