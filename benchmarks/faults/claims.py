"""Faults of the search for a proof, and of the premises of proofs."""

from faults.fault import faults_of

SEARCH = faults_of(
    "verification/simplify.py",
    ('if found.verdict != "refuted":', 'if found.verdict == "proved":', "certify_violation: undecided accepted"),
    ('if found.verdict != "refuted":', "if False:", "certify_violation: everything accepted"),
    ("for side in (0, 1)),", "for side in (1, 0)),", "certify_violation: sides exchanged"),
    ("            relation=claim.relation,\n", "", "certify_violation: == read as <="),
    ("[side][i]).flint()", "[side][0]).flint()", "certify_violation: the first inequality, not the worst"),
    (
        "claim.sides(RigorousVocabulary(digits), **made",
        "claim.sides(RigorousVocabulary(15), **made",
        "certify_violation: 15 digits only",
    ),
    ("            max_digits=240,\n", "            max_digits=15,\n", "certify_violation: one precision"),
    (
        "except (ArithmeticError, TypeError):  # balls",
        "except TypeError:  # the claim's",
        "certify_violation: what cannot be followed is an error",
    ),
    (
        "low, high = found.margin.lower(), found.margin.upper()",
        "low, high = found.margin.mid(), found.margin.mid()",
        "certificate: the midpoint twice",
    ),
    (
        "low, high = found.margin.lower(), found.margin.upper()",
        "low, high = found.margin.upper(), found.margin.lower()",
        "certificate: ends exchanged",
    ),
    ("_decimal(low, ROUND_FLOOR)", "_decimal(low, ROUND_CEILING)", "certificate: lower end rounded inward"),
    ("_decimal(high, ROUND_CEILING)", "_decimal(high, ROUND_FLOOR)", "certificate: upper end rounded inward"),
    ('return "inf" if x > 0 else "-inf"', 'return "inf"', "certificate: -inf is inf"),
    (
        "context.multiply(Decimal(mantissa), power) if exponent >= 0",
        "context.multiply(Decimal(mantissa), power) if True",
        "certificate: powers of two the wrong way",
    ),
)

SYMBOLIC_VOCABULARY = faults_of(
    "verification/provers/vocabulary.py",
    (
        "return self.somewhere(lambda x, y: And(Gt(x, 0), sympy.Eq(y, 0)), p, q)",
        "return self.somewhere(lambda x, y: And(Gt(y, 0), sympy.Eq(x, 0)), p, q)",
        "outside: exchanged",
    ),
    ("return self.somewhere(lambda x, y: And(Gt(x, 0), sympy.Eq(y, 0)), p, q)", "return False", "outside: never"),
    ("return self.somewhere(lambda x, y: And(Gt(x, 0), Gt(y, 0)), p, q)", "return True", "meet: always"),
    (
        "if _same_kernel(p, q) and not self.outside(p.origin[0], q.origin[0]):",
        "if _same_kernel(p, q):",
        "outside: images never",
    ),
    ("if _same_kernel(p, q) and self.meet(p.origin[0], q.origin[0]):", "if _same_kernel(p, q):", "meet: images always"),
    ("or first[1] is not second[1]:", ":", "images under two kernels are under one"),
    (
        '                raise ProofError(f"{w} is not seen to sum to 1")',
        "                pass",
        "normalised: anything",
    ),
    (
        "            return all(CASE.get().holds(part) for part in condition.args)",
        "            return any(CASE.get().holds(part) for part in condition.args)",
        "and is or",
    ),
    ("Piecewise((f(*w), Gt(x, 0)), (Integer(0), True)), p, *weights)", "f(*w), p, *weights)", "masked: every letter"),
    ("x**order * y ** (1 - order), p, q)", "y**order * x ** (1 - order), p, q)", "renyi: exchanged"),
    ("x**order * y ** (1 - order), p, q)", "x**order * y**order, p, q)", "renyi: alpha for 1 - alpha"),
    (
        "sympy.log(self._moment(moment)) / (order - 1))",
        "sympy.log(self._moment(moment)) / (1 - order))",
        "renyi: its sign",
    ),
    ("        elif not self.meet(p, q):\n            return _array(sympy.oo)\n", "", "renyi: disjoint supports"),
    (
        "            if self.outside(p, q):\n                return _array(sympy.oo)\n        elif",
        "            if False:\n                return _array(sympy.oo)\n        elif",
        "renyi: never infinite above 1",
    ),
    ("x * (_log(x) - _log(y)), p, q)", "x * (_log(y) - _log(x)), p, q)", "kl: its sign"),
    ("x * (_log(x) - _log(y)), p, q)", "y * (_log(x) - _log(y)), p, q)", "kl: under q"),
    ("case._fact(top * q.e - p.e)", "case._fact(top * p.e - q.e)", "ratio: exchanged"),
    ('if kind == "ratio" and e == (p.e, q.e):', 'if kind == "ratio":', "ratio: all the same"),
    ("algebra.maximum(x - v * y, 0), p, q)", "algebra.maximum(v * x - y, 0), p, q)", "hockey_stick: the level is at p"),
    ("algebra.maximum(x - v * y, 0), p, q)", "Abs(x - v * y), p, q)", "hockey_stick: both signs"),
    ("Abs(x - y) / 2, p, q)", "Abs(x - y), p, q)", "total_variation: twice"),
    ("1 - self.sum(lambda x, y: sympy.sqrt(x)", "self.sum(lambda x, y: sympy.sqrt(x)", "hellinger: the affinity"),
    (
        'raise ProofError("weights of different alphabets")\n            return Total',
        "pass\n            return Total",
        "sums over letters of two alphabets",
    ),
    (
        "if len(axis) != 1 or len(axis[0]) != 1 or any(w.axes != axis for w in weights):",
        "if False:",
        "events of two alphabets",
    ),
    (
        "expression(f(*(_array(Total(event * w, *axis[0])) for w in kept)))",
        "expression(f(*(_array(Total(w, *axis[0])) for w in kept)))",
        "over_events: of everything",
    ),
    (
        "        if not case.holds(Gt(1, allowed)):\n            return _array(-sympy.oo)\n",
        "",
        "level: a mass of 1 or more",
    ),
    ("            if case.holds(Gt(escaped, allowed)):\n", "            if False:\n", "level: never infinite"),
    ("{(1, 0): x, (0, 1): y, (0, 0): 1 - x - y}", "{(1, 0): x, (0, 1): y, (0, 0): 1 - x}", "games of any total"),
    (
        "        return -sympy.oo\n    if isinstance(x, Total)",
        "        return sympy.oo\n    if isinstance(x, Total)",
        "log 0 = oo",
    ),
    ("(r**order + r ** (1 - order)) / (1 + r)", "(r**order + r ** (1 - order)) / 2", "randomised response: its total"),
    ("sympy.log(r) * (r - 1) / (r + 1))", "sympy.log(r) * (r - 1))", "randomised response of order 1"),
    ("return alpha * mu * mu / 2", "return alpha * mu / 2", "Gaussians: mu for mu^2"),
    ('raise ProofError(f"the radius {radius} is not seen to be nonnegative")', "pass", "nearest: a negative radius"),
)

