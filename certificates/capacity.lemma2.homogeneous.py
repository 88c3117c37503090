# capacity.lemma2.homogeneous: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 2, read for linear functions
#     without intercept (reading)
# Statement: P = \delta_x \ne Q = \delta_y,\ \{a x\} \subseteq \mathcal{H} \Rightarrow
#     D^{\mathcal H}_{R,\alpha} = \infty
# Claimed: lhs = rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, inf, log

# The instance
y = F(1, 64)
gap = F(1, 64)
alpha = F(2)

# The hypotheses
check(0 < y, "y: number in (0, inf)")
check(0 < gap, "gap: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides
lhs = inf
rhs = alpha / (alpha - 1) * log((y + gap) / y)
# NOTE: lhs does not depend on the instance.

# Agreement with the program that found the instance
check(agrees(lhs, "+inf"), "lhs is +inf")
check(agrees(rhs, "1.3862943611198906188"), "rhs is 1.3862943611198906188")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
