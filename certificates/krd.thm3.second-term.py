# krd.thm3.second-term: a counterexample
#
# Stated in: Domingo-Enrich and Mroueh (2022), Proof of Theorem 3, second term of (15) (step)
# Statement: \alpha \ge 2,\ t \le \lambda/\alpha \Rightarrow (\lambda - t)^{1-\alpha} -
#     \lambda^{1-\alpha} \le 4(\alpha-1) t
# Claimed: lhs <= rhs, of the two sides below
# Quote: \leq (\alpha - 1)(1 - \tilde{t})^{-\alpha}t \leq 4(\alpha - 1)t
# In short: (lambda - t)^(1-alpha) - lambda^(1-alpha) <= 4 (alpha - 1) t
# But: a factor lambda^-alpha is lost
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
alpha = F(2)
lam = F(1, 64)
part = F(1, 64)

# The hypotheses
check(2 <= alpha and alpha != 1, "alpha: order in [2, inf)")
check(0 < lam, "lam: number in (0, inf)")
check(0 <= part <= 1, "part: number in [0, 1]")

# The two sides, with the names that the claim's own function uses
t1 = lam * part / alpha
lhs = (lam - t1)**(1 - alpha) - lam**(1 - alpha)
rhs = 4 * (alpha - 1) * t1

# Agreement with the program that found the instance
check(lhs == F(64, 127), "lhs is 64/127")
check(rhs == F(1, 2048), "rhs is 1/2048")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
