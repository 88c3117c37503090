"""A kind defines its domain: drawing, changing, simplifying, shrinking and reading stay within it.

Membership is decided here independently, in exact arithmetic that shares no code with the kinds.
"""

import dataclasses
import itertools
import json
import zlib
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import HealthCheck, given, settings

from krdtheory.arithmetic import MP
from verification import Verdict, check
from verification.claim import Claim
from verification.instances import (
    FLOATS,
    RATIONALS,
    SIZES,
    Channels,
    CommutingPairs,
    Distributions,
    Events,
    Fraction01,
    Functions,
    Integers,
    Maps,
    MarkovKernels,
    Order,
    Orders,
    Projections,
    PurePairs,
    PureStates,
    Reals,
    Region,
    Scale,
    States,
    Unitaries,
    UpSets,
    Vectors,
    build,
    contains,
    converted,
    draw,
    legal,
    multiprecision,
    project,
    read,
    shown,
    sizes_up_to,
    take,
)
from verification.instances.exact import complex_
from verification.instances.quantum import PRIME, invertible
from verification.rigorous import RIGOROUS
from verification.search import _changed
from verification.simplify import _smaller
from verification.strategies import instances

F = Fraction


# Independent exact arithmetic: complex matrices as real ones of twice the size


def embedded(array):
    """Return [[A, -B], [B, A]] for a matrix A + i B."""

    def entry(x):
        re, im = (x.x, x.y) if hasattr(x, "y") else (x, 0)
        return [fmpq(int(p.numerator), int(p.denominator)) for p in (F(str(re)), F(str(im)))]

    cells = [[entry(x) for x in row] for row in array]
    top = [[c[0] for c in row] + [-c[1] for c in row] for row in cells]
    bottom = [[c[1] for c in row] + [c[0] for c in row] for row in cells]
    return fmpq_mat(top + bottom)


def identity(n):
    return fmpq_mat([[fmpq(int(i == j)) for j in range(n)] for i in range(n)])


def semidefinite(m):
    """Return whether M is symmetric and det(t + M) has no negative coefficient."""
    if m != m.transpose():
        return False
    n = m.nrows()
    return all(c * (-1) ** (n - i) >= 0 for i, c in enumerate(m.charpoly().coeffs()))


def trace(m):
    return sum((m[i, i] for i in range(m.nrows())), fmpq(0)) / 2


def times(x, m):
    return m * fmpq(x.numerator, x.denominator)


def real(array):
    return all(getattr(x, "y", 0) == 0 for x in array.flat)


def diagonal(array):
    return all(str(x) == "0" for i, row in enumerate(array) for j, x in enumerate(row) if i != j)


def isometric(array):
    m = embedded(array)
    return m.transpose() * m == identity(m.ncols())


def state_family(array, name):
    rank = embedded(array).rank() // 2
    return {
        "full": rank == len(array),
        "deficient": rank < len(array),
        "pure": rank == 1,
        "diagonal": diagonal(array),
        "real": real(array),
    }[name]


def weights(row):
    return min(row) >= 0 and sum(row) == 1


def weight_family(row, name):
    return min(row) > 0 if name == "full" else sorted(row) == [0] * (len(row) - 1) + [1]


def states(kind, v):
    ms = [embedded(x[0]) for x in v]
    return all(
        semidefinite(m)
        and trace(m) > 0
        and (trace(m) == 1 or not kind.normalised)
        and (not kind.contractions or i == 0 or semidefinite(identity(m.nrows()) - m))
        for i, m in enumerate(ms)
    )


def pure_states(kind, v):
    (rho, sigma), r = (embedded(x[0]) for x in v[0]), v[1][0]
    return (
        r > 1
        and states(States(2, normalised=True), v[0])
        and semidefinite(times(r, rho) - sigma)
        and semidefinite(times(r, sigma) - rho)
    )


def pure_states_family(v, name):
    (rho, sigma), r = (x[0] for x in v[0]), v[1][0]
    if name == "pure":
        gaps = [times(r, embedded(a)) - embedded(b) for a, b in ((rho, sigma), (sigma, rho))]
        return all(m.rank() == 2 for m in gaps)
    return all(state_family(a, name) for a in (rho, sigma))


