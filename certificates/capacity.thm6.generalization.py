# capacity.thm6.generalization: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 6 (printed)
# Statement: \{h_x\} \subseteq \mathcal{H},\ (\mathcal{H}, \mathrm{KL})\text{-bounded with }
#     \epsilon \Rightarrow |\mathbb{E}\tfrac1n\textstyle\sum q_S(x_i) - \mathbb{E} q_S(x)| \le
#     8\sqrt\epsilon
# Claimed: lhs <= rhs, of the two sides below
# Quote: \left| \mathbb{E}_{S \sim D, M} \left(\frac{1}{n} \sum_{i=1}^n q_S(x_i) \right) -
#     \mathbb{E}_{x \sim D} [q_S(x)] \right| \leq 8\sqrt{\epsilon}
# In short: the generalization gap is at most 8 sqrt(epsilon)
# But: with H = {h_x} alone the gap can be near 1/e at epsilon = 0
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp

# The instance
more = F(0)
points = F(2)

# The hypotheses
check(0 <= more <= 1, "more: number in [0, 1]")
check(points.denominator == 1 and 2 <= points, "points: integer at least 2")

# The two sides
lhs = (1 - 1 / points) * exp(-1)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(more == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(agrees(lhs, "0.1839397205857211608"), "lhs is 0.1839397205857211608")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
