# colisson.lem19.ends: a counterexample
#
# Stated in: Colisson (2016), Lemma 19, end of the proof (step)
# Statement: f(s) = \Delta(P, P_s) : f(1) = 0,\ f(\infty) = \Delta(P, Q)
# Claimed: lhs = rhs, of the two sides below
# Quote: $f(1) = 0$. Indeed
# In short: The distance of P and P_s increases from 0 to that of P and Q
# But: It decreases from that of P and Q to 0; two errors cancel
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(1), F(0)], [F(1, 2), F(1, 2)]]

# The hypotheses
check(
    [len(w) for w in p] == [2, 2] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on finitely many points",
)

# The two sides, with the names that the claim's own function uses
ratio = max(max(max(0, p[0][0] / p[1][0]), p[0][0] / (p[1][0] + p[1][1])), 0)
level = ratio - 1
near_0 = (1 + level) * p[1][0]
room = (1 + level) * p[1][1]
part = (1 - p[1][0]) / p[1][1]
first = (abs(p[0][0] - p[1][0]) + abs(-(part * p[1][1]))) / 2
lhs = first
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    p[1][1] > 0 and p[1][0] > 0 and p[1][0] + p[1][1] > 0 and p[0][0] >= p[1][0]
    and p[0][1] < p[1][1] and p[0][0] >= near_0 and p[0][1] < room and room > 0
    and p[0][0] != p[1][0] and p[0][1] != p[1][1] and p[0][0] > 0 and p[0][1] <= 0 and p[1][0] != 0
    and p[1][1] != 0,
    "the branches taken",
)
check(
    all(x == 0 for x in [p[0][1], 1 - near_0, abs(p[0][1]), abs(p[0][0] - near_0)]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(lhs == F(1, 2), "lhs is 1/2")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
