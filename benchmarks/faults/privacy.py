"""Faults of mechanisms, conversions, composition and privacy regions."""

from faults.fault import faults_of

CONVERSIONS = faults_of(
    "krdtheory/privacy/conversions.py",
    (
        "value = rho - ar.log(d) / k\n    elif",
        "value = rho + ar.log(d) / k\n    elif",
        "mironov in multiprecision: a sign",
    ),
    (
        "value = curve(ar, a, *of) - ar.log(d) / (a - 1)",
        "value = curve(ar, a, *of) - ar.log(d) / a",
        "mironov: over alpha",
    ),
    (
        "-ar.log1p(1 / k), -ar.log(a) / k, -ar.log(d) / k",
        "-ar.log1p(1 / k), ar.log(a) / k, -ar.log(d) / k",
        "balle: the sign of log alpha",
    ),
    ("return xi + slope * a", "return slope * a", "zCDP: without xi"),
    (
        "corner = (pure | (a.astype(np.longdouble) * d >= 1)) & ~nothing",
        "corner = pure & ~nothing",
        "optimal epsilon: alpha delta >= 1",
    ),
    (
        "rho, rest = curve(ar, a, *of), ar.log1p(-d)",
        "rho, rest = curve(ar, a, *of), 0 * d",
        "corner: without log(1 - delta)",
    ),
    (
        "left = d * (1 + ar.exp(-u))\n    some",
        "left = d * (1 + 0 * ar.exp(-u))\n    some",
        "two-sided: randomised response without its other outcome",
    ),
    (
        "response[tangent] = _beyond_response(ar, y[tangent], ratio)",
        "response[tangent] = False",
        "two-sided epsilon: one direction only",
    ),
    (
        "one_of_two = corner | _beyond_response(ar, y, ratio)\n    if not two_sided:",
        "one_of_two = corner\n    if not two_sided:",
        "two-sided epsilon in multiprecision: one direction only",
    ),
    (
        "value = np.where(value > 0, value, 0) if two_sided else value\n    return value.reshape",
        "return value.reshape",
        "two-sided epsilon below 0",
    ),
    (
        "value = np.where(pure & (a < np.inf), np.nextafter(value, np.inf), value)  # there",
        "value = value + 0  # there",
        "high orders: not rounded up",
    ),
    ("corner = pure | (gap <= ar.log((a - 1) / a))", "corner = pure | (gap <= 0)", "optimal delta: the corner too far"),
    (
        "value = np.where(gap < 0, -ar.expm1(np.where(gap < 0, gap, 0)), 0)",
        "value = np.where(gap < 0, -ar.expm1(np.where(gap < 0, gap, 0)) / 2, 0)",
        "corner in multiprecision: half of delta",
    ),
    ("may = ~corner & (rho - np.where(e < 0, e, 0) > 1)", "may = ~corner & (rho < 0)", "delta near 1"),
    (
        "return _log_gain(ar, a, rho, y) + k * (rho - e + _mean(ar, a, h)) - ar.log(ah) - _phi(ar, kh)",
        "return _log_gain(ar, a, rho, y) + k * (rho - e + _mean(ar, a, h)) - ar.log(ah)",
        "log delta: without phi",
    ),
    ("far = (y > 4) & (k * rho < 1)", "far = (y < 0)", "certificate: alpha and delta near 1"),
    ("near = np.maximum(k, 1) * sigma < 0.125", "near = sigma < 0", "tau: cancels"),
    ("h = np.where(k == 0, ar.exp(np.where(k == 0, log_h, 0)), h)", "", "certificate: order 1"),
    ("kappa = rho * (2 - rho)\n    positive", "kappa = rho * (1 - rho)\n    positive", "hellinger: kappa"),
    ("return np.where(e > 0, above, below)", "return above", "hellinger: negative epsilon"),
    (
        "value = np.where(some, ar.log1p(ratio), ar.inf)",
        "value = np.where(some, ar.log1p(ratio), 0)",
        "hellinger: an epsilon where there is none",
    ),
    (
        "tau - (1 - tau) * ar.expm1(np.where(e < 0, e, 0))",
        "tau - (1 - tau) * ar.expm1(e)",
        "total variation: positive epsilon",
    ),
    ("some = d >= tau\n", "some = d > tau\n", "total variation: delta = tau"),
    (
        "return d + (1 - d) * (fall / (1 + ar.exp(-e)) if two_sided else fall)",
        "return d + (1 - d) * fall",
        "approximate DP: two-sided as one-sided",
    ),
    (
        "return (half * half + 2 * d * ar.exp(-e / 2)) / (1 + ar.exp(-e))",
        "return (half * half + d * ar.exp(-e / 2)) / (1 + ar.exp(-e))",
        "hellinger of approximate DP: half of delta",
    ),
    ("lambda ar, e, d: d * ar.exp(-e))", "lambda ar, e, d: d * ar.exp(-e / 2))", "regularization: half of epsilon"),
    (
        "np.where(finite, value, ar.inf).min(-1)",
        "np.where(finite, value, 0).min(-1)",
        "curves: infinite bounds are none",
    ),
    ("np.where(finite, value, ar.inf).min(-1)", "np.where(finite, value, ar.inf)[..., 0]", "curves: the first order"),
    ("outside = x <= low if high is None else (x <= low) | (x >= high)", "outside = x < low", "open ends are closed"),
    ("return np.where(value > 0, value, 0) if nonnegative else value", "return value", "nonnegative: not clamped"),
    ("if two_sided and (e < 0).any():", "if False:", "KL: two-sided at a negative epsilon"),
)