def pairs(kind, v):
    (p, q), r = (x[0] for x in v[0]), v[1][0]
    return r > 1 and weights(p) and weights(q) and (p <= r * q).all() and (q <= r * p).all()


def pairs_family(v, name):
    (p, q), r = (x[0] for x in v[0]), v[1][0]
    if name == "full":
        return min(p) > 0 and min(q) > 0
    return all(weight_family((r * a - b) / (r - 1), "points") for a, b in ((p, q), (q, p)))


def commuting(kind, v):
    a, b = (embedded(x[0]) for x in v)
    return semidefinite(a) and semidefinite(b) and a * b == b * a and trace(a) > 0


def steps(row):
    changes = [i for i in range(1, len(row)) if row[i] != row[i - 1]]
    return len(changes) <= 1


FUNCTIONS = {
    "nonnegative": lambda row: min(row) >= 0,
    "indicators": lambda row: set(row) <= {0, 1},
    "steps": steps,
}
VECTORS = {
    "orthonormal": lambda v: (v @ v.T == np.eye(len(v), dtype=int)).all(),
    "axes": lambda v: all(sorted(row) == [0] * (len(row) - 1) + [1] for row in v),
    "one sign": lambda v: v.min() >= 0,
}


def discards(v):
    return all(str(x) == str(int(i == j)) for i, row in enumerate(v) for j, x in enumerate(row))


def order(kind, x):
    inside = kind.low <= x <= kind.high if getattr(kind, "closed", True) else kind.low < x < kind.high
    return inside and x not in (0, 1)


ONE = {"full": weight_family, "points": weight_family}
WITHOUT = lambda v, name: pytest.fail(f"no family {name}")  # noqa: E731

# kind: (of the kind?, in the family?)
KINDS = {
    Order(0.5): (lambda k, v: order(k, v[0]), WITHOUT),
    Order(0, 0.5, closed=False): (lambda k, v: order(k, v[0]), WITHOUT),
    Order(1, closed=False, drawn=8): (lambda k, v: order(k, v[0]), WITHOUT),
    Orders(0.125): (lambda k, v: order(k, v[0][0]) and order(k, v[1][0]) and v[0][0] <= v[1][0], WITHOUT),
    Scale(): (lambda k, v: v[0] >= 0, WITHOUT),
    Scale(positive=True, high=1): (lambda k, v: 0 < v[0] <= 1, WITHOUT),
    Reals(high=2): (lambda k, v: abs(v[0]) <= 2, WITHOUT),
    Fraction01(): (lambda k, v: 0 <= v[0] <= 1, WITHOUT),
    Fraction01(zero=False, one=False): (lambda k, v: 0 < v[0] < 1, WITHOUT),
    Integers(2, 40): (lambda k, v: 2 <= v[0] <= 40 and v[0] == int(v[0]), WITHOUT),
    Distributions(2): (
        lambda k, v: len(v) == 2 and all(weights(p[0]) for p in v),
        lambda v, name: all(weight_family(p[0], name) for p in v),
    ),
    Distributions(1, dim=3, full=True): (lambda k, v: weights(v[0][0]) and min(v[0][0]) > 0, None),
    PurePairs(): (pairs, pairs_family),
    MarkovKernels(cells=3): (
        lambda k, v: v.shape[2] == 3 and all(map(weights, v[0])),
        lambda v, name: all(weight_family(row, name) for row in v[0]),
    ),
    Events(2): (lambda k, v: v.min() >= 0 and v.max() <= 1, lambda v, name: set(v.flat) <= {0, 1}),
    Events(1, most=3): (lambda k, v: v.min() >= 0 and v.max() <= 3, lambda v, name: set(v.flat) <= {0, 3}),
    UpSets(): (lambda k, v: sorted(v.staircase[0]) == list(v.staircase[0]) and v.staircase.min() >= 0, WITHOUT),
    Functions(2): (lambda k, v: True, lambda v, name: all(FUNCTIONS[name](list(row)) for row in v[0])),
    Maps(4, 3): (lambda k, v: v.min() >= 0 and v.max() < 3, WITHOUT),
    States(2): (states, lambda v, name: all(state_family(a[0], name) for a in v)),
    States(2, normalised=True): (states, lambda v, name: all(state_family(a[0], name) for a in v)),
    States(2, contractions=True): (states, lambda v, name: all(state_family(a[0], name) for a in v)),
    PureStates(): (pure_states, pure_states_family),
    Vectors(3): (
        lambda k, v: all(sum(x * x for x in row) == 1 for row in v[0]),
        lambda v, name: VECTORS[name](v[0]),
    ),
    Unitaries(): (
        lambda k, v: isometric(v[0]),
        lambda v, name: real(v[0]) if name == "real" else diagonal(v[0]),
    ),
    CommutingPairs(): (commuting, lambda v, name: all(state_family(a[0], name) for a in v)),
    Projections(): (lambda k, v: isometric(v[0]), lambda v, name: real(v[0])),
    Channels(): (
        lambda k, v: isometric(v.isometry[0]),
        lambda v, name: real(v.isometry[0]) if name == "real" else discards(v.isometry[0]),
    ),
}


