"""Faults of rigorous enclosures of divergences and conversions, of exact arguments and of wide balls."""

from faults.fault import faults_of

CLASSICAL = faults_of(
    "krdtheory/ball/classical.py",
    ("inside = False", "inside = True", "q = 0 < p: absolutely continuous"),
    (
        "if isinstance(x, arb) and not x > 0:\n                raise",
        "if False:\n                raise",
        "wide balls: p that may be 0 where q is",
    ),
    (
        "and (alpha == INFINITY or alpha >= 1):",
        "and (alpha == INFINITY or alpha > 1):",
        "order 1: finite off the support",
        "the Kullback-Leibler divergence is infinite there by itself",
    ),
    ("if not pairs:\n        return INF", "if not pairs:\n        return arb(0)", "orthogonal: 0"),
    (
        "if any(isinstance(x, arb) for x in (*p, *q)):\n        return None",
        "",
        "wide balls: equal balls are equal numbers",
    ),
    ("return first if all(x == first * y for x, y in support) else None", "return first", "ratios that differ"),
    (
        'if not x > 0:\n            raise UndecidedError(f"is {x.str(5)} zero?")\n        return arb(y)',
        "return arb(y)",
        "wide balls: order 0 where p may be 0",
    ),
    ("return arb(ratio).log()", "return arb(1 / ratio).log()", "proportional weights: a sign"),
    ("return kl_of(p, q) / total", "return kl_of(p, q)", "order 1: not divided by the sum"),
    (
        "not (x == 0 or (isinstance(x, fmpq) and x == y))",
        "not (x == 0 or arb(x).overlaps(arb(y)))",
        "wide balls: overlapping weights are equal in KL",
    ),
    ("else interval(arb(0), positive_part(x).upper())", "else arb(0)", "wide balls: q that may be 0 at epsilon = inf"),
    ("positive_part(arb(x) - factor * arb(y))", "abs(arb(x) - factor * arb(y))", "hockey stick: absolute values"),
    (
        "return positive_part(x) if isinstance(x, arb) else arb(max(x, fmpq(0)))",
        "return x if isinstance(x, arb) else arb(max(x, fmpq(0)))",
        "wide balls: hockey stick at 0 below 0",
    ),
    (
        "return x * quotient(x, y).log() if x > 0 else x_log_x(x) - x * quotient(y, arb(1)).log()",
        "return x * quotient(x, y).log() if x > 0 else arb(0)",
        "wide balls: terms of p that may be 0",
    ),
    ("value = interval(value, arb(zero))", "value = value + 0", "wide balls: f(0) of another limit"),
    (
        "elif weight > 0:\n            total += limit",
        "elif weight >= 0 or True:\n            total += limit",
        "wide balls: an infinite limit of a weight that may be 0",
    ),
    (
        "if p == q:\n        return 1 -",
        "if all(arb(x).overlaps(arb(y)) for x, y in zip(p, q, strict=True)):\n        return 1 -",
        "wide balls: overlapping weights are equal in Hellinger",
    ),
)

QUANTUM = faults_of(
    "krdtheory/ball/quantum.py",
    ("if not all(x < best for x in unseen) and", "if False and", "largest ratio: pairs that may be orthogonal"),
    (
        "return alpha == INFINITY or bool(alpha >= 1)",
        "return alpha == INFINITY or bool(alpha > 1)",
        "order 1: finite off the support",
    ),
    ("else not pair.full and pair.rank == 0", "else False", "orthogonal, below order 1: finite"),
    ("return c if c > 0 and same else None", "return c if c > 0 else None", "ratios of the first entries"),
    (
        "_exact(self.sigma.plus(identity(self.rho.size), self.shift))",
        "_exact(self.sigma)",
        "proportional without the regularization",
    ),
    (
        "return self.shift > 0 or bool(self.b.lowest > 0 and not self.b.zeros)",
        "return self.shift > 0 or bool(self.b.lowest > 0)",
        "singular sigma: full",
    ),
    (
        'if not self.exact:\n            raise UndecidedError(f"whether',
        'if False:\n            raise UndecidedError(f"whether',
        "wide balls: inclusion is decided",
    ),
    ("== self.sigma.rank\n", ">= self.sigma.rank\n", "every support included"),
    (
        "values = pair.sandwich((1 - alpha) / (2 * alpha)).spectrum()",
        "values = pair.sandwich((1 - alpha) / alpha).spectrum()",
        "sandwich: twice the power",
    ),
    ("pair.b.apply(Log(pair.shift))", "pair.b.apply(Log(fmpq(0)))", "relative entropy: no regularization"),
    (
        "real_trace_of_product(a.apply(Power(alpha)), pair.power(1 - alpha))",
        "real_trace_of_product(a.apply(Power(alpha)), pair.power(alpha - 1))",
        "petz: the power of sigma upside down",
    ),
    ("part = _shorted(rho, sigma)", "part = rho", "maximal: no Schur complement"),
    ("if part.is_zero():\n            return INF", "", "maximal: supports that meet in 0"),
    ("b = sigma.plus(identity(sigma.size), shift)\n    if", "b = sigma\n    if", "differences: no regularization"),
    (
        "add_up(abs(x) for x in _difference(rho, sigma, fmpq(0), shift)) / 2",
        "add_up(positive_part(x) for x in _difference(rho, sigma, fmpq(0), shift))",
        "trace distance: the positive part",
    ),
    (
        "shift + 16 * radius + fmpq(1, 2 ** (ctx.prec // 4))",
        "shift",
        "lower bounds: at the same regularization",
        "what was not decided there is not decided again, or is as true",
    ),
    ("* arb(epsilon).exp()).spectrum()", "* arb(epsilon)).spectrum()", "hockey stick: epsilon for its exponential"),
)

