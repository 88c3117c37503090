# capacity.fig1a.crossing-lower-bound: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Figure 1a, read with the lower bound
#     of Table 1 (reading)
# Statement: \epsilon = 1: \text{the upper bound is below } \epsilon - \tfrac{\log 2}{\alpha-1}
#     \text{ from } \alpha \approx 3.3
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, log, power

# The instance
one = F(1)
# Nothing below depends on one.

# The hypotheses
check(one.denominator == 1 and 1 <= one <= 1, "one: integer from 1 to 1")

# The two sides, with the names that the claim's own function uses
factor = power(2, F(12, 5))
lhs = log(1 + factor * power(1, F(17, 5))) / F(12, 5)
rhs = 1 - log(2) / F(12, 5)
# NOTE: lhs does not depend on the instance.
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(agrees(lhs, "0.76544020780046036349"), "lhs is 0.76544020780046036349")
check(agrees(rhs, "0.71118867476668945441"), "rhs is 0.71118867476668945441")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
