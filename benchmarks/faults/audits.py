"""Faults of exact tests, of the interpolants in place of their probabilities, and of bets."""

from faults.fault import faults_of

EXACT = faults_of(
    "krdtheory/audit/exact_test.py",
    (
        "else 0.0\n    high = betainccinv(count + 1,",
        "else 0.0\n    high = betainccinv(count + 2,",
        "interval: one count more",
    ),
    ("betaincinv(count, n - count + 1, level / 2)", "betaincinv(count, n - count + 1, level)", "interval: lower end"),
    (
        "betainccinv(count + 1, n - count, level / 2)",
        "betainccinv(count + 1, n - count, level)",
        "interval: upper end",
    ),
    ("top * q + square * one_sample * p * q / n", "top * q", "order: two samples where there is one"),
    ("+ 2 * one_sample * gain * p * q / n)", "- 2 * one_sample * gain * p * q / n)", "deviation: sign of a covariance"),
    ("+ gain * gain * q * (1 - q) / m +", "+ gain * q * (1 - q) / m +", "deviation: gain, not its square"),
    (
        "self._supremum(_exp(epsilon), delta) + self._missed * self.level",
        "self._supremum(_exp(epsilon), delta)",
        "p-value: without misses of the interval",
    ),
    ("low, high, _ = self._interval\n        zero", "low = high = self.b / self.m\n        zero", "supremum: at one Q"),
    (
        "clopper_pearson(self.b, self.m, _MISS * self.level)",
        "clopper_pearson(self.b, self.m, 0.5)",
        "interval of Q: half of its coverage",
    ),
    (
        "least = np.minimum.accumulate(least[::-1])[::-1][: len(known)]",
        "least = least[: len(known)]",
        "order: not monotone",
    ),
    (
        "np.where(b <= self.b, np.minimum(least, self.a), least)",
        "np.where(b <= self.b, np.maximum(least, self.a + 1), least)",
        "without the observation",
    ),
    ("np.ceil(p * (self.n + 2) - 1 - 1e-9)", "np.ceil(p * (self.n + 2) - 1 + 1)", "order: one count fewer"),
    ("least = np.where(none - edge >= self._z * unsure, 0, least)", "least = least + 0", "order: without the count 0"),
    (
        "max(known[-1] + 1, self.m - math.ceil(square)), self.m + 1)",
        "self.m, self.m)",
        "order: without the last counts",
    ),
    (
        "if self._least is None or delta >= 1:\n            return 1.0",
        "if self._least is None or delta >= 1:\n            return 0.0",
        "supremum: nothing is extreme",
    ),
    (
        "2 * _CUT * self.level) * (1 + _ROUNDING), 0, 1)",
        "0) * (1 + _ROUNDING), 0, 1)",
        "probability: without what windows omit",
    ),
    ("values + error + 2 * _CUT", "values + 2 * _CUT", "probability: without the error of interpolation"),
    (
        "bound = float(values[:3].max()) + error",
        "bound = float(values[3:4].max(initial=0)) + error",
        "supremum: without the ends",
    ),
    ("bound = max(bound, largest(values[3:], apart) + apart + growth(len(t)) * error)", "pass", "supremum: ends only"),
    ("largest(values[3:], apart) + apart", "values[3:].max() + apart", "supremum: the largest node"),
    ("min((1 - delta) / gain, 1.0)", "1.0", "path: beyond P = 1"),
    ("return max(-delta / gain, 0.0), min(", "return 0.0, min(", "path: before P = 0"),
    (
        "target = ndtri(self.level * (1 - self._missed))\n        low, high, value",
        "target = ndtri(self.level)\n        low, high, value",
        "bounds: without misses of the interval",
    ),
    ("excess <= 0 else (low, value)", "excess <= 0.1 else (low, value)", "bounds: p-values a little above the level"),
    ("target = self.level * (1 - self._missed)", "target = self.level", "corners: without misses of the interval"),
    ("out, excess = found <= target,", "out, excess = found <= 1.2 * target,", "corners: a fifth above the level"),
    ("return q[1:], left\n", "return q[1:], right\n", "corners: the other end"),
    ("return q[1:], left\n", "return q[:-1], left\n", "corners: of the interval before"),
    (
        "found = self._probability(middle, q[:-1])",
        "found = self._probability(middle, q[1:])",
        "corners: at the wrong end",
    ),
    ("return q[1:], np.zeros(count)", "return q[1:], np.ones(count)", "corners: if every outcome is extreme"),
    ("if math.isnan(value):", "if False:", "NaN passes"),
    (
        "before = np.concatenate([np.zeros((len(q), 1)), np.cumsum(weights, axis=1)], axis=1)",
        "before = np.concatenate([np.cumsum(weights, axis=1), np.ones((len(q), 1))], axis=1)",
        "surface: one count too many",
    ),
    (
        "above[:, least[start:stop] - low]",
        "above[:, np.minimum(least[start:stop] - low + 1, above.shape[1] - 1)]",
        "tails: above, not at least",
    ),
    ('side="right").tolist()', 'side="left").tolist()', "tails: counts at the ends of the window"),
    ("if _SPOILT * _EVALUATED", "if 0 * _EVALUATED", "tiny levels: interpolants"),
)

