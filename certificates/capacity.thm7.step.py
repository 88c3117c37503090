# capacity.thm7.step: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Theorem 7, proof (step)
# Statement: 0 \le y \le 2 \Rightarrow \tfrac18 x^2 + y \ge \tfrac1{16} x^2 + y^2
# Claimed: lhs <= rhs, of the two sides below
# Quote: \geq \frac{1}{16}(\text{IPM}^{\mathcal{H}}(P', Q))^2 + (\text{IPM}^{\mathcal{H}}(P,
#     P'))^2
# In short: x^2/8 + y is at least x^2/16 + y^2 for y up to 2
# But: at x = 0, y = 2 it is 2 against 4; only y^2/2 follows from y <= 2
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
x = F(0)
y = F(1)

# The hypotheses
check(0 <= x, "x: number in [0, inf)")
check(0 <= y <= 1, "y: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
y_2 = 2 * y
lhs = y_2 * y_2
rhs = y_2

# The branches taken, and the terms left out because they are zero
check(x == 0, "a term left out is zero")

# Agreement with the program that found the instance
check(lhs == 4, "lhs is 4")
check(rhs == 2, "rhs is 2")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
