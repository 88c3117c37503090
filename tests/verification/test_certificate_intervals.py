"""The intervals of certificates contain the true values, at any precision; planted faults are noticed.

Each check takes the module as an argument, so that it can be run on one with a fault. Expected values are from Arb, at
300 bits, or exact rationals. Precision is low to test rounding: at 12 bits nearly every operation rounds.
"""

import operator
import random
import types
from fractions import Fraction as F
from math import inf
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from krdtheory import ball
from verification.certificates import intervals

SOURCE = Path(intervals.__file__).read_text(encoding="utf-8")
CASES = 60


def module(text=SOURCE):
    """Return the library, executed from its text."""
    made = types.ModuleType("intervals")
    exec(compile(text, "intervals.py", "exec"), made.__dict__)
    return made


def of(x):
    """Return a rational as a ball."""
    return arb(fmpq(F(x).numerator, F(x).denominator))


def holds(x, true):
    """Return whether an interval, or an exact number, contains an Arb ball."""
    if isinstance(x, int | F):
        return bool(true.overlaps(of(x)))
    return bool(of(x.low) <= true) and bool(true <= of(x.high))


def rationals(seed, low, high, count=CASES):
    """Return rationals of about 20 digits with uniform logarithms between powers of two."""
    rng = random.Random(seed)
    return [F(2) ** rng.randint(low, high) * F(rng.randrange(2**30, 2**31), 2**31 - 1) for _ in range(count)]


@pytest.fixture(autouse=True)
def _many_bits():
    with ctx.workprec(300):
        yield


# Functions


def exponentials(m):
    for bits, terms, m.GUARD in ((12, None, 16), (24, None, 0), (60, 2, 16), (60, 3, 0)):
        m.precision(bits)
        m.EXP_TERMS = terms or m.EXP_TERMS
        for x in rationals(1, -12, 5):
            for y in (x, -x):
                assert holds(m.exp(y), of(y).exp())
                wide = m.Interval(y, y + x / 3)
                assert m.exp(wide).low <= m.exp(y).high and holds(m.exp(wide), of(y + x / 3).exp())
                assert holds(m.exp(wide), of(y).exp())
    m.precision(160)
    m.GUARD = 16
    assert m.exp(0) == 1 and m.exp(inf) == inf and m.exp(-inf) == 0
    for x in rationals(2, -12, 5, 20):
        y = m.exp(x)
        assert y.high - y.low < y.low / 2**140


def logarithms(m):
    for bits, terms, m.GUARD in ((12, None, 16), (24, None, 0), (60, 1, 16), (60, 3, 0)):
        m.precision(bits)
        m.ARTANH_TERMS = terms or m.ARTANH_TERMS
        for x in [
            *rationals(3, -40, 40),
            *(1 + y for y in rationals(4, -40, -3)),
            *(1 - y for y in rationals(5, -40, -3)),
        ]:
            assert holds(m.log(x), of(x).log())
            wide = m.log(m.Interval(x, x * F(9, 8)))
            assert holds(wide, of(x).log()) and holds(wide, of(x * F(9, 8)).log())
    m.precision(160)
    m.GUARD = 16
    assert m.log(1) == 0 and m.log(0) == -inf and m.log(inf) == inf
    for x in rationals(6, -40, 40, 20):
        y = m.log(x)
        assert y.high - y.low < abs(y.low) / 2**130
    for bad in (F(-1), m.Interval(F(-1), F(1)), m.Interval(F(0), F(1))):
        with pytest.raises(ValueError, match="positive"):
            m.log(bad)


def roots(m):
    for bits in (12, 13, 40):
        m.precision(bits)
        for x in rationals(7, -60, 60):
            assert holds(m.sqrt(x), of(x).sqrt())
            wide = m.sqrt(m.Interval(x, 2 * x))
            assert holds(wide, of(x).sqrt()) and holds(wide, of(2 * x).sqrt())
    m.precision(160)
    assert m.sqrt(F(9, 4)) == F(3, 2) and m.sqrt(0) == 0
    for x in rationals(8, -60, 60, 20):
        y = m.sqrt(x)
        assert y.high - y.low < y.low / 2**150
    for bad in (F(-1), m.Interval(F(-1), F(1))):
        with pytest.raises(ValueError, match="negative"):
            m.sqrt(bad)


