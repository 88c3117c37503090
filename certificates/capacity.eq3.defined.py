# capacity.eq3.defined: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), (3) (reading)
# Statement: 1 + (\alpha^2 - \alpha) D^{\mathcal H}_\alpha \ge 0
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, power

# The instance
alpha = F(4)
c = F(1)

# The hypotheses
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")
check(0 < c, "c: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
order = alpha / (alpha - 1)
lhs = 0
rhs = (alpha * alpha - alpha) * c - (alpha - 1) * power((alpha - 1) * c, order)
# NOTE: lhs does not depend on the instance.

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(agrees(rhs, "-0.98024613276667544089"), "rhs is -0.98024613276667544089")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
