# capacity.text.postprocessing-all: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 4, 'equivalent to privacy for
#     all adversaries' (reading)
# Statement: \mathcal{H} \text{ invariant under all functions} \Rightarrow D^{\mathcal H} = D
# Claimed: lhs <= rhs, of the two sides below
# Quote: otherwise, the definition would be equivalent to privacy for all adversaries!
# In short: invariance under all functions would mean privacy for all adversaries
# But: functions with values in [-1, 1] are invariant under every map, but see less than all
#
# Run it with python3: it needs Python 3.8 or later and the file intervals.py beside it. Exit status 0: verified.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from intervals import F, agrees, check, exp, kl, log, maximum, minimum

# The instance
p = [[F(0), F(1), F(0)], [F(0), F(0), F(1)]]

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)

# The two sides, with the names that the claim's own function uses
x_1 = (15 * p[0][1] + 1) / 18
x = [F(1, 18), x_1, F(1, 18)]
y_2 = (15 * p[1][2] + 1) / 18
y = [F(1, 18), F(1, 18), y_2]
h_1 = minimum(maximum(1 + log(x_1 / F(1, 18)), -1), 1)
h_2 = minimum(maximum(1 + log(F(1, 18) / y_2), -1), 1)
t1 = F(1, 18) + F(1, 18) * exp(h_1 - 1) + y_2 * exp(h_2 - 1)
lhs = kl(x, y)
rhs = F(1, 18) + x_1 * h_1 + F(1, 18) * h_2 - t1

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [p[0][0], p[0][2], p[1][0], p[1][1]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(agrees(lhs, "2.3104906018664843647"), "lhs is 2.3104906018664843647")
check(agrees(rhs, "0.65747974823412205165"), "rhs is 0.65747974823412205165")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
