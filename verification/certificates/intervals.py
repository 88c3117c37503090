"""What the certificates compute with: exact rationals, and intervals of rationals that are rounded outward.

Only Python's standard library is used. A number is exact, an `int` or a `Fraction`, as long as it is computed
rationally, and an `Interval` with rational ends after that; floats are refused, but for `inf`. Whatever is not decided
raises `Undecided`. Every interval contains the true value: ends are rounded outward to BITS binary digits, and series
are cut with a bound on their remainder. Then come the divergences, each by its definition.
"""

from decimal import Decimal, localcontext
from fractions import Fraction as F
from math import ceil, comb, factorial, floor, inf, isqrt

BITS = 160  # binary digits of the ends of an interval
GUARD = 16  # more of them within a series
EXP_TERMS = BITS // 8  # of exp on [-2^-8, 2^-8]: the remainder is below 2^-BITS
ARTANH_TERMS = BITS // 3  # of artanh on [-1/3, 1/3]: the remainder is below 2^-BITS
NORMAL_TERMS = 400  # of the normal distribution function
EXACT = 20000  # binary digits of a power of a rational; a longer one is an interval


def precision(bits):
    """Use so many binary digits from here on. Certificates hold at any number; with too few they are not decided."""
    global BITS, EXP_TERMS, ARTANH_TERMS
    BITS, EXP_TERMS, ARTANH_TERMS = bits, bits // 8, bits // 3


class Undecided(ArithmeticError):
    """Intervals overlap, so that the answer is not known."""


def check(condition, what):
    """Go on where a condition holds, else stop with exit status 1."""
    if condition is not True:
        raise SystemExit(f"NOT VERIFIED: {what}")
    print("ok:", what)


# Intervals


