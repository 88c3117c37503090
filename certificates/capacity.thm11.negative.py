# capacity.thm11.negative: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 11 for negative v_i
#     (condition)
# Statement: D_{R,\alpha} = \tfrac1{\alpha-1} \log F(v \epsilon) \text{ for any real } v
# Claimed: lhs = rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log

# The instance
v = F(-1, 64)
alpha = F(2)

# The hypotheses
check(isinstance(v, F), "v: number in the reals")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
weight = 1 / (4 * alpha - 2)
t1 = log((F(1, 2) + weight) * exp((alpha - 1) * v) + (F(1, 2) - weight) * exp(-alpha * v))
epsilon = abs(v)
left_2 = exp((alpha - 1) * epsilon)
t2 = 2 * alpha - 1
middle = left_2 * (1 - exp(-t2 * epsilon)) / t2
right_2 = exp(-epsilon) * exp(-(alpha - 1) * epsilon)
lhs = t1 / (alpha - 1)
rhs = log((left_2 + middle + right_2) / 2) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.00024539705765210085938"), "lhs is 0.00024539705765210085938")
check(agrees(rhs, "0.00024285439172340291062"), "rhs is 0.00024285439172340291062")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
