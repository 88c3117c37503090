# hyptest.lem19.delta.literal: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, z as its last line has it
#     (reading)
# Statement: R^{\mathrm{HD}}(\rho) \subseteq R^{\Delta^\varepsilon}(\delta) \text{ with } z =
#     \tfrac1{(1-\rho)\sqrt{\rho(2-\rho)}}
# Claimed: lhs <= rhs, of the two sides below
# Quote: z = \frac{1}{(1-\rho)\sqrt{\rho(2-\rho)}}
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, maximum, sqrt

# The instance
x = F(1, 16)
rho = F(3, 4)
more = F(0)

# The hypotheses
check(0 < x < 1, "x: number in (0, 1)")
check(0 < rho < 1, "rho: number in (0, 1)")
check(0 <= more, "more: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
b = 1 - rho
t1 = b * sqrt(rho * (2 - rho))
z = 1 / t1
total = z * z + 4
t2 = (total - z * sqrt(total)) / (2 * total)
t3 = t2 * (1 - t2)
slope = 1 - 2 * b * b - t1 * (1 - 2 * t2) / sqrt(t3)
x_2 = x * b * b
t4 = b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt(x_2 * (1 - x_2) * rho * (2 - rho))
y = maximum(t4, 0)
delta = 1 - t2 - (b * b * (1 - 2 * t2) + t2 - 2 * b * sqrt(t3 * rho * (2 - rho))) / slope
lhs = hockey_stick([1 - x_2, x_2], [y, 1 - y], 0)
rhs = delta

# The branches taken, and the terms left out because they are zero
check(slope * slope > 0, "the branches taken")
check(more == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.96037430878137934973"), "lhs is 0.96037430878137934973")
check(agrees(rhs, "0.95597311208302469901"), "rhs is 0.95597311208302469901")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