def subsets(kind):
    names = list(kind.DOMAINS) if KINDS[kind][1] else []
    return [(), *((name,) for name in names), *list(itertools.combinations(names, 2))[::8]]


CASES = [(kind, within) for kind in KINDS for within in subsets(kind)]
NAMES = [f"{zlib.crc32(repr(k).encode()):08x}-{type(k).__name__}-{'+'.join(w) or 'all'}" for k, w in CASES]
NAMES = [name[9:] + ("" if [n[9:] for n in NAMES].count(name[9:]) == 1 else name[:5]) for name in NAMES]


def restricted(kind, within):
    return dataclasses.replace(kind, within=within) if within else kind


def member(kind, value):
    """Return whether a value is in the domain, by the predicates above."""
    of_kind, in_family = KINDS[restricted(kind, ()) if not kind.within else dataclasses.replace(kind, within=())]
    return bool(of_kind(kind, value)) and (not kind.within or any(in_family(value, n) for n in kind.within))


def assert_members(kind, raw, at_most=4):
    """Check that valid instances are members, here and by `contains`, and are read as they were printed."""
    ok = kind.legal(raw)
    for i in np.flatnonzero(ok)[:at_most]:
        value = kind.build(take({"x": raw}, [int(i)])["x"], RATIONALS)
        assert member(kind, value), shown(value)
        assert kind.contains(value), shown(value)
        told = json.loads(json.dumps(shown(value)))
        assert shown(kind.read(told)) == told
    return int(ok.sum())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "within"), CASES, ids=NAMES)
def test_every_stage_stays_within(kind, within):
    kind, rng = restricted(kind, within), np.random.default_rng(3)
    for dim, start in zip(itertools.cycle((2, 3)), kind.started, strict=False):
        if not kind.fits(dim):
            continue
        raw = kind.draw(rng, 12, dim, start)
        assert kind.legal(raw).all()  # all drawn instances
        assert_members(kind, raw, 2)
        simpler = [batch["x"] for batch in _smaller(take({"x": raw}, [0]))[:40]]
        for one in simpler[:: max(len(simpler) // 2, 1)]:
            assert_members(kind, one, 1)
        moved = 0
        for _ in range(3):
            changed = project({"x": kind}, _changed({"x": raw}, rng))["x"]
            moved += assert_members(kind, changed, 1)
            ok = kind.legal(changed)
            raw = {k: np.where(ok.reshape((-1,) + (1,) * (v.ndim - 1)), changed[k], v) for k, v in raw.items()}
        assert moved >= 1  # the climb is not stuck


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "within"), CASES, ids=NAMES)
def test_strategies_stay_within(kind, within):
    kind = restricted(kind, within)

    def batched(v):
        if isinstance(v, (list, tuple)):
            return type(v)(batched(x) for x in v)
        if isinstance(v, Region) or hasattr(v, "isometry"):
            return v
        return np.asarray(v, dtype=object if not isinstance(v, np.ndarray) else v.dtype)[None]

    @settings(max_examples=4, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(instances(kind, dim=3, numbers="exact"))
    def run(value):
        assert member(kind, batched(value))

    run()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "within"), CASES, ids=NAMES)