GUARANTEES = faults_of(
    "krdtheory/privacy/guarantees.py",
    ("return np.where(near < value, np.nextafter(near, np.inf), near)", "return near", "to nearest"),
    (
        "return np.where(near < value, np.nextafter(near, np.inf), near)",
        "return np.where(near < value, near, np.nextafter(near, -np.inf))",
        "down",
    ),
    ("out = rounded_up(value + error)", "out = rounded_up(value)", "without the error"),
    ("known = ~may_be_exact & ((value", "known = (value == value) | ((value", "doubtful values are believed"),
    ("return value + abs(value) * value.context.mpf(10) ** -digits", "return value", "what mpmath knows is believed"),
    ("while not arb(near) >= ball:", "while not arb(near) >= ball.mid():", "balls: above the midpoint"),
    ("if ball.rad() <= abs(ball.mid()) * NARROW:", "if True:", "balls: wide ones are believed"),
    ("return np.minimum(out, most).reshape", "return out.reshape", "more than the most"),
    ("if value == float(value) != 0:", "if False:", "what is a float64 to 25 digits is one"),
)

COMPOSITION = faults_of(
    "krdtheory/privacy/composition.py",
    (
        "int(context.floor((level / step + k) / 2)) + 1",
        "int(context.floor((level / step + k) / 2))",
        "multiprecision: the first loss, one too few",
    ),
    ("context.mpf(float(e)) + k) / 2)) + 1", "context.mpf(float(e)) + k) / 2))", "the first loss above, one too few"),
    (
        "if not k * step > abs(level):",
        "if not k * step >= abs(level):",
        "a total epsilon of k epsilon",
        "the sum over the losses above x is then empty, or all of it",
    ),
    ("gain = min(gain * (1 + error) + np.finfo", "gain = min(gain + np.finfo", "delta: without the error"),
    (
        "hidden = k * np.log1p(-np.longdouble(d)) + FLOAT64.log1p(-gain)",
        "hidden = np.log1p(-np.longdouble(d)) + FLOAT64.log1p(-gain)",
        "delta: revealed once",
    ),
    (
        "certain = (d == 1) | (log_delta >= 0)",
        "certain = d == 1",
        "multiprecision: a delta of 1",
        "the logarithm of 0 is -inf, and the result 1, in mpmath too",
    ),
    ("basic = np.where(left >= 0, whole, ar.inf)", "basic = whole", "basic: no delta is left"),
    (
        "spread = e * ar.sqrt(2 * n * log_term)",
        "spread = e * ar.sqrt(n * log_term)",
        "bounds: a factor 2 under the root",
    ),
    (
        'return n * e * (grown if method == "dwork_rothblum_vadhan" else grown / 2) + spread',
        "return n * e * grown / 2 + spread",
        "Dwork, Rothblum and Vadhan: the later bound",
    ),
    ("return n * e * e / 2 + spread", "return n * e * e + spread", "colisson: twice the mean"),
    ("half = -ar.expm1(-e) / (1 + ar.exp(-e))", "half = -ar.expm1(-e) / 2", "tanh of half of epsilon"),
    (
        "return _bound_of(ar, method, e, n, np.nextafter(slack, 0))",
        "return _bound_of(ar, method, e, n, np.nextafter(slack, 0)) * (1 - 1e-13)",
        "renyi: below",
    ),
    (
        'if method == "best":\n        bounds.append(basic)',
        "if False:\n        bounds.append(basic)",
        "best: without basic",
    ),
    ("revealed += weight * p[len(p) - shift :].sum()", "", "upper bound: what is beyond the grid"),
    (
        "min(1.0, max(0.0, np.expm1(low * width - loss) / np.expm1(-width)))",
        "0.5",
        "upper bound: outcomes split in halves",
    ),
    (
        "for shift, share in ((low, 1 - upper), (low + 1, upper)):",
        "for shift, share in ((low, upper), (low + 1, 1 - upper)):",
        "upper bound: the shares exchanged",
    ),
    (
        "return _binned_profile(losses, p, error, revealed * (1 + error))",
        "return _binned_profile(losses, p, -error, revealed * (1 + error))",
        "upper bound: lower by the error",
    ),
    (
        "return _binned_profile(loss, p, -error, 0.0)",
        "return _binned_profile(loss, p, error, 0.0)",
        "lower bound: higher by the error",
    ),
    (
        "index = np.minimum(np.floor((loss + reach) / width), bins - 1)",
        "index = np.floor((loss + reach) / width) % bins",
        "lower bound: what is beyond the grid comes back",
    ),
    (
        'place = np.searchsorted(l2[:-1], x - loss, side="right")',
        'place = np.searchsorted(l2[:-1], x - loss, side="right") + 1',
        "exact sums: one too few",
    ),
    ("np.multiply.outer(q, weights[::-1]).ravel()", "np.multiply.outer(q, weights).ravel()", "exact sums: q as p"),
    (
        "loss = np.add.outer(loss, (2 * j - count) * e).ravel()",
        "loss = np.add.outer(loss, (j - count) * e).ravel()",
        "exact sums: losses from below 0",
    ),
    ("if d < 0:\n        return ar.inf", "if False:\n        return ar.inf", "an epsilon where none is left"),
    ("mean + np.sqrt(2 * spread * (30 - log_d))", "mean", "the reach: the mean"),
)

