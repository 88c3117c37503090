# hyptest.lem19.delta.derivative: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19, the slope of the tangent
#     (step)
# Statement: \mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le 1 - t -
#     \tfrac{f(t)}{g(t)},\ g = f',\ e^\varepsilon = \tfrac1{g(t)}
# Claimed: lhs <= rhs, of the two sides below
# Quote: We solve the equation $e^{\varepsilon} = \frac{1}{g(t)}$ on t about the slope as (2).
# In short: the tangent has the required slope if e^epsilon = 1/g(t)
# But: the sign: x + e^epsilon y is constant along it if e^epsilon = -1/g(t)
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hockey_stick, log, maximum, sqrt

# The instance
x = F(1, 8)
rho = F(1, 4)
t = F(3, 4)

# The hypotheses
check(0 < x < 1, "x: number in (0, 1)")
check(0 < rho < 1, "rho: number in (0, 1)")
check(0 < t < 1, "t: number in (0, 1)")

# The two sides, with the names that the claim's own function uses
b = 1 - rho
safe = 1 - 2 * b * b - b * sqrt(rho * (2 - rho)) * (1 - 2 * t) / sqrt(t * (1 - t))
x_2 = x * b * b
pair_0 = [1 - x_2, x_2]
t1 = b * b * (1 - 2 * x_2) + x_2 - 2 * b * sqrt(x_2 * (1 - x_2) * rho * (2 - rho))
y = maximum(t1, 0)
pair_1 = [y, 1 - y]
delta = 1 - t - (b * b * (1 - 2 * t) + t - 2 * b * sqrt(t * (1 - t) * rho * (2 - rho))) / safe
lhs = hockey_stick(pair_0, pair_1, -log(safe))
rhs = delta

# The branches taken, and the terms left out because they are zero
check(safe > 0 and safe <= 1, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.2596817124681624768"), "lhs is 0.2596817124681624768")
check(agrees(rhs, "0.16261364575662399901"), "rhs is 0.16261364575662399901")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
