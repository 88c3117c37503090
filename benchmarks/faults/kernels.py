"""Faults of kernels, of their covariance operators and of kernel divergences."""

from faults.fault import faults_of

KERNELS = faults_of(
    "krdtheory/kernels/kernels.py",
    ("values /= -(mantissa**2)", "values /= -mantissa", "rbf: over the bandwidth, not its square"),
    ("np.ldexp(values, 2 * (scale - int(exponent))", "np.ldexp(values, scale - int(exponent)", "rbf: half the scale"),
    ("max(int(exponent), _exponent(x, y) - ROOM)", "int(exponent)", "rbf: squares that overflow"),
    ('"cityblock") / float(k.bandwidth))', '"euclidean") / float(k.bandwidth))', "laplacian: Euclidean"),
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

FAULTS = [*KERNELS, *COVARIANCE]

TESTS = {
    "krdtheory/kernels/kernels.py": ("tests/kernels/test_kernels.py",),
    "krdtheory/kernels/covariance.py": (
        "tests/kernels/test_covariance.py",
        "tests/kernels/test_renyi.py",
        "-k",
        "not accuracy_marks",
    ),
}