REGIONS = faults_of(
    "krdtheory/privacy/regions.py",
    (
        "return np.maximum(level, self._divergence(tests.swapped())) if self.two_sided else level",
        "return level",
        "two-sided regions: one direction",
    ),
    (
        "return levels(tests) if whole else np.maximum(levels(tests), levels(tests.swapped()))",
        "return levels(tests)",
        "supremum: one direction of half a boundary",
    ),
    (
        "whole = not (self.two_sided or self._symmetric)",
        "whole = not self.two_sided",
        "symmetric regions are searched whole",
        "the whole boundary has the images of its half as well",
    ),
    (
        "sides = (tests, tests.swapped()) if self.two_sided else (tests,)",
        "sides = (tests,)",
        "least epsilon: one direction",
    ),
    (
        "values = along(grid)\n        best = values.max()",
        "values = -along(grid)\n        best = values.max()",
        "supremum: the infimum",
    ),
    (
        "return np.asarray(self.level(x, y) <= self.bound)[()]",
        "return np.asarray(self.level(x, y) < self.bound)[()]",
        "regions are open",
    ),
    (
        "np.stack([1 - a, a], -1), np.stack([b, 1 - b], -1)",
        "np.stack([1 - a, a], -1), np.stack([1 - b, b], -1)",
        "errors under Q upside down",
    ),
    (
        "q = np.exp(-epsilon) * np.maximum(1 - x - delta, 0)",
        "q = np.exp(-epsilon) * (1 - x - delta)",
        "polygons: below 0",
    ),
    (
        "return np.maximum(q, 1 - delta - np.exp(min(epsilon, 700)) * x) if two_sided else q",
        "return q",
        "polygons: one line",
    ),
    ("q = top / (1 + shrink)", "q = top / 2", "polygons: the middle corner"),
    (
        "return np.maximum(root, 0), np.where(root > 0, beside, 1)",
        "return abs(root), np.where(root > 0, beside, 1)",
        "hellinger: no positive part",
    ),
    ("return other.bound > 0 and other._order() < self._needed_order()", "return False", "bounds where there are none"),
    (
        "return self.alpha if self.alpha >= 1 else 0",
        "return self.alpha",
        "renyi: orders below 1 need their own",
    ),
    ("return self.alpha if self.alpha >= 1 else 0", "return 0", "renyi: every order is bounded by any"),
    ("ndtr(_normal_quantile(log_p) - self.mu)", "ndtr(_normal_quantile(log_p) + self.mu)", "Gaussian: the other tail"),
    (
        "return np.where(p <= p_not, ndtri_exp(p), -ndtri_exp(p_not))",
        "return ndtri_exp(p)",
        "Gaussian: quantiles near 1",
    ),
    (
        "isinstance(other, (RenyiRegion, KLRegion)) and other.bound > 0 and other._order() < math.inf",
        "False",
        "Gaussian: covers Renyi regions",
    ),
    ("if self.delta == 0:\n            epsilon", "if False:\n            epsilon", "delta = 0 by the search"),
    (
        "epsilon = max(0.0, other._supremum(self._least_epsilon))",
        "epsilon = other._supremum(self._least_epsilon)",
        "least epsilon below 0",
    ),
    (
        "if self.bound == math.inf and isinstance(other, PrivacyRegion):",
        "if isinstance(other, PrivacyRegion) and other.bound < self.bound:",
        "includes by comparing bounds",
    ),
)

