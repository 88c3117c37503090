# capacity.cor1.laplace-renyi-lower: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Corollary 1 (printed)
# Statement: \alpha \ge 1 \Rightarrow D_{R,\alpha}(P,Q) \ge \epsilon \|v\|_1
# Claimed: lhs <= rhs, of the two sides below
# Quote: If $\alpha \geq 1$, then $\mathcal{D}_{R,\alpha}(P, Q) \geq \epsilon \|v\|_1$
# In short: the Renyi divergence of Laplace distributions is at least epsilon |v|_1
# But: it is below epsilon |v|_1 at every finite order: a factor 1/2 is lost
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, log

# The instance
epsilon = F(1, 64)
alpha = F(2)

# The hypotheses
check(0 < epsilon, "epsilon: number in (0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
left_2 = exp((alpha - 1) * epsilon)
t1 = 2 * alpha - 1
middle = left_2 * (1 - exp(-t1 * epsilon)) / t1
right_2 = exp(-epsilon) * exp(-(alpha - 1) * epsilon)
lhs = epsilon
rhs = log((left_2 + middle + right_2) / 2) / (alpha - 1)

# Agreement with the program that found the instance
check(lhs == F(1, 64), "lhs is 1/64")
check(agrees(rhs, "0.00024285439172340291062"), "rhs is 0.00024285439172340291062")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
