"""Faults of the rules and of the kernel of proofs."""

from faults.fault import faults_of

SCALARS = faults_of(
    "verification/provers/scalars.py",
    ("    if _is_zero(_without_corners(e)):\n", "    if True:\n", "is_zero: by random points alone"),
    (
        "    if not vanishes(e):\n        return False\n",
        "",
        "is_zero: no random points",
        "sympy must see it all the same; the points only guard against an error of sympy",
    ),
    (
        "    if negative_somewhere(e):\n        return False\n    e = _without",
        "    if not negative_somewhere(e):\n        return True\n    e = _without",
        "seen_nonnegative: by random points alone",
    ),
    (
        '{"positive": True} if positive else {"no',
        '{"positive": True} if nonnegative else {"no',
        "opaque: nonnegative is positive",
    ),
    (
        'else {"nonnegative": True} if nonnegative else {}',
        'else {"nonnegative": True}',
        "opaque: everything is nonnegative",
    ),
    (
        "        if s in self.free_symbols:\n            raise",
        "        if False:\n            raise",
        "a total is constant",
    ),
    (
        "name = REMEMBERED.get(corner.func, corner.func)(*(_expanded(a) for a in corner.args))",
        'name = Abs(Symbol("same"))',
        "all maxima are the same",
    ),
    ("bool(e.is_positive if strict else e.is_nonnegative)", "bool(e.is_nonnegative)", "positive: or zero"),
    (
        "roots = [p for p in e.atoms(Pow)",
        "roots = [p for p in e.atoms(Pow)][:1] or [p for p in []",
        "squares: other roots",
    ),
    ("return _sign(gap, strict)  # B", "return True  # B", "squares: B^2 x and A^2 not compared"),
    ("and _sign(-gap, strict)  # A", "# A", "squares: A^2 and B^2 x not compared"),
    (
        "(base - 1).is_positive and exponent.is_positive",
        "base.is_positive and exponent.is_positive",
        "c^x > 1 for c < 1",
    ),
    ("(base - 1).is_positive and exponent.is_positive", "(base - 1).is_positive", "c^x > 1 for x < 0"),
)

CORNERS = faults_of(
    "verification/provers/corners.py",
    ('algebra.bound("m", "real", e)', 'algebra.bound("m", "real")', "corners: their variable is captured"),
    (
        "return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args)",
        "return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args[:1])",
        "settle: a maximum that is subtracted is its first argument",
    ),
    (
        "return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args)",
        "return sum(settle(rest.xreplace({dummy: arg}), x, prove) for arg in args[1:])",
        "settle: a maximum that is subtracted is its second argument",
    ),
    (
        "return corner, rest, dummy, args, True",
        "return corner, rest, dummy, args, False",
        "settle: any argument of a maximum that is subtracted",
    ),
    (
        "return corner, rest, dummy, args, False",
        "return corner, rest, dummy, args, True",
        "settle: every argument of a maximum that is added",
    ),
    ("low = isinstance(corner, Min)", "low = False", "settle: a minimum is a maximum"),
    ("args[::-1] if isinstance(corner, Min) else args", "args", "settle: a minimum is the larger one"),
    ("(corner.args[0], -corner.args[0])", "(corner.args[0],)", "settle: |x| = x"),
    (
        "return settle(yes, x, prove) + settle(no, x, prove)",
        "return settle(yes, x, prove)",
        "settle: the first case only",
    ),
    ("gap = condition.rhs - condition.lhs", "gap = condition.lhs - condition.rhs", "settle: < is >"),
    ("right, left = (above, below) if rising else (below, above)", "right, left = above, below", "settle: gaps rise"),
    (
        "settle(right.subs(x, at + PAST), PAST, prove) + settle(",
        "settle(",
        "settle: only where the gap is below 0",
    ),
    (
        "PAST, prove) + settle(left.subs(x, under), PAST, prove)",
        "PAST, prove)",
        "settle: only where the gap is above 0",
    ),
    (
        "if not is_zero(gap - slope * x - constant) or slope.has(x) or constant.has(x):",
        "if False:",
        "settle: a gap that is not affine",
    ),
)