SMOOTH = faults_of(
    "krdtheory/ball/smooth.py",
    ("for i in outside), -delta), fmpq(0)", "for i in outside), fmpq(0)), fmpq(0)", "no radius outside the support"),
    (
        "if mass > 0:\n        return Level(INF, outside)",
        "if mass >= 0:\n        return Level(INF, outside)",
        "exactly delta outside: infinite",
    ),
    ("mass / reference > best.ratio):", "mass / reference < best.ratio):", "the least upper level"),
    (
        "for x, y in zip(p, q, strict=True)), zero) <= 2 * delta:",
        "for x, y in zip(p, q, strict=True)), zero) <= delta:",
        "q in the ball: half the radius",
    ),
    ("out[i] = p[i] * (1 - delta / mass)", "out[i] = p[i]", "what is outside is not shrunk"),
    (
        "low = _log(upper_level(low_p, high_q, high_delta).ratio)",
        "low = _log(upper_level(low_p, high_q, low_delta).ratio)",
        "wide balls: the lower end at the smaller radius",
    ),
    (
        "high = _log(upper_level(high_p, low_q, low_delta).ratio)",
        "high = _log(upper_level(high_p, high_q, low_delta).ratio)",
        "wide balls: the upper end at the larger q",
    ),
    (
        "if low_p == high_p and low_q == high_q and low_delta == high_delta:",
        "if low_p == high_p and low_q == high_q:",
        "wide balls: of the radius alone",
    ),
    (
        "if low == high or (low.is_finite() and high.is_finite()):",
        "if low == high or low.is_finite():",
        "wide balls: perhaps infinite",
    ),
)

CUTS = faults_of(
    "krdtheory/ball/cuts.py",
    (
        "if y[i] > 0 else 0), reverse=True)",
        "if y[i] > 0 else 0))",
        "by rising ratio",
        "the intervals of an order are those of its reverse",
    ),
    ("key=lambda i: (x[i] > 0 and y[i] == 0, x[i]", "key=lambda i: (False, x[i]", "q = 0 < p last"),
    ("for last in range(1, k):", "for last in range(2, k):", "a cell too few"),
    ("k = min(k, n)\n", "k = max(k, n)\n", "as many cells as letters"),
    ("sign = 1 if a > 1 else -1\n", "sign = 1\n", "orders below 1: the largest sum"),
    ("return INF if power == 0 else", "return arb(0) if power == 0 else", "orthogonal: 0"),
    (
        "if a == INFINITY:\n            return classical.renyi_of(x, y, a)",
        "if a == INFINITY:\n            return classical.renyi_of(x[:2], y[:2], a)",
        "order infinity: of two letters",
    ),
    ("return lambda x, y, k: 1 + _of_intervals", "return lambda x, y, k: _of_intervals", "hellinger: 1 left out"),
)

