# capacity.lemma1.first: a counterexample
#
# Stated in: Chaudhuri, Imola and Machanavajjhala (2019), Lemma 1, first display (printed)
# Statement: \mathrm{KL}^{lin}(P,Q) = \sup_a a^T \mathbb{E}_P\phi - \mathbb{E}_Q e^{a^T\phi}
# Claimed: lhs = rhs, of the two sides below
# Quote: \mathbb{KL}^{\mathcal{H}}(P, Q) &= \sup_{a \in \mathbf{R}^M} a^\top \mathbb{E}_{x \sim
#     P}[\phi(x)] - \mathbb{E}_{x \sim Q}[e^{a^\top \phi(x)}]
# In short: the linear KL is the best of a.E_P phi - E_Q exp(a.phi)
# But: for P = Q this is -1, and the divergence 0: the exponent lacks b - 1
#
# Run it with python3: it needs Python 3.8 or later and nothing else. Exit status 0: verified.

from fractions import Fraction as F


def check(condition, what):
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# The instance
p = [[F(1), F(0), F(0)]]

# The hypotheses
check(
    [len(w) for w in p] == [3] and all(x >= 0 for w in p for x in w) and all(sum(w) == 1 for w in p),
    "p: a distribution on 3 points",
)

# The two sides
lhs = 0
rhs = -p[0][0]
# NOTE: lhs does not depend on the instance.

# The branches taken, and the terms left out because they are zero
check(all(x == 0 for x in [p[0][1], p[0][2]]), "the terms left out are zero")

# Agreement with the program that found the instance
check(lhs == 0, "lhs is 0")
check(rhs == -1, "rhs is -1")

# The conclusion
check(lhs < rhs or rhs < lhs, "lhs != rhs: the equality lhs = rhs fails")
