# capacity.lemma3.conjugate: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 3, proof (step)
# Statement: f^*(s) = C_\alpha |s| - \tfrac1{\alpha^2-\alpha}
# Claimed: lhs = rhs, of the two sides below
# Quote: = C_\alpha |s| - \frac{1}{\alpha^2 - \alpha}
# In short: the conjugate of f is C |s| - 1/(alpha^2 - alpha)
# But: it is C |s|^A + 1/(alpha^2 - alpha), A = alpha/(alpha - 1)
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
s = F(0)
alpha = F(2)

# The hypotheses
check(0 <= s, "s: number in [0, inf)")
check(1 <= alpha and alpha != 1, "alpha: order in (1, inf)")

# The two sides, with the names that the claim's own function uses
a = alpha * alpha - alpha
lhs = 1 / a
rhs = -(1 / a)

# The branches taken, and the terms left out because they are zero
check(s == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == F(1, 2), "lhs is 1/2")
check(rhs == F(-1, 2), "rhs is -1/2")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
