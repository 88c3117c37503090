# hyptest.lem19.delta.square: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Lemma 19 and Theorem 20, the square
#     restored (reading)
# Statement: 1 - t - \tfrac{f(t)}{f'(t)} \text{ with } (1-\rho)^2 \text{ in } z \text{ is the
#     least } \delta
# Claimed: lhs = rhs, of the two sides below
# Quote: We conclude an optimal conversion law from the Hellinger distance to DP.
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, sqrt

# The instance
rho = F(1, 64)
ratio = F(0)

# The hypotheses
check(0 < rho < 1, "rho: number in (0, 1)")
check(0 <= ratio, "ratio: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
b = 1 - rho
t1 = 1 - 2 * b * b
kappa = rho * (2 - rho)
t2 = b * sqrt(kappa)
numerator = t1 + 1
z = numerator / t2
total = z * z + 4
t3 = (total - z * sqrt(total)) / (2 * total)
t4 = t3 * (1 - t3)
slope = t1 - t2 * (1 - 2 * t3) / sqrt(t4)
delta = 1 - t3 - (b * b * (1 - 2 * t3) + t3 - 2 * b * sqrt(t4 * rho * (2 - rho))) / slope
lhs = delta
rhs = sqrt(4 * kappa) / 2

# The branches taken, and the terms left out because they are zero
check(slope * slope > 0, "the branches taken")
check(ratio == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "1.0"), "lhs is 1.0")
check(agrees(rhs, "0.17608480733726007629"), "rhs is 0.17608480733726007629")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
