# capacity.thm4.convexity-needed: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4 without 'convex' (condition)
# Statement: D_{R,\alpha}^{\mathcal{H}_1+\mathcal{H}_2} \le D_{R,\alpha}^{\mathcal{H}_1} +
#     D_{R,\alpha}^{\mathcal{H}_2}
# Claimed: lhs <= rhs, of the two sides below
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
b = F(27, 4)

# The hypotheses
check(isinstance(b, F), "b: number in the reals")

# The two sides, with the names that the claim's own function uses
t1 = F(2, 9) * (b + -4)
t2 = F(19, 400) * (b + -4) * (b + -4) * (b + -4) * (b + -4)
t3 = F(361, 400) * (b + -4 + -4) * (b + -4 + -4) * (b + -4 + -4) * (b + -4 + -4)
t4 = 4 * (F(4, 9) * b + t1 + t1 + F(1, 9) * (b + -4 + -4))
lhs = (t4 - (F(1, 400) * b * b * b * b + t2 + t2 + t3)) / 3
rhs = 1
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(lhs == F(67333, 57600), "lhs is 67333/57600")
check(rhs == 1, "rhs is 1")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