TACTICS = faults_of(
    "verification/provers/tactics.py",
    (
        'algebra.bound(f"{x.name} inside", "positive", e)',
        'algebra.bound(f"{x.name} inside", "positive")',
        "smooth: the inside of the range is captured",
    ),
    (
        "    if negative_somewhere(shown):\n",
        "    if False:\n",
        "nonnegative: no random points",
        "the tactic must get through all the same; the points only guard against an error of sympy",
    ),
    (
        "        if not is_zero(e.diff(self.x).subs(self.x, at)):\n",
        "        if False:\n",
        "Convex: the slope at the minimum is not looked at",
    ),
    (
        "steps = 1 if self.least is None and is_zero(least) else nonnegative(least, self.least)",
        "steps = 1",
        "Convex: the least value is not looked at",
    ),
    (
        "        return 1 + steps + nonnegative(_tidy(e.diff(self.x, 2)), self.second)",
        "        return 1 + steps",
        "Convex: concave",
    ),
    (
        '            raise ProofError(f"{at} is not seen to be where',
        '            str(f"{at} is not seen to be where',
        "Convex: minimum out of the range",
    ),
    (
        '        raise ProofError(f"that {self.x} lies between',
        '        return self.check_between(e)\n        raise ProofError(f"that {self.x} lies between',
        "Concave: the range is not known",
    ),
    ("steps = nonnegative(_tidy(-e.diff(self.x, 2)), self.second)", "steps = 1", "Concave: convex"),
    ("for end in (self.low, self.high):", "for end in (self.low,):", "Concave: one end"),
    ("for end in (self.low, self.high):", "for end in (self.high,):", "Concave: the other end"),
    (
        "steps = 1 if self.start is None and is_zero(first) else nonnegative(first, self.start)",
        "steps = 1",
        "Rising: the start is not looked at",
    ),
    (
        "return steps + nonnegative(_tidy(e.diff(self.x)), self.slope)",
        "return steps",
        "Rising: the slope is not looked at",
    ),
    (
        "        if not self.x.is_nonnegative:\n            raise",
        "        if False:\n            raise",
        "Rising: real symbols start at 0",
    ),
    ('raise ProofError(f"{e} is not seen to be smooth in {x}")', "return", "what is not smooth has derivatives"),
    (
        "        good = seen_nonnegative(e.base, strict=True)\n",
        "        good = True\n",
        "smooth: poles",
    ),
    ("        good = seen_nonnegative(e.args[0], strict=True)\n", "        good = True\n", "smooth: logarithms of 0"),
    ('raise ProofError(f"{e} is not seen to be the sum of its parts")', "pass", "Parts: of any sum"),
    (
        "return 1 + sum(nonnegative(part, tactic) for part, tactic in pairs)",
        "return 1 + sum(nonnegative(part, tactic) for part, tactic in pairs[:1])",
        "Parts: the first only",
    ),
    ('raise ProofError(f"{e} is not seen to be the product of its factors")', "pass", "Factors: of any product"),
    (
        "return 1 + sum(nonnegative(factor, tactic) for factor, tactic in pairs)",
        "return 1 + sum(nonnegative(factor, tactic) for factor, tactic in pairs[1:])",
        "Factors: but the first",
    ),
    (
        "            if not seen_nonnegative(of, strict=bool(self.u.is_positive)):\n",
        "            if False:\n",
        "Composed: outside of its range",
    ),
    ("        if not is_zero(e - form.subs(self.u, of)):\n", "        if False:\n", "Composed: of anything"),
    (
        "self.below) + nonnegative(\n            e.subs(self.x, at + PAST), self.above\n        )",
        "self.below)",
        "Split: below only",
    ),
    (
        "return nonnegative(e.subs(self.x, at / (1 + PAST)), self.below) + nonnegative(",
        "return nonnegative(",
        "Split: above only",
    ),
    (
        "        if not self.x.is_positive or not seen_nonnegative(at, strict=True):",
        "        if False:",
        "Split: anywhere",
    ),
)

