"""Faults of proofs about operators and by enclosures."""

from faults.fault import faults_of

CHANNELS = faults_of(
    "verification/provers/operators/channels.py",
    ("return atom.args[kept] * trace(atom.args[gone])", "return atom.args[kept]", "partial trace: without the trace"),
    ("kept, gone = (0, 1) if second else (1, 0)", "kept, gone = (0, 1)", "partial trace: of the second factor only"),
    (
        "        if len(set(parts)) != 1:\n",
        "        if False:\n",
        "blocks on different spaces are added",
        "as above: of blocks on different spaces some do not act on that of the first",
    ),
    ("    if back:\n        here, there = there, here\n", "", "U^* . U is U . U^*"),
    ("        if self.seal is not _SEAL:\n", "        if False:\n", "anybody makes a channel"),
    ("    psd(Operator(phi.e, phi.space))\n", "    pass\n", "prepared: what may not be positive"),
    (
        "    if trace(phi.e) != 1 or not CASE.get().ranges(phi.e) <= {alphabet}:\n",
        "    if False:\n",
        "prepared: states of any trace",
    ),
)

EXPRESSIONS = faults_of(
    "verification/provers/operators/expressions.py",
    (
        'return Mul(*parts) if space[0] == "tensor" else Add(*parts)',
        "return Add(*parts)",
        "dimension: of a product the sum",
    ),
    ("        if len(atoms) != 1:\n", "        if len(atoms) < 1:\n", "products of operators are operators"),
    (
        "out.append(c * trace(atom.args[0]) * trace(atom.args[1]))",
        "out.append(c * trace(atom.args[0]))",
        "trace: of the first factor",
    ),
    ('    if name.name.startswith(("channel:", "unitary:")):', "    if True:", "trace: every positive map keeps it"),
    ("if case.operators.setdefault(symbol, known) != known:", "if False:", "two operators of one name"),
)

KINDS = faults_of(
    "verification/provers/operators/kinds.py",
    (
        "bound = Integer(1) if kind.normalised or (kind.contractions and i) else None",
        "bound = Integer(1)",
        "states are at most the identity",
    ),
    (
        'mass = Integer(1) if kind.normalised else Symbol(f"{name}{i}_trace", positive=True)',
        "mass = Integer(1)",
        "states have the trace 1",
    ),
    (
        "    if kind.normalised or kind.contractions or kind.dim is not None or len(x) != kind.count:\n",
        "    if len(x) != kind.count:\n",
        "lies: states of any trace",
    ),
    (" or kind.dim is not None or len(x)", " or len(x)", "lies: states of one dimension for those of any"),
    ("not seen_nonnegative(trace(a.e), strict=True) or a.space", "a.space", "lies: states that may be 0"),
    (
        '            raise ProofError("a state is wanted, not zero")\n        psd(a)\n',
        '            raise ProofError("a state is wanted, not zero")\n',
        "lies: what may not be positive is a state",
    ),
    ("    if not isinstance(x, SymbolicChannel):\n", "    if not callable(x):\n", "lies: every function is a channel"),
    ("    psd(b)\n    psd(more)\n", "    psd(b)\n", "lies: commuting with what may not be positive"),
)

MOMENTS = faults_of(
    "verification/provers/operators/moments.py",
    # moments
    (
        "    psd(a)\n    psd(b)\n    if a.e",
        "    psd(b)\n    if a.e",
        "moment: of what may not be positive",
    ),
    (
        "    psd(a)\n    psd(b)\n    if a.e",
        "    psd(a)\n    if a.e",
        "moment: relative to what may not be positive",
    ),
    (
        '        raise ProofError(f"on which side of 1 {order} lies is not seen")',
        "        pass",
        "moment: of any order",
    ),
    ("    elif a.e == b.e or _full(b):\n", "    elif True:\n", "moment: always positive and finite"),
    ("    elif a.e == b.e or _full(b):\n", "    elif a.e == b.e or above:\n", "moment: never infinite"),
    ("    elif a.e == b.e or _full(b):\n", "    elif a.e == b.e or not above:\n", "moment: never 0"),
    (
        '[(f"{text} < oo", value), (f"{text} = oo", sympy.oo)]',
        '[(f"{text} < oo", value)]',
        "moment: the infinite case is left out",
    ),
    (
        'outcome = case.choose([(f"{text} > 0", value), (f"{text} = 0", Integer(0))])',
        'outcome = case.choose([(f"{text} > 0", value)])',
        "moment: the case of 0 is left out",
    ),
    (
        "outcome = follows if follows in (sympy.oo, 0) else value",
        "outcome = value",
        "moment: finite though another is not",
    ),
    (
        "        psd(b - Operator(Add(*(found[atom] * atom for atom in units)), b.space))\n",
        "        pass\n",
        "full rank: whatever is below the identity",
    ),
    (
        "seen_nonnegative(found.get(atom, Integer(0)), strict=True) for atom in units",
        "True for atom in units if atom in found",
        "full rank: without the identity",
    ),
    (
        "    if q == sympy.oo or q == 0:\n        return sympy.oo\n",
        "    if q == sympy.oo:\n        return sympy.oo\n",
        "divergence: of a moment that is 0",
    ),
    (
        "return (sympy.log(q) - sympy.log(mass)) / (order - 1)",
        "return sympy.log(q) / (order - 1)",
        "divergence: without the trace",
    ),
    ("    if lam != 0:\n        b = b", "    if False:\n        b = b", "divergence: without the regularization"),
    ("        if CASE.get().ranges(v):\n", "        if False:\n", "moments: one case for every letter"),
    (
        "divergence(moment(a, b, order), _mass(a), order)",
        "divergence(moment(a, b, order), trace(a.e), order)",
        "a divergence of 0",
    ),
)