def test_whole_claims_are_drawn_within(kind, within):
    kind, rng = restricted(kind, within), np.random.default_rng(4)
    for dim in (2, 8):
        raw = draw({"x": kind}, rng, 40, dim)
        assert len(next(iter(raw["x"].values()))) == 40
        assert legal({"x": kind}, raw).all()
        values = build({"x": kind}, take(raw, [39]), RATIONALS)
        assert contains({"x": kind}, values) == []
        assert shown(read({"x": kind}, {"x": shown(values["x"])})["x"]) == shown(values["x"])


def lists(x):
    return x.tolist() if isinstance(x, np.ndarray) else x


HALF = [["1/2", "0"], ["0", "1/2"]]
PURE = [["1", "0"], ["0", "0"]]
E1, E2 = ["1", "0"], ["0", "1"]
OUTSIDE = [  # just outside, each with a neighbour inside
    (Order(1, 2), "2049/1024", "2"),
    (Order(1, closed=False), 1, "1.000001"),
    (Order(0.5), "1/3", 0.5),
    (Order(0), 0, "1/1000000000000"),
    (Orders(0.5), [2, "3/2"], ["3/2", 2]),
    (Scale(positive=True), 0, "1e-300"),
    (Scale(high=1), 1.0000001, 1),
    (Reals(high=2), -2.5, -2),
    (Fraction01(zero=False), 0, "1/2"),
    (Fraction01(one=False), 1, "0.999999999999999999999"),
    (Fraction01(), "-1/100", 0),
    (Integers(2, 5), 6, 5),
    (Integers(2), 1, 2),
    (Distributions(1), [["1/2", "1/3"]], [["1/2", "1/2"]]),
    (Distributions(1), [["3/2", "-1/2"]], [[1, 0]]),
    (Distributions(1, full=True), [[1, 0]], [["0.999", "0.001"]]),
    (Distributions(1, within=("full",)), [[1, 0]], [["0.999", "0.001"]]),
    (Distributions(1, within=("points",)), [["0.999", "0.001"]], [[1, 0]]),
    (Distributions(2, within=("points", "full")), [[1, 0], ["1/2", "1/2"]], [[1, 0], [0, 1]]),
    (PurePairs(), [[["2/3", "1/3"], ["1/3", "2/3"]], "3/2"], [[["2/3", "1/3"], ["1/3", "2/3"]], 2]),
    (PurePairs(within=("points",)), [[["2/3", "1/3"], ["1/3", "2/3"]], 3], [[["2/3", "1/3"], ["1/3", "2/3"]], 2]),
    (PurePairs(within=("full",)), [[E1, E1], 2], [[["1/9", "8/9"]] * 2, 2]),
    (MarkovKernels(cells=2), [[1, "1/100"]], [[1, 0]]),
    (MarkovKernels(within=("points",)), [["1/2", "1/2"]], [[1, 0]]),
    (Events(), [["65/64"]], [[1]]),
    (Events(within=("deterministic",)), [["1/64"]], [[1]]),
    (UpSets(), {"n": 1, "m": 1, "staircase": [2, 1]}, {"n": "1", "m": "1", "staircase": ["1", "2"]}),
    (Functions(within=("steps",)), [[0, 1, 0]], [[0, 1, 1]]),
    (Functions(within=("nonnegative",)), [[0, "-1/64"]], [[0, "1/64"]]),
    (Functions(within=("indicators",)), [[0, "1/2"]], [[0, 1]]),
    (Maps(2, 2), [[0, 2]], [[0, 1]]),
    (States(1), [[["1", "2"], ["2", "1"]]], [[["1", "1"], ["1", "1"]]]),
    (States(1), [[["1", "I"], ["I", "1"]]], [[["1", "I"], ["-I", "1"]]]),
    (States(1), [[["0", "0"], ["0", "0"]]], [PURE]),
    (States(1, normalised=True), [[["1", "0"], ["0", "1"]]], [HALF]),
    (States(2, contractions=True), [PURE, [["3/2", "0"], ["0", "0"]]], [[["3/2", "0"], ["0", "0"]], PURE]),
    (States(1, within=("full",)), [PURE], [HALF]),
    (States(1, within=("pure",)), [HALF], [PURE]),
    (States(1, within=("deficient",)), [HALF], [PURE]),
    (States(2, within=("pure", "full")), [PURE, HALF], [HALF, HALF]),
    (States(1, within=("diagonal",)), [[["1", "1/99"], ["1/99", "1"]]], [HALF]),
    (States(1, within=("real",)), [[["1", "I"], ["-I", "1"]]], [[["1", "1"], ["1", "1"]]]),
    (PureStates(), [[PURE, HALF], 2], [[HALF, HALF], 2]),
    (Vectors(1), [["3/5", "3/5"]], [["3/5", "4/5"]]),
    (Vectors(2, within=("orthonormal",)), [E1, E1], [["3/5", "4/5"], ["-4/5", "3/5"]]),
    (Vectors(2, within=("axes",)), [["3/5", "4/5"], ["-4/5", "3/5"]], [E1, E1]),
    (Vectors(1, within=("one sign",)), [["3/5", "-4/5"]], [["3/5", "4/5"]]),
    (Unitaries(), [["1", "1"], ["0", "1"]], [["0", "I"], ["1", "0"]]),
    (Unitaries(within=("real",)), [["0", "I"], ["1", "0"]], [["0", "-1"], ["1", "0"]]),
    (Unitaries(within=("diagonal",)), [["0", "I"], ["1", "0"]], [["3/5+4*I/5", "0"], ["0", "1"]]),
    (CommutingPairs(), [PURE, [["1", "1"], ["1", "1"]]], [PURE, HALF]),
    (CommutingPairs(within=("full",)), [PURE, HALF], [HALF, HALF]),
    (Projections(1), [["1"], ["1"]], [["3/5"], ["4*I/5"]]),
    (Projections(1, within=("real",)), [["3/5"], ["4*I/5"]], [["3/5"], ["4/5"]]),
    (Channels(), {"isometry": [["1", "1"], ["0", "1"]], "out": 1}, {"isometry": [["1", "0"], ["0", "1"]], "out": 1}),
    (
        Channels(within=("discard",)),
        {"isometry": [["0", "1"], ["1", "0"]], "out": 1},
        {"isometry": [["1", "0"], ["0", "1"]], "out": 1},
    ),
]


