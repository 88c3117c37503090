# hyptest.thm11.sup-equality: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 11, middle line of the proof
#     (step)
# Statement: \Delta^\varepsilon(\textstyle\sum a_i \gamma_i(\mu_1)\|\textstyle\sum a_i
#     \gamma_i(\mu_2)) = \sup_i \Delta^\varepsilon(\gamma_i(\mu_1)\|\gamma_i(\mu_2))
# Claimed: lhs = rhs, of the two sides below
# Quote: &= \sup_{i\in I} \Delta^{\varepsilon}(\gamma_i(\mu_1)||\gamma_i(\mu_1))
# In short: the divergence of a mixture of maps is the largest divergence of the maps
# But: a mixture can have less: an even mixture of two opposite maps distinguishes nothing
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, maximum

# The instance
p = [[F(0), F(0), F(1)], [F(0), F(1), F(0)]]
g = [[0, 1, 0], [0, 0, 0]]
part = F(1, 64)
ratio = F(0)

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)
check(
    [len(w) for w in g] == [3, 3] and all(0 <= x < 2 for w in g for x in w),
    "g: 2 maps from 3 points to 2",
)
check(g == [[0, 1, 0], [0, 0, 0]], "g: the formula below is written out for this one")
check(0 < part < 1, "part: number in (0, 1)")
check(0 <= ratio, "ratio: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
mixed_0 = [part * p[0][2] + (1 - part) * p[0][2], 0]
mixed_1 = [(1 - part) * p[1][1], part * p[1][1]]
images_1_0 = [p[0][2], 0]
images_0_1 = [0, p[1][1]]
images_1_1 = [p[1][1], 0]
t1 = hockey_stick(images_1_0, images_0_1, 0)
lhs = hockey_stick(mixed_0, mixed_1, 0)
rhs = maximum(t1, hockey_stick(images_1_0, images_1_1, 0))

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [ratio, p[0][0], p[0][1], p[1][0], p[1][2]]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(agrees(lhs, "0.015625"), "lhs is 0.015625")
check(agrees(rhs, "1.0"), "rhs is 1.0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
