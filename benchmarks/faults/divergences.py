"""Faults of classical, quantum and smooth divergences and of k-cuts."""

from faults.fault import faults_of

FLOAT64 = faults_of(
    "krdtheory/arithmetic/float64.py",
    ("for n in range(31, 2, -2):", "for n in range(9, 2, -2):", "tangent: a short series"),
)

CLASSICAL = faults_of(
    "krdtheory/divergences/classical.py",
    ("near + 0, value))", "value, value))", "renyi: what is lost as alpha falls to 0"),
    ("(np.where(low, order, 0) - 1)", "(1 - np.where(low, order, 0))", "renyi: the sign below order 1/2"),
    (
        "(np.where(u > 0, part - u, 0 * v) / scale)",
        "((part - u) / scale)",
        "renyi: q off the support of p counts at small orders",
    ),
    ("np.where(alpha > ar.last_order, ar.inf, alpha)", "alpha", "renyi: orders beyond floats"),
    ("plain = (alpha != 1) & (alpha != ar.inf)", "plain = alpha != ar.inf", "renyi: order 1 is no limit"),
    ("value = np.where(alpha == 1, at_one, value)", "value = np.where(alpha == 1, value, value)", "renyi: no order 1"),
    ("= deviation / total, at_one / total", "= deviation, at_one", "renyi: p not normalised"),
    ("(ar.log(largest) + ar.log(total))[..., None]", "ar.log(largest)[..., None]", "renyi: of log-sum-exp too"),
    (
        "np.where(on, ratios, -ar.inf).max(-1)",
        "np.where(on, ratios, ar.inf).min(-1)",
        "renyi: of order infinity, the least ratio",
    ),
    (
        "np.where(on, ratios, -ar.inf).max(-1)",
        "ratios.max(-1)",
        "renyi: of order infinity, 0 off the support of p",
    ),
    (
        "value = np.where((top == ar.inf) & (shift > 0), ar.inf, value)",
        "",
        "renyi: finite where q = 0 < p",
        "the sum of exponentials is infinite there by itself",
    ),
    (
        "np.logical_not(overflow) & (deviation > -0.5)",
        "np.logical_not(overflow)",
        "renyi: cancellation where supports hardly meet",
    ),
    (
        "return ratio if whole else np.where((p > 0) & (q == 0), ar.inf, ",
        "return ratio if whole else np.where((p < 0) & (q == 0), ar.inf, ",
        "log ratio: 0 for 1 / 0",
    ),
    ("close = (x / 2 < y) & (y / 2 < x)\n", "close = (x < 0) & (y < 0)\n", "log ratio: of near weights by logarithms"),
    ("np.maximum(gap, 0 * x[..., :1])", "abs(gap)", "hockey stick: the absolute value"),
    (
        "above = shifted > ar.max_exponent",
        "above = shifted < -ar.inf",
        "hockey stick: a product that overflows",
        "infinity is subtracted then, and the positive part is 0 all the same",
    ),
    ("where(y > 0, e + ar.log(", "where(y > 0, -e + ar.log(", "hockey stick: -epsilon where e^epsilon overflows"),
    (
        "lambda ar, x, y: abs(x - y) / 2, 0.5, 0.5)",
        "lambda ar, x, y: abs(x - y) / 2, 0, 0.5)",
        "total variation: p = 0",
    ),
    ("- ar.sqrt(x) * ar.sqrt(y), 1, 0)", "- ar.sqrt(x) * ar.sqrt(y), 1, 1)", "hellinger: f'(inf) = 1"),
    ("large = np.asarray(y.sum(-1) > 2)", "large = np.asarray(y.sum(-1) > np.inf)", "hellinger: of large q"),
    ("+ (1 - z.sum(-1))", "", "hellinger: of a q that does not sum to 1"),
    (
        "/ (ar.sqrt(x) + ar.sqrt(y))) ** 2 / 2, -0.5)",
        "/ (ar.sqrt(x) + ar.sqrt(y))) ** 2 / 2, 0.5)",
        "hellinger's tangent",
    ),
    (
        '"reverse_kl": (lambda ar, x, y: y * log_ratio(ar, y, x), None, 0)',
        '"reverse_kl": (lambda ar, x, y: y * log_ratio(ar, y, x), 0, None)',
        "reverse KL: the ends of KL",
    ),
    (
        "np.where(y > 0, y, 1) * zero, terms)",
        "np.where(y > 0, y, 1) * infinity, terms)",
        "f-divergence: f(0) is f'(inf)",
    ),
    (
        "if given is None and needed.any():",
        "if given is None and needed.all():",
        "f-divergence: a limit that is not given",
    ),
    ("if (values != values).any():\n        bad", "if False:\n        bad", "f-divergence: NaN of a callable passes"),
    (
        "((value > size / 8) & (size < np.inf)).all()",
        "(size < np.inf).all()",
        "the plain sum of a long vector, where it cancels",
    ),
)

