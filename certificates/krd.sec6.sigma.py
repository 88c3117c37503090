# krd.sec6.sigma: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Section 6, Figure 1 (printed)
# Statement: \sigma^2 = 21.0444,\ 6.0669,\ 7.1850 \text{ give } (\varepsilon,\delta)\text{-DP
#     for } \Delta = 10,\ (\varepsilon,\delta) = (1, .005),\ (2, .2),\ (3, .03)
# Claimed: lhs <= rhs, of the two sides below
# Quote: Values of noise variance $\sigma^2$ : 0.0001 (top left), 21.0444 (top right), 6.0669
#     (bottom left), 7.1850 (bottom right)
# In short: The noise variances are 21.0444, 6.0669 and 7.1850
# But: these are standard deviations: with such variances it is not private
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, gdp_to_delta, sqrt

# The instance
row = [[0]]
one = F(1)
# Nothing below depends on one.

# The hypotheses
check(
    [len(w) for w in row] == [1] and all(0 <= x < 3 for w in row for x in w),
    "row: a map from 1 points to 3",
)
check(row == [[0]], "row: the formula below is written out for this one")
check(one.denominator == 1 and 1 <= one <= 2, "one: integer from 1 to 2")

# The two sides
lhs = gdp_to_delta(mu=10 / sqrt(F(52611, 2500)), epsilon=1)
rhs = F(1, 200)
# NOTE: lhs does not depend on the instance.
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(agrees(lhs, "0.57096426694343627666"), "lhs is 0.57096426694343627666")
check(rhs == F(1, 200), "rhs is 1/200")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