OPTIMAL = faults_of(
    "krdtheory/ball/optimal_conversion.py",
    (
        "return x if self.k == 0 else (self.k * x).expm1() / self.k",
        "return (self.k * x).expm1() if self.k == 0 else (self.k * x).expm1() / self.k",
        "order 1: growth 0",
    ),
    (
        "return self.growth(self.rho + y) + (-y).expm1()",
        "return self.growth(self.rho + y) - (-y).expm1()",
        "gain: a sign",
    ),
    (
        "return self.pair_at_delta(low, delta), self.pair_at_delta(interval(low, high), delta)",
        "return self.pair_at_delta(low, delta), self.pair_at_delta(low, delta)",
        "the best pair: of one end of its bracket",
    ),
    (
        "return interval(low, high)\n\n\n# epsilon",
        "return low\n\n\n# epsilon",
        "randomised response: of one end of its bracket",
    ),
    ("left = d * (1 + (-u).exp())", "left = d * (1 - (-u).exp())", "two-sided epsilon: the other outcome's sign"),
    ("if left >= 1:\n        return arb(0)", "if left >= 2:\n        return arb(0)", "two-sided epsilon: large delta"),
    (
        "return positive_part(beyond if response > kink else interval(response, beyond))",
        "return positive_part(response)",
        "two-sided epsilon beyond the kink",
    ),
    (
        "beyond = _one_sided_epsilon(alpha, rho, delta)\n    return",
        "beyond = _one_sided_epsilon(alpha, rho / 2, delta)\n    return",
        "two-sided epsilon: of half the bound",
    ),
    (
        "return interval(pair.h - pair.y + (-d / pair.p).log1p(), order.slope(pair.h) - pair.y)",
        "return order.slope(pair.h) - pair.y",
        "epsilon: the certificate without the pair",
        "the certificate alone is an upper bound that differs from the pair's by less than the digits asked for",
    ),
    ("if alpha * delta >= 1 or rho == 0:\n        return rho", "if rho == 0:\n        return rho", "alpha delta >= 1"),
    ("return beyond if e > kink else interval(response, beyond)", "return response", "two-sided delta beyond the kink"),
    (
        "response = positive_part(-(e - u).expm1() / (1 + (-u).exp()))",
        "response = -(e - u).expm1() / (1 + (-u).exp())",
        "two-sided delta below 0",
    ),
    (
        "edge = rho + arb((alpha - 1) / alpha).log()",
        "edge = rho - arb((alpha - 1) / alpha).log()",
        "delta: the corner's edge",
    ),
    (
        "return interval(pair.p - e.exp() * pair.q, order.delta(*pair))",
        "return pair.p - e.exp() * pair.q",
        "delta: the pair without the certificate",
    ),
    ("corner = positive_part(-(e - rho).expm1())", "corner = -(e - rho).expm1()", "pure DP: delta below 0"),
)

CONVERSIONS = faults_of(
    "krdtheory/ball/conversions.py",
    ("return rho - arb(delta).log() / k", "return rho - arb(delta).log() / alpha", "mironov: over alpha"),
    (
        "arb(k / alpha).log() - arb(alpha * delta).log() / k",
        "arb(k / alpha).log() - arb(delta).log() / k",
        "balle: without log alpha",
    ),
    (
        "if alpha == 1:\n        return e * (e / 2).tanh()",
        "if alpha == 1:\n        return e * e / 2",
        "pure DP: order 1",
    ),
    (
        "near, far = ((epsilon / mu + shift) / root for shift in (-mu / 2, mu / 2))",
        "near, far = ((epsilon / mu + shift) / root for shift in (mu / 2, -mu / 2))",
        "Gaussian: the tails exchanged",
    ),
    (
        "kappa, rise = arb(rho * (2 - rho)), arb(epsilon).expm1()",
        "kappa, rise = arb(rho * (1 - rho)), arb(epsilon).expm1()",
        "hellinger: kappa",
    ),
    ("arb(min(e, fmpq(0))).expm1(),", "arb(e).expm1(),", "total variation: positive epsilon"),
    ("if delta >= tau else INF", "if delta > tau else INF", "total variation: delta = tau"),
    (
        "arb(d) * arb(-e).exp(), epsilon, delta, digits, falls=True)",
        "arb(d) * arb(-e).exp(), epsilon, delta, digits)",
        "wide balls: regularization rises with epsilon",
    ),
    (
        "return interval(min(x.lower(), y.lower()), min(x.upper(), y.upper()))",
        "return interval(min(x.lower(), y.lower()), max(x.upper(), y.upper()))",
        "smaller of overlapping balls: wider than it must be",
    ),
    (
        "return interval(min(x.lower(), y.lower()), min(x.upper(), y.upper()))",
        "return interval(max(x.lower(), y.lower()), min(x.upper(), y.upper()))",
        "wide balls: the smaller of two is in both",
    ),
    ("return y if x == INF else x\n", "return INF\n", "smaller: of infinity"),
    (
        'kl=argument(kl, "kl", NONNEGATIVE),\n        epsilon',
        'kl=argument(kl, "kl", NONNEGATIVE, -1),\n        epsilon',
        "wide balls: delta falls with KL",
    ),
    (
        "((1 - root) ** 2 + 2 * arb(d) * root) / (1 + root * root)",
        "((1 - root) ** 2 + arb(d) * root) / (1 + root * root)",
        "hellinger of approximate DP: half of delta",
    ),
)

