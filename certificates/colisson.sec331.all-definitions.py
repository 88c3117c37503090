# colisson.sec331.all-definitions: a counterexample
#
# Stated in: Colisson (2016), Section 3.3.1 (reading)
# Statement: \text{post-processing applies ``for all the different Differential Privacy
#     definitions that we will see''}
# Claimed: lhs <= rhs, of the two sides below
# Quote: apply for all the different Differential Privacy definitions that we will see
# In short: Post-processing preserves every definition of privacy of the report
# But: Not mean-concentrated DP: merging two outputs can increase tau
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, maximum, subgaussian_bounds

# The instance
rows = [[F(1, 2), F(1, 2), F(0)], [F(0), F(2, 3), F(1, 3)]]
more = F(4)

# The hypotheses
check(
    [len(w) for w in rows] == [3, 3] and all(x >= 0 for w in rows for x in w)
    and all(sum(w) == 1 for w in rows),
    "rows: 2 distributions on 3 points",
)
check(0 < more, "more: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
t1 = 1 + more
merged_0_0 = t1 * rows[0][0] / (1 + t1)
pair_0_1 = (t1 * rows[0][1] + rows[1][1]) / (1 + t1)
pair_0_2 = rows[1][2] / (1 + t1)
merged_0 = [merged_0_0, pair_0_1 + pair_0_2]
merged_1_0 = rows[0][0] / (1 + t1)
pair_1_1 = (rows[0][1] + t1 * rows[1][1]) / (1 + t1)
pair_1_2 = t1 * rows[1][2] / (1 + t1)
merged_1 = [merged_1_0, pair_1_1 + pair_1_2]
t2 = subgaussian_bounds(merged_0, merged_1)[0]
after = maximum(t2, subgaussian_bounds(merged_1, merged_0)[0])
pair_0 = [merged_0_0, pair_0_1, pair_0_2]
pair_1 = [merged_1_0, pair_1_1, pair_1_2]
before = maximum(subgaussian_bounds(pair_0, pair_1)[1], subgaussian_bounds(pair_1, pair_0)[1])
lhs = after
rhs = before

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [rows[0][2], rows[1][0]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "1.0524197480922601326"), "lhs is 1.0524197480922601326")
check(agrees(rhs, "1.018100992826916766"), "rhs is 1.018100992826916766")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
