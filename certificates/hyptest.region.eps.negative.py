# hyptest.region.eps.negative: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, privacy region of the eps-
#     divergence, any eps (condition)
# Statement: R^{\Delta^\varepsilon}(\delta) = \{(x,y) : \max((1-x) - e^\varepsilon y, x -
#     e^\varepsilon(1-y)) \le \delta\},\ \delta \ge 0
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, log

# The instance
x = F(1, 32)
y = F(0)
ratio = F(1, 64)

# The hypotheses
check(0 <= x <= 1, "x: number in [0, 1]")
check(0 <= y <= 1, "y: number in [0, 1]")
check(0 < ratio, "ratio: number in (0, inf)")

# The two sides
lhs = hockey_stick([1 - x, x], [y, 1], log(ratio))
rhs = max(max(1 - x, x - ratio), 0)

# The branches taken, and the terms left out because they are zero
check(y == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.984375"), "lhs is 0.984375")
check(rhs == F(31, 32), "rhs is 31/32")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