def powers(m):
    rng = random.Random(9)
    for bits in (12, 40):
        m.precision(bits)
        for x in rationals(10, -3, 3):
            for y in (F(rng.randrange(1, 40), 8), -F(rng.randrange(1, 40), 8), F(rng.randrange(-9, 10))):
                true = of(x) ** of(y) if y.denominator > 1 else of(x) ** int(y)
                assert holds(m.power(x, y), true)
                assert holds(m.power(m.Interval(x, x), y), true)
            n = rng.randrange(1, 9)
            assert holds(m.power(m.Interval(-x, -x), n), of(-x) ** n)
            assert holds(m.power(m.Interval(-x, x / 2), n), of(-x) ** n)
            assert holds(m.power(m.Interval(-x, x / 2), n), of(x / 2) ** n)
    m.precision(160)
    assert m.power(F(2, 3), -2) == F(9, 4) and m.power(F(0), F(1, 3)) == 0 and m.power(F(0), 0) == 1
    assert m.power(F(4, 9), F(3, 2)) == F(8, 27) and m.power(F(4, 9), F(-1, 2)) == F(3, 2)
    assert not isinstance(m.power(F(3), 30000), F), "a long power is an interval"
    with pytest.raises(ValueError, match="0 to a power"):
        m.power(F(0), F(-1, 2))


def constants(m):
    for bits in (12, 40, 160):
        m.precision(bits)
        assert holds(m.pi(), arb.pi())
    assert m.pi().high - m.pi().low < F(1, 2**150)


def normal(m):
    for bits, terms in ((24, 400), (60, 400), (80, 12), (80, 10)):
        m.precision(bits)
        m.NORMAL_TERMS = terms
        for x in rationals(11, -3, 0, 12):
            for y in (x, -x):
                assert holds(m.normal(y), (1 + (of(y) / arb(2).sqrt()).erf()) / 2)
    m.NORMAL_TERMS = 5
    with pytest.raises(m.Undecided):
        m.normal(F(6))


# Arithmetic


def arithmetic(m):
    """Results for intervals contain those for their points, and are rounded by at most the last digit."""
    rng = random.Random(12)
    m.precision(10)
    for _ in range(8 * CASES):
        (a, b), (c, d) = (
            sorted(F(rng.randrange(-999, 1000), rng.randrange(1, 99)) for _ in range(2)) for _ in range(2)
        )
        x, y, s, t = m.Interval(a, b), m.Interval(c, d), *(F(rng.randrange(9), 8) for _ in range(2))
        p, q = a + (b - a) * s, c + (d - c) * t
        p, q = min(p, b), min(q, d)
        for made, true in ((x + y, p + q), (x - y, p - q), (x * y, p * q), (-x, -p), (abs(x), abs(p))):
            assert made.low <= true <= made.high
        for made, true in ((x + q, p + q), (q - x, q - p), (x * q, p * q), (q * x, p * q), (x**2, p * p), (x**3, p**3)):
            assert made.low <= true <= made.high
        for made, true in ((m.maximum(x, y), max(p, q)), (m.minimum(x, y), min(p, q)), (m.maximum(x, q), max(p, q))):
            assert m.ends(made)[0] <= true <= m.ends(made)[1]
        top, bottom = m.maximum(x, y), m.minimum(x, y)
        assert (m.ends(top)[0], m.ends(bottom)[1]) == (max(x.low, y.low), min(x.high, y.high))
        if c > 0 or d < 0:
            for made, true in ((x / y, p / q), (q / y, F(1)), (s / y, s / q), (x / q, p / q)):
                assert made.low <= true <= made.high or made is y
        assert abs(m.lower(a) - a) <= abs(a) / 2**9 and m.lower(a) <= a <= m.upper(a)
        assert x.low <= a and b <= x.high


