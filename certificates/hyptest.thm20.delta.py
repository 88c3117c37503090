# hyptest.thm20.delta: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 20 (printed)
# Statement: \mathrm{HD} \le \rho \Rightarrow \Delta^\varepsilon \le \delta(\varepsilon, \rho)
#     \text{ of Lemma 19}, \ \varepsilon \ge 0
# Claimed: lhs <= rhs, of the two sides below
# Quote: We always have $HD_X(d_1, d_2) \leq \rho \implies \Delta_X^{\varepsilon}(d_1, d_2) \leq
#     \delta(\varepsilon, \rho)$
# In short: Hellinger distance at most rho gives (eps, delta)-DP, delta of (1)
# But: pairs with this distance can need more: 0.5 and 0.489 at e^eps = 5/2, HD = 1 - sqrt(1/2)
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, hellinger, hockey_stick, log, sqrt

# The instance
p = [[F(0), F(1, 2), F(1, 2)], [F(0), F(0), F(1)]]
more = F(2)

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)
check(0 <= more, "more: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
rho = hellinger(p[0], p[1])
b = 1 - rho
t1 = b * sqrt(rho * (2 - rho))
ratio = 1 + more
numerator = 1 / ratio - 2 * b + 1
z = numerator / t1
total = z * z + 4
t2 = (total - z * sqrt(total)) / (2 * total)
t3 = t2 * (1 - t2)
slope = 1 - 2 * b * b - t1 * (1 - 2 * t2) / sqrt(t3)
delta = 1 - t2 - (b * b * (1 - 2 * t2) + t2 - 2 * b * sqrt(t3 * rho * (2 - rho))) / slope
lhs = hockey_stick(p[0], p[1], log(ratio))
rhs = delta

# The branches taken, and the terms left out because they are zero
check(rho > 0 and rho < 1 and slope * slope > 0, "the branches taken")

# Agreement with the program that found the instance
check(agrees(lhs, "0.5"), "lhs is 0.5")
check(agrees(rhs, "0.43957012064483112819"), "rhs is 0.43957012064483112819")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