KERNEL = faults_of(
    "verification/provers/kernel.py",
    (
        '    if fx.has(*x):\n        raise ProofError(f"{fx} has a variable that is taken")\n',
        "",
        "functions: their variable is captured",
    ),
    ("        if self.seal is not _SEAL:\n", "        if False:\n", "theorems are made by hand"),
    ("        if not same(self.case, self.rhs, other.lhs):\n", "        if False:\n", "then: any two theorems"),
    (
        "return _made(self.case, self.lhs, other.rhs, (), self, other)",
        "return _made(self.case, self.lhs, other.rhs, (), self, other, equal=self.equal or other.equal)",
        "then: one equality makes two",
    ),
    (
        "return _made(self.case, self.lhs + other.lhs, self.rhs + other.rhs, (), self, other)",
        "return _made(self.case, self.lhs + other.lhs, self.rhs + other.rhs, (), self, other, equal=self.equal)",
        "sum: one equality makes two",
    ),
    ("        nonnegative(factor, tactic)\n", "", "times: a factor below 0"),
    (
        "_made(self.case, -self.rhs, -self.lhs, ()",
        "_made(self.case, -self.lhs, -self.rhs, ()",
        "negated: not exchanged",
    ),
    (
        "if any(other.case is not self.case for other in others):",
        "if False:",
        "theorems of different cases are combined",
    ),
    (
        "premises = tuple(dict.fromkeys(p for t in of for p in t.premises))",
        "premises = tuple(dict.fromkeys(p for t in of[:1] for p in t.premises))",
        "premises of the second theorem are forgotten",
    ),
    ("    if a == b:\n        return True\n", "    if True:\n        return True\n", "same: everything"),
    (
        "    if a.has(sympy.oo, -sympy.oo) or b.has(sympy.oo, -sympy.oo):\n        return False\n",
        "    if a.has(sympy.oo, -sympy.oo) or b.has(sympy.oo, -sympy.oo):\n        return True\n",
        "same: infinity is anything",
    ),
    (
        "    if b == sympy.oo or a == -sympy.oo:\n",
        "    if b == sympy.oo or a == sympy.oo:\n",
        "at_most: infinity is below",
    ),
    (
        "    if b == sympy.oo or a == -sympy.oo:\n",
        "    if sympy.oo in (b, -b):\n",
        "at_most: something is below -infinity",
    ),
    ("    settle(b - a, None, lambda e, _: nonnegative(e, tactic))\n", "", "at_most: nothing is shown"),
    (
        '    if not same(case, a, b):\n        raise ProofError("{} is not seen to equal {}", a, b)\n',
        "",
        "equal: nothing is shown",
    ),
    (
        "low, high = relation.rhs, relation.lhs",
        "low, high = relation.lhs, relation.rhs",
        "assumed: the wrong way round",
    ),
    ("        if not same(case, old, wanted):\n", "        if False:\n", "rewrite: as anything"),
    ('"positive" if seen else', '"positive" if True else', "through: everything is positive"),
    (
        '"nonnegative" if seen_nonnegative(a) else "real"',
        '"nonnegative"',
        "through: everything is nonnegative",
    ),
    (
        "        continuous(fx, x)\n    nonnegative(algebra.simplify(fx.diff(x)), slope)",
        "        pass\n    nonnegative(algebra.simplify(fx.diff(x)), slope)",
        "through: a jump at 0",
        "no slope is seen to be nonnegative that may be infinite at 0",
    ),
    ("    nonnegative(algebra.simplify(fx.diff(x)), slope)\n", "", "through: what falls"),
    ("    smooth(fx, x)\n    if x.is_nonnegative and", "    if x.is_nonnegative and", "through: poles"),
    ("STRICT = (sympy.Gt, sympy.Lt)", "STRICT = (sympy.Gt, sympy.Lt, sympy.Ge, sympy.Le)", "positive: what is >= 0"),
    ("is_zero(shown.lhs - shown.rhs - gap)", "is_zero(shown.rhs - shown.lhs - gap)", "absurd: what the case assumes"),
    ("if not any(is_zero(shown.lhs", "if False and not any(is_zero(shown.lhs", "absurd: every case"),
    (
        "    if any(not same(first.case, t.rhs, first.rhs) for t in lhs_of):\n",
        "    if False:\n",
        "maximum: of different bounds",
    ),
    # sums over letters
    (
        "patterns = list(case.patterns(symbols))",
        "patterns = list(case.patterns(symbols))[-1:]",
        "pointwise: no weight is 0",
    ),
    (
        "patterns = list(case.patterns(symbols))",
        "patterns = list(case.patterns(symbols))[:1]",
        "pointwise: all weights are 0",
    ),
    (
        "if (weight, next(iter(homes), None)) not in case.masses or",
        "if",
        "pointwise: multipliers of weights of any total",
    ),
    (
        "    elif not is_zero(rest - total):\n        nonnegative(rest - total)\n",
        "",
        "pointwise: the sum of the multipliers is not compared",
    ),
    (
        "        nonnegative(rest - total)\n",
        "        nonnegative(total - rest)\n",
        "pointwise: the multipliers exceed the bound",
    ),
    ("        if not is_zero(rest - total):\n", "        if False:\n", "pointwise: the constants of an equality"),
    (
        "        nonnegative(factor)\n        if case.lives",
        "        if case.lives",
        "pointwise: facts with a multiplier below 0",
    ),
    ("term -= USED * factor * fact\n", "term += USED * factor * fact\n", "pointwise: facts are added"),
    (
        '        if equal:\n            raise ProofError("an inequality proves',
        '        if False:\n            raise ProofError("an inequality proves',
        "pointwise: an inequality proves an equality",
    ),
    (
        "settle(-term, ratio, prove) if equal else count",
        "0 if equal else count",
        "pointwise: an equality by one inequality",
    ),
    (
        "    return is_zero(_pulled(scaled, t) - t * term) or is_zero(scaled - t * term)\n",
        "    return True\n",
        "pointwise: every term is homogeneous",
    ),
    (
        "    if term == sympy.oo and not equal:\n",
        "    if term.has(sympy.oo) and not equal:\n",
        "pointwise: an infinite part is enough",
    ),
    (
        "if not seen_nonnegative(end) and not any(_multiple(fact, end) for fact in known):\n",
        "if False:\n",
        "pointwise: a chord without its range",
    ),
    (
        "for end in (chosen.x - chosen.low, chosen.high - chosen.x):",
        "for end in (chosen.x - chosen.low,):",
        "pointwise: a chord without its upper end",
    ),
    (
        "is_zero(fact - quotient * e) and seen_nonnegative(quotient, strict=True)",
        "is_zero(fact - quotient * e)",
        "a fact with its sign changed",
    ),
    # suprema
    (
        "if not same(case, shown.lhs, at(event)) or not same(case, shown.rhs, sympy.sympify(bound)):",
        "if not same(case, shown.lhs, at(event)):",
        "every_event: another bound",
    ),
    (
        "if not same(case, shown.lhs, at(event)) or not same(case, shown.rhs, sympy.sympify(bound)):",
        "if not same(case, shown.rhs, sympy.sympify(bound)):",
        "every_event: of something else",
    ),
    (
        "        if not values <= {sympy.Integer(0), sympy.Integer(1)}:\n",
        "        if False:\n",
        "this_event: an event that is no indicator",
    ),
    (
        "        if not case.ranges(indicator) <= {alphabet}:\n",
        "        if False:\n",
        "this_event: of another alphabet",
    ),
    ("region is not also or", "", "more_trials: other regions"),
    (
        "for i in (1, 2):\n                gain",
        "for i in (1,):\n                gain",
        "more_trials: worse ones may be worse",
    ),
    (
        "for i in (1, 2):\n                gain",
        "for i in (2,):\n                gain",
        "more_trials: better ones may be worse",
    ),
    ("if not is_zero(Add(*chances.values()) - 1):", "if False:", "more_trials: probabilities of any sum"),
    (
        "settle(sympy.sympify(chance), None, lambda e, _: nonnegative(e))",
        "pass",
        "more_trials: probabilities below 0",
    ),
    ("if count != same_count or not set(pi)", "if not set(pi)", "more_trials: other numbers of trials"),
    (
        "or not set(pi) | set(more) <= set(WORSE):",
        "or set(pi) | set(more) > set(WORSE):",
        "more_trials: other outcomes",
    ),
    # premises
    ("            lies(kind, arguments[name], case)\n", "            pass\n", "premise: outside of its kinds"),
    ('same_sides = claim.relation == "=="', "same_sides = True", "premise: every inequality is an equality"),
    (
        "                (claim.id,),\n                same_sides,\n",
        "                (),\n                same_sides,\n",
        "premise: not told",
    ),
)