def lower(x):
    """The largest number of BITS binary digits that is at most x."""
    shift = BITS - abs(x.numerator).bit_length() + x.denominator.bit_length()
    if shift >= 0:
        return F((x.numerator << shift) // x.denominator, 1 << shift)
    return F(x.numerator // (x.denominator << -shift) << -shift)


def upper(x):
    """The smallest number of BITS binary digits that is at least x."""
    return -lower(-x)


class Interval:
    """All numbers from `low` to `high`."""

    def __init__(self, low, high):
        self.low, self.high = lower(low), upper(high)
        if self.low > self.high:
            raise ValueError(f"no interval from {low} to {high}")

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __abs__(self):
        if self.low >= 0:
            return self
        return -self if self.high <= 0 else Interval(F(0), max(-self.low, self.high))

    def __add__(self, other):
        if is_infinite(other):
            return other
        y = enclose(other)
        return Interval(self.low + y.low, self.high + y.high)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if is_exact(other):
            return Interval(*sorted([self.low * other, self.high * other]))
        y = enclose(other)
        products = [a * b for a in (self.low, self.high) for b in (y.low, y.high)]
        return Interval(min(products), max(products))

    def __truediv__(self, other):
        if is_exact(other) and other != 0:
            return self * F(1, other)
        y = enclose(other)
        if y.low <= 0 <= y.high:
            raise ZeroDivisionError("the divisor may be zero")
        return self * Interval(1 / y.high, 1 / y.low)

    def __rtruediv__(self, other):
        return enclose(other) / self

    def __pow__(self, other):
        return power(self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other):
        low, high = ends(other)
        if self.high < low:
            return True
        if self.low >= high:
            return False
        raise Undecided("intervals overlap")

    def __gt__(self, other):
        low, high = ends(other)
        if self.low > high:
            return True
        if self.high <= low:
            return False
        raise Undecided("intervals overlap")

    def __ge__(self, other):
        return not self < other

    def __le__(self, other):
        return not self > other

    def __eq__(self, other):
        low, high = ends(other)
        if self.high < low or high < self.low:
            return False
        if self.low == self.high == low == high:
            return True
        raise Undecided("intervals overlap")

    def __repr__(self):
        return f"[{float(self.low)}, {float(self.high)}]"


def is_infinite(x):
    """Is it one of the two infinities?"""
    return isinstance(x, float) and x in (inf, -inf)


def is_exact(x):
    """Is it a rational?"""
    return isinstance(x, (int, F)) and not isinstance(x, bool)


def enclose(x):
    """A rational as an interval."""
    if isinstance(x, Interval):
        return x
    if not is_exact(x):
        raise TypeError(f"{x!r} is neither a rational nor an interval")
    return Interval(x, x)


def ends(x):
    """The two ends, of an infinity both the same."""
    if is_infinite(x):
        return x, x
    return (F(x), F(x)) if is_exact(x) else (enclose(x).low, enclose(x).high)


def maximum(x, *others):
    """The largest of some numbers, overlapping intervals allowed."""
    for y in others:
        if is_exact(x) and is_exact(y) or is_infinite(x) or is_infinite(y):
            x = y if ends(y)[0] > ends(x)[1] else x
        elif ends(x)[0] <= ends(y)[1]:
            above = ends(y)[0] >= ends(x)[1]
            x = y if above else Interval(max(ends(x)[0], ends(y)[0]), max(ends(x)[1], ends(y)[1]))
    return x


def minimum(x, *others):
    """The smallest of some numbers."""
    return -maximum(-x, *(-y for y in others))


def positive_part(x):
    """max(x, 0)."""
    return maximum(x, F(0))


def agrees(x, text):
    """Is x, to 15 digits, what the program found?"""
    if text in ("inf", "+inf", "-inf"):
        return x == float(text)
    return abs(x - F(text)) <= F(1, 10**15) * max(abs(F(text)), F(1, 10**30))


# Functions


def exp(x):
    """e^x."""
    if is_infinite(x):
        return inf if x > 0 else F(0)
    if is_exact(x) and x == 0:
        return F(1)
    low, high = ends(x)
    if high - low > 1:
        return Interval(exp_of(low).low, exp_of(high).high)
    below = exp_of(low)
    return Interval(below.low, below.high * (1 + 2 * (high - low)))  # e^w <= 1 + 2 w for 0 <= w <= 1


def exp_of(x):
    """e^x of a rational: Taylor's polynomial at r = |x| / 2^k <= 2^-8, whose remainder is in [0, 2 r^n / n!], squared.

    `low` and `high` are integers, multiples of 2^-w, rounded down and up.
    """
    k = max(0, 8 + abs(x.numerator).bit_length() - x.denominator.bit_length() + 1)
    w, r = BITS + k + GUARD, abs(x) / 2**k
    one, r_low, r_high = 1 << w, floor(r * 2**w), ceil(r * 2**w)
    low = high = one
    for i in range(EXP_TERMS - 1, 0, -1):
        low, high = one + low * r_low // (one * i), one + quotient_up(high * r_high, one * i)
    high = high + ceil(2 * r**EXP_TERMS / factorial(EXP_TERMS) * one)
    for _ in range(k):
        low, high = low * low // one, quotient_up(high * high, one)
    return Interval(F(low, one), F(high, one)) if x >= 0 else Interval(F(one, high), F(one, low))


def quotient_up(a, b):
    """a / b, rounded up to an integer."""
    return -(-a // b)


def artanh(z):
    """artanh z of a rational, |z| <= 1/3: z (1 + z^2/3 + z^4/5 + ...), whose remainder is in [0, z^2n / (1 - z^2)].

    `low` and `high` are integers, multiples of 2^-w, rounded down and up.
    """
    w = BITS + GUARD
    one, z_low, z_high = 1 << w, floor(z * z * 2**w), ceil(z * z * 2**w)
    low = high = 0
    for i in range(ARTANH_TERMS - 1, -1, -1):
        low, high = low * z_low // one + one // (2 * i + 1), quotient_up(high * z_high, one) + quotient_up(one, 2 * i + 1)
    high = high + ceil(F(z_high, one) ** ARTANH_TERMS / (1 - z * z) * one)
    return Interval(F(low, one), F(high, one)) * z


def log(x):
    """Logarithm of a number >= 0; log 0 = -inf."""
    if is_infinite(x) and x > 0:
        return inf
    if is_exact(x) and x in (0, 1):
        return -inf if x == 0 else F(0)
    low, high = ends(x)
    if low <= 0:
        raise ValueError("the logarithm of a number that may not be positive")
    below = log_of(low)
    return Interval(below.low, below.high + (high - low) / low)  # log(1 + w) <= w


def log_of(x):
    """log x of a rational x > 0: e log 2 + 2 artanh((m - 1) / (m + 1)), x = 2^e m and 2/3 <= m <= 4/3."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / F(2) ** e
    if m > F(4, 3):
        m, e = m / 2, e + 1
    elif m < F(2, 3):
        m, e = m * 2, e - 1
    value = 2 * artanh((m - 1) / (m + 1))
    return value + e * 2 * artanh(F(1, 3)) if e else value


def sqrt(x):
    """Square root of a number >= 0, rational where it can be."""
    if is_infinite(x):
        return x
    if is_exact(x) and x >= 0:
        x = F(x)
        top, bottom = isqrt(x.numerator), isqrt(x.denominator)
        if top * top == x.numerator and bottom * bottom == x.denominator:
            return F(top, bottom)
    low, high = ends(x)
    if low < 0:
        raise ValueError("the square root of a number that may be negative")
    return Interval(sqrt_of(low), sqrt_of(high) + sqrt_step(high))


def sqrt_step(x):
    """A step 2^-s, so that the square root of x has at least BITS binary digits before it."""
    return F(2) ** ((x.numerator.bit_length() - x.denominator.bit_length()) // 2 - BITS)


def sqrt_of(x):
    """The largest multiple of `sqrt_step` whose square is at most x."""
    step = sqrt_step(x)
    scaled = x / (step * step)
    return isqrt(scaled.numerator // scaled.denominator) * step


def power(x, y):
    """x^y, of x >= 0 or an integer y. 0^0 = 1."""
    if is_exact(y) and F(y).denominator == 1:
        return integer_power(x, int(y))
    if is_exact(x) and x == 0:
        if ends(y)[0] <= 0:
            raise ValueError("0 to a power that may not be positive")
        return F(0)
    if is_exact(y) and F(y).denominator == 2:
        return integer_power(sqrt(x), F(y).numerator)
    return exp(y * log(x))


def integer_power(x, n):
    """x^n."""
    if n < 0:
        return 1 / integer_power(x, -n)
    if is_exact(x):
        x = F(x)
        if n * (x.numerator.bit_length() + x.denominator.bit_length()) <= EXACT:
            return x**n
    x = enclose(x) if n % 2 else abs(enclose(x))
    result = enclose(1)
    for digit in bin(n)[2:]:
        result = result * result
        result = result * x if digit == "1" else result
    return result


def pi():
    """Machin: 16 arctan(1/5) - 4 arctan(1/239), alternating series cut after their first terms."""
    total = F(0)
    for factor, n in ((16, 5), (-4, 239)):
        terms = [F((-1) ** i, (2 * i + 1) * n ** (2 * i + 1)) for i in range(BITS // 4)]
        total = total + factor * Interval(*sorted([sum(terms), sum(terms[:-1])]))
    return total


def normal(x):
    """The normal distribution function: 1/2 + e^(-x^2/2) / sqrt(2 pi) (x + x^3/3 + x^5/(3 5) + ...)."""
    x = enclose(x)
    square, term, total = x * x, x, enclose(0)
    for i in range(NORMAL_TERMS):
        total, term = total + term, term * square / (2 * i + 3)
    share = square.high / (2 * NORMAL_TERMS + 3)  # of a term in the one before, at most, from here on
    if share >= 1:
        raise Undecided("too few terms")
    rest = max(abs(term.low), abs(term.high)) / (1 - share)
    return F(1, 2) + exp(-square / 2) / sqrt(2 * pi()) * (total + Interval(-rest, rest))


# Divergences of p and q, lists of weights, by their definitions


def renyi(p, q, alpha):
    """log(sum p^alpha q^(1 - alpha) / sum p) / (alpha - 1)."""
    if alpha == inf:
        return max_divergence(p, q)
    pairs = [(a, b) for a, b in zip(p, q) if a != 0]
    if alpha > 1 and any(b == 0 for _, b in pairs):
        return inf
    total = sum(power(a, alpha) * power(b, 1 - alpha) for a, b in pairs if b != 0)
    return log(total / sum(p)) / (alpha - 1)


def kl(p, q):
    """sum p log(p / q)."""
    pairs = [(a, b) for a, b in zip(p, q) if a != 0]
    return inf if any(b == 0 for _, b in pairs) else sum(a * log(a / b) for a, b in pairs)


def max_divergence(p, q):
    """log max p / q."""
    pairs = [(a, b) for a, b in zip(p, q) if a != 0]
    return inf if any(b == 0 for _, b in pairs) else log(maximum(*(a / b for a, b in pairs)))


def hockey_stick(p, q, epsilon):
    """sum (p - e^epsilon q)_+."""
    return sum(positive_part(a - exp(epsilon) * b) for a, b in zip(p, q))


def total_variation(p, q):
    """sum |p - q| / 2."""
    return sum(abs(a - b) for a, b in zip(p, q)) / 2


def hellinger(p, q):
    """1 - sum sqrt(p q)."""
    return 1 - sum(sqrt(a * b) for a, b in zip(p, q))


def events(p):
    """All sets of letters."""
    return [[i for i in range(len(p)) if s >> i & 1] for s in range(1 << len(p))]


def approximate_max_divergence(p, q, *, delta):
    """log max (p(S) - delta) / q(S) over the sets S with p(S) > delta; -inf where there is none."""
    largest = F(0)
    for s in events(p):
        excess, mass = sum(p[i] for i in s) - delta, sum(q[i] for i in s)
        if excess > 0:
            if mass == 0:
                return inf
            largest = maximum(largest, excess / mass)
    return log(largest)


def smooth_renyi(p, q, alpha, *, delta):
    """Of order infinity: the positive part of the delta-approximate max divergence, for sums of p and q of 1."""
    if alpha != inf or sum(p) != 1 or sum(q) != 1:
        raise ValueError("only of order infinity, for distributions")
    return positive_part(approximate_max_divergence(p, q, delta=delta))


# Of mechanisms


def gdp_to_rdp(*, mu, alpha):
    """alpha mu^2 / 2."""
    return alpha * mu * mu / 2


def gdp_to_delta(*, mu, epsilon):
    """Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)."""
    return normal(mu / 2 - epsilon / mu) - exp(epsilon) * normal(-mu / 2 - epsilon / mu)


def binomial_outside(n, q, low, high):
    """P(X < low or X > high) of X ~ Bin(n, q)."""
    n = int(n)
    if q == 1:
        return F(int(n < low or n > high))
    total, term = F(0), power(1 - q, n)  # term is C(n, j) q^j (1 - q)^(n - j)
    for j in range(n + 1):
        if j < low or j > high:
            total = total + term
        term = enclose(term * q * (n - j) / ((1 - q) * (j + 1))) if n > 100 else term * q * (n - j) / ((1 - q) * (j + 1))
    return total


def optimal_composition_delta(*, epsilon, delta, k, total_epsilon):
    """Of k mechanisms, by k randomised responses: 1 - (1 - delta)^k (1 - E), with E the divergence at e^total_epsilon.

    E is sum over l of C(k, l) (e^((k - l) epsilon) - e^(total_epsilon + l epsilon))_+ / (1 + e^epsilon)^k.
    """
    k, r, top = int(k), exp(epsilon), exp(total_epsilon)
    terms = [comb(k, j) * positive_part(power(r, k - j) - top * power(r, j)) for j in range(k + 1)]
    return 1 - power(1 - delta, k) * (1 - sum(terms) / power(1 + r, k))


def rdp_to_approximate_dp(*, alpha, epsilon, delta, two_sided=False, nonnegative=False):
    """The least epsilon at delta of all pairs whose divergence of order alpha is at most epsilon, where alpha delta >= 1.

    The worst pair then is (1, 0) and (e^-epsilon, 1 - e^-epsilon); in both orders it is randomised response of odds
    e^u, u the root of D_alpha = epsilon, and the result the positive part of u + log(1 - delta (1 + e^-u)).
    """
    if not (alpha > 1 and alpha * delta >= 1):
        raise ValueError("only where alpha delta >= 1")
    value = epsilon + log(1 - delta)
    if two_sided:
        low, high = F(0), F(1)
        while response(high, alpha) < epsilon:
            low, high = high, 2 * high
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if response(middle, alpha) < epsilon else (low, middle)
        left = delta * (1 + exp(-Interval(low, high)))
        value = positive_part(log(1 - left) + Interval(low, high)) if left < 1 else F(0)
    return positive_part(value) if nonnegative else value


def response(u, alpha):
    """D_alpha of randomised response of odds e^u."""
    p = 1 / (1 + exp(-u))
    return renyi([p, 1 - p], [1 - p, p], alpha)


def subgaussian_bounds(p, q):
    """Bounds of sup 2 K(s) / s^2, K(s) = log E e^(s X), X = L - E L, L = log(p / q) under p, which have one support.

    The lower one is the largest value at s = +-m 2^i, m from 8 to 15, i from -12 to 0. K is convex, and between
    neighbours below its chord, which loses 289/288; below 2^-9 it is at most the variance, which grows by
    e^(range / 512), and above 15 it is at most 2 range / 15.
    """
    pairs = [(a, log(a / b)) for a, b in zip(p, q) if a != 0]
    mean = sum(a * x for a, x in pairs)
    centred = [(a, x - mean) for a, x in pairs]
    slopes = [F(sign * m) * F(2) ** i for sign in (-1, 1) for i in range(-12, 1) for m in range(8, 16)]
    lower = maximum(*(2 * log(sum(a * exp(s * x) for a, x in centred)) / (s * s) for s in slopes))
    width = max_divergence(p, q) + max_divergence(q, p)
    ends = maximum(sum(a * x * x for a, x in centred) * exp(width / 512), 2 * width / 15)
    return [lower, maximum(lower * F(289, 288), ends)]


# Symmetric matrices, lists of rows


def transposed(a):
    """The transposed matrix."""
    return [list(column) for column in zip(*a)]


def times(a, b):
    """Matrix product."""
    columns = transposed(b)
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def plus(a, b, factor=1):
    """a + factor b."""
    return [[x + factor * y for x, y in zip(*rows)] for rows in zip(a, b)]


def identity(n):
    """The identity matrix."""
    return [[F(int(i == j)) for j in range(n)] for i in range(n)]


def trace(a):
    """Sum of the diagonal."""
    return sum(a[i][i] for i in range(len(a)))


def is_rational(a):
    """Are all entries rationals?"""
    return all(is_exact(x) for row in a for x in row)


def is_diagonal(a):
    """Are all entries off the diagonal exactly zero?"""
    return all(is_exact(x) and x == 0 for i, row in enumerate(a) for j, x in enumerate(row) if i != j)


def is_symmetric(a):
    """Is a rational matrix its own transpose?"""
    return is_rational(a) and a == transposed(a)


def rank(a):
    """Rank of a rational matrix, by elimination."""
    if not is_rational(a):
        raise Undecided("the rank of a matrix that is not rational")
    rows, found = [list(map(F, row)) for row in a], 0
    for column in range(len(a[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


def is_semidefinite(a):
    """Is a rational matrix symmetric and positive semidefinite? By elimination, a = L D L^T."""
    if not is_symmetric(a):
        return False
    work = [list(row) for row in a]
    for k in range(len(a)):
        if work[k][k] < 0 or work[k][k] == 0 and any(x != 0 for x in work[k][k:]):
            return False
        for i in range(k + 1, len(a) if work[k][k] != 0 else 0):
            factor = work[i][k] / work[k][k]
            work[i] = [x - factor * y for x, y in zip(work[i], work[k])]
    return True


def contains(a, b):
    """Is the range of a rational matrix b within that of a?"""
    return rank(a) == rank([list(x) + list(y) for x, y in zip(a, b)])


def rotations(a):
    """About the eigenvectors, by Jacobi's rotations in decimals: a guess, of which nothing is believed."""
    n = len(a)
    with localcontext() as context:
        context.prec = BITS // 3 + 7
        middle = [[sum(ends(x)) / 2 for x in row] for row in a]
        m = [[Decimal(F(x).numerator) / Decimal(F(x).denominator) for x in row] for row in middle]
        v = [[Decimal(int(i == j)) for j in range(n)] for i in range(n)]
        for _ in range(8 + BITS // 160):
            for i in range(n):
                for j in range(i):
                    if m[i][j] == 0:
                        continue
                    w = (m[i][i] - m[j][j]) / (2 * m[i][j])
                    t = (1 if w >= 0 else -1) / (abs(w) + (w * w + 1).sqrt())
                    c = 1 / (t * t + 1).sqrt()
                    s = t * c
                    for rows in (m, v):
                        for row in rows:
                            row[i], row[j] = c * row[i] + s * row[j], c * row[j] - s * row[i]
                    m[i], m[j] = (
                        [c * x + s * y for x, y in zip(m[i], m[j])],
                        [c * y - s * x for x, y in zip(m[i], m[j])],
                    )
        return [[F(x) for x in row] for row in v]


def norm(a):
    """An upper bound of the Frobenius norm."""
    return ends(sqrt(enclose(sum(enclose(x) * enclose(x) for row in a for x in row)).high))[1]


def diagonalised(a, zeros=0):
    """Rational d, a matrix of intervals and a rational eta with a = W (diag(d) + E) W^T, |E| <= eta in Frobenius norm.

    W is orthogonal and lies in the intervals. With V the guess, G = V^T V, M = V^T A V, |G - 1| <= delta < 1 and
    |M - diag(d)| <= eps, W = V G^(-1/2) is orthogonal, |G^(-1/2) - 1| <= phi = delta / (2 (1 - delta)^(3/2)), so that
    W^T A W = G^(-1/2) M G^(-1/2) is diag(d) but for eps (1 + phi)^2 + (2 phi + phi^2) max |d|, and
    |W - V| <= phi (1 + delta). The `zeros` smallest d are replaced by 0.
    """
    n = len(a)
    if is_diagonal(a) and is_rational(a):
        d, w, eta = [a[i][i] for i in range(n)], identity(n), F(0)
    else:
        v = [[enclose(x) for x in row] for row in rotations(a)]
        m = times(transposed(v), times(a, v))
        d = [lower(sum(ends(m[i][i])) / 2) for i in range(n)]
        delta = norm(plus(times(transposed(v), v), identity(n), -1))
        if delta >= F(1, 2):
            raise Undecided("the eigenvectors are not orthogonal")
        phi = ends(delta / (2 * power(enclose(1 - delta), F(3, 2))))[1]
        eps = norm(plus(m, [[d[i] * (i == j) for j in range(n)] for i in range(n)], -1))
        eta = eps * (1 + phi) ** 2 + (2 * phi + phi * phi) * max(map(abs, d))
        off = phi * (1 + delta)
        w = [[x + Interval(-off, off) for x in row] for row in v]
    for i in sorted(range(n), key=lambda i: abs(d[i]))[:zeros]:
        eta, d[i] = eta + abs(d[i]), F(0)
    return d, w, upper(eta)


def eigenvalues(a, zeros=0):
    """The eigenvalues, ascending (Weyl: they are within eta of d); the `zeros` smallest in modulus are 0."""
    d, _, eta = diagonalised(a, zeros)
    if eta == 0:
        return sorted(d)
    exact = [0] * zeros if zeros else []
    others = sorted(range(len(d)), key=lambda i: abs(d[i]))[zeros:]
    if zeros and any(abs(d[i]) <= 2 * eta for i in others):
        raise Undecided("which eigenvalues are zero")
    values = [(d[i], Interval(d[i] - eta, d[i] + eta)) for i in others] + [(F(0), F(x)) for x in exact]
    return [x for _, x in sorted(values, key=lambda pair: pair[0])]


def kernel(a):
    """The dimension of the kernel: exact of a rational matrix; of another one it is taken to be 0."""
    return len(a) - rank(a) if is_rational(a) else 0


def positive(a, zeros=None):
    """The eigenvalues of a positive semidefinite matrix that are not 0, and that it is one."""
    values = eigenvalues(a, kernel(a) if zeros is None else zeros)
    if not all(is_exact(x) and x == 0 or x > 0 for x in values):
        raise Undecided("whether a matrix is positive semidefinite")
    return [x for x in values if not is_exact(x) or x != 0]


def matrix_power(a, s, zeros=None):
    """a^s of a positive semidefinite matrix, 0^s = 0; `zeros` is the dimension of its kernel where that is known.

    W d^s W^T but for L eta: on 0 and [low, high] x^s is Lipschitz with L = max(1, |s|) max(low^(s-1), high^(s-1)).
    """
    if is_semidefinite(a) and is_exact(s) and s in range(1, 9):
        product = a
        for _ in range(int(s) - 1):
            product = times(product, a)
        return product
    zeros = kernel(a) if zeros is None else zeros
    d, w, eta = diagonalised(a, zeros)
    on = [x for x in d if x != 0]
    if any(x <= 2 * eta for x in on):
        raise Undecided("whether a matrix is positive semidefinite")
    values = [power(x, s) if x != 0 else F(0) for x in d]
    low, high = min(on) - eta, max(on) + eta
    steep = maximum(power(low, s - 1), power(high, s - 1)) * maximum(F(1), abs(s))
    error = ends(steep * eta)[1] if eta else F(0)
    around = Interval(-error, error) if eta else F(0)
    made = times(w, [[x * y for y in row] for x, row in zip(values, transposed(w))])
    return [[x + around for x in row] for row in made]


# What matrices and distributions are made of


def covariance(phi, p):
    """sum p(x) phi(x) phi(x)^T, of rows phi."""
    n = len(phi[0])
    return [[sum(w * v[i] * v[j] for w, v in zip(p, phi)) for j in range(n)] for i in range(n)]


def tensor(x, y):
    """Row by row, the products of all entries of x with all of y."""
    return [[a * b for a in u for b in v] for u, v in zip(x, y)]


def pulled(psi, g):
    """The rows psi[g[0]], psi[g[1]], ..."""
    return [psi[int(i)] for i in g]


def kron(x, y):
    """Kronecker product of matrices."""
    return [[a * b for a in u for b in v] for u in x for v in y]


def direct_sum(x, y):
    """Block diagonal matrix."""
    return [[*row, *[F(0)] * len(y)] for row in x] + [[*[F(0)] * len(x), *row] for row in y]


def compressed(x, isometry):
    """V^T X V."""
    return times(transposed(isometry), times(x, isometry))


def conjugated(x, unitary):
    """U X U^T."""
    return times(unitary, times(x, transposed(unitary)))


def product(p, q):
    """The product of two distributions."""
    return [a * b for a in p for b in q]


def through(p, kernel):
    """The image of p under a Markov kernel, a row for each point."""
    return [sum(a * b for a, b in zip(p, column)) for column in transposed(kernel)]


def log_mixture(part, x, y):
    """log(part e^x + (1 - part) e^y)."""
    return log(part * exp(x) + (1 - part) * exp(y))


# Divergences of positive semidefinite matrices, by their definitions


def occupied(rho, sigma):
    """Both matrices without the rows and columns that are zero in both, which contribute nothing."""
    zero = [all(is_exact(x) and x == 0 for x in [*a, *b]) for a, b in zip(rho, sigma)]
    kept = [i for i, empty in enumerate(zero) if not empty]
    return [[[a[i][j] for j in kept] for i in kept] for a in (rho, sigma)]


def sandwiched_renyi(rho, sigma, alpha, regularization=0):
    """log(tr (B^s rho B^s)^alpha / tr rho) / (alpha - 1), s = (1 - alpha) / (2 alpha), B = sigma + regularization."""
    rho, sigma = occupied(rho, sigma)
    b = plus(sigma, identity(len(sigma)), regularization)
    if alpha > 1 and not contains(b, rho):
        return inf
    root = matrix_power(b, (1 - alpha) / (2 * alpha))
    inner = times(root, times(rho, root))
    values = positive(inner, kernel(times(rho, b)))
    return log(sum(power(x, alpha) for x in values) / trace(rho)) / (alpha - 1)


def petz_renyi(rho, sigma, alpha, regularization=0):
    """log(tr rho^alpha B^(1 - alpha) / tr rho) / (alpha - 1), B = sigma + regularization."""
    rho, sigma = occupied(rho, sigma)
    b = plus(sigma, identity(len(sigma)), regularization)
    if alpha > 1 and not contains(b, rho):
        return inf
    moment = trace(times(matrix_power(rho, alpha), matrix_power(b, 1 - alpha)))
    return log(moment / trace(rho)) / (alpha - 1)


def maximal_renyi(rho, sigma, alpha, regularization=0):
    """log(tr B (B^(-1/2) rho B^(-1/2))^alpha / tr rho) / (alpha - 1), B = sigma + regularization, for rho within B."""
    rho, sigma = occupied(rho, sigma)
    b = plus(sigma, identity(len(sigma)), regularization)
    if not contains(b, rho):
        if alpha > 1:
            return inf
        raise Undecided("the maximal divergence of supports that are not within one another")
    root = matrix_power(b, F(-1, 2))
    inner = times(root, times(rho, root))
    moment = trace(times(b, matrix_power(inner, alpha, kernel(rho))))
    return log(moment / trace(rho)) / (alpha - 1)


def quantum_relative_entropy(rho, sigma, regularization=0):
    """tr rho (log rho - log B), B = sigma + regularization."""
    rho, sigma = occupied(rho, sigma)
    b = plus(sigma, identity(len(sigma)), regularization)
    if not contains(b, rho):
        return inf
    entropy = sum(x * log(x) for x in positive(rho))
    return entropy - trace(times(rho, matrix_log(b)))


def matrix_log(a):
    """log a of a positive semidefinite matrix, on its range; 0 elsewhere.

    W log(d) W^T but for L eta: on 0 and [low, high] the function is Lipschitz with L = max(1, |log low|, |log high|) / low.
    """
    d, w, eta = diagonalised(a, kernel(a))
    on = [x for x in d if x != 0]
    if any(x <= 2 * eta for x in on):
        raise Undecided("whether a matrix is positive semidefinite")
    low, high = min(on) - eta, max(on) + eta
    error = ends(maximum(F(1), abs(log(low)), abs(log(high))) / low * eta)[1]
    values = [log(x) if x != 0 else F(0) for x in d]
    made = times(w, [[x * y for y in row] for x, row in zip(values, transposed(w))])
    return [[x + Interval(-error, error) for x in row] for row in made] if eta else made


def max_relative_entropy(rho, sigma, regularization=0):
    """log of the largest eigenvalue of B^(-1/2) rho B^(-1/2), B = sigma + regularization."""
    rho, sigma = occupied(rho, sigma)
    b = plus(sigma, identity(len(sigma)), regularization)
    if not contains(b, rho):
        return inf
    root = matrix_power(b, F(-1, 2))
    return log(maximum(*eigenvalues(times(root, times(rho, root)))))


def quantum_hockey_stick(rho, sigma, epsilon, regularization=0):
    """tr (rho - e^epsilon B)_+, B = sigma + regularization."""
    b = plus(sigma, identity(len(sigma)), regularization)
    return sum(positive_part(x) for x in eigenvalues(plus(rho, b, -exp(epsilon))))


def trace_distance(rho, sigma, regularization=0):
    """tr |rho - B| / 2, B = sigma + regularization."""
    b = plus(sigma, identity(len(sigma)), regularization)
    return sum(abs(x) for x in eigenvalues(plus(rho, b, -1))) / 2


def eigvalsh(a):
    """Eigenvalues, ascending; those of a rational matrix that are 0 are exact."""
    return eigenvalues(a, kernel(a))


def sqrtm(a):
    """Positive semidefinite square root."""
    return matrix_power(a, F(1, 2))
