"""Scripts for the claims on kernel divergences.

Most of them rest on data processing of the sandwiched divergence. That it falls as its reference grows, and that its
moments are jointly convex, follows by data processing of block diagonal operators.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Symbol

from verification.proofs.colisson import below_infinity
from verification.proofs.shared import moments as moments_of
from verification.provers import algebra
from verification.provers.derivation import Goal
from verification.provers.kernel import Theorem, rewrite, through
from verification.provers.lemmas import both, flipped
from verification.provers.letters import largest_letter
from verification.provers.operators import (
    Features,
    Kron,
    Operator,
    OperatorVocabulary,
    classical,
    each_block,
    identity,
    kept,
    pairing,
    pinched,
    prepared,
    sandwiched,
    trace,
    traced_out,
    turned,
)
from verification.provers.quantum import (
    antitone,
    at_most_largest,
    below,
    below_petz,
    commuting,
    divergences,
    increasing,
    itself,
    maxima,
    mixture,
    moments,
    or_more,
    petz_processed,
    positive_part,
    processed,
    products,
    quasiconvex,
    tangent,
    variational,
)
from verification.provers.scalars import seen_nonnegative
from verification.provers.symbols import Total
from verification.provers.values import Letters
from verification.provers.vocabulary import SymbolicVocabulary


def covariance(phi: Features, weight: Symbol) -> Operator:
    """Return the covariance operator of a weight, which is an expression in a letter."""
    return Operator(Total(weight * phi.e, *phi.axes), phi.space)


def lifted(x: Operator, lam: Expr) -> Operator:
    """Return X + lambda."""
    return x + Operator(lam * identity(x.space), x.space)


def kron(x: Operator, y: Operator) -> Operator:
    """Return X (x) Y."""
    return Operator(Kron(x.e, y.e), ("tensor", x.space, y.space))


def one_way(step: Any) -> Any:
    """Return a script for the pair (p, q) in this order, from `step(goal, p, q)`."""
    return lambda g: step(g, *g.p)


def worst(step: Any) -> Any:
    """Return a script for the maximum over both orders of a pair, from `step(goal, p, q)` for one order."""

    def script(g: Goal) -> Theorem:
        return maxima([step(g, *g.p), step(g, *g.p[::-1])])

    return script


def reference(g: Goal) -> Theorem:
    """Prove Lemma 1."""
    a, b, c = g.states
    return antitone(g.case, a, b, c, g.alpha)


def data_processing(g: Goal) -> Theorem:
    """Prove Lemma 4."""
    a, b = g.states
    return processed(g.case, a, b, g.alpha, g.channel)


def regularised(g: Goal, p: Symbol, q: Symbol) -> tuple[Operator, Operator]:
    """Return S_p and S_q + lambda."""
    return covariance(g.phi, p), lifted(covariance(g.phi, q), g.lam)


def letters(g: Goal, *weights: Symbol) -> list[Letters]:
    """Return weights as arrays of letters."""
    return [Letters(w, [g.phi.axes]) for w in weights]


def more_regularised(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """Prove that D at lambda + more is at most D at lambda."""
    a, b = regularised(g, p, q)
    return antitone(g.case, a, b, lifted(b, g.more) - b, g.alpha)


def higher_order(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """Prove that D of the smaller order is at most D of the larger."""
    return increasing(g.case, *regularised(g, p, q), *g.orders)


def processed_letters(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """Prove D(S_p || S_q + lambda) <= D(S_p || S_q) <= D(p || q).

    The channel measures a letter x and prepares phi(x) phi(x)^*.
    """
    x, y = map(classical, letters(g, p, q))
    a, b = covariance(g.phi, p), covariance(g.phi, q)
    step = processed(g.case, x, y, g.alpha, prepared(g.phi))
    return step if g.lam == 0 else antitone(g.case, a, b, lifted(b, g.lam) - b, g.alpha).then(step)


def petz_letters(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """Prove D(S_p || S_q + lambda) <= D(p || q), for orders below 1 by Petz' divergence.

    The channel takes the letters, with lambda in a block of its own, to S_p and S_q + lambda.
    """
    if seen_nonnegative(g.alpha - 1):
        return processed_letters(g, p, q)
    x, y = map(classical, letters(g, p, q))
    a, b = regularised(g, p, q)
    channel = prepared(g.phi)
    if g.lam != 0:
        nothing = b - b
        x, y = (OperatorVocabulary().direct_sum(*pair) for pair in ((x, nothing), (y, lifted(nothing, g.lam))))
        channel = each_block(channel, kept())
    return below_petz(g.case, a, b, g.alpha).then(petz_processed(g.case, x, y, g.alpha, channel))


def unitary(g: Goal) -> Theorem:
    """Prove Proposition 1.2, since U . U^* and U^* . U are channels."""
    (a, b), there, back = g.states, turned(g.unitary.name), turned(g.unitary.name, back=True)
    b = lifted(b, g.lam)
    forth = processed(g.case, a, b, g.alpha, there)
    return both(forth, processed(g.case, there(a), there(b), g.alpha, back))


def ordered(g: Goal) -> Theorem:
    """Prove Proposition 1.4: D(A || A + C) <= D(A || A) = 0, and 0 = D(A + C || A + C) <= D(A + C || A)."""
    a, c = g.states
    if g.index == 0:
        bounded = antitone(g.case, a + c, a, c, g.alpha)
        return flipped(nothing(g, a + c)).then(bounded)
    return antitone(g.case, a, a, lifted(c, g.lam), g.alpha).then(nothing(g, a))


def nothing(g: Goal, a: Operator) -> Theorem:
    """Prove D(A || A) == 0."""
    return rewrite(divergences(itself(g.case, a, g.alpha), trace(a.e), g.alpha), None, 0)


def additive(g: Goal, first: tuple[Operator, Operator], second: tuple[Operator, Operator]) -> Theorem:
    """Prove D(A (x) C || B (x) D) == D(A || B) + D(C || D)."""
    mass = trace(first[0].e) * trace(second[0].e)
    sums = divergences(products(g.case, first, second, g.alpha), mass, g.alpha)
    return rewrite(sums, None, sandwiched(*first, g.alpha) + sandwiched(*second, g.alpha))


def enlarged(g: Goal, pairs: Any, mu: Expr, whole: Operator) -> Theorem:
    """Prove D(A (x) C || W) <= D(A || B + mu) + D(C || D + mu) for a commuting W >= (B + mu) (x) (D + mu)."""
    (a, b), (c, d) = pairs
    parts = (a, lifted(b, mu)), (c, lifted(d, mu))
    product, smaller = kron(a, c), kron(parts[0][1], parts[1][1])
    return commuting(g.case, product, smaller, whole - smaller, g.alpha).then(additive(g, *parts))


def additive_lower(g: Goal) -> Theorem:
    """Prove the lower bound of Proposition 1.5.

    (B + root) (x) (D + root) >= B (x) D + lambda for root^2 = lambda.
    """
    (a, b), (c, d), root = g.ab, g.cd, sympy.sqrt(g.lam)
    parts = (a, lifted(b, root)), (c, lifted(d, root))
    least, most = lifted(kron(b, d), g.lam), kron(parts[0][1], parts[1][1])
    equal = flipped(additive(g, *parts))
    return equal.then(commuting(g.case, kron(a, c), least, most - least, g.alpha))


def additive_upper(mu: Any) -> Any:
    """Return a script for the upper bound of Proposition 1.5 at a mu(lambda) with 2 mu + mu^2 <= lambda."""

    def script(g: Goal) -> Theorem:
        if g.obvious:
            return g.obvious
        (a, b), (c, d) = g.ab, g.cd
        if g.index:
            b, d = (OperatorVocabulary().complement(x) for x in (b, d))
        return enlarged(g, ((a, b), (c, d)), mu(g.lam), lifted(kron(b, d), g.lam))

    return script


def convex_moments(g: Goal) -> Theorem:
    """Prove Lemma 3 by data processing under the channel that adds up blocks."""
    (a, b), (c, d), t = g.ab, g.cd, g.part
    mixed = mixture(g.case, [(t, a, b), (1 - t, c, d)], g.alpha)
    return log_of(mixed, g.alpha)


def log_of(theorem: Theorem, alpha: Expr) -> Theorem:
    """Turn an inequality between moments Q into one between sign(alpha - 1) log Q, by way of divergences."""
    step = divergences(theorem, sympy.Integer(1), alpha)
    return step.times(next(c for c in (sympy.cancel(alpha - 1), sympy.cancel(1 - alpha)) if c.is_positive))


def mixtures(g: Goal) -> Theorem:
    """Prove Proposition 5."""
    parts = [
        (c, covariance(g.phi, u), lifted(covariance(g.phi, v), g.lam))
        for c, (u, v) in ((g.beta, g.f), (1 - g.beta, g.g))
    ]
    absent = [sandwiched(a, b, g.alpha) for c, a, b in parts if c == 0]
    mixed = quasiconvex(g.case, [part for part in parts if part[0] != 0], g.alpha)
    return or_more(mixed, *absent)


def pure(g: Goal, p: Symbol, q: Symbol) -> Theorem:
    """Prove the claim from S_p <= r S_q, which follows from p <= r q."""
    return below(g.case, *regularised(g, p, q), SymbolicVocabulary().ratio(*letters(g, p, q)), g.alpha)


def approximate(g: Goal) -> Theorem:
    """Prove Proposition 9 from S_p - r S_q <= sum (p - r q)_+ <= delta = r lambda."""
    r, pairs = 1 + g.ratio, (g.p, g.p[::-1])
    lam = algebra.maximum(*(excess(g, *pair) for pair in pairs)) / r
    return maxima(
        [below(g.case, covariance(g.phi, p), lifted(covariance(g.phi, q), lam), r, g.alpha) for p, q in pairs]
    )


def excess(g: Goal, p: Symbol, q: Symbol) -> Expr:
    """Return sum (p - r q)_+ for r = 1 + `ratio`."""
    return SymbolicVocabulary().sum(lambda x, y: algebra.maximum(x - (1 + g.ratio) * y, 0), *letters(g, p, q))


def largest_excess(g: Goal) -> Theorem:
    """Prove Lemma 8: S_p - r S_q <= sum (p - r q)_+."""
    p, q = g.p
    x = covariance(g.phi, p) - covariance(g.phi, q) * (1 + g.ratio)
    return at_most_largest(g.case, x, excess(g, p, q))


def hockey_stick(g: Goal) -> Theorem:
    """Prove tr (S_p - r S_q)_+ <= tr sum (p - r q)_+ phi phi^*."""
    p, q = g.p
    x = covariance(g.phi, p) - covariance(g.phi, q) * g.ratio
    return positive_part(g.case, x, covariance(g.phi, algebra.maximum(p - g.ratio * q, 0)))


def compression(g: Goal) -> Theorem:
    """Prove the claim: P . P is one half of the pinching by P, and the other half adds a moment >= 0."""
    (a, b), pinching = regularised(g, *g.p), pinched(g.onto.name)
    return moments(processed(g.case, a, b, g.alpha, pinching), (pinching(a), pinching(b)), (a, b), g.alpha)


def dual(g: Goal) -> Theorem:
    """Prove the claim from the variational formula and a tangent of its concave functional."""
    (a, b), (h,), (base,) = regularised(g, *g.p), g.h, g.base
    formula = variational(g.case, h, a, b, g.alpha)
    linear = tangent(g.case, h, b, (base, g.shift), g.alpha).times(g.alpha - 1).negated()
    return rewrite(linear.plus(g.alpha * pairing(h, a)), g.lhs, formula.lhs).then(formula)


def factor(product: Any) -> Any:
    """Return a step for a partial trace, which takes the features `product(goal)` to those of the first factor."""

    def step(g: Goal, p: Symbol, q: Symbol) -> Theorem:
        phi = product(g)
        b = covariance(phi, q)
        return processed(g.case, covariance(phi, p), lifted(b, g.lam) if "lam" in g.given else b, g.alpha, traced_out())

    return step


def parallel(mu: Any) -> Any:
    """Return a script for Proposition 6 at mu(lambda).

    For mu = lambda / 3 and lambda > 3, every divergence is at most 0.
    """

    def script(g: Goal) -> Theorem:
        if g.obvious:
            return g.obvious
        steps, m = [], mu(g.lam)
        for (p, q), (x, y) in ((g.f, g.g), (g.f[::-1], g.g[::-1])):
            a, b = (covariance(g.phi1, w) for w in (p, q))
            c, d = (covariance(g.phi2, w) for w in (x, y))
            whole = lifted(kron(b, d), g.lam)
            if m == g.lam / 3 and g.lam != 0 and g.case.holds(sympy.Gt(g.lam, 3)):
                step = below(g.case, kron(a, c), whole, sympy.Integer(1), g.alpha)
            else:
                step = enlarged(g, ((a, b), (c, d)), m, whole)
            steps.append(step.then(g.at_most(step.rhs, g.rhs)))
        return maxima(steps)

    return script


def both_features(g: Goal) -> Features:
    """Return phi_1(x) (x) phi_2(x)."""
    return OperatorVocabulary().tensor(g.phi1, g.phi2)


def features_after(g: Goal) -> Features:
    """Return psi(g(x)) (x) phi(x)."""
    (g_of,) = g.given["g"]
    return OperatorVocabulary().tensor(OperatorVocabulary().pulled(g.psi, g_of), g.phi)


def near_infinity(g: Goal) -> Theorem:
    """Prove the claim at a letter that attains the supremum m of p / q.

    There p^alpha q^(1 - alpha) is m^(alpha - 1) p.
    """
    if g.index == 1:
        return below_infinity(g, g.alpha)
    (moment,), n = moments_of(g), g.alpha - 1
    (top,), (least,) = ([s for s, (kind, _) in g.case.suprema.items() if kind == name] for name in ("ratio", "least"))
    index = next(i for i, fact in enumerate(g.case.facts) if fact.expression.has(least))
    shown = largest_letter(g.case, top, moment, top**n * least, {index: top**n})
    return through(shown, sympy.log).times(1 / n)
