# krd.sec6.sigma.minimal: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 6, Figure 1 (reading)
# Statement: \sigma = 21.0444,\ 6.0669,\ 7.1850 \text{ are the smallest}
# Claimed: lhs <= rhs, of the two sides below
# Quote: for each we set $\sigma$ as small as possible such that $(\varepsilon, \delta)$ -DP
#     holds
# In short: sigma is as small as (epsilon, delta)-DP allows
# But: they are grid points, 0.3% to 0.8% above the smallest
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, gdp_to_delta

# The instance
row = [[2]]
one = F(2)
# Nothing below depends on one.

# The hypotheses
check(
    [len(w) for w in row] == [1] and all(0 <= x < 3 for w in row for x in w),
    "row: a map from 1 points to 3",
)
check(row == [[2]], "row: the formula below is written out for this one")
check(one.denominator == 1 and 1 <= one <= 2, "one: integer from 1 to 2")

# The two sides
lhs = F(3, 100)
rhs = gdp_to_delta(mu=F(1000000, 717063), epsilon=3)
# NOTE: lhs does not depend on the instance.
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(lhs == F(3, 100), "lhs is 3/100")
check(agrees(rhs, "0.028870193886594832414"), "rhs is 0.028870193886594832414")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
