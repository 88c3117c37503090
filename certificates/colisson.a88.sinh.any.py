# colisson.a88.sinh.any: a counterexample
#
# Stated in: Colisson (2016), Theorem 22, (A.88), any x and y (condition)
# Statement: x \ne y \Rightarrow \tfrac{\sinh x - \sinh y}{\sinh(x - y)} \le e^{\frac12 xy}
# Claimed: lhs <= rhs, of the two sides below
# In short: The inequality (A.88) for any x and y
# But: It fails whenever x y < 0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp

# The instance
x = F(-1, 8)
y = F(1)

# The hypotheses
check(isinstance(x, F), "x: number in the reals")
check(isinstance(y, F), "y: number in the reals")

# The two sides, with the names that the claim's own function uses
width = x - y
lhs = ((exp(x) - exp(-x)) / 2 - (exp(y) - exp(-y)) / 2) / ((exp(width) - exp(-width)) / 2)
rhs = exp(x * y / 2)

# The branches taken, and the terms left out because they are zero
check(x != y, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.94392784112618229672"), "lhs is 0.94392784112618229672")
check(agrees(rhs, "0.93941306281347578612"), "rhs is 0.93941306281347578612")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
