"""Faults of kernels, of their covariance operators and of kernel divergences."""

from faults.fault import faults_of

KERNELS = faults_of(
    "krdtheory/kernels/kernels.py",
    ('"sqeuclidean") / mantissa**2', '"sqeuclidean") / mantissa', "rbf: over the bandwidth, not its square"),
    (
        "np.exp(-np.ldexp(squares, 2 * (scale - int(exponent))))",
        "np.exp(-np.ldexp(squares, scale - int(exponent)))",
        "rbf: half the scale",
    ),
    ("max(int(exponent), _exponent(x, y) - ROOM)", "int(exponent)", "rbf: squares that overflow"),
    ('"cityblock") / float(self.bandwidth))', '"euclidean") / float(self.bandwidth))', "laplacian: Euclidean"),
    (
        "right = left if same else self._diagonal(ar, y)",
        "right = left[: len(y)] if len(left) >= len(y) else self._diagonal(ar, y)",
        "normalised by the other sample",
    ),
    ("if not excess <= 1 + 1e-8:", "if excess > 1e8:", "kernels above 1"),
    ("if same and self.kernel not in ALWAYS_POSITIVE:", "if False:", "kernels that are not positive definite"),
    ("bad = [d for d in diagonal if not 0 < d < ar.inf]", "bad = [d for d in diagonal if d < 0]", "k(x, x) = 0"),
    (
        'self.kernel == "rbf" else -abs(scaled).sum())',
        'self.kernel == "rbf" else -(scaled * scaled).sum())',
        "multiprecision laplacian: rbf",
    ),
    ('self.params.get("coef0", 1)', 'self.params.get("coef0", 0)', "multiprecision polynomial: coef0 = 0"),
    ("out = values if out is None else out * values", "out = values", "product kernels: the last factor"),
    ("scaled = np.median(cdist(u, v))", "scaled = np.mean(cdist(u, v))", "bandwidth: the mean distance"),
    (
        "scaled = np.median(pdist(np.concatenate([u, v])))",
        "scaled = np.median(cdist(np.concatenate([u, v]), np.concatenate([u, v])))",
        "bandwidth: with distances of points to themselves",
    ),
    ("if not 0 < median < np.inf:", "if not 0 <= median < np.inf:", "bandwidth 0"),
    ("if skew > 1e-8:", "if skew > 1e8:", "kernels that are not symmetric"),
)

COVARIANCE = faults_of(
    "krdtheory/kernels/covariance.py",
    ("totals[index[key]][which] += weight", "totals[index[key]][which] = weight", "repeated points: the last weight"),
    ("totals[index[key]][which] += weight", "totals[index[key]][0] += weight", "weights of q on p"),
    (
        "if not weight > 0:",
        "if not weight >= 0:",
        "points of weight 0 are kept",
    ),
    ("uniform = Fraction(1, len(x))", "uniform = Fraction(1, len(x) + 1)", "uniform weights of sum below 1"),
    ("return out, table[:, 0], table[:, 1]", "return out, table[:, 1], table[:, 0]", "p and q exchanged"),
)

RENYI = faults_of(
    "krdtheory/kernels/renyi.py",
    ("w / trace, v, trace, p.kernel", "w / trace, v / trace, trace, p.kernel", "q divided by the sum of p"),
    (
        "if ar is not FLOAT64 else float) + ar.log(self.trace)",
        "if ar is not FLOAT64 else float)",
        "p of another sum than 1",
    ),
    (
        "if lam == 0 and alpha >= 1 and not self.included:",
        "if lam == 0 and alpha > 1 and not self.included:",
        "order 1, q = 0 < p: finite",
    ),
    (
        "if self.support_tol is None:\n                raise ValueError(",
        "if False:\n                raise ValueError(",
        "kernels that are not strictly positive: guessed",
    ),
    ("alpha >= 1.05 and lam >= SMALLEST_FAST_LAMBDA", "alpha >= 1.05 and lam > 0", "the n x n form at any lambda"),
    (
        "alpha >= 1.05 and lam >= SMALLEST_FAST_LAMBDA",
        "alpha != 1 and lam >= SMALLEST_FAST_LAMBDA",
        "the n x n form at any order",
    ),
    ("return entropy - ar.log(lam) - (", "return entropy - (", "order 1: without log lambda"),
    (
        "s = -1 if alpha == ar.inf else (1 - alpha) / alpha\n        base",
        "s = 1 if alpha == ar.inf else (1 - alpha) / alpha\n        base",
        "n x n: order infinity",
    ),
    (
        "h = _divided(base * ar.expm1(s * ar.log1p(values / lam)), values, s * base / lam)",
        "h = _divided(base * ar.expm1(s * ar.log1p(values / lam)), values, 0)",
        "n x n: h(0) = 0",
    ),
    (
        "sandwich = base * kxx + sign * (scaled @ scaled.T)",
        "sandwich = base * kxx - sign * (scaled @ scaled.T)",
        "n x n: a sign",
    ),
    (
        "return 2 * ar.log(size) + ar.log(((sandwich / size) ** 2).sum())",
        "return ar.log(size) + ar.log(((sandwich / size) ** 2).sum())",
        "order 2: scaled once",
    ),
    (
        "return (alpha * peak + ar.log(power)) / (alpha - 1)",
        "return (peak + ar.log(power)) / (alpha - 1)",
        "n x n: the peak to the power 1",
    ),
    (
        "embedding = replace(embedding, b=embedding.b + lam)",
        "embedding = replace(embedding, b=embedding.b)",
        "embedding: no regularization",
    ),
    (
        "return replace(e, included=np.ones_like(e.included), rank=rank)",
        "return replace(e, rank=rank)",
        "embedding: regularized supports are not included",
    ),
    ("rank = int(self.y.sum()) if known else", "rank = len(b) if known else", "embedding: the rank of q"),
    ("included = self.included or (", "included = True or (", "embedding: every support included"),
    (
        "ERROR_FACTOR * change + problem.rounding(estimate, regularization)",
        "problem.rounding(estimate, regularization)",
        "error: of the last sum alone",
    ),
    (
        "difference = np.where(other == estimate, 0.0, np.abs(other - estimate))",
        "difference = np.where(other == estimate, 0.0, other - estimate)",
        "error: of one sign",
    ),
    ("for _ in range(3):\n        other", "for _ in range(0):\n        other", "error: no recomputation"),
    (
        "units = np.where(self.gram == 0, 0, 1 - np.log(",
        "units = np.where(self.gram == 0, 0, 0 * np.log(",
        "error: Gram entries are exact",
    ),
    (
        "if not column[0] > 0 or np.abs(column).max() > 2 * column[0]:",
        "if not column[0] > 0:",
        "factor: rounding as a column",
    ),
    ("rest[k:, k:end] = subtract(", "subtract(", "factor: blocks after the first"),
)

FAULTS = [*KERNELS, *COVARIANCE, *RENYI]

TESTS = {
    "krdtheory/kernels/kernels.py": ("tests/kernels/test_kernels.py",),
    "krdtheory/kernels/covariance.py": (
        "tests/kernels/test_covariance.py",
        "tests/kernels/test_renyi.py",
        "-k",
        "not accuracy_marks",
    ),
    "krdtheory/kernels/renyi.py": ("tests/kernels/test_renyi.py", "tests/kernels/test_error_estimates.py"),
}
