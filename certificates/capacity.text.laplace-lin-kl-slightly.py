# capacity.text.laplace-lin-kl-slightly: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, 'slightly smaller', read as
#     three quarters (reading)
# Statement: \mathrm{KL}^{lin} \text{ is slightly smaller than } \mathrm{KL} \text{ (read: at
#     least three quarters)}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log, sqrt

# The instance
epsilon = F(1, 64)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
s = sqrt(1 + epsilon * epsilon)
lhs = (epsilon - 1 + exp(-epsilon)) * 3 / 4
rhs = s - 1 - log((s + 1) / 2)

# Agreement with the program that found the instance
check(agrees(lhs, "0.000091077754056304490242"), "lhs is 0.000091077754056304490242")
check(agrees(rhs, "0.000061033293756415874475"), "rhs is 0.000061033293756415874475")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
