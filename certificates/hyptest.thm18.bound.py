# hyptest.thm18.bound: a counterexample
#
# Stated in: Balle, Barthe, Gaboardi, Hsu and Sato (2020), Theorem 18, uniform convergence
#     (step)
# Statement: |\textstyle\int \gamma(x)(D) - (\gamma \circ m_n \circ m_n^*)(x)(D)\, d\mu_1| \le
#     1/2^n,\ D \subseteq k
# Claimed: lhs <= rhs, of the two sides below
# Quote: \int (\gamma \circ m_n \circ m_n^*)(x)(D) \ d\mu_1(x)\right| \le 1/2^n
# In short: probabilities of an event D differ by at most 1/2^n within a cell
# But: each point of D may contribute 1/2^n
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
gammas = [[F(1, 18), F(1, 18), F(4, 9), F(4, 9)], [F(4, 9), F(4, 9), F(1, 18), F(1, 18)]]

# The hypotheses
check(
    [len(w) for w in gammas] == [4, 4] and all(x >= 0 for w in gammas for x in w)
    and all(sum(w) == 1 for w in gammas),
    "gammas: 2 distributions on 4 points",
)

# The two sides, with the names that the claim's own function uses
gap = abs(gammas[0][0] + gammas[0][1] - (gammas[1][0] + gammas[1][1]))
lhs = gap
rhs = F(1, 2)
# NOTE: rhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(
    gammas[0][0] > 0 and gammas[0][1] > 0 and gammas[0][2] > 0 and gammas[0][3] > 0
    and gammas[1][0] > 0 and gammas[1][1] > 0 and gammas[1][2] > 0 and gammas[1][3] > 0
    and 2 * gammas[0][0] <= 1 and 2 * gammas[0][1] <= 1 and 2 * gammas[0][2] <= 1
    and 2 * gammas[0][3] <= 1 and 2 * gammas[1][0] <= 1 and 2 * gammas[1][1] <= 1
    and 2 * gammas[1][2] <= 1 and 2 * gammas[1][3] <= 1,
    "the branches taken",
)

# Agreement with the program that found the instance
check(lhs == F(7, 9), "lhs is 7/9")
check(rhs == F(1, 2), "rhs is 1/2")

# The conclusion
check(lhs > rhs, "lhs > rhs: the inequality lhs <= rhs fails")
