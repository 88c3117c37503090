# capacity.text.multidim-same-story: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 5, several dimensions
#     (printed)
# Statement: \text{the analysis of one dimension, with } \|v\|_1 \epsilon: 2^d t < e^t
# Claimed: lhs <= rhs, of the two sides below
# Quote: repeat the analysis for the unidimensional case
# In short: the comparison of growth in one dimension repeats in d dimensions
# But: it needs 2^d t < e^t, which fails at t = 1 for every d >= 2
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp

# The instance
t = F(1)

# The hypotheses
check(0 < t, "t: number in (0, inf)")

# The two sides
lhs = 4 * t
rhs = exp(t)

# Agreement with the program that found the instance
check(lhs == 4, "lhs is 4")
check(agrees(rhs, "2.7182818284590452354"), "rhs is 2.7182818284590452354")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
