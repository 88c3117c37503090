# hyptest.hd.weight: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), C.2 (printed)
# Statement: \mathrm{HD} = 1 - \textstyle\sum \sqrt{\mu_1\mu_2} = \Delta^w,\ w(t) = \sqrt t - 1
# Claimed: lhs = rhs, of the two sides below
# Quote: Since it is the f-divergence of weight function $w(t) = \sqrt{t} - 1$ (strict convex)
# In short: the Hellinger distance has the convex weight function sqrt(t) - 1
# But: the sign: that function is concave; the weight function is 1 - sqrt(t)
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hellinger, sqrt

# The instance
p = [[F(1, 4), F(1, 4), F(1, 2)], [F(1, 2), F(1, 4), F(1, 4)]]

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x > 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions of full support on 3 points",
)

# The two sides
lhs = hellinger(p[0], p[1])
rhs = p[1][0] * (sqrt(p[0][0] / p[1][0]) - 1) + p[1][2] * (sqrt(p[0][2] / p[1][2]) - 1)

# The branches taken, and the terms left out because they are zero
check(p[1][0] > 0 and p[1][1] > 0 and p[1][2] > 0, "the branches taken")
check(sqrt(p[0][1] / p[1][1]) - 1 == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.042893218813452475599"), "lhs is 0.042893218813452475599")
check(agrees(rhs, "-0.042893218813452475599"), "rhs is -0.042893218813452475599")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