CONVEXITY = faults_of(
    "verification/provers/convexity.py",
    ('algebra.bound(name, "positive", fab)', 'algebra.bound(name, "positive")', "sublinear: a variable is captured"),
    # convexity
    (
        '        if not is_zero(Add(*weights) - 1):\n            raise ProofError(f"the exponents',
        '        if False:\n            raise ProofError(f"the exponents',
        "holder: exponents of any sum",
    ),
    (
        "        for w, f in terms:\n            nonnegative(w)\n",
        "        for w, f in terms:\n",
        "holder: exponents below 0",
    ),
    ("            _finite_and_nonnegative(case, sympy.sympify(f))\n", "", "holder: factors below 0"),
    ('            raise ProofError(f"{f} may be infinite")\n', "            continue\n", "holder: infinite factors"),
    (
        '        if not is_zero(Add(*weights) - 1):\n            raise ProofError(f"{weights}',
        '        if False:\n            raise ProofError(f"{weights}',
        "convexity: weights of any sum",
    ),
    ("        for w in weights:\n            nonnegative(w)\n", "", "convexity: weights below 0"),
    (
        "if all(seen_nonnegative(x, strict=True) for x in points) else",
        "if any(seen_nonnegative(x, strict=True) for x in points) else",
        "convexity: one positive point is enough",
    ),
    (
        "nonnegative(algebra.simplify(fx.diff(x, 2)),",
        "nonnegative(0 * algebra.simplify(fx.diff(x, 2)),",
        "convexity: of what is not convex",
    ),
    ("            nonnegative(sympy.sympify(c))\n", "", "sublinear: numbers below 0"),
    ("            for w in weights:\n                nonnegative(w)\n", "", "sublinear: weights below 0"),
    (
        "        if len(homes) != 2 or len(target) != 1:\n",
        "        if len(homes) != 2:\n",
        "processing: what is no kernel",
    ),
    ("            if case.ranges(w) != {source}:\n", "            if False:\n", "processing: weights of any alphabet"),
    (
        "        for w in (p, q):\n            nonnegative(w)\n",
        "        for w in (p, q):\n",
        "processing: weights below 0",
    ),
    (
        '        raise ProofError(f"{inside} is not seen to be homogeneous")\n',
        "        pass\n",
        "processing: without homogeneity",
    ),
    ("    _convex(sympy.sympify(f(u, sympy.Integer(1))), u)\n", "", "processing: without convexity"),
    ('        raise ProofError(f"{inside} is not 0 at 0")\n', "        pass\n", "processing: not 0 at 0"),
    (
        "        continuous(limit, zero)\n",
        "        continue\n",
        "processing: the limits at the edges are not looked at",
    ),
    (
        "isinstance(rest, sympy.Max | sympy.Abs) and seen_nonnegative(constant)",
        "isinstance(rest, sympy.Max | sympy.Abs)",
        "convex: minus a maximum",
    ),
    ("elif not is_zero(sympy.diff(arg, u, 2)):", "elif False:", "convex: the modulus of anything"),
    (
        "            if isinstance(rest, sympy.Max):\n                _convex(arg, u)\n",
        "            if isinstance(rest, sympy.Max):\n                pass\n",
        "convex: the maximum of anything",
    ),
)

