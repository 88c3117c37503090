# capacity.thm13.two-points: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 13, read for any two laws
#     (reading)
# Statement: \text{the same for } Y = \pm 1, \text{ where } P \text{ is not absolutely
#     continuous}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log

# The instance
v = F(1, 64)
alpha = F(4)

# The hypotheses
check(0 <= v <= 1, "v: number in [0, 1]")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
exact = ((1 + v)**alpha + (1 - v)**alpha) / 2
bound = 1 + 2**(alpha - 1) * v**alpha
lhs = log(exact) / (alpha - 1)
rhs = log(bound) / (alpha - 1)

# Agreement with the program that found the instance
check(agrees(lhs, "0.0004879438101471436428"), "lhs is 0.0004879438101471436428")
check(agrees(rhs, "1.5894568150544113948e-7"), "rhs is 1.5894568150544113948e-7")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
