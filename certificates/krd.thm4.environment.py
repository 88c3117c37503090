# krd.thm4.environment: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Theorem 4 (Stinespring), side remark (printed)
# Statement: \mathcal{H}_E \text{ can be chosen as } \mathcal{K}(\mathcal{H}')
# Claimed: lhs <= rhs, of the two sides below
# Quote: The space $\mathcal{H}_E$ can be chosen as $\mathcal{K}(\mathcal{H}')$
# In short: Stinespring's environment can be chosen as K(H')
# But: too small if dim H > dim H': dim H dim H' is needed in general
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, identity, rank, times, transposed

# The instance
channel = [[F(1), F(0)], [F(0), F(1)], [F(0), F(0)], [F(0), F(0)]]

# The hypotheses
check(
    times(transposed(channel), channel) == identity(len(channel[0])) and len(channel) % 1 == 0
    and len(channel[0]) == 2,
    "channel: a quantum channel from a system of finite dimension",
)

# The two sides, with the names that the claim's own function uses
rank_2 = rank([[channel[0][0] * channel[0][0], 0], [0, channel[1][1] * channel[1][1]]])
lhs = rank_2
rhs = 1
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [
        channel[1][0], channel[2][0], channel[3][0], channel[0][1], channel[2][1], channel[3][1],
    ]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "2"), "lhs is 2")
check(rhs == 1, "rhs is 1")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