OPERATORS = faults_of(
    "verification/provers/operators/operator.py",
    (
        "        if not isinstance(other, Operator) or other.space != self.space:\n",
        "        if not isinstance(other, Operator):\n",
        "operators on different spaces are added",
        "what adds them makes an operator, whose every atom is asked where it acts; a zero has none",
    ),
    ("        if is_operator(c) or CASE.get().ranges(c):\n", "        if False:\n", "operators are numbers"),
    (
        '    if not isinstance(space, Symbol):\n        raise ProofError("a projection',
        '    if False:\n        raise ProofError("a projection',
        "projections on products have a range of a name",
    ),
    ("parts[int(block.args[0])] += c", "parts[0] += c", "blocks: all are the first"),
    ("        elif _home(atom) != space:\n", "        elif False:\n", "operators act on any space"),
    (
        '    if kind == "unitary":\n        return space\n',
        "    if kind:\n        return space\n",
        "every map keeps the space",
    ),
)

POSITIVITY = faults_of(
    "verification/provers/operators/positivity.py",
    # positive operators
    (
        "        _psd(inner, space[1 + int(index)] if kind is Block else None)\n",
        "        pass\n",
        "positive: blocks and images are",
    ),
    ("        if not _letterwise(w):\n", "        if False:\n", "positive: weights of any sign"),
    ("            spare += c * bound(atom)\n", "            pass\n", "positive: what is subtracted is small"),
    (
        "            spare += c * bound(atom)\n",
        "            spare -= c * bound(atom)\n",
        "positive: what is subtracted makes it larger",
    ),
    (
        '                raise ProofError(f"the sign of {c} is not seen")',
        "                continue",
        "positive: multiples of any sign",
    ),
    ("        _nonnegative(algebra.expand(spare))\n", "        pass\n", "positive: the identity makes up for all"),
    ("return bound(atom.args[0]) * bound(atom.args[1])", "return bound(atom.args[0])", "bound: of the first factor"),
    ('        raise ProofError(f"no bound of {atom} is known")', "        return Integer(1)", "bound: 1"),
    (
        "    if any(_multiple(f.expression, w) for f in case.facts):\n        return\n",
        "    if case.facts:\n        return\n",
        "weights: any fact will do",
    ),
    (
        "return not CASE.get().ranges(quotient) and seen_nonnegative(quotient)",
        "return not CASE.get().ranges(quotient)",
        "weights: negative multiples of a fact",
    ),
    (
        "return all(_commute(a, b) for _, a in terms(x) for _, b in terms(y))",
        "return any(_commute(a, b) for _, a in terms(x) for _, b in terms(y))",
        "commute: some parts do",
    ),
    (
        "return all(_commute(x, y) for x, y in zip(a.args, b.args, strict=True))",
        "return any(_commute(x, y) for x, y in zip(a.args, b.args, strict=True))",
        "commute: one factor does",
    ),
)

VOCABULARY = faults_of(
    "verification/provers/operators/vocabulary.py",
    # vocabulary and kinds
    ("        if p.axes != (phi.axes,):\n", "        if False:\n", "covariance: of any alphabet"),
    ("        if x.axes != y.axes:\n", "        if False:\n", "features of different alphabets"),
    ("        if psi.axes != (g.target,):\n", "        if False:\n", "features pulled back through any map"),
    ("or case.operators[atom].bound != 1:", ":", "complement: of what may exceed 1"),
    (
        "        if c != 1 or not isinstance(atom, Symbol)",
        "        if not isinstance(atom, Symbol)",
        "complement: of multiples",
    ),
    (
        "(rho - sigma * sympy.exp(expression(epsilon))).e",
        "(rho * sympy.exp(expression(epsilon)) - sigma).e",
        "hockey stick: the level is at the first",
    ),
)

ENCLOSURES = faults_of(
    "verification/provers/enclosures.py",
    ("return arb(fmpq(int(e.p), int(e.q)))", "return arb(int(e.p))", "constants: numerators alone"),
    ("sympy.sinh: arb.sinh", "sympy.sinh: arb.cosh", "sinh: cosh"),
    ("reduce(lambda a, b: a.min(b), balls)", "balls[0]", "smallest: the first"),
    ("    if a > b or a <= b:\n", "    if True:\n", "cases: what is not seen is not so"),
    ("        if holds:\n", "        if True:\n", "cases: the first"),
    ("    if n < 0:\n", "    if False:\n", "powers: negative exponents are not ended"),
    ("base if e.q == 1 else base.sqrt()", "base", "powers: of a root, of its square"),
    ("return _constant(e, ctx.prec)", "return _constant(e, 64)", "constants: in 64 bits"),
)

ARGUED = faults_of(
    "verification/rationals.py",
    ("self.maximum(excess, Fraction(0))", "excess", "hockey_stick of rationals: the sign of the excess"),
    ("_elementwise(max, 2)", "_elementwise(min, 2)", "maximum of rationals: the minimum"),
    ("lambda x: x.argument", "lambda x: 1 / x.argument", "exp of a logarithm: the inverse"),
)

FAULTS = [
    *CHANNELS,
    *EXPRESSIONS,
    *KINDS,
    *MOMENTS,
    *OPERATORS,
    *POSITIVITY,
    *VOCABULARY,
    *ENCLOSURES,
    *ARGUED,
]

_V = "tests/verification/"

TESTS = {
    "verification/provers/operators/channels.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/expressions.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/kinds.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/moments.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/operator.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/positivity.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/operators/vocabulary.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/enclosures.py": (f"{_V}test_enclosures.py", f"{_V}test_scalars.py"),
    "verification/rationals.py": (f"{_V}test_rationals.py",),
}
