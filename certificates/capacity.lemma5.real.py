# capacity.lemma5.real: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 5, proof (step)
# Statement: f(a) = a - X a^{\alpha/(\alpha-1)}: \tfrac12 (f(a) + f(b)) \le f(\tfrac{a+b}2)
#     \text{ for real } a, b
# Claimed: lhs <= rhs, of the two sides below
# Quote: $f(a)$ is concave down over all real numbers
# In short: a - X a^A is concave over all real numbers
# But: at alpha = 3/2 it is a - X a^3, convex for a < 0 and unbounded
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
a = F(0)
b = F(-1, 8)
x = F(1)

# The hypotheses
check(isinstance(a, F), "a: number in the reals")
check(isinstance(b, F), "b: number in the reals")
check(0 < x, "x: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
after = b - x * b * b * b
between = b / 2 - x * (b / 2) * (b / 2) * (b / 2)
lhs = after / 2
rhs = between

# The branches taken, and the terms left out because they are zero
check(a == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == F(-63, 1024), "lhs is -63/1024")
check(rhs == F(-255, 4096), "rhs is -255/4096")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
