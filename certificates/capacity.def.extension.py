# capacity.def.extension: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), (2), Lemma 3, read for other f
#     (reading)
# Statement: D^{\mathcal H}_\alpha \text{ does not depend on } f(t),\ t < 0
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(1), F(0), F(0), F(0)], [F(0), F(1), F(0), F(0)]]
slope = F(2)
sign = [[0]]

# The hypotheses
check(
    [len(w) for w in p] == [4, 4] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 4 points",
)
check(0 <= slope, "slope: number in [0, inf)")
check(
    [len(w) for w in sign] == [1] and all(0 <= x < 2 for w in sign for x in w),
    "sign: a map from 1 points to 2",
)
check(sign == [[0]], "sign: the formula below is written out for this one")

# The two sides, with the names that the claim's own function uses
y_1 = (15 * p[1][1] + 1) / 19
t1 = y_1 + F(2, 19) + F(3, 19)
h_0 = 1 + -slope * -t1
h_1 = 1 + -slope * (1 - t1)
h_2 = 1 + -slope * (2 - t1)
h_3 = 1 + -slope * (3 - t1)
top = (15 * p[0][0] + 1) / 19 * h_0 + F(1, 19) * h_1 + F(1, 19) * h_2 + F(1, 19) * h_3
value = top * top / (F(1, 19) * max(h_0, 0) * max(h_0, 0) + y_1 * max(h_1, 0) * max(h_1, 0))
gap = F(6, 19) - t1
lhs = value
rhs = 1 + gap * gap / (y_1 + F(4, 19) + F(9, 19) - t1 * t1)

# The branches taken, and the terms left out because they are zero
check(top > 0, "the branches taken")
check(
    all(x == 0 for x in [p[0][1], p[0][2], p[0][3], p[1][0], p[1][2], p[1][3], max(h_2, 0), max(h_3,
    0)]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(lhs == F(45619, 12185), "lhs is 45619/12185")
check(rhs == F(67, 22), "rhs is 67/22")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