QUANTUM = faults_of(
    "krdtheory/divergences/quantum.py",
    (
        "& (alpha < 1), ar.inf, value)\n\n\ndef _greedy",
        "& (alpha < 0.5), ar.inf, value)\n\n\ndef _greedy",
        "sandwiched: orthogonal states, orders 1/2 to 1",
        "no eigenvalue is left, and the logarithm of their sum is infinite by itself",
    ),
    ("& (alpha >= 1), ar.inf, value)", "& (alpha > 1), ar.inf, value)", "sandwiched: order 1 off the support"),
    (
        "apart = (pair.rank == 0) & (order < 1)",
        "apart = (pair.rank == 0) & (order < 0)",
        "petz: orthogonal states",
        "no weight is left, and the logarithm of their sum is infinite by itself",
    ),
    (
        "apart = np.where(order < 1, pair.meet == 0,",
        "apart = np.where(order < 1, pair.rank == 0,",
        "maximal: supports that meet in 0 only",
        "all mass then has an infinite ratio, and the logarithm of the sum is infinite by itself",
    ),
    (
        "s = np.where(alpha == ar.inf, -1, (1 - a) / a)",
        "s = np.where(alpha == ar.inf, 1, (1 - a) / a)",
        "sandwiched: order infinity upside down",
    ),
    (
        "c = (abs(overlap) ** 2).sum(-1) / trace[..., None]",
        "c = (abs(overlap) ** 2).sum(-1)",
        "sandwiched near 1: not divided by the trace",
    ),
    ("lost = np.where(on, 0, -1) + ", "lost = ", "sandwiched near 1: mass off the support is kept"),
    (
        "at_one = (t * log_seen).sum(-1) - (c * log_b).sum(-1)",
        "at_one = (t * log_seen).sum(-1)",
        "sandwiched: half of order 1",
    ),
    (
        "ar.log(trace) - ar.log(_greedy_sum(ar, pair))",
        "-ar.log(_greedy_sum(ar, pair))",
        "sandwiched: order 0 without the trace",
    ),
    (
        "for j in reversed(range(pair.b.shape[-1])):  # b is in ascending order",
        "for j in range(pair.b.shape[-1]):",
        "order 0: smallest eigenvalues first",
    ),
    (
        "value = np.where(alpha == ar.inf, log_t[..., 0], value)",
        "value = np.where(alpha == ar.inf, log_t[..., -1], value)",
        "sandwiched: order infinity by the least eigenvalue",
    ),
    (".sum(-1)) - ar.log(trace)) / shift\n", ".sum(-1))) / shift\n", "sandwiched: not divided by the trace"),
    (
        "a * x - b * y - b * lam * np.eye(x.shape[-1], dtype=int)",
        "a * x - b * y - lam * np.eye(x.shape[-1], dtype=int)",
        "hockey stick: e^epsilon leaves the regularization out",
    ),
    (
        "a * x - b * y - b * lam * np.eye(x.shape[-1], dtype=int)",
        "a * x - b * y + b * lam * np.eye(x.shape[-1], dtype=int)",
        "hockey stick: the sign of the regularization",
    ),
    (
        "np.where(eigenvalues > 0, eigenvalues, 0 * down[..., None]).sum(-1) / down",
        "np.where(eigenvalues > 0, eigenvalues, 0 * down[..., None]).sum(-1)",
        "hockey stick: not scaled back",
    ),
    (
        "return ar.result((abs(eigenvalues) / 2).sum(-1))",
        "return ar.result(np.where(eigenvalues > 0, eigenvalues, 0 * eigenvalues).sum(-1))",
        "trace distance: the positive part alone",
    ),
    ("seen = p > error * error * a", "seen = p > 0 * a", "petz: overlaps that are rounding count"),
    (
        "rest = np.where(pair.included, 0, pair.trace - p.sum(-1))[..., None]",
        "rest = 0 * pair.trace[..., None]",
        "maximal: the mass that no part of B carries",
    ),
    ("seen = seen - (seen @ right) @ np.conj(right.swapaxes(-1, -2))", "pass", "maximal: no Schur complement"),
    (
        "    ratio = 2 * ar.log(np.where(values > 0, values, 1))",
        "    ratio = ar.log(np.where(values > 0, values, 1))",
        "maximal: roots of the eigenvalues",
    ),
    (
        "return ar.pair(*ar.spectra(rho, sigma, support_tol), ar.regularization(regularization))",
        "return ar.pair(*ar.spectra(rho, sigma, support_tol), 0 * ar.regularization(regularization))",
        "every one: no regularization",
    ),
)