@pytest.mark.parametrize(("kind", "outside", "inside"), OUTSIDE, ids=[str(i) for i in range(len(OUTSIDE))])
def test_values_just_outside_are_rejected(kind, outside, inside):
    assert kind.contains(kind.read(inside, "x"))
    value = kind.parsed(outside, "x")
    assert not kind.contains(value)
    assert contains({"x": kind}, {"x": value}) == ["x"]
    with pytest.raises(ValueError, match=r"^x must be "):
        kind.read(outside, "x")


RAW_OUTSIDE = [
    (Distributions(1, within=("full",)), "weights", 0),
    (Distributions(1), "weights", -1),
    (Events(within=("deterministic",)), "accept", 1),
    (Events(), "accept", -1),
    (Functions(within=("nonnegative",)), "values", -1),
    (Functions(within=("indicators",)), "values", 1),
    (States(1, within=("pure",)), "re", 1),
    (States(1, within=("diagonal",)), "re", 1),
    (States(1, within=("deficient",)), "re", 1),
    (States(1, within=("real",)), "im", 1),
    (Vectors(2, within=("orthonormal",)), "axis", 0),
    (Vectors(2, within=("axes",)), "axis", -1),
    (Vectors(2, within=("one sign",)), "flat", -1),
    (Unitaries(within=("real",)), "im", 1),
    (Channels(within=("discard",)), "re", 1),
    (CommutingPairs(within=("full",)), "spectra", 0),
    (Scale(positive=True), "scale", 0),
    (Fraction01(one=False), "part", 1 << 60),
    (Order(1), "alpha", 1 << 20),
]