SYMBOLS = faults_of(
    "verification/provers/symbols.py",
    (
        "if len(alphabets) == 1 and (inside, alphabets[0]) in case.masses:",
        "if len(alphabets) == 1 and inside.is_Symbol:",
        "totals: of every weight 1",
    ),
    (
        'raise ProofError(f"the size of the alphabet is not known, but needed for the total of {terms[0]}")',
        "return terms[0]",
        "totals: one letter",
    ),
    ("return True if self.args[0].is_nonnegative else None", "return True", "totals: nonnegative"),
    ("range(1, case.taken[i][1])", "range(2, case.taken[i][1])", "cases: the second one is left out"),
    ("range(1, case.taken[i][1])", "range(1, min(2, case.taken[i][1]))", "cases: the third one is left out"),
    (
        "for i in range(len(choices), len(taken)):",
        "for i in range(len(choices), min(len(choices) + 1, len(taken))):",
        "cases: later choices are left out",
    ),
    (
        "        if count > MAX_CASES:\n            raise",
        "        if count > MAX_CASES:\n            return\n            raise",
        "cases: enough is enough",
    ),
    ("return func in (Ge, Eq)", "return True", "known: 0 > 0"),
    ("            return func is not Eq\n", "            return True\n", "known: a positive number is 0"),
    (
        "            if func is Ge and seen_nonnegative(gap):\n",
        "            if seen_nonnegative(gap):\n",
        "known: 0 > 0 of what may be 0",
    ),
    ("(func is Gt and seen_nonnegative(-gap))", "seen_nonnegative(-gap)", "known: not 0 >= 0"),
    (
        "        self.relations.append(relation if answer else Not(relation))\n        return bool(answer)",
        "        self.relations.append(relation)\n        return bool(answer)",
        "cases: what they assume is always the comparison",
    ),
    ("            if told == Not(relation):\n                return False\n", "", "cases: no is forgotten"),
    (
        "answer = self.choose([(str(relation), True), (str(Not(relation)), False)])",
        "answer = self.choose([(str(relation), True)])",
        "cases: comparisons are true",
    ),
    (
        "                options.append([Integer(0), Integer(1)])\n",
        "                options.append([Integer(1)])\n",
        "patterns: events are not 0",
    ),
    (
        "options.append([Integer(0), Integer(1), _odds(s)])",
        "options.append([Integer(0), Integer(1)])",
        "patterns: tests are events",
    ),
    (
        "options.append([Integer(0), Integer(1), _odds(s)])",
        "options.append([Integer(1), _odds(s)])",
        "patterns: tests are not 0",
    ),
    (
        "options.append([Integer(0), Symbol(s.name, positive=True)])",
        "options.append([Symbol(s.name, positive=True)])",
        "patterns: weights are positive",
    ),
    (
        "            if any(self._true_of(c, pattern) for c in self.excluded):\n                continue\n",
        "",
        "patterns: what is excluded occurs",
    ),
    (
        "at(condition, pattern) == sympy.true)",
        "at(condition, pattern) != sympy.false)",
        "patterns: what may be excluded is",
    ),
    (
        "if all(_false(at(condition, p)) for p",
        "if any(_false(at(condition, p)) for p",
        "somewhere: nowhere if not everywhere",
    ),
    (
        'answer = self.choose([(f"nowhere {condition}", False), (f"somewhere {condition}", True)])',
        'answer = self.choose([(f"nowhere {condition}", False)])',
        "somewhere: nowhere",
    ),
    (
        "(self.present if answer else self.excluded).append(condition)",
        "self.excluded.append(condition)",
        "somewhere: excluded where it holds",
    ),
    ("any(not any(p[weight] != 0", "any(not all(p[weight] != 0", "impossible: a weight that may be 0"),
    ("names |= tied if tied & names else set()", "pass", "impossible: what ties two weights is not seen"),
    (
        "return any(not _false(at(condition, p)) for p in patterns)",
        "return all(not _false(at(condition, p)) for p in patterns)",
        "somewhere_known: everywhere",
    ),
    (
        "            return seen_nonnegative(-gap)\n        return seen",
        "            return True\n        return seen",
        "false: every comparison",
    ),
    (
        "return seen_nonnegative(gap, strict=True) or seen_nonnegative(-gap, strict=True)\n    return bool(condition",
        "return seen_nonnegative(gap)\n    return bool(condition",
        "false: an equality that may hold",
    ),
)

