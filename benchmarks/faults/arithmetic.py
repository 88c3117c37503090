"""Faults of what the number systems do for formulas."""

from faults.fault import faults_of

BASE = faults_of(
    "krdtheory/arithmetic/base.py",
    (
        "if (x < 0).any():\n            reject(name, x[x < 0][0]",
        "if False:\n            reject(name, x[x < 0][0]",
        "negative weights",
    ),
    (
        "if nonzero and x.size and not (x > 0).any(-1).all():",
        "if nonzero and x.size and not (x > 0).any():",
        "zero weights in a batch",
    ),
    ("(sigma.values + regularization[..., None], 1)", "(sigma.values, 1)", "pairs: no regularization"),
    (
        "outside = np.where(on[..., None], 0, np.abs(overlap) ** 2)",
        "outside = np.where(on[..., None], np.abs(overlap) ** 2, 0)",
        "pairs: the mass inside for that outside",
    ),
    (
        "included = np.asarray(outside <= (worst * worst + noise) * trace, dtype=bool)",
        "included = np.asarray(outside <= (worst * worst + noise) * trace, dtype=bool) | True",
        "pairs: every support is included",
    ),
    (
        "rank = np.where(included, rank, inside)",
        "rank = rank + 0 * inside",
        "pairs: the rank of rho for that of sigma rho",
    ),
    ("meet = rank - self.rank(", "meet = rank - 0 * self.rank(", "pairs: supports meet in all of rho's"),
    ("if (defect > bound).any():", "if (defect > 1e6 * bound).any():", "matrices that are not Hermitian"),
    (
        'self.parameter(value, "regularization", 0,',
        'self.parameter(value, "regularization", -1,',
        "negative regularization",
    ),
    ("if not 0 <= support_tol < 1:", "if not 0 <= support_tol <= 1:", "a tolerance of 1"),
)

FLOAT64 = faults_of(
    "krdtheory/arithmetic/float64.py",
    (
        "noise = np.where(diagonal, TINY, 4 * n * EPS)",
        "noise = np.where(diagonal, 4 * n * EPS, 4 * n * EPS)",
        "diagonal matrices: small eigenvalues are zero",
    ),
    (
        "values = np.where(values <= (cut * largest)[..., None], 0.0, values)",
        "values = np.where(values <= 0, 0.0, values)",
        "supports: what rounding leaves counts",
    ),
    ("if (values[..., 0] < lowest_allowed).any():", "if False:", "matrices with negative eigenvalues"),
    (
        "return (s > (noise * scale)[..., None]).sum(-1)",
        "return (s > 0 * scale[..., None]).sum(-1)",
        "ranks: what rounding leaves counts",
    ),
    (
        "hard = small < 1e-6 * values.max(-1, initial=0)",
        "hard = small < 0",
        "right singular vectors: to eps of the largest",
    ),
    (
        "hard = (order > 0) & (order < 0.5) & (",
        "hard = (order < 0) & (",
        "graded singular values: to eps of the largest",
    ),
    ("if grade[index] > -600 or order[index] > 0.03:", "if True:", "graded singular values: that underflow"),
    ("outside = ~((x >= low) & (x <= high))", "outside = (x < low) | (x > high)", "parameters: NaN passes"),
)

FAULTS = [*BASE, *FLOAT64]

TESTS = {
    "krdtheory/arithmetic/base.py": (
        *(
            "tests/arithmetic/test_float64.py",
            "tests/divergences/test_classical.py",
            "tests/divergences/test_quantum.py",
        ),
        *("-k", "not (300_pairs or data_processing or thousand)"),
    ),
    "krdtheory/arithmetic/float64.py": (
        "tests/arithmetic/test_float64.py",
        "tests/divergences/test_quantum.py",
        "-k",
        "not (300_pairs or data_processing)",
    ),
}
