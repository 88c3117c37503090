# hyptest.thm17.quasiconvexity-needed: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 17, F not quasi-convex
#     (condition)
# Statement: \Delta^F(\gamma(\mu_1)\|\gamma(\mu_2)) \le \Delta^F(\mu_1\|\mu_2)
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(0), F(0), F(1)]]
test = [[F(0), F(0), F(1, 64)]]
# Nothing below depends on test[0][0], test[0][1].

# The hypotheses
check(
    [len(w) for w in p] == [3] and all(x >= 0 for w in p for x in w) and all(sum(w) == 1 for w in p),
    "p: a distribution on 3 points",
)
check(
    [len(w) for w in test] == [3] and all(0 <= x <= 1 for w in test for x in w),
    "test: a randomised test on 3 points",
)

# The two sides, with the names that the claim's own function uses
x = p[0][2] * test[0][2]
lhs = x * (1 - x)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [p[0][0], p[0][1]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(lhs == F(63, 4096), "lhs is 63/4096")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