DERIVATION = faults_of(
    "verification/provers/derivation.py",
    (
        "_belongs(script(goal) if script is not None else goal.pointwise(), goal)",
        "script(goal) if script is not None else goal.pointwise()",
        "a script's theorem is not looked at",
    ),
    ('if goal.relation == "==" and not (low and high):', "if False:", "an equality of other sides"),
    ("    return theorem if high else", "    return theorem if True else", "a theorem with another right side"),
    ("    if not low:\n", "    if False:\n", "a theorem with another left side"),
    ("        if goal.obvious is None:\n            raise\n", "", "a script that fails"),
    (" or theorem.case is not goal.case:", ":", "a theorem of another case"),
    ('if goal.relation == "==" and not theorem.equal:', "if False:", "an inequality for an equality"),
    (
        "    if theorem is None:\n        raise ProofError",
        "    if theorem is None:\n        return goal.at_most(0, 0)\n        raise ProofError",
        "no theorem is one",
    ),
    ("        for goal in wanted:\n", "        for goal in wanted[:1]:\n", "only the first inequality"),
    ("    for _ in cases(run):\n        pass\n", "    for _ in cases(run):\n        break\n", "only the first case"),
    ("    if tally.inequalities == tally.trivial:\n", "    if False:\n", "all cases may be trivial"),
    (
        "if not goal.lhs.free_symbols and not goal.rhs.free_symbols and goal.obvious is not None:",
        "if not goal.lhs.free_symbols and not goal.rhs.free_symbols:",
        "trivial cases are true",
    ),
    ("    if case.impossible():\n        return []\n", "", "cases without distributions are proved"),
    (
        "    if left.shape[:1] != (1,):\n",
        "    if False:\n",
        "sides without a batch",
        "every one of their inequalities is derived all the same",
    ),
    ("            if time.monotonic() > limit:\n", "            if False:\n", "no time limit"),
    ("            tally.premises.update(dict.fromkeys(theorem.premises))\n", "", "premises are not told"),
    (
        "    clear_cache()  #",
        "    #",
        "sympy remembers other letters",
        "a total is not made by a function that sympy caches",
    ),
)