MECHANISMS = faults_of(
    "krdtheory/privacy/mechanisms.py",
    ("return np.where(e < 0, ar.exp(below) * above - ar.expm1(below), above)", "return above", "negative epsilon"),
    ("value = np.where(d < 1, value, 0)", "", "delta = 1"),
    ("np.where(low & (a > 0), part / (1 - part), 1)", "1", "renyi below 1/2: not scaled"),
    (
        "self._renyi(ar, np.where(low, 1 - part, np.where(infinite, 2, a)))",
        "self._renyi(ar, np.where(low, part, np.where(infinite, 2, a)))",
        "renyi below 1/2: by the order itself",
    ),
    (
        "_rounded_up(s / (e - 2 * _EXACT.log1p(-d)))",
        "_rounded_up(s / (e - _EXACT.log1p(-d)))",
        "Laplace: calibrated with half of delta",
    ),
    (
        "_rounded_up(s / (e - 2 * _EXACT.log1p(-d)))",
        "float((s / (e - 2 * _EXACT.log1p(-d)))[0])",
        "Laplace: calibrated to nearest",
    ),
    (
        "gap = e - self._largest_loss(ar)\n        return -ar.expm1(np.where(gap < 0, gap, 0) / 2)",
        "gap = e - self._largest_loss(ar)\n        return -ar.expm1(np.where(gap < 0, gap, 0))",
        "Laplace: the profile of pure DP",
    ),
    (
        "return self._largest_loss(ar) + 2 * ar.log1p(-d)",
        "return self._largest_loss(ar) + ar.log1p(-d)",
        "Laplace: epsilon at half of delta",
    ),
    (
        "generator(rng).laplace(0, as_number(FLOAT64, self.scale), x.shape)",
        "generator(rng).laplace(0, as_number(FLOAT64, self.scale) / 2, x.shape)",
        "Laplace: half the noise",
    ),
    (
        "generator(rng).normal(0, as_number(FLOAT64, self.scale), x.shape)",
        "generator(rng).normal(0, as_number(FLOAT64, self.scale) ** 0.5, x.shape)",
        "Gaussian: the scale as a variance",
    ),
    ("return a * self._mu(ar) ** 2 / 2", "return a * self._mu(ar) ** 2", "Gaussian: twice the divergence"),
    ('(ar.log(as_number(ar, "5/4")) - ar.log(d))', "(-ar.log(d))", "classical Gaussian: without 5/4"),
    (
        "law = np.where(np.arange(k) == value, 1, other) / (1 + (k - 1) * other)",
        "law = np.where(np.arange(k) == value, 1, other) / (1 + k * other)",
        "randomised response: k for k - 1",
    ),
    (
        "np.where(truth, x, (x + g.integers(1, k, x.shape)) % k)",
        "np.where(truth, x, (x + g.integers(0, k, x.shape)) % k)",
        "randomised response: lies that are true",
    ),
    ("(1 if self.monotone else 2)", "1", "exponential: twice the epsilon"),
    (
        "ar.expm1(np.where(gap < 0, gap, 0) / 2) ** 2 / -ar.expm1(-epsilon)",
        "ar.expm1(np.where(gap < 0, gap, 0) / 2) ** 2",
        "exponential: not normalised",
    ),
    ("return abs(columns[i] - columns[j])", "return abs(columns[i])", "matrix mechanism: replacing as adding"),
    ("return changes.sum(-1).max()", "return changes.max()", "matrix mechanism: the largest entry"),
    (
        "np.sqrt((changes**2).sum(-1).max()) if ar is FLOAT64",
        "np.sqrt((changes**2).sum(-1).mean()) if ar is FLOAT64",
        "matrix mechanism: the mean change",
    ),
    (
        "each[..., kinds.reshape(changes.shape)].sum(-1).max(-1)",
        "each[..., kinds.reshape(changes.shape)].max(-1).max(-1)",
        "matrix mechanism: divergences of one query",
    ),
    (
        "delta = ((e / mu - mu / 2) / root).erfc() - e.exp() * ((e / mu + mu / 2) / root).erfc()",
        "delta = ((e / mu - mu / 2) / root).erfc() - ((e / mu + mu / 2) / root).erfc()",
        "Gaussian profile: without e^epsilon",
    ),
    ("above = near.mid() + abs(near.mid()) * NARROW", "above = near.mid()", "Gaussian epsilon: not above"),
    (
        'return above if _gaussian_delta_ball(mu, above) <= d else arb("nan")',
        "return above - abs(above) * arb(2) ** -40",
        "Gaussian epsilon: not proved",
    ),
    (
        "wide = np.isnan(value)\n    if wide.any():\n        mu, e",
        "wide = np.isnan(value)\n    if False:\n        mu, e",
        "Gaussian profile: NaN where balls are wide",
    ),
    ("if not 0 <= x < 1:", "if not 0 <= x <= 1:", "calibrated for delta = 1"),
)

FAULTS = [*CONVERSIONS, *GUARANTEES, *COMPOSITION, *REGIONS, *MECHANISMS]

TESTS = {
    "krdtheory/privacy/conversions.py": (
        *("tests/privacy/test_safe_side.py", "tests/privacy/test_conversions.py"),
        *("-k", "not (random_pair or extreme or any_size)"),
    ),
    "krdtheory/privacy/guarantees.py": ("tests/privacy/test_safe_side.py", "tests/privacy/test_composition.py"),
    "krdtheory/privacy/composition.py": ("tests/privacy/test_composition.py", "tests/privacy/test_safe_side.py"),
    "krdtheory/privacy/regions.py": ("tests/privacy/test_regions.py",),
    "krdtheory/privacy/mechanisms.py": ("tests/privacy/test_mechanisms.py", "tests/privacy/test_safe_side.py"),
}
