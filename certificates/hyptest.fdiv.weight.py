# hyptest.fdiv.weight: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), B.9, weight functions, 0 f(a/0) read
#     as 0 (reading)
# Statement: f \text{ convex},\ \lim_{t\to0+} t f(0/t) = 0 \Rightarrow
#     \Delta^f(\gamma(\mu_1)\|\gamma(\mu_2)) \le \Delta^f(\mu_1\|\mu_2),\ \Delta^f =
#     \textstyle\sum \mu_2(x) f(\tfrac{\mu_1(x)}{\mu_2(x)})
# Claimed: lhs <= rhs, of the two sides below
# Quote: satisfying $\lim_{t\to 0+} tf(0/t) = 0$ (this function is called weight function)
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(0), F(0), F(1)], [F(0), F(1), F(0)]]

# The hypotheses
check(
    [len(w) for w in p] == [3, 3] and all(x >= 0 for w in p for x in w)
    and all(sum(w) == 1 for w in p),
    "p: 2 distributions on 3 points",
)

# The two sides, with the names that the claim's own function uses
t1 = p[0][2] * p[0][2] / p[1][1]
lhs = max(max(max(t1, 0), 0), t1)
rhs = 0
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(p[1][1] > 0 and p[1][0] <= 0 and p[1][2] <= 0, "the branches taken")
check(all(x == 0 for x in [p[0][0], p[0][1], p[1][0], p[1][2]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(lhs == 1, "lhs is 1")
check(rhs == 0, "rhs is 0")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
