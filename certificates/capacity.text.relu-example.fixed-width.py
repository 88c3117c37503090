# capacity.text.relu-example.fixed-width: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Section 4, after Theorem 4, read for
#     networks of one hidden unit (reading)
# Statement: \text{mixtures of two networks } c + w\, \mathrm{relu}(a x + b) \text{ are such
#     networks, and so monotone}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
h = [[F(8, 9), F(-1, 9), F(-4, 9)], [F(-1, 9), F(8, 9), F(-4, 9)]]
part = F(1, 4)

# The hypotheses
check(
    [len(w) for w in h] == [3, 3] and all(sum(x * x for x in w) == 1 for w in h),
    "h: 2 real unit vectors of dimension 3",
)
check(0 <= part <= 1, "part: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
first = h[0][2] * max(h[0][0] + h[0][1], 0) + h[0][1]
second = h[1][2] * max(h[1][0] + h[1][1], 0) + h[1][1]
values_2 = part * first + (1 - part) * second
t1 = part * h[0][1]
values_1 = t1 + (1 - part) * (h[1][2] * max(h[1][1], 0) + h[1][1])
values_0 = t1 + (1 - part) * (h[1][2] * max(h[1][0] * -1 + h[1][1], 0) + h[1][1])
lhs = 0
rhs = (values_2 - values_1) * (values_1 - values_0)
# NOTE: lhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    all(x == 0 for x in [max(h[0][0] * -1 + h[0][1], 0), max(h[0][1], 0)]),
    "the terms left out are zero",
)

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(rhs == F(-4, 2187), "rhs is -4/2187")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