VALUES = faults_of(
    "verification/provers/values.py",
    (
        "return Rational(*float(x).as_integer_ratio())\n    if isinstance(x, int",
        "return Rational(str(float(x)))\n    if isinstance(x, int",
        "numbers: decimals of a float",
    ),
    ("return not self > other", "return not self < other", "<= is >="),
    ("return not self < other", "return self > other", ">= is >"),
    ('raise ProofError(f"{x} times {y} is undefined")', "return Integer(0)", "0 times infinity is 0"),
    ('            raise ProofError(f"a division by {y}, which may be 0")', "            pass", "division by 0"),
    (
        '            raise ProofError(f"a division by {y}, which may be 0 at a letter")',
        "            pass",
        "division by a weight that may be 0",
    ),
    (
        'raise ProofError(f"letters of two alphabets, {a} and {b}, along one axis")',
        "pass",
        "letters of two alphabets are mixed",
    ),
    ('raise ProofError("one generic letter along two axes: use k.product")', "pass", "one letter twice for two"),
    ('raise ProofError("a sum over the batch")', "at = -1", "a sum over the batch is one over letters"),
    (
        "return Where(*self._related(other, lambda x, y: Ge(x, y)))",
        "return Where(*self._related(other, lambda x, y: Gt(x, y)))",
        "letters: >= is >",
    ),
    (
        "np.array([not CASE.get().somewhere(Not(self.condition))])",
        "np.array([CASE.get().somewhere(self.condition)])",
        "all is any",
    ),
    ("return _array(-largest(-self))", "return _array(largest(self))", "the smallest is the largest"),
    ('if kind == "letters" and e == x.e:', 'if kind == "letters":', "all suprema are the same"),
)