TWO_SIDED = faults_of(
    "krdtheory/audit/two_sided_test.py",
    ("for size in (n, m)))", "for size in (max(n, m),)))", "games: one distribution"),
    ("<= _UNEQUAL * level else", "<= level else", "games: more than coins allow"),
    ("np.clip(rng.binomial(count, 0.5), count - m, n)", "np.clip(count // 2, count - m, n)", "coins: none are thrown"),
    ("_missed: ClassVar[float] = _MISS + _UNEQUAL", "_missed: ClassVar[float] = _MISS", "without unequal coins"),
    ("_one_sample: ClassVar[bool] = True", "_one_sample: ClassVar[bool] = False", "two samples"),
    ("if self.n != self.m:", "if False:", "unequal numbers of games"),
    ("if self.a + self.b > self.n:", "if False:", "more guesses than games"),
    ("self.n - self._interval[2])", "self.n + 0 * self._interval[2])", "trials: with those that count in b"),
    ("np.clip(p / (1 - q), 0, 1), 1.0)", "np.clip(p, 0, 1), 1.0)", "not the conditional probability"),
    ("(1 - delta) / (1 + gain)", "(1 - delta) / gain", "path: beyond R + W = 1"),
    ("return max(-delta / gain, 0.0), (1", "return 0.0, (1", "path: before R = 0"),
    ("terms[1] += within == 0", "terms[1] += 0", "recursion: without the factor p"),
    ("1 - of, k[:-1][of] - 1 + within)", "1 - of, k[:-1][of] + within)", "recursion: one count too many"),
)

INTERPOLATION = faults_of(
    "krdtheory/audit/interpolation.py",
    (
        "modulus = trials * np.log(np.cosh(_REACH * width))",
        "modulus = 0 * _REACH",
        "nodes: no growth at complex angles",
    ),
    ("np.log(np.cosh(_REACH * width))", "np.log(np.cosh(_REACH * width / 8))", "nodes: an eighth of the ellipse"),
    ("math.log(4 / error)", "math.log(4 * error)", "nodes: the inverse error"),
    ("return 1 + 2 / math.pi * math.log(count)", "return 1.0", "errors do not grow"),
    ("out[..., 0] /= 2", "out[..., 0] /= 1", "coefficients: twice the mean"),
    ("/ 2 / math.cos(math.pi / (2 * _DENSE))", "/ 2", "largest: on the points only"),
    (
        "return peak + (float(left[count]) if count < len(left) else 0.0)",
        "return peak",
        "largest: without the last coefficients",
    ),
    ("found[1:] /= 2", "found[1:] /= 4", "largest: half the coefficients"),
    ("error + float(left[count : count + 1].sum())", "error", "surface: without the last coefficients"),
    (
        "np.clip((2 * angle(p) - low - high) / (high - low), -1, 1)",
        "(2 * angle(p) - low - high) / (high - low)",
        "surface: beyond the ends",
    ),
    ("new -= out[m - k : m][::-1]", "new -= out[m - k : m]", "polynomials: in the wrong order"),
)

BETS = faults_of(
    "krdtheory/audit/betting.py",
    (
        "largest = 1 / np.maximum(edge, gain * (1 - at))",
        "largest = 1 / np.minimum(edge, gain * (1 - at))",
        "stakes that can lose more than there is",
    ),
    (
        "np.log1p(-u * edge), np.log1p(-u * gain * (1 - q))",
        "np.log1p(-u * edge) / 2, np.log1p(-u * gain * (1 - q))",
        "half of a loss",
    ),
    ("np.log1p(u * (1 - edge)), np", "np.log1p(u), np", "gains without a price"),
    ("np.log1p(u * gain * q)", "np.log1p(u * gain)", "gains of the other sample"),
    ("edge = gain * q + delta\n    return np.log1p", "edge = gain * q\n    return np.log1p", "without delta"),
    (
        "np.where(p > gain * q + delta, (at - believed)",
        "np.where(p > q, (at - believed)",
        "stakes against what holds",
        "a stake against what holds is 0 or negative, as the nearest point is (p, q) itself",
    ),
    ("believed = at + (q - at) * n / (n + _PRIOR)", "believed = q", "stakes as large for few outputs as for many"),
    (
        "low, high = np.where(rising, low, middle), np.where(rising, middle, high)",
        "low, high = np.where(rising, middle, low), np.where(rising, high, middle)",
        "nearest point: the other way",
    ),
    ("return np.where(p > gain * q + delta, rate, 0.0)", "return rate", "growth where the guarantee holds"),
)

FAULTS = [*EXACT, *TWO_SIDED, *INTERPOLATION, *BETS]

TESTS = {
    "krdtheory/audit/exact_test.py": ("tests/audit/test_exact_test.py", "tests/audit/test_two_sided_test.py"),
    "krdtheory/audit/two_sided_test.py": ("tests/audit/test_two_sided_test.py",),
    "krdtheory/audit/interpolation.py": ("tests/audit/test_interpolation.py",),
    "krdtheory/audit/betting.py": ("tests/audit/test_sequential.py",),
}
