"""The theorems behind one-run audits, compared with linear programs over all distributions of few right guesses.

(epsilon, delta)-DP permits the distributions f of correctness with sum_k H_epsilon(f || f with bit k flipped) at most
m delta. A linear program finds the largest probability of any region, without the formulas of the package.
"""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from krdtheory.audit.one_run import blocks, fixed, tradeoff
from krdtheory.audit.one_run.coins import Coins, Secrets


def worst(regions, odds, budget, wrong=1):
    """Return the largest probability of a region (a function of bits, 1 for right) under sum_k s_k <= budget.

    If there are several regions, the output chooses which one counts. `wrong` is the number of wrong answers for a
    guess: a state with the k-th guess wrong is spread evenly over them.
    """
    regions = regions if isinstance(regions, list) else [regions]
    n = regions[0].ndim
    states = [(*x, which) for which in range(len(regions)) for x in product((0, 1), repeat=n)]
    place = {x: i for i, x in enumerate(states)}
    turned = [(x, (*x[:k], 0, *x[k + 1 :])) for x in states for k in range(n) if x[k]]
    size = len(states)
    above = np.zeros((len(turned) + 1, size + len(turned)))
    for row, (x, y) in enumerate(turned):  # f(x) - odds f(y) - s <= 0
        above[row, place[x]], above[row, place[y]], above[row, size + row] = 1, -odds / wrong, -1
    above[-1, size:] = 1
    whole = np.concatenate([np.ones(size), np.zeros(len(turned))])[None]
    gain = np.concatenate([[-float(regions[x[-1]][x[:-1]]) for x in states], np.zeros(len(turned))])
    limits = np.append(np.zeros(len(turned)), budget)
    return -linprog(gain, A_ub=above, b_ub=limits, A_eq=whole, b_eq=[1], bounds=(0, None)).fun


def at_least(n, v):
    return np.indices((2,) * n).sum(0) >= v


@pytest.mark.parametrize(("n", "epsilon", "delta"), [(1, 0.0, 0.2), (3, 1.0, 0.03), (4, 0.3, 0.01), (5, 2.0, 0.002)])
def test_the_bound_of_a_fixed_number_is_sharp(n, epsilon, delta):
    for v in range(1, n + 1):
        exact = worst(at_least(n, v), np.exp(epsilon), n * delta)
        bound = fixed.p_value(right=v, guesses=n, canaries=n, epsilon=epsilon, delta=delta)
        q = 1 / (1 + np.exp(-epsilon))
        sharp = n * delta * binom.sf(v - 1, n, q) <= v * binom.pmf(v, n, q)
        assert exact <= bound + 1e-9
        assert not sharp or exact == pytest.approx(bound, abs=1e-9)


def test_the_bound_of_secrets_is_sharp():
    n, epsilon, delta, k = 3, 1.0, 0.02, 4
    for v in range(1, n + 1):
        exact = worst(at_least(n, v), np.exp(epsilon), n * delta, wrong=k - 1)
        given = {"right": v, "guesses": n, "canaries": n, "epsilon": epsilon, "delta": delta}
        assert exact == pytest.approx(fixed.p_value(**given, coins=Secrets(k)), abs=1e-9)


def test_the_published_correction_is_below_the_truth():
    """Steinke, Nasr and Jagielski (2023), Theorem 5.2: beta + 2 m delta max_i P(v > B >= v - i) / i."""
    n, epsilon, delta, v = 3, 1.0, 0.03, 1
    q = 1 / (1 + np.exp(-epsilon))
    steps = [(binom.sf(v - 1 - i, n, q) - binom.sf(v - 1, n, q)) / i for i in range(1, n + 1)]
    published = binom.sf(v - 1, n, q) + 2 * n * delta * max(steps)
    exact = worst(at_least(n, v), np.exp(epsilon), n * delta)
    assert published < exact - 1e-3
    assert fixed.p_value(right=v, guesses=n, canaries=n, epsilon=epsilon, delta=delta) >= exact - 1e-9


def up_sets(sizes):
    """Return all upward closed sets of counts in blocks."""
    counts = list(product(*(range(n + 1) for n in sizes)))
    found = {frozenset()}
    for x in sorted(counts, key=sum, reverse=True):
        above = {y for y in counts if y != x and all(a >= b for a, b in zip(y, x, strict=True))}
        found |= {s | {x} for s in found if above <= s}
    return [s for s in found if 0 < len(s) < len(counts)]


def of_counts(sizes, up):
    n = sum(sizes)
    cuts = np.cumsum(sizes)[:-1]
    region = np.zeros((2,) * n, dtype=bool)
    for x in product((0, 1), repeat=n):
        region[x] = tuple(int(part.sum()) for part in np.split(np.array(x), cuts)) in up
    return region


def iid(region, q):
    ones = np.indices(region.shape).sum(0)
    return float((region * q**ones * (1 - q) ** (region.ndim - ones)).sum())


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2), (3,), (2, 2), (1, 3)])
def test_the_cost_of_delta_for_regions_of_blocks(sizes):
    epsilon, delta, n = 0.7, 0.01, sum(sizes)
    q = 1 / (1 + np.exp(-epsilon))
    factor = max(blocks.influence(size, q) for size in sizes)
    excesses = []
    for up in up_sets(sizes):
        region = of_counts(sizes, up)
        excesses.append((worst(region, np.exp(epsilon), n * delta) - iid(region, q)) / (n * delta * (1 - q)))
    assert 0.3 * factor < max(excesses) <= factor + 1e-7
    if len(sizes) == n:
        assert max(excesses) == pytest.approx(1, abs=1e-7)  # for some region no coefficient below 1 is sufficient
    if sizes == (3,):
        assert factor < 0.85