def divisions(m):
    for zero in (m.Interval(F(-1), F(1)), m.Interval(F(0), F(1)), m.Interval(F(-1), F(0)), F(0), 0):
        with pytest.raises(ZeroDivisionError):
            m.Interval(F(1), F(2)) / zero
    with pytest.raises(ValueError, match="no interval"):
        m.Interval(F(2), F(1))


def comparisons(m):
    """Comparisons are True or False only if they are so for all points."""
    rng = random.Random(13)
    for _ in range(4 * CASES):
        a, b, c, d = (F(rng.randrange(12)) for _ in range(4))
        (a, b), (c, d) = sorted((a, b)), sorted((c, d))
        x, y = m.Interval(a, b), m.Interval(c, d)
        cases = {
            "<": (b < c, a >= d, operator.lt),
            ">": (a > d, b <= c, operator.gt),
            "<=": (b <= c, a > d, operator.le),
            ">=": (a >= d, b < c, operator.ge),
            "==": (a == b == c == d, b < c or d < a, operator.eq),
        }
        for yes, no, ask in cases.values():
            if yes or no:
                assert ask(x, y) is yes
            else:
                with pytest.raises(m.Undecided):
                    ask(x, y)
    assert m.Interval(F(1), F(2)) < inf and m.Interval(F(1), F(2)) > -inf and m.maximum(F(1), inf) == inf


def floats(m):
    """Floats are rejected everywhere, as they are not exact; 1 / 2 of two ints is one."""
    x = m.Interval(F(1), F(2))
    for f in (m.enclose, m.exp, m.log, m.sqrt, m.normal, lambda y: m.power(F(2), y), lambda y: m.power(y, F(1, 3))):
        with pytest.raises(TypeError):
            f(0.5)
    for f in (lambda: x + 0.5, lambda: 0.5 * x, lambda: x / 0.5, lambda: x < 0.5, lambda: 0.5 - x, lambda: x == 0.5):
        with pytest.raises(TypeError):
            f()


def agreement(m):
    third = m.Interval(F(1, 3), F(1, 3))
    assert m.agrees(third, "0.33333333333333333333") and m.agrees(F(1, 3), "0.33333333333333333333")
    assert not m.agrees(third, "0.33333333333333433333") and not m.agrees(F(1, 3) + F(1, 10**14), "0.33333333333333333")
    assert m.agrees(F(0), "0.0") and not m.agrees(F(1, 10**20), "0.0") and not m.agrees(F(1, 10**20), "2e-20")
    assert m.agrees(inf, "+inf") and not m.agrees(-inf, "+inf") and not m.agrees(F(1), "+inf")
    with pytest.raises(SystemExit, match="NOT VERIFIED: what"):
        m.check(False, "what")
    with pytest.raises(SystemExit):
        m.check(1, "no boolean")


# Matrices


