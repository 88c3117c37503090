# colisson.lem19.note.approximate: a counterexample
#
# Stated in: Colisson (2016), Lemma 19, note, by (2.14) (reading)
# Statement: \delta > \Delta(P, Q) \Rightarrow D_\infty^\delta(P\|Q) = 0 \text{ by (2.14)}
# Claimed: lhs = rhs, of the two sides below
# In short: For delta above the distance, the approximate divergence is 0
# But: By Definition 11 it is negative; 0 is the value of Definition 12
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, approximate_max_divergence, check, total_variation

# The instance
p = [[F(0), F(1)], [F(0), F(1)]]
delta = F(0)

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)
check(0 <= delta <= 1, "delta: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
distance = total_variation(p[0], p[1])
value = approximate_max_divergence(p[0], p[1], delta=distance + (1 - distance) / 3)
lhs = value
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(p[0][0] <= 0 and p[0][1] > 0 and p[1][0] <= 0 and p[1][1] > 0, "the branches taken")
check(delta == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "-0.40546510810816438198"), "lhs is -0.40546510810816438198")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
