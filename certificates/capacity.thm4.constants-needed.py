# capacity.thm4.constants-needed: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 4 without 'includes a constant
#     function' (condition)
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
m = F(1, 32)
low = F(0)
size = F(0)
# Nothing below depends on size.

# The hypotheses
check(0 <= m <= 1, "m: number in [0, 1]")
check(0 <= low, "low: number in [0, inf)")
check(0 <= size, "size: number in [0, inf)")

# The two sides, with the names that the claim's own function uses
second = 2 * m - 1
first = m * m
product_2 = (1 + first) * (1 + second)
lhs = 1 + first + second
rhs = product_2

# The branches taken, and the terms left out because they are zero
check(1 + second > 0 and 1 + first + second > 0, "the branches taken")
check(low == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == F(65, 1024), "lhs is 65/1024")
check(rhs == F(1025, 16384), "rhs is 1025/16384")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
