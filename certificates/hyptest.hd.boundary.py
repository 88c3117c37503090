# hyptest.hd.boundary: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, the boundary (step)
# Statement: 1 - \sqrt{x(1-y)} - \sqrt{(1-x)y} = \rho \Leftrightarrow y = (1-\rho)^2(1-2x) + x
#     \pm 2(1-\rho)\sqrt{x(1-x)\rho(2-\rho)}
# Claimed: lhs = rhs, of the two sides below
# Quote: For given $x \in [0, 1]$ , we have $$y = (1 - \rho)^2 (1 - 2x) + x \pm
# In short: both branches of the squared equation solve the equation
# But: squaring adds solutions: the lower branch is spurious beyond x = (1 - rho)^2
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, maximum, sqrt

# The instance
x = F(1, 2)
rho = F(1, 2)

# The hypotheses
check(0 <= x <= 1, "x: number in [0, 1]")
check(0 < rho < 1, "rho: number in (0, 1)")

# The two sides, with the names that the claim's own function uses
b = 1 - rho
y = x - 2 * b * sqrt(x * (1 - x) * rho * (2 - rho))
inside = maximum(y, 0)
lhs = sqrt(x * (1 - inside)) + sqrt((1 - x) * inside)
rhs = b

# The branches taken, and the terms left out because they are zero
check(1 - 2 * x == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.86602540378443864676"), "lhs is 0.86602540378443864676")
check(rhs == F(1, 2), "rhs is 1/2")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