PROOF = faults_of(
    "verification/proof.py",
    ("        if self.seal is not _SEAL:\n", "        if False:\n", "proofs are made by hand"),
    ('        object.__setattr__(self, "seal", None)\n', "", "the seal of a proof makes another"),
    ("    if not isinstance(prover, Prover):\n", "    if not hasattr(prover, 'derive'):\n", "what derives is a prover"),
    ('raise ProofError(f"{type(error).__name__}: {error} ({line})") from error', "raise", "errors inside are errors"),
    ("made.premises, made.complete, _SEAL)", "(), made.complete, _SEAL)", "premises are left out"),
    ("made.premises, made.complete, _SEAL)", "made.premises, True, _SEAL)", "every proof is complete"),
)

CHALLENGE = faults_of(
    "verification/challenge.py",
    ('others = [(opposite(claim), "its opposite")]', "others = []", "the opposite is not put"),
    (
        'return (lhs, rhs + 1) if claim.relation == "==" else (rhs + 1, lhs)',
        'return (lhs, rhs) if claim.relation == "==" else (rhs + 1, lhs)',
        "the opposite of an equality is the equality",
    ),
    (
        'return (lhs, rhs + 1) if claim.relation == "==" else (rhs + 1, lhs)',
        "return lhs, rhs + 1",
        "the opposite of an inequality is weaker",
    ),
    ("return lhs, rhs - size / parts", "return lhs, rhs", "tightened: by nothing"),
    ("return lhs, rhs - size / parts", "return lhs, rhs - rhs / parts", "tightened: below 0 the other way"),
    (
        'if claim.relation == "<=" and false_at(tightened(claim), instances):',
        "if False:",
        "the tightened claim is not put",
    ),
    (
        'if claim.relation == "<=" and false_at(tightened(claim), instances):',
        'if claim.relation == "<=":',
        "the tightened claim is put where it is true",
    ),
    ("        if false_at(wider, None):\n", "        if False:\n", "wider kinds are not put"),
    ("        if false_at(wider, None):\n", "        if True:\n", "wider kinds are put where it is true"),
    ("        raise NotBound(f", "        return\n        raise NotBound(f", "what is not bound is bound"),
    ("yield Order(0, kind.low, closed=False)", "yield Order(kind.low, 2 * kind.low)", "wider orders are narrower"),
    (
        "    elif isinstance(kind, Scale):\n        yield Reals",
        "    elif False:\n        yield Reals",
        "scales are not widened",
    ),
    ("yield Scale(drawn=4)", "yield kind", "parts are not widened"),
    ("yield replace(kind, most=2)", "yield kind", "tests are not widened"),
)

ESTABLISHED = faults_of(
    "verification/search.py",
    ("            challenge(claim, claim.proof, _false_at, instances)\n", "", "no challenge"),
    (
        "            challenge(claim, claim.proof, _false_at, instances)\n",
        "            challenge(claim, claim.proof, _false_at, [])\n",
        "the tightened claim is looked at nowhere",
    ),
    (
        "        except NotBound as error:\n            proof = None\n",
        "        except NotBound as error:\n",
        "a proof that is not bound stays",
    ),
    (
        "            verdict if proof is None else Verdict.PROVED,",
        "            verdict if self.claim.proof is None else Verdict.PROVED,",
        "every claim with a prover is proved",
    ),
    (
        "        if seen is not None and seen.violated is not None:\n            return True",
        "        if seen is not None:\n            return True",
        "false at float64 alone",
    ),
    (
        "        if seen is not None and seen.violated is not None:\n            return True",
        "        if seen is not None and seen.violated is not None:\n            return False",
        "nothing is false for certain",
    ),
    (
        "            return True\n    return False\n\n\ndef _least",
        "            return True\n    return True\n\n\ndef _least",
        "everything is false for certain",
    ),
    (
        "for i in np.argsort(values)[:2] if values[i] < 0]",
        "for i in np.argsort(-values)[:2] if values[i] < 0]",
        "false: looked for where it is true",
    ),
    (
        "# the statement, or the kinds, make no sense there\n            return False",
        "# the statement, or the kinds, make no sense there\n            return True",
        "what makes no sense is false",
    ),
)

FAULTS = [*SEARCH, *SYMBOLIC_VOCABULARY, *DERIVATION, *PROOF, *CHALLENGE, *ESTABLISHED]

_V = "tests/verification/"

TESTS = {
    "verification/simplify.py": (f"{_V}test_certify_violation.py",),
    "verification/provers/vocabulary.py": (f"{_V}test_provers_definitions.py", f"{_V}test_levels.py"),
    "verification/provers/derivation.py": (f"{_V}test_provers_claims.py",),
    "verification/proof.py": (f"{_V}test_provers_claims.py",),
    "verification/challenge.py": (f"{_V}test_provers_claims.py",),
    "verification/search.py": (f"{_V}test_provers_claims.py", f"{_V}test_sides.py"),
}