KINDS = faults_of(
    "verification/provers/kinds.py",
    ('        if closed[1]:\n            options.append((f"{name} = {high}", high))\n', "", "an upper end is left out"),
    ('    if closed[0]:\n        options.append((f"{name} = {low}", low))\n', "", "a lower end is left out"),
    ("        if closed[1]:\n", "        if False:\n", "an upper end is never reached"),
    (
        'options.append((f"{low} < {name} < {high}", (low + high * s) / (1 + s)))',
        'options.append((f"{low} < {name} < {high}", (low + high * s) / (1 + 2 * s)))',
        "not all of a bounded range",
    ),
    (
        "    if high > 1:\n        pieces.append(",
        "    if high > 1 and low >= 1:\n        pieces.append(",
        "orders above 1 are left out",
    ),
    ("    if low < 1:\n        top", "    if low < 1 and high <= 1:\n        top", "orders below 1 are left out"),
    (
        '[(f"{name} > 0", s), (f"{name} < 0", -s), (f"{name} = 0", Integer(0))]',
        '[(f"{name} > 0", s), (f"{name} = 0", Integer(0))]',
        "real numbers are nonnegative",
    ),
    (
        "(not kind.positive, True), case)\n    return _array(e), e",
        "(False, True), case)\n    return _array(e), e",
        "scales are positive",
    ),
    (
        "e = interval(name, Integer(0), Integer(1), (kind.zero, kind.one), case)",
        "e = interval(name, Integer(0), Integer(1), (False, kind.one), case)",
        "parts are not 0",
    ),
    (
        "e = interval(name, Integer(0), Integer(1), (kind.zero, kind.one), case)",
        "e = interval(name, Integer(0), Integer(1), (kind.zero, False), case)",
        "parts are not 1",
    ),
    ('{"positive": True} if kind.full else {"nonnegative": True}', '{"positive": True}', "weights are positive"),
    (
        'more = Symbol(f"{name}_more", integer=True, nonnegative=True)',
        'more = Symbol(f"{name}_more", integer=True, positive=True)',
        "integers are not the least",
    ),
    (
        "    same = [(1 + s, 1 + s), (s / (1 + s), s / (1 + s))]\n",
        "    same = [(1 + s, 1 + s)]\n",
        "two orders: equal ones below 1 are left out",
    ),
    ("(s / (1 + s), 1 + t), (s", "(s / (1 + s), 1 + s), (s", "two orders: tied to each other"),
    ("    if kind.most != 1:\n", "    if False:\n", "tests beyond 1 are tests"),
    (
        "    case.masses[k, target] = 1\n    return Letters(k, [(source,), (target,)]), k",
        "    case.masses[k, target] = case.masses[k, source] = 1\n    return Letters(k, [(source,), (target,)]), k",
        "kernels are doubly stochastic",
    ),
    # what lies in a kind
    (
        "        if not seen_nonnegative(gap, strict=not edge):\n",
        "        if not seen_nonnegative(gap):\n",
        "lies: open ends are closed",
    ),
    ("        if not seen_nonnegative(gap, strict=not edge):\n", "        if False:\n", "lies: everything"),
    ('        raise ProofError(f"{e} may be 1")\n', "        pass\n", "lies: an order of 1"),
    ("    if len(x) != kind.count:\n", "    if False:\n", "lies: any number of distributions"),
    ("        if not seen_nonnegative(w.e, strict=kind.full) or", "        if", "lies: weights below 0"),
    (" or not is_zero(Total(w.e, *w.axes[0]) - 1):", ":", "lies: weights of any total"),
    ("seen_nonnegative(w.e, strict=kind.full)", "seen_nonnegative(w.e)", "lies: weights that may be 0 in full support"),
)

