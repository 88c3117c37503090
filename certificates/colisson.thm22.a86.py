# colisson.thm22.a86: a counterexample
#
# Stated in: Colisson (2016), Theorem 22, (A.85) and (A.86) (step)
# Statement: A = \tfrac{1-e^{-\varepsilon}}{e^\varepsilon-e^{-\varepsilon}},\ B =
#     \tfrac{e^{-\varepsilon}-1}{e^\varepsilon-e^{-\varepsilon}} : A + B = 1,\ e^\varepsilon A +
#     e^{-\varepsilon} B = 1
# Claimed: lhs = rhs, of the two sides below
# Quote: B = \frac{e^{-\varepsilon} - 1}{e^\varepsilon - e^{-\varepsilon}}
# In short: A and B solve the two equations
# But: The sign of B is wrong: with it A + B = 0, not 1
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
more = F(1, 64)

# The hypotheses
check(0 < more, "more: number in (0, inf)")

# The two sides, with the names that the claim's own function uses
ratio = 1 + more
width = ratio - 1 / ratio
a = (1 - 1 / ratio) / width
b = (1 / ratio - 1) / width
lhs = a + b
rhs = 1
# NOTE: rhs does not depend on the instance.

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(rhs == 1, "rhs is 1")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