@pytest.mark.parametrize(("delta", "level"), [(0.01, 0.6874537), (0.1, 0.7543918)])
def test_the_sharp_bound_fails_if_the_output_chooses_the_number_of_guesses(delta, level):
    """Each r has the region of p-values up to the level, and the output chooses r. The bound for blocks holds."""
    n, epsilon = 3, 0.5
    q = 1 / (1 + np.exp(-epsilon))
    regions, smaller = [], []
    for r in range(1, n + 1):
        given = {"guesses": r, "canaries": n, "epsilon": epsilon, "delta": delta}
        p = [fixed.p_value(right=v, **given) for v in range(r + 1)]
        least = next(v for v in range(r + 1) if p[v] <= level + 1e-6)
        regions.append(np.indices((2,) * n)[:r].sum(0) >= least)
        smaller.append(iid(regions[-1], q))
    exact = worst(regions, np.exp(epsilon), n * delta)
    assert exact > level + 0.002
    assert exact <= max(smaller) + n * delta * (1 - q) + 1e-9
    assert all(worst(region, np.exp(epsilon), n * delta) <= level + 1e-6 for region in regions)


def gaussian_worst(n, v, mu, pieces):
    """Return the largest P(W >= v) with T_w <= n G(U_w / n) for every w, where tangents bound G from outside."""
    a = np.arange(n + 1)
    rows, limits = [], []
    for w in range(1, n + 1):
        t, u = np.where(a >= w, a, 0), np.where(a >= w - 1, n - a, 0)
        for z in pieces:  # tangent of Phi(mu + Phi^-1(h)) at h = Phi(z)
            h, slope = norm.cdf(z), norm.pdf(z + mu) / norm.pdf(z)
            rows.append(t - slope * u)
            limits.append(n * (norm.cdf(z + mu) - slope * h))
    found = linprog(-(a >= v).astype(float), A_ub=rows, b_ub=limits, A_eq=np.ones((1, n + 1)), b_eq=[1])
    return -found.fun


@pytest.mark.slow
@pytest.mark.parametrize(("n", "v", "mu"), [(6, 5, 0.5), (12, 11, 1.0), (20, 20, 2.0)])
def test_the_recursion_for_a_trade_off_function_is_the_optimum_of_its_program(n, v, mu):
    exact = gaussian_worst(n, v, mu, np.linspace(-6, 4, 250))
    tau = exact * np.array([0.97, 1.03])
    floor = tradeoff.gaussian_floor(np.full(2, mu))
    found = tradeoff.rejects(floor, np.full(2, v), np.full(2, n), (n, n), tau)
    assert found.tolist() == [False, True]


def test_the_recursion_holds_for_distributions_that_satisfy_the_claim():
    """Independent Gaussian scores, with guesses on the r most extreme of m: P(W >= v) never exceeds the bound."""
    rng = np.random.default_rng(1)
    m, r, mu, runs = 40, 15, 1.0, 4000
    bits = rng.random((runs, m)) < 0.5
    scores = rng.normal(size=(runs, m)) + mu * (bits - 0.5)
    order = np.argsort(-np.abs(scores), axis=1)[:, :r]
    right = np.take_along_axis((scores > 0) == bits, order, axis=1).sum(1)
    for v in range(8, r + 1):
        share = (right >= v).mean()
        floor = tradeoff.gaussian_floor(np.array([mu]))
        for_sure = binom.isf(1e-6, runs, share) / runs if share else 0  # a false alarm once in 100 000
        assert not tradeoff.rejects(floor, np.array([v]), np.array([r]), (m, m), np.array([2 * share - for_sure]))[0]


def test_planes_give_at_most_the_sharp_bound():
    """T <= e^epsilon U + m delta by the recursion, which considers fewer events than `fixed`."""
    for epsilon, delta, r, m, v in ((1.0, 1e-3, 20, 50, 18), (0.2, 0.0, 10, 10, 9), (0.0, 0.05, 8, 8, 7)):
        bound = fixed.p_value(right=v, guesses=r, canaries=m, epsilon=epsilon, delta=delta)
        floor = tradeoff.planes_floor(np.array([[np.exp(epsilon)]]), np.array([[delta]]))
        assert not tradeoff.rejects(floor, np.array([v]), np.array([r]), (m, m), np.array([bound * 0.999]))[0]


@pytest.mark.parametrize("inclusion", [0.5, 0.1])
def test_the_excess_of_one_guess(inclusion):
    """The cost of guesses "in" and "out" for one canary, over all mechanisms with k outputs by a linear program."""
    epsilon, delta, gain = 0.5, 0.1, np.exp(0.5)
    coins = Coins(inclusion)
    cost = blocks.cost(coins, 1, np.array([1, 1]), epsilon, delta)
    q_in, q_out = coins.right(epsilon)
    # outputs 0, 1 are guesses "in", "out"; maximise sum_y (P(right, y) - q P(y))
    rng = np.random.default_rng(0)
    most = 0.0
    for _ in range(800):
        p = rng.dirichlet(np.full(4, 0.3), size=2)  # two outputs for each guess
        scale = max(np.maximum(p[0] - gain * p[1], 0).sum(), np.maximum(p[1] - gain * p[0], 0).sum())
        if scale > delta:  # mixed with an uninformative output until it satisfies the claim
            p = p * delta / scale
        joint = np.array([inclusion * p[1], (1 - inclusion) * p[0]])
        excess = np.maximum(joint[0] * (1 - q_in) - joint[1] * q_in, 0)[:2].sum()
        excess += np.maximum(joint[1] * (1 - q_out) - joint[0] * q_out, 0)[2:].sum()
        most = max(most, excess)
    assert 0.5 * cost < most <= cost + 1e-12