SMOOTH = faults_of(
    "krdtheory/divergences/smooth.py",
    (
        "np.where(trial, u, 0).sum(-1) - sign * d, shares",
        "np.where(trial, u, 0).sum(-1) - sign * d / 2, shares",
        "half the radius",
    ),
    (
        "escaped[index] = max(gap, escaped[index])",
        "escaped[index] = max(gap + d[index], escaped[index])",
        "escaped: all mass outside the support",
    ),
    (
        "beyond = _newton(ar, x, y, d, 1), escaped > 0",
        "beyond = _newton(ar, x, y, d, 1), escaped >= np.inf",
        "finite where more than delta is outside",
    ),
    ("new_mass > 0 if sign > 0 else new_mass >= 0", "new_mass > 0", "lower level: 0 is none"),
    (
        "smaller = trial & (u > level if sign > 0 else u < level)",
        "smaller = trial & (u > level)",
        "lower level: the wrong letters",
    ),
    (
        "upper, lower = _upper(ar, x, y, d, escaped), _lower(ar, x, y, d)",
        "upper = lower = _upper(ar, x, y, d, escaped)",
        "smoothing: what is taken is given nowhere",
    ),
    (
        "met = ((upper.log <= whole) | (lower.log >= whole)) & (escaped == 0)",
        "met = (upper.log <= whole) & (lower.log > whole) & (escaped == 0)",
        "smoothing: q within the ball",
        "levels that are equal clip p to q as well",
    ),
    (
        "y[..., piece] / np.where(reference > 0, reference, 1)[..., None] * total[..., None]",
        "y[..., piece]",
        "smoothing: q with its own sum",
    ),
    (
        "gap = ar.summed([*masses[index][outside[index]], -radii[index]])",
        "gap = x[index][outside[index]].sum() - d[index]",
        "escaped: rounded",
    ),
    ("if not (y > 0).any(-1).all():", "if False:", "smoothing: towards nothing"),
)