@pytest.mark.parametrize(
    ("kind", "key", "bad"), RAW_OUTSIDE, ids=[f"{type(k).__name__}-{x}" for k, x, _ in RAW_OUTSIDE]
)
def test_raw_integers_outside_are_projected_back(kind, key, bad):
    raw = kind.draw(np.random.default_rng(5), 4, 3, kind.started[0])
    if key == "flat":
        raw = {**raw, "axis": 0 * raw["axis"] - 1}
    if kind == States(1, within=("pure",)):  # the last column
        changed = raw["re"].copy()
        changed[..., -1] = 1
    else:
        changed = np.full_like(raw[key], bad)
    worse = {**raw, key: changed}
    assert kind.legal(raw).all() or key == "flat"
    assert not kind.legal(worse).any()
    if kind.within and kind.sound(worse).all():
        assert kind.legal(kind.project(worse)).all()


def test_singular_is_not_full_and_invertible_is():
    rng = np.random.default_rng(6)
    re = rng.integers(-5, 6, size=(400, 3, 3))
    re[::2, 2] = re[::2, 0] - 2 * re[::2, 1]
    zero = np.zeros_like(re)
    exact = [fmpq_mat([[int(x) for x in row] for row in m]).det() != 0 for m in re]
    assert not any(exact[::2])
    assert invertible(re, zero).tolist() == exact
    both = np.array([[1, 0], [0, 0]]), np.array([[0, 1], [0, 0]])  # rows 1, i and i, -1: singular
    both[0][1, 1], both[1][1, 0] = -1, 1
    assert not invertible(*both)
    assert pow(2, PRIME - 1, PRIME) == 1
    assert PRIME % 4 == 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Distributions(2, within=("close",)), r"within must be among full, points; got 'close'"),
        (lambda: States(within=("graded",)), "within must be among full, deficient, pure, diagonal, real"),
        (lambda: Functions(within=("zeros",)), "within must be among nonnegative, indicators, steps"),
        (lambda: States(starts=("normal",)), "starts must be among full, full complex"),
        (lambda: Scale(bits=60, drawn=2), "bits must leave"),
    ],
)
def test_names_of_restrictions_that_do_not_exist(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_one_name_is_not_a_list_of_names():
    with pytest.raises(TypeError, match="within must be a list of names"):
        States(within="pure")


def test_kinds_without_a_common_dimension():
    with pytest.raises(ValueError, match="given must have a dimension"):
        draw({"x": Vectors(9, within=("orthonormal",))}, np.random.default_rng(0), 4, 3)
    raw = draw({"x": Vectors(4, within=("orthonormal",))}, np.random.default_rng(0), 4, 2)
    assert raw["x"]["flat"].shape == (4, 4, 3)


@pytest.mark.parametrize(
    ("instance", "words"),
    [
        ([], "the instance must be an object with p, t"),
        ({"p": [[1, 0]]}, "the instance must have exactly p, t; got p"),
        ({"p": [[1, 0]], "t": [[1, 0]], "q": 1}, "must have exactly p, t; got p, t, q"),
        ({"p": [1, 0], "t": [[1, 0]]}, '"p" must be a list of 1: lists of rationals'),
        ({"p": [1], "t": [[1, 0]]}, r'"p"\[0\] must be a list of rationals'),
        ({"p": [[1, "a"]], "t": [[1, 0]]}, r'"p"\[0\]\[1\] must be a rational, as 3, 0.25 or "1/3"; got "a"'),
        ({"p": [[1, True]], "t": [[1, 0]]}, r'"p"\[0\]\[1\] must be a rational'),
        ({"p": [["1/0", 0]], "t": [[1, 0]]}, r'"p"\[0\]\[0\] must be a rational'),
        ({"p": [[1, float("nan")]], "t": [[1, 0]]}, r'"p"\[0\]\[1\] must be a rational'),
        ({"p": [[1, "1e999999999"]], "t": [[1, 0]]}, r'"p"\[0\]\[1\] must be a rational'),
        ({"p": [[1, 0]], "t": [[1, 0], [1]]}, r'"t"\[1\] must be a list as long as "t"\[0\]'),
        ({"p": [[1, 0]], "t": [[1, 2]]}, '"t" must be a randomised test'),
        ({"p": [[1, 0]], "t": [[1, 0, 0]]}, 'sizes must agree; got 2 for "p", 3 for "t"'),
    ],
)
def test_instances_that_cannot_be_read(instance, words):
    with pytest.raises(ValueError, match=words):
        read({"p": Distributions(), "t": Events()}, instance)


def test_instances_are_read_exactly():
    values = read({"p": Distributions(), "a": Order(1)}, {"p": [[0.1, "9/10"]], "a": "1.25"})
    assert values["p"][0].tolist() == [[F(1, 10), F(9, 10)]]
    assert values["a"].tolist() == [F(5, 4)]


@pytest.mark.parametrize("text", ["1/2+3*I/4", "-I", "I/3", "2-5*I", "-1/2-I/7", "3*I", "0", "-2/3", "1/2+I/2"])
def test_complex_numbers_are_read_as_they_are_printed(text):
    assert str(complex_(text, "x")).replace(" ", "") == text


@pytest.mark.parametrize("text", ["", "I+1", "1+", "1/2I/0", "i", "1+-I", "2 3", "12I3"])
def test_strings_that_are_not_complex_numbers(text):
    with pytest.raises(ValueError, match="x must be a rational or a complex one"):
        complex_(text, "x")


@pytest.mark.parametrize(
    "kind", [Distributions(2), States(2), Channels(), PureStates(), Maps(4, 3), UpSets(), Orders(1)]
)
def test_converted_as_built(kind):
    """Exact rationals, converted to an arithmetic, equal the value built from the same integers there."""

    def flat(v):
        if isinstance(v, (list, tuple)):
            return [x for y in v for x in flat(y)]
        return list(getattr(v, "isometry", getattr(v, "staircase", v)).flat)

    raw = kind.draw(np.random.default_rng(7), 1, 3, kind.started[-1])
    exact = kind.build(raw, RATIONALS)
    for field in (FLOATS, multiprecision(MP(40).context)):
        for x, y in zip(flat(converted(exact, field)), flat(kind.build(raw, field)), strict=True):
            assert abs(complex(x) - complex(y)) <= 1e-13 * max(1, abs(complex(y)))
    for x, y in zip(flat(converted(exact, RIGOROUS)), flat(kind.build(raw, RIGOROUS)), strict=True):
        assert x == y
    assert shown(converted(exact, RATIONALS)) == shown(exact)


# Small values


def drawn(kind, count=3000):
    rng, given_ = np.random.default_rng(8), {"x": kind}
    batches = (draw(given_, rng, 60, 3) for _ in range(count // 60))
    return [kind.build(batch["x"], FLOATS) for batch in batches]


TINY = 2.0**-40
SMALL = {
    "fractions, at 0": lambda: min(v.min() for v in drawn(Fraction01(zero=False))),
    "fractions, at 1": lambda: min((1 - v).min() for v in drawn(Fraction01(one=False))),
    "scales": lambda: min(v.min() for v in drawn(Scale(positive=True))),
    "scales, at the end": lambda: min((1 - v)[v < 1].min(initial=1) for v in drawn(Scale(high=1))),
    "reals": lambda: min(abs(v[v != 0]).min() for v in drawn(Reals())),
    "weights": lambda: min(p[p > 0].min() for v in drawn(Distributions(1)) for p in v),
    "weights of full": lambda: min(p.min() for v in drawn(Distributions(1, within=("full",))) for p in v),
    "near pairs": lambda: (
        min(x[x > 0].min(initial=1) for v in drawn(Distributions(2)) for x in [abs(v[0] - v[1]).max(-1)]) * 4
    ),
    "tests": lambda: min(v[v > 0].min() for v in drawn(Events())),
    "functions": lambda: min(abs(v[v != 0]).min() for v in drawn(Functions())),
    "ratios": lambda: min((r - 1).min() for _, r in drawn(PurePairs())),
    "commuting": lambda: min(
        np.linalg.eigvalsh(a)[:, 0][np.linalg.eigvalsh(a)[:, 0] > 1e-14].min(initial=1)
        for v in drawn(CommutingPairs(within=("diagonal",)))
        for a in v
    ),
    "diagonal states": lambda: min(
        d[d > 0].min() / 1 for v in drawn(States(1, normalised=True, within=("diagonal",))) for d in [abs(v[0])]
    ),
    "orders at 1": lambda: min(abs(v - 1).min() for v in drawn(Order(0))) * 2.0**-22,
}


@pytest.mark.parametrize("what", SMALL)
def test_small_values_are_drawn(what):
    assert 0 < SMALL[what]() < TINY


def test_simple_values_are_frequent():
    """Half of the fractions, and most of the orders, are multiples of 1/64."""
    for kind, share in ((Fraction01(), 0.45), (Order(0), 0.8), (Order(1, 2), 0.75), (Events(), 0.5)):
        numbers = np.concatenate([v.ravel() for v in drawn(kind, 600)])
        assert (numbers * 64 == np.rint(numbers * 64)).mean() > share


def test_sizes():
    assert set(SIZES) == set(range(2, 9))
    assert sum(n > 4 for n in SIZES) * 3 == len(SIZES)
    assert sizes_up_to(8) == SIZES and set(sizes_up_to(12)) == set(range(2, 13))
    for largest in range(2, 8):
        assert set(sizes_up_to(largest)) == set(range(2, largest + 1))


def test_a_batch_starts_from_several_families():
    """A batch has point masses and full supports, and not only in one group each."""
    kind = Distributions(1)
    points = [
        {bool((w == 0).any()) for w in draw({"p": kind}, np.random.default_rng(s), 64, 4)["p"]["weights"][::32, 0]}
        for s in range(40)
    ]
    assert any(len(p) == 2 for p in points)


def test_blocks_of_equal_ill_conditioned_states_are_drawn():
    kind, rng = States(2, normalised=True, dim=4, starts=("blocks",)), np.random.default_rng(9)
    sigma = kind.build(kind.draw(rng, 500, 4, "blocks"), FLOATS)[1].reshape(500, 2, 2, 2, 2)
    first, second = sigma[:, :, 0, :, 0], sigma[:, :, 1, :, 1]
    assert np.allclose(first, second)
    values = np.linalg.eigvalsh(first)
    assert (values[:, 1] > 1000 * abs(values[:, 0])).mean() > 0.05


# Statements that are true because of `within`


def of(sides, relation="<=", **given):
    return Claim("test.domain", "test", "", given, sides, relation)


def trace_of_square(k, s):
    return k.trace(s[0] @ s[0]), k.trace(s[0]) * k.trace(s[0])


def purity(k, c):
    one = 1 + 0 * k.trace(c.isometry @ c.conj(c.isometry.swapaxes(-1, -2))).real
    start = np.zeros((1, 4, 4), dtype=int)
    start[0, 0, 0] = 1
    out = c(one[:, None, None] * start)
    return k.trace(out @ out), one


TRUE = {
    "pure": of(trace_of_square, "==", s=States(1, normalised=True, within=("pure",))),
    "diagonal": of(
        lambda k, s, alpha: (k.petz_renyi(*s, alpha), k.sandwiched_renyi(*s, alpha)),
        "==",
        s=States(2, within=("diagonal",)),
        alpha=Order(0.5, 8),
    ),
    "deterministic": of(lambda k, t: (t * t, t), "==", t=Events(1, within=("deterministic",))),
    "orthonormal": of(
        lambda k, v: ((v[:, 0] * v[:, 1]).sum(-1), 0 * v[:, 0, 0]),
        "==",
        v=Vectors(2, dim=3, within=("orthonormal",)),
    ),
    "full": of(
        lambda k, p: (k.renyi(*p, 2 + 0 * p[0][:, 0]), 1000000 + 0 * p[0][:, 0]), p=Distributions(2, within=("full",))
    ),
    "discard": of(purity, "==", c=Channels(dim=4, within=("discard",))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_statements_that_are_true_within_a_domain_are_not_refuted(name):
    outcome = check(TRUE[name], budget=2000, rng=1)
    assert outcome.verdict is Verdict.SUPPORTED
    assert abs(outcome.min_margin) < 1e-9 or name == "full"


FALSE = ["pure", "deterministic", "orthonormal", "discard", "diagonal"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FALSE)
def test_these_statements_are_refuted_without_the_domain(name):
    claim = TRUE[name]
    wider = {n: dataclasses.replace(k, within=()) if k.within else k for n, k in claim.given.items()}
    assert check(dataclasses.replace(claim, given=wider), budget=2000, rng=1).verdict is Verdict.REFUTED