MONOTONE = faults_of(
    "krdtheory/ball/monotone.py",
    (
        "formula(*(a.range.corner(x, side * a.sign) for",
        "formula(*(a.range.corner(x, side) for",
        "wide balls: corners without signs",
    ),
    ("return low if low == INF else interval(low, high)", "return low", "wide balls: the lower corner"),
    ("if low == INF or high.is_finite():", "if True:", "wide balls: perhaps infinite"),
    ("return end if self.low is None else max(end, fmpq(self.low))", "return end", "wide balls: corners out of range"),
    (
        "return end if self.high is None else min(end, fmpq(self.high))",
        "return end",
        "wide balls: upper corners out of range",
    ),
    ("(not x < self.low if self.low_in else x > self.low)", "(not x < self.low)", "open ends are closed"),
    (
        "return value if not wanted or value == INF else positive_part(value)",
        "return value",
        "nonnegative: not clamped",
    ),
    ("value = f(x)\n        if value > 0:", "value = f(x)\n        if value.mid() > 0:", "roots: signs of midpoints"),
    ("if f(point) * step > 0:", "if True:", "roots: ends whose sign is not seen"),
    ("if high is None:\n        raise", "if False:\n        raise", "roots: no sign change"),
    (
        'raise UndecidedError("infinite at some of the numbers in the balls given", lower=low.lower())',
        'raise UndecidedError("infinite at some of the numbers in the balls given")',
        "wide balls, perhaps infinite: no lower bound",
    ),
)

INPUT = faults_of(
    "krdtheory/ball/inputs.py",
    ("return rational(x) if x.is_exact() else x\n", "return rational(x.mid())\n", "wide balls: their midpoints"),
    (
        "return (rational(x.lower()), rational(x.upper())) if",
        "return (rational(x.mid()), rational(x.mid())) if",
        "ends: the midpoint",
    ),
    ("if weight < 0:\n                reject(name", "if False:\n                reject(name", "negative weights"),
    ("if nonzero and all(weight == 0", "if False and all(weight == 0", "weights that are all zero"),
    ("return re if im == 0 else x", "return re", "wide balls: no imaginary part"),
    ("if not _adjoint(parts[i * n + j], parts[j * n + i]):", "if False:", "matrices that are not Hermitian"),
    ("exact=exact and are_exact(values)", "exact=True", "wide balls: enclosed as exact numbers"),
    (
        "return bool(x[0] == y[0] and x[1] == -y[1])",
        "return bool(x[0] == y[0] and x[1] == y[1])",
        "Hermitian: symmetric",
    ),
)

FAULTS = [
    *(*CLASSICAL, *QUANTUM, *SMOOTH, *CUTS),
    *(*OPTIMAL, *CONVERSIONS, *MONOTONE, *INPUT),
]

_VOCABULARY = ("tests/test_ball_vocabulary.py", "tests/arithmetic/test_enclosures.py", "tests/arithmetic/test_ball.py")
_WIDE = "tests/ball/test_wide_balls.py"
_PRIVACY = ("tests/ball/test_privacy_soundness.py",)
_QUICK = ("-k", "not every_error_term")

TESTS = {
    "krdtheory/ball/classical.py": (_WIDE, *_VOCABULARY, *_QUICK),
    "krdtheory/ball/quantum.py": (
        _WIDE,
        *_VOCABULARY,
        "tests/ball/test_low_orders.py",
        "tests/ball/test_spectra.py",
        *_QUICK,
    ),
    "krdtheory/ball/smooth.py": ("tests/ball/test_smooth.py", _WIDE),
    "krdtheory/ball/cuts.py": ("tests/ball/test_cuts.py",),
    "krdtheory/ball/optimal_conversion.py": ("tests/ball/test_conversions.py", *_PRIVACY),
    "krdtheory/ball/conversions.py": ("tests/ball/test_conversions.py", _WIDE, *_PRIVACY),
    "krdtheory/ball/monotone.py": (
        _WIDE,
        "tests/ball/test_conversions.py",
        "tests/ball/test_composition.py",
        *_PRIVACY,
    ),
    "krdtheory/ball/inputs.py": (
        *("tests/test_ball_vocabulary.py", "tests/ball/test_smooth.py", _WIDE),
        "tests/arithmetic/test_enclosures.py",
    ),
}