CUTS = faults_of(
    "krdtheory/divergences/cuts.py",
    (
        "np.argsort(-np.where(x > 0, log_ratio(ar, x, y), -ar.inf)",
        "np.argsort(np.where(x > 0, log_ratio(ar, x, y), -ar.inf)",
        "by rising ratio",
    ),
    (
        "np.argsort(-np.where(x > 0, log_ratio(ar, x, y), -ar.inf), kind",
        "np.argsort(-log_ratio(ar, x, y), kind",
        "p = 0 has the ratio 1",
    ),
    ("min(k, len(order))\n", "min(k, len(order)) - 1\n", "a cell too few"),
    ("[:-1] + split + back[", "[:-1] + back[", "blocks bounded by less than a cut within them gives"),
    ("i = values.argmax()", "i = values.argmin()", "the worst map of a block"),
    ("if best is None or values[i] > best:", "if best is None:", "the first block of maps alone"),
    (
        "combinations_with_replacement(range(n + 1), k - 1)",
        "combinations(range(n + 1), k - 1)",
        "no empty cells",
        "images with empty cells are those of fewer, and finer ones are as good",
    ),
    ("range(n + 1), k - 1)\n", "range(1, n), k - 1)\n", "intervals: none that begins or ends", "as above"),
    (
        "return np.where((y == 0) & (x > 0), np.where(x > 0, x, 1) * slope, values)",
        "return values",
        "cells without q gain nothing",
    ),
    (
        "if a == ar.inf or not (y > 0).any() or (a >= 1 and ((x > 0) & (y == 0)).any()):",
        "if a == ar.inf:",
        "orders >= 1 where the divergence is infinite",
    ),
    ("shift = size if far and abs(size) < ar.inf else 0 * a", "shift = 0 * a", "sums that underflow"),
    ("cells[order[1:]] = min(k - 1, 1)", "cells[order[:-1]] = min(k - 1, 1)", "order infinity: the least ratio apart"),
    (
        '{"hellinger": 0.5, "chi_squared": 2.0}',
        '{"hellinger": 2.0, "chi_squared": 0.5}',
        "named generators: the other order",
    ),
    ("if sum(row) != 1:", "if sum(row) > 1:", "channels that lose mass"),
    ("weight = min(row[j] for", "weight = max(row[j] for", "Birkhoff: the largest entry"),
    ("(u * (v == c)).sum(-1) for c in", "(u * (v >= c)).sum(-1) for c in", "merged cells hold those after them"),
)

DIGITS = faults_of(
    "krdtheory/mp.py",
    (
        "return bool(x.rad() <= arb(10) ** -digits * abs(x.mid()))",
        "return True",
        "digits: every ball determines them",
    ),
    ("arb(10) ** -digits * abs(x.mid())", "arb(10) ** -digits", "digits: small values have those of an absolute error"),
    ("digits=2 * known", "digits=known", "digits: small values are left to the formula"),
    ("x.contains(0) and is_accurate(x, digits)", "x.contains(0)", "digits: a wide ball around 0 is 0"),
    (" or isinstance(value, arb | acb)", "", "digits: balls with a radius are numbers"),
    ("if callable(value) or isinstance", "if isinstance", "digits: functions are given balls"),
    ("if value is None else value", "if value is not None else value", "digits: those of balls are thrown away"),
    ("rounded(x, int(digits))", "rounded(x, int(digits) - 1)", "digits: one too few"),
)

FAULTS = [*FLOAT64, *CLASSICAL, *QUANTUM, *SMOOTH, *CUTS, *DIGITS]

TESTS = {
    "krdtheory/mp.py": ("tests/test_mp_digits.py",),
    "krdtheory/arithmetic/float64.py": ("tests/divergences/test_classical.py",),
    "krdtheory/divergences/classical.py": ("tests/divergences/test_classical.py",),
    "krdtheory/divergences/quantum.py": (
        "tests/divergences/test_quantum.py",
        "-k",
        "not (300_pairs or data_processing)",
    ),
    "krdtheory/divergences/smooth.py": ("tests/divergences/test_smooth.py",),
    "krdtheory/divergences/cuts.py": ("tests/divergences/test_cuts.py",),
}