QUOTIENTS = faults_of(
    "verification/provers/quotients.py",
    ("    if top == 0:\n", "    if True:\n", "everything is 0"),
    ("a * left + c * right", "a * left - c * right", "sums are differences"),
    ("a * left + c * right", "a * right + c * left", "sums: the wrong denominators"),
    ("return a + c, b\n", "return a + c, b * d\n", "sums: of one denominator, with another"),
    ("return x[0] * y[0], x[1] * y[1]", "return x[0] * y[1], x[1] * y[0]", "products are quotients"),
    ("else (bottom**-n, top**-n)", "else (top**-n, bottom**-n)", "powers: -n is n"),
    (" or (n < 0 and top == 0)", "", "powers: 1 / 0 is known"),
    ("all(isinstance(x, Symbol) for x in letters)", "True", "what else there is is unrelated"),
    ("return bool(e.is_commutative)", "return True", "everything commutes"),
)

FAULTS = [*SCALARS, *CORNERS, *TACTICS, *KERNEL, *CONVEXITY, *SYMBOLS, *VALUES, *KINDS, *QUOTIENTS]

_V = "tests/verification/"

TESTS = {
    "verification/provers/scalars.py": (
        *(f"{_V}test_scalars.py", f"{_V}test_provers_tactics.py", f"{_V}test_provers_rules.py"),
    ),
    "verification/provers/corners.py": (
        *(f"{_V}test_scalars.py", f"{_V}test_provers_tactics.py", f"{_V}test_provers_rules.py"),
    ),
    "verification/provers/tactics.py": (
        *(f"{_V}test_scalars.py", f"{_V}test_provers_tactics.py", f"{_V}test_provers_rules.py"),
    ),
    "verification/provers/kernel.py": (
        *(f"{_V}test_provers_rules.py", f"{_V}test_kernel.py", f"{_V}test_lemmas.py", f"{_V}test_levels.py"),
    ),
    "verification/provers/convexity.py": (
        *(f"{_V}test_provers_rules.py", f"{_V}test_kernel.py", f"{_V}test_lemmas.py", f"{_V}test_levels.py"),
    ),
    "verification/provers/symbols.py": (f"{_V}test_provers_cases.py", f"{_V}test_provers_rules.py"),
    "verification/provers/values.py": (f"{_V}test_provers_cases.py", f"{_V}test_provers_rules.py"),
    "verification/provers/kinds.py": (f"{_V}test_provers_cases.py", f"{_V}test_provers_rules.py"),
    "verification/provers/quotients.py": (f"{_V}test_quotients.py",),
}