def known_matrix(rng, n, zeros=0):
    """Return a rational symmetric matrix, its orthogonal eigenvectors (by Cayley) and its eigenvalues."""
    skew = np.array([[F(0)] * n for _ in range(n)], dtype=object)
    for i in range(n):
        for j in range(i):
            skew[i, j] = F(rng.randrange(-9, 10), 4)
            skew[j, i] = -skew[i, j]
    one = np.array(intervals.identity(n), dtype=object)
    rows = [[*(one + skew)[i], *(one - skew)[i]] for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        rows = [
            row if i == k else [x - row[k] * y for x, y in zip(row, rows[k], strict=True)] for i, row in enumerate(rows)
        ]
    u = np.array([row[n:] for row in rows], dtype=object)
    values = [F(0)] * zeros + [F(rng.randrange(1, 40), 8) for _ in range(n - zeros)]
    return (u * np.array(values, dtype=object)) @ u.T, u, values


def spectra(m):
    """For matrices with known spectra, with approximate eigenvectors that have errors of up to 1e-3."""
    rng, exact = random.Random(14), m.rotations
    for case in range(24):
        n, zeros = rng.choice([2, 3]), case % 3 == 0
        a, u, values = known_matrix(rng, n, int(zeros))
        rows = a.tolist()
        off = F(1, 10 ** rng.choice([3, 6, 12]))
        guess = (u + off * np.array([[F(rng.randrange(-9, 10), 9) for _ in range(n)] for _ in range(n)])).tolist()
        for found in (exact, lambda _, guess=guess: guess):
            m.rotations = found
            try:
                for x, true in zip(m.eigvalsh(rows), sorted(values), strict=True):
                    assert m.ends(x)[0] <= true <= m.ends(x)[1]
                root, cube = m.sqrtm(rows), m.matrix_power(rows, F(-3, 2))
                logs = m.matrix_log(rows)
            except m.Undecided:
                assert found is not exact
                continue
            finally:
                m.rotations = exact
            for made, f in (
                (root, lambda v: of(v).sqrt()),
                (cube, lambda v: of(v) ** of(F(-3, 2))),
                (logs, lambda v: of(v).log()),
            ):
                for i in range(n):
                    for j in range(n):
                        true = sum((of(u[i, k]) * f(values[k]) * of(u[j, k]) for k in range(n) if values[k]), arb(0))
                        assert holds(made[i][j], true)
            if found is exact:
                assert all(m.ends(x)[1] - m.ends(x)[0] < F(1, 2**120) for row in root for x in row)


def exact_matrices(m):
    rng = random.Random(15)
    for _ in range(20):
        a, _, values = known_matrix(rng, 3, rng.choice([0, 1, 2]))
        rows, n = a.tolist(), sum(v != 0 for v in values)
        assert m.rank(rows) == n and m.is_semidefinite(rows) and m.kernel(rows) == 3 - n
        low = (a - max(values) * np.eye(3, dtype=int)).tolist()
        assert not m.is_semidefinite(low) and m.is_semidefinite((-np.array(low)).tolist())
        assert m.matrix_power(rows, 3) == (a @ a @ a).tolist()
    assert not m.is_semidefinite([[F(0), F(1)], [F(1), F(1)]]) and not m.is_semidefinite([[F(1), F(2)], [F(0), F(1)]])
    e = [[F(1), F(0)], [F(0), F(0)]]
    assert m.contains(m.identity(2), e) and not m.contains(e, m.identity(2)) and m.is_diagonal(e)
    assert not m.is_diagonal([[F(1), F(1)], [F(0), F(1)]])
    with pytest.raises(m.Undecided):
        m.rank([[m.exp(F(1))]])
    assert m.occupied([[F(0), F(0)], [F(0), F(1)]], [[F(0), F(0)], [F(0), F(2)]]) == [[[F(1)]], [[F(2)]]]
    assert m.direct_sum([[1]], [[2]]) == [[1, 0], [0, 2]] and m.kron([[1, 2]], [[3, 4]]) == [[3, 4, 6, 8]]
    assert m.tensor([[1, 2]], [[3, 4]]) == [[3, 4, 6, 8]] and m.pulled([[1], [2]], [1, 0, 1]) == [[2], [1], [2]]


# Divergences


def weights(rng, n, zeros):
    p = [F(rng.randrange(1, 9)) for _ in range(n)]
    if zeros:
        p[rng.randrange(n)] = F(0)
    return [x / sum(p) for x in p]


def same(m, x, true, what):
    """Return whether an interval contains Arb's ball of the same quantity, or at least overlaps with it."""
    true = true if isinstance(true, arb) else of(F(str(true))) if true not in (inf, -inf) else true
    if m.is_infinite(x):
        assert (true if isinstance(true, float) else float(true)) == x, what
        return
    low, high = m.ends(x)
    near = arb(of(low)).union(of(high))
    assert near.overlaps(true) and (high - low) < F(1, 2**60) * max(1, abs(high)), what


def classical(m):
    rng = random.Random(16)
    for case in range(16):
        n = rng.choice([2, 3])
        p, q = (weights(rng, n, case % 4 == i) for i in (1, 2))
        alpha, epsilon, delta = F(rng.randrange(1, 40), 8) + F(1, 16), F(rng.randrange(9), 4), F(rng.randrange(9), 10)
        pairs = {
            "renyi": (m.renyi(p, q, alpha), ball.renyi(p, q, alpha)),
            "kl": (m.kl(p, q), ball.kl(p, q)),
            "max": (m.max_divergence(p, q), ball.max_divergence(p, q)),
            "inf": (m.renyi(p, q, inf), ball.max_divergence(p, q)),
            "stick": (m.hockey_stick(p, q, epsilon), ball.hockey_stick(p, q, epsilon)),
            "tv": (m.total_variation(p, q), ball.total_variation(p, q)),
            "hellinger": (m.hellinger(p, q), ball.hellinger(p, q)),
            "approximate": (
                m.approximate_max_divergence(p, q, delta=delta),
                ball.approximate_max_divergence(p, q, delta=delta),
            ),
            "smooth": (m.smooth_renyi(p, q, inf, delta=delta), ball.smooth_renyi(p, q, inf, delta=delta)),
        }
        for what, (found, true) in pairs.items():
            same(m, found, true, what)


def mechanisms(m):
    rng = random.Random(17)
    for _ in range(3):
        mu, epsilon, delta = F(rng.randrange(1, 9), 4), F(rng.randrange(1, 9), 4), F(rng.randrange(1, 9), 20)
        k, total, alpha = rng.randrange(1, 6), F(rng.randrange(9), 4), F(rng.randrange(9, 40), 8)
        at = {"epsilon": epsilon, "delta": delta}
        same(m, m.gdp_to_rdp(mu=mu, alpha=alpha), ball.gdp_to_rdp(mu=mu, alpha=alpha), "gdp")
        same(m, m.gdp_to_delta(mu=mu, epsilon=epsilon), ball.gdp_to_delta(mu=mu, epsilon=epsilon), "gdp delta")
        found = m.optimal_composition_delta(**at, k=k, total_epsilon=total)
        same(m, found, ball.optimal_composition_delta(**at, k=k, total_epsilon=total), "composition")
        for two_sided in (False, True):
            large = {
                "alpha": alpha,
                "epsilon": epsilon,
                "delta": min(1 / alpha + F(1, 9), F(9, 10)),
                "two_sided": two_sided,
            }
            for nonnegative in (False, True):
                found = m.rdp_to_approximate_dp(**large, nonnegative=nonnegative)
                same(m, found, ball.rdp_to_approximate_dp(**large, nonnegative=nonnegative), "conversion")
    with pytest.raises(ValueError, match="alpha delta"):
        m.rdp_to_approximate_dp(alpha=F(2), epsilon=F(1), delta=F(1, 3))
    for n, q, low, high in ((7, F(1, 3), 2, 4), (150, F(1, 40), 2, 5), (5, F(1), 2, 6), (5, F(1), 6, 9)):
        total = sum(
            (F(np.prod([F(n - i, i + 1) for i in range(j)] or [F(1)])) * q**j * (1 - q) ** (n - j))
            for j in range(n + 1)
            if j < low or j > high
        )
        same(m, m.binomial_outside(n, q, low, high), of(total), "binomial")


def quantum(m):
    rng = random.Random(18)
    for case in range(6):
        (a, _, _), (b, _, _) = known_matrix(rng, 2, case % 3 == 1), known_matrix(rng, 2)
        rho, sigma = (x.tolist() for x in (a, b))
        alpha, lam = F(rng.randrange(3, 40), 8) + F(1, 16), F(rng.randrange(3), 4)
        for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi"):
            for order in (alpha, F(2)):
                same(m, getattr(m, name)(rho, sigma, order, lam), getattr(ball, name)(a, b, order, lam), name)
        for name in ("quantum_relative_entropy", "max_relative_entropy", "trace_distance"):
            same(m, getattr(m, name)(rho, sigma, lam), getattr(ball, name)(a, b, lam), name)
        same(
            m, m.quantum_hockey_stick(rho, sigma, lam, F(1, 8)), ball.quantum_hockey_stick(a, b, lam, F(1, 8)), "stick"
        )
    pure, other = [[F(1), F(0)], [F(0), F(0)]], [[F(0), F(0)], [F(0), F(1)]]
    for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi"):
        assert getattr(m, name)(m.identity(2), pure, F(2)) == inf
        assert getattr(m, name)(pure, pure, F(2)) == 0
    assert m.quantum_relative_entropy(pure, other) == inf == m.max_relative_entropy(pure, other)


CHECKS = [
    exponentials, logarithms, roots, powers, constants, normal, arithmetic, divisions, comparisons, floats, agreement,
    spectra, exact_matrices, classical, mechanisms, quantum,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda f: f.__name__)
def test_the_library(check):
    check(module())


FAULTS = [
    (arithmetic, "self.low, self.high = lower(low), upper(high)", "self.low, self.high = upper(low), lower(high)"),
    (exponentials, "self.low, self.high = lower(low), upper(high)", "self.low, self.high = lower(low), lower(high)"),
    (arithmetic, "    return -lower(-x)\n", "    return lower(x)\n"),
    (
        arithmetic,
        "return F(x.numerator // (x.denominator << -shift) << -shift)",
        "return F(x.numerator >> -shift << -shift)",
    ),
    (arithmetic, "return Interval(-self.high, -self.low)", "return Interval(-self.low, -self.low)"),
    (arithmetic, "Interval(F(0), max(-self.low, self.high))", "Interval(F(0), self.high)"),
    (
        arithmetic,
        "return Interval(self.low + y.low, self.high + y.high)",
        "return Interval(self.low + y.low, self.high + y.low)",
    ),
    (arithmetic, "return self + -other", "return self + other"),
    (arithmetic, "return -self + other", "return self + -other"),
    (arithmetic, "return Interval(min(products), max(products))", "return Interval(*sorted(products[::3]))"),
    (arithmetic, "return self * Interval(1 / y.high, 1 / y.low)", "return self * (1 / y.low)"),
    (divisions, "if y.low <= 0 <= y.high:", "if y.low == 0 == y.high:"),
    (arithmetic, "x = y if above else Interval(max(", "x = y if above else Interval(min("),
    (comparisons, "if self.high < low:\n            return True", "if self.low < low:\n            return True"),
    (comparisons, "if self.low > high:\n            return True", "if self.high > high:\n            return True"),
    (comparisons, "if self.high < low or high < self.low:", "if self.low != low:"),
    (comparisons, "return not self > other", "return not self >= other"),
    (floats, "isinstance(x, (int, F)) and not", "isinstance(x, (int, float, F)) and not"),
    (exponentials, "high = high + ceil(2 * r**EXP_TERMS / factorial(EXP_TERMS) * one)", "high = high"),
    (exponentials, "low * r_low // (one * i)", "quotient_up(low * r_high, one * i)"),
    (
        exponentials,
        "low, high = low * low // one, quotient_up(high * high, one)",
        "low, high = low * low // one, low * low // one",
    ),
    (exponentials, "else Interval(F(one, high), F(one, low))", "else Interval(F(one, low), F(one, low))"),
    (exponentials, "below.high * (1 + 2 * (high - low))", "below.high"),
    (exponentials, "for i in range(EXP_TERMS - 1, 0, -1):", "for i in range(EXP_TERMS - 2, 0, -1):"),
    (logarithms, "high = high + ceil(F(z_high, one) ** ARTANH_TERMS / (1 - z * z) * one)", "high = high"),
    (logarithms, "below.high + (high - low) / low)", "below.high)"),
    (
        logarithms,
        "low * z_low // one + one // (2 * i + 1)",
        "quotient_up(low * z_high, one) + quotient_up(one, 2 * i + 1)",
    ),
    (logarithms, "value + e * 2 * artanh(F(1, 3)) if e else value", "value"),
    (logarithms, "m, e = m / 2, e + 1", "m, e = m / 2, e"),
    (roots, "Interval(sqrt_of(low), sqrt_of(high) + sqrt_step(high))", "Interval(sqrt_of(low), sqrt_of(high))"),
    (
        roots,
        "Interval(sqrt_of(low), sqrt_of(high) + sqrt_step(high))",
        "Interval(sqrt_of(low) + sqrt_step(low), sqrt_of(high) + sqrt_step(high))",
    ),
    (roots, "if top * top == x.numerator and", "if True or"),
    (powers, "x = enclose(x) if n % 2 else abs(enclose(x))", "x = abs(enclose(x))"),
    (powers, 'result = result * x if digit == "1" else result', "result = result * x"),
    (powers, "return exp(y * log(x))", "return exp(log(x) / y)"),
    (powers, "return integer_power(sqrt(x), F(y).numerator)", "return integer_power(sqrt(x), 1)"),
    (constants, "*sorted([sum(terms), sum(terms[:-1])])", "*sorted([sum(terms[:4]), sum(terms[:4])])"),
    (constants, "((16, 5), (-4, 239))", "((16, 5), (4, 239))"),
    (normal, "rest = max(abs(term.low), abs(term.high)) / (1 - share)", "rest = F(0)"),
    (normal, "if share >= 1:", "if share >= 10**9:"),
    (spectra, "eta = eps * (1 + phi) ** 2 + (2 * phi + phi * phi) * max(map(abs, d))", "eta = F(0)"),
    (spectra, "eta = eps * (1 + phi) ** 2 + (2 * phi + phi * phi) * max(map(abs, d))", "eta = eps"),
    (spectra, "phi = ends(delta / (2 * power(enclose(1 - delta), F(3, 2))))[1]", "phi = F(0)"),
    (spectra, "off = phi * (1 + delta)", "off = F(0)"),
    (spectra, "error = ends(steep * eta)[1] if eta else F(0)", "error = F(0)"),
    (spectra, "values = [power(x, s) if x != 0 else F(0) for x in d]", "values = [power(abs(x) + eta, s) for x in d]"),
    (spectra, "error = ends(maximum(F(1), abs(log(low)), abs(log(high))) / low * eta)[1]", "error = F(0)"),
    (
        exact_matrices,
        "if work[k][k] < 0 or work[k][k] == 0 and any(x != 0 for x in work[k][k:]):",
        "if work[k][k] < 0:",
    ),
    (exact_matrices, "        found += 1\n    return found", "        found += 1\n    return len(a)"),
    (exact_matrices, "return is_rational(a) and a == transposed(a)", "return is_rational(a)"),
    (agreement, "F(1, 10**15) * max(abs(F(text)), F(1, 10**30))", "F(1, 10**15)"),
    (agreement, "if condition is not True:", "if not condition:"),
    (classical, "return log(total / sum(p)) / (alpha - 1)", "return log(total / sum(p)) / alpha"),
    (
        classical,
        "return 1 - sum(sqrt(a * b) for a, b in zip(p, q))",
        "return 1 - sum(sqrt(a * a) for a, b in zip(p, q))",
    ),
    (classical, "excess, mass = sum(p[i] for i in s) - delta", "excess, mass = sum(p[i] for i in s) + delta"),
    (
        mechanisms,
        "normal(mu / 2 - epsilon / mu) - exp(epsilon) * normal(-mu / 2 - epsilon / mu)",
        "normal(mu / 2 - epsilon / mu)",
    ),
    (mechanisms, "positive_part(power(r, k - j) - top * power(r, j))", "power(r, k - j) - top * power(r, j)"),
    (mechanisms, "left = delta * (1 + exp(-Interval(low, high)))", "left = delta"),
    (
        mechanisms,
        "term * q * (n - j) / ((1 - q) * (j + 1))) if n > 100",
        "term * q * (n - j) / ((1 - q) * j)) if n > 100",
    ),
    (quantum, "root = matrix_power(b, (1 - alpha) / (2 * alpha))", "root = matrix_power(b, (1 - alpha) / alpha)"),
    (quantum, "return entropy - trace(times(rho, matrix_log(b)))", "return -trace(times(rho, matrix_log(b)))"),
    (
        quantum,
        "sum(positive_part(x) for x in eigenvalues(plus(rho, b, -exp(epsilon))))",
        "sum(eigenvalues(plus(rho, b, -exp(epsilon))))",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("check", "old", "new"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_of_the_library_is_noticed(check, old, new):
    """Inward rounding, a dropped remainder, eta = 0, or another definition; the check of its part notices each."""
    assert SOURCE.count(old) == 1
    with pytest.raises((Exception, SystemExit, pytest.fail.Exception)):
        check(module(SOURCE.replace(old, new)))
