"""Bad input to the public functions: a ValueError (domain) or TypeError (kind) that names the argument, and its value
or what is allowed, in one line; never a value, a warning or an error of another library."""

import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial, wraps

import mpmath
import numpy as np
import pytest
import sympy
from sklearn.gaussian_process.kernels import RBF

import krdtheory as kt
from krdtheory import ball, mp
from krdtheory.divergences import restricted as r
from krdtheory.kernels import (
    Kernel,
    ProductKernel,
    covariance,
    kernel_renyi,
    kernel_renyi_estimate,
    median_bandwidth,
)
from krdtheory.privacy import composition as comp
from krdtheory.privacy import conversions as conv
from krdtheory.privacy import mechanisms as mech
from krdtheory.privacy import notions, regions
from verification import check, claim
from verification.campaign import run
from verification.claim import select
from verification.instances import Order

NAN, INF = float("nan"), float("inf")
P, Q = [0.5, 0.5], [0.25, 0.75]
ID, STATES = np.eye(2), np.stack([np.eye(2)] * 2)
POINTS = [[0.0], [1.0]]
C = r.Affine()
MASKED = np.ma.masked_array([1.0, 2.0], [False, True])


def estimate(x=POINTS, y=POINTS, **options):
    return kernel_renyi_estimate(x, y, **({"alpha": 2, "regularization": 0.1} | options))


def weighted(module, p_points=POINTS, p_weights=None, q_points=POINTS, q_weights=None, **options):
    function = mp.kernel_renyi if module is mp else kernel_renyi
    at = {"alpha": 2, "regularization": 0.1, "bandwidth": 1} | options
    return function(p_points, p_weights, q_points, q_weights, **at)


def of(kernel, *samples):
    return Kernel(kernel).gram(*(samples or (POINTS,)))


def off_diagonal(value):
    return Kernel(lambda x, y: 1.0 if x == y else value).gram([0, 1, 2])


def lemma():
    return select(ids=["krd.lemma1"])[0]


def declare(id="own.bad_input", given=None, sides=lambda k, alpha: (alpha, alpha), **options):
    given = {"alpha": Order(1, 3)} if given is None else given
    return claim(id, label="here", statement="there", given=given, **options)(sides)


V, T = ValueError, TypeError


def max_of_two(x, y):
    return max(x, y)


BAD = {
    # classical, float64: weights
    "p a number": (lambda: kt.renyi(0.5, Q, 2), V, ["p must be a vector", "0.5"]),
    "p NaN": (lambda: kt.renyi([NAN, 1], Q, 2), V, ["p must be finite", "nan"]),
    "p infinite": (lambda: kt.kl([INF, 1], Q), V, ["p must be finite", "got inf"]),
    "q minus infinity": (lambda: kt.renyi(P, [-INF, 1], 2), V, ["q must be finite", "-inf"]),
    "p negative": (lambda: kt.renyi([-0.1, 1.1], Q, 2), V, ["p must be nonnegative", "got -0.1"]),
    "q barely negative": (lambda: kt.hellinger(P, [-1e-300, 1]), V, ["q must be nonnegative", "-1e-300"]),
    "p all zero": (lambda: kt.renyi([0, 0], Q, 2), V, ["p must", "not all zero", "[0, 0]"]),
    "one p of a batch all zero": (lambda: kt.kl([P, [0, 0]], Q), V, ["p must", "not all zero"]),
    "empty": (lambda: kt.total_variation([], []), V, ["p must", "at least one weight", "[]"]),
    "lengths differ": (lambda: kt.renyi([0.5, 0.5, 0], Q, 2), V, ["p and q", "same number", "3 and 2"]),
    "batches differ": (lambda: kt.kl(np.ones((2, 2)), np.ones((3, 2))), V, ["p and q", "broadcast", "(2,) and (3,)"]),
    "ragged p": (lambda: kt.renyi([P, [1]], Q, 2), T, ["p must be a rectangular array", "[[0.5, 0.5], [1]]"]),
    "complex p": (lambda: kt.renyi([0.5j, 0.5], Q, 2), T, ["p must be real", "0.5j"]),
    "strings p": (lambda: kt.renyi(["a", "b"], Q, 2), T, ["p must be", "float", "'a'"]),
    "numeric strings p": (lambda: kt.renyi(["0.5", "0.5"], Q, 2), T, ["p must be", "float", "krdtheory.mp", "'0.5'"]),
    "string q": (lambda: kt.max_divergence(P, "ab"), T, ["q must be", "float", "'ab'"]),
    "booleans p": (lambda: kt.renyi([True, False], Q, 2), T, ["p must be", "float (a boolean", "[True, False]"]),
    "a boolean among numbers": (lambda: kt.renyi([True, 0.5], Q, 2), T, ["p must be", "boolean", "[True, 0.5]"]),
    "None p": (lambda: kt.renyi(None, Q, 2), T, ["p must be", "float", "None"]),
    "None in p": (lambda: kt.renyi([None, 0.5], Q, 2), T, ["p must be", "float", "[None, 0.5]"]),
    "dict p": (lambda: kt.renyi({0: 1.0}, Q, 2), T, ["p must be", "float", "{0: 1.0}"]),
    "set p": (lambda: kt.renyi({1, 2}, Q, 2), T, ["p must be", "float", "{1, 2}"]),
    "object p": (lambda: kt.renyi(np.array(P, dtype=object), Q, 2), T, ["p must be", "object", "krdtheory.mp"]),
    "fractions p": (lambda: kt.renyi([Fraction(1, 2)] * 2, Q, 2), T, ["p must be", "krdtheory.mp", "Fraction(1, 2)"]),
    "dates p": (lambda: kt.renyi(np.zeros(2, "M8[D]"), Q, 2), T, ["p must be", "datetime64"]),
    "huge integers p": (lambda: kt.renyi([10**400, 1], Q, 2), T, ["p must be", "float"]),
    "masked p": (lambda: kt.renyi(MASKED, Q, 2), V, ["p must", "masked"]),
    # classical, float64: parameters
    "alpha negative": (lambda: kt.renyi(P, Q, -1), V, ["alpha must be in [0, inf]", "got -1"]),
    "alpha minus infinity": (lambda: kt.renyi(P, Q, -INF), V, ["alpha must be in [0, inf]", "-inf"]),
    "alpha NaN": (lambda: kt.renyi(P, Q, [2, NAN]), V, ["alpha must be in [0, inf]", "got nan"]),
    "alpha complex": (lambda: kt.renyi(P, Q, 2j), T, ["alpha must be real", "2j"]),
    "alpha a string": (lambda: kt.renyi(P, Q, "2"), T, ["alpha must be", "float", "'2'"]),
    "alpha a boolean": (lambda: kt.renyi(P, Q, True), T, ["alpha must be", "bool", "True"]),
    "alpha a boolean in a list": (lambda: kt.renyi(P, Q, [True, 2]), T, ["alpha must be", "boolean", "[True, 2]"]),
    "alpha None": (lambda: kt.renyi(P, Q, None), T, ["alpha must be", "None"]),
    "alpha ragged": (lambda: kt.renyi(P, Q, [[1], [2, 3]]), T, ["alpha must be", "rectangular"]),
    "alpha's shape": (lambda: kt.renyi([P, P], Q, [2, 3, 4]), V, ["alpha must be of a shape", "(2,)", "(3,)"]),
    "epsilon NaN": (lambda: kt.hockey_stick(P, Q, NAN), V, ["epsilon must be a real number", "nan"]),
    "epsilon complex": (lambda: kt.hockey_stick(P, Q, 1j), T, ["epsilon must be real", "1j"]),
    "epsilon a string": (lambda: kt.hockey_stick(P, Q, "0"), T, ["epsilon must be", "'0'"]),
    "epsilon's shape": (lambda: kt.hockey_stick([P, P], Q, [1, 2, 3]), V, ["epsilon must be of a shape", "(3,)"]),
    "f unknown": (lambda: kt.f_divergence(P, Q, "l2"), V, ["f must be", "chi_squared", "'l2'"]),
    "f of two": (lambda: kt.f_divergence(P, Q, lambda t, u: t), T, ["f must be", "called as f(t) (missing", "'u'"]),
    "f a number": (lambda: kt.f_divergence(P, Q, 3), T, ["f must be a callable", "3"]),
    "f without f(0)": (lambda: kt.f_divergence([1, 0], Q, lambda t: t), V, ["value_at_zero must be given", "None"]),
    "f without slope": (lambda: kt.f_divergence(P, [1, 0], lambda t: t), V, ["slope_at_infinity must be given"]),
    "f NaN": (lambda: kt.f_divergence(P, Q, lambda t: t * NAN), V, ["f must be", "not NaN", "2.0"]),
    "f a string somewhere": (lambda: kt.f_divergence(P, Q, lambda t: "a"), T, ["f must be", "real values", "'a'"]),
    "f None somewhere": (lambda: kt.f_divergence(P, Q, lambda t: None), T, ["f must be", "real values", "None"]),
    "f complex": (lambda: kt.f_divergence(P, Q, lambda t: 1j * t), T, ["f must be", "real values"]),
    "f not elementwise": (lambda: kt.f_divergence(P, Q, lambda t: np.ones(5)), V, ["f must be elementwise", "(5,)"]),
    "f(0) NaN": (
        lambda: kt.f_divergence([1, 0], Q, lambda t: t, value_at_zero=NAN),
        V,
        ["value_at_zero must be a real number", "nan"],
    ),
    "f(0) of two": (
        lambda: kt.f_divergence([1, 0], Q, lambda t: t, value_at_zero=[1, 2]),
        T,
        ["value_at_zero must be one number", "[1, 2]"],
    ),
    "slope of none": (
        lambda: kt.f_divergence(P, [1, 0], lambda t: t, slope_at_infinity=[]),
        T,
        ["slope_at_infinity must be one number", "[]"],
    ),
    "slope of a name": (
        lambda: kt.f_divergence(P, [1, 0], "kl", slope_at_infinity=3),
        V,
        ["slope_at_infinity must be None", "3"],
    ),
    # quantum, float64
    "rho a number": (lambda: kt.sandwiched_renyi(1.0, ID, 2), V, ["rho must be a square matrix", "()"]),
    "rho a vector": (lambda: kt.petz_renyi([1.0, 2.0], ID, 2), V, ["rho must be a square matrix", "(2,)"]),
    "rho not square": (lambda: kt.sandwiched_renyi(np.ones((2, 3)), ID, 2), V, ["rho must be a square", "(2, 3)"]),
    "rho empty": (lambda: kt.trace_distance(np.ones((0, 0)), ID), V, ["rho must be a square", "n >= 1", "(0, 0)"]),
    "rho not Hermitian": (lambda: kt.sandwiched_renyi([[1, 1], [0, 1]], ID, 2), V, ["rho must be Hermitian", "1.0"]),
    "rho symmetric, not Hermitian": (
        lambda: kt.sandwiched_renyi([[1, 1j], [1j, 1]], ID, 2),
        V,
        ["rho must be Hermitian", "2.0"],
    ),
    "sigma not Hermitian": (lambda: kt.trace_distance(ID, [[0, 1], [2, 0]]), V, ["sigma must be Hermitian", "1.0"]),
    "rho indefinite": (lambda: kt.petz_renyi(np.diag([1, -1]), ID, 2), V, ["rho", "positive semidefinite", "-1.0"]),
    "sigma indefinite": (
        lambda: kt.maximal_renyi(ID, np.diag([1, -1e-6]), 2),
        V,
        ["sigma must be positive semidefinite", "-1e-06"],
    ),
    "rho zero": (lambda: kt.sandwiched_renyi(0 * ID, ID, 2), V, ["rho must be nonzero"]),
    "rho zero in a batch": (lambda: kt.max_relative_entropy([ID, 0 * ID], ID), V, ["rho must be nonzero"]),
    "dimensions differ": (lambda: kt.sandwiched_renyi(ID, np.eye(3), 2), V, ["rho and sigma", "2 and 3"]),
    "matrix batches differ": (
        lambda: kt.quantum_relative_entropy(STATES, np.stack([ID] * 3)),
        V,
        ["rho and sigma must broadcast", "(2,) and (3,)"],
    ),
    "rho NaN": (lambda: kt.quantum_hockey_stick(ID * NAN, ID, 0), V, ["rho must be finite", "nan"]),
    "sigma infinite": (lambda: kt.petz_renyi(ID, [[INF, 0], [0, 1]], 2), V, ["sigma must be finite", "inf"]),
    "rho boolean": (lambda: kt.sandwiched_renyi(ID > 0, ID, 2), T, ["rho must be", "bool"]),
    "rho of strings": (lambda: kt.sandwiched_renyi([["1", "0"], ["0", "1"]], ID, 2), T, ["rho must be", "'1'"]),
    "rho ragged": (lambda: kt.sandwiched_renyi([[1, 0], [0]], ID, 2), T, ["rho must be a rectangular array"]),
    "rho a sympy matrix": (lambda: kt.sandwiched_renyi(sympy.eye(2), ID, 2), T, ["rho must be", "krdtheory.mp"]),
    "quantum alpha": (lambda: kt.maximal_renyi(ID, ID, -0.5), V, ["alpha must be in [0, inf]", "-0.5"]),
    "quantum alpha's shape": (lambda: kt.petz_renyi(STATES, ID, [2, 3, 4]), V, ["alpha must be of a shape", "(3,)"]),
    "lambda negative": (
        lambda: kt.sandwiched_renyi(ID, ID, 2, -1e-9),
        V,
        ["regularization must be finite and >= 0", "-1e-09"],
    ),
    "lambda infinite": (lambda: kt.petz_renyi(ID, ID, 2, INF), V, ["regularization must be finite", "got inf"]),
    "lambda NaN": (lambda: kt.max_relative_entropy(ID, ID, NAN), V, ["regularization must be finite", "nan"]),
    "lambda a string": (lambda: kt.trace_distance(ID, ID, "0.1"), T, ["regularization must be", "'0.1'"]),
    "lambda None": (lambda: kt.quantum_relative_entropy(ID, ID, None), T, ["regularization must be", "None"]),
    "lambda's shape": (
        lambda: kt.sandwiched_renyi(STATES, ID, 2, [1, 2, 3]),
        V,
        ["regularization must be of a shape", "(2,)", "(3,)"],
    ),
    "trace distance's lambda's shape": (
        lambda: kt.trace_distance(STATES, ID, [1, 2, 3]),
        V,
        ["regularization must be of a shape", "(3,)"],
    ),
    "quantum epsilon's shape": (
        lambda: kt.quantum_hockey_stick(STATES, ID, [1, 2, 3]),
        V,
        ["epsilon must be of a shape", "(3,)"],
    ),
    "quantum epsilon infinite": (lambda: kt.quantum_hockey_stick(ID, ID, INF), V, ["epsilon must be", "700", "inf"]),
    "quantum epsilon overflows": (lambda: kt.quantum_hockey_stick(ID, ID, 701), V, ["epsilon must be", "701"]),
    "quantum epsilon complex": (lambda: kt.quantum_hockey_stick(ID, ID, 1j), T, ["epsilon must be real", "1j"]),
    "support_tol negative": (
        lambda: kt.sandwiched_renyi(ID, ID, 2, support_tol=-1),
        V,
        ["support_tol must be None or a number in [0, 1)", "-1"],
    ),
    "support_tol 1": (lambda: kt.petz_renyi(ID, ID, 2, support_tol=1), V, ["support_tol must be", "[0, 1)", "got 1"]),
    "support_tol NaN": (lambda: kt.petz_renyi(ID, ID, 2, support_tol=NAN), V, ["support_tol must be", "nan"]),
    "support_tol a string": (lambda: kt.petz_renyi(ID, ID, 2, support_tol="a"), T, ["support_tol must be", "'a'"]),
    "support_tol a boolean": (lambda: kt.petz_renyi(ID, ID, 2, support_tol=True), T, ["support_tol must be", "True"]),
    "support_tol a list": (lambda: kt.petz_renyi(ID, ID, 2, support_tol=[0.1]), T, ["support_tol must be", "[0.1]"]),
    # multiprecision
    "mp: p a number": (lambda: mp.renyi(1, Q, 2), V, ["p must be a vector", "1"]),
    "mp: p empty": (lambda: mp.kl([], []), V, ["p must be", "at least one weight"]),
    "mp: p words": (lambda: mp.renyi(["a", "b"], Q, 2), V, ["p must be finite numbers", "'a'"]),
    "mp: p over zero": (lambda: mp.renyi(["1/0", "1"], Q, 2), V, ["p must be finite numbers", "'1/0'"]),
    "mp: p NaN": (lambda: mp.renyi([NAN, 1], Q, 2), V, ["p must be finite; got", "nan"]),
    "mp: p mpmath infinity": (lambda: mp.renyi([mpmath.inf, 1], Q, 2), V, ["p must be finite; got", "inf"]),
    "mp: p sympy infinity": (lambda: mp.renyi([sympy.oo, 1], Q, 2), V, ["p must be finite; got", "oo"]),
    "mp: p sympy NaN": (lambda: mp.renyi([sympy.nan, 1], Q, 2), V, ["p must be finite; got", "nan"]),
    "mp: p a symbol": (lambda: mp.renyi([sympy.Symbol("x"), 1], Q, 2), T, ["p must be finite numbers", "x"]),
    "mp: p irrational and negative": (
        lambda: mp.kl([-sympy.sqrt(2), 1], Q),
        V,
        ["p must be nonnegative", "got -sqrt(2)"],
    ),
    "mp: p imaginary": (lambda: mp.renyi([sympy.sqrt(-2), 1], Q, 2), T, ["p must be real", "sqrt(2)*I"]),
    "mp: p boolean": (lambda: mp.renyi([True, 1], Q, 2), T, ["p must be finite numbers", "boolean", "True"]),
    "mp: p None": (lambda: mp.renyi([None, 1], Q, 2), T, ["p must be finite numbers", "None"]),
    "mp: p ragged": (lambda: mp.renyi([[1, 2], [3]], Q, 2), T, ["p must be a rectangular array of numbers", "[1, 2]"]),
    "mp: p negative": (lambda: mp.renyi(["-1/3", 2], Q, 2), V, ["p must be nonnegative", "-1/3"]),
    "mp: p all zero": (lambda: mp.renyi([0, 0], Q, 2), V, ["p must", "not all zero"]),
    "mp: lengths differ": (lambda: mp.kl(P, [1]), V, ["p and q", "2 and 1"]),
    "mp: batches differ": (lambda: mp.kl([P, P], [Q] * 3), V, ["p and q must broadcast", "(2,) and (3,)"]),
    "mp: alpha negative": (lambda: mp.renyi(P, Q, -1), V, ["alpha must be in [0, inf]", "-1"]),
    "mp: alpha NaN": (lambda: mp.renyi(P, Q, mpmath.nan), V, ["alpha must be in [0, inf]", "nan"]),
    "mp: alpha a word": (lambda: mp.renyi(P, Q, "two"), V, ["alpha must be finite numbers", "'two'"]),
    "mp: alpha a boolean": (lambda: mp.renyi(P, Q, True), T, ["alpha must be finite numbers", "boolean", "True"]),
    "mp: alpha complex": (lambda: mp.renyi(P, Q, 1j), T, ["alpha must be real", "1j"]),
    "mp: alpha ragged": (lambda: mp.renyi(P, Q, [[1], [2, 3]]), T, ["alpha must be", "rectangular"]),
    "mp: alpha's shape": (lambda: mp.renyi([P, P], Q, [2, 3, 4]), V, ["alpha must be of a shape", "(2,)", "(3,)"]),
    "mp: epsilon NaN": (lambda: mp.hockey_stick(P, Q, NAN), V, ["epsilon must be a real number", "nan"]),
    "mp: epsilon infinite": (lambda: mp.quantum_hockey_stick(ID, ID, INF), V, ["epsilon must be", "inf"]),
    "mp: f a string somewhere": (lambda: mp.f_divergence(P, Q, lambda t: "a"), T, ["f must be", "real values", "'a'"]),
    "mp: f NaN": (lambda: mp.f_divergence(P, Q, lambda t: mpmath.nan), V, ["f must be", "not NaN"]),
    "mp: rho not Hermitian": (lambda: mp.petz_renyi([[1, 1], [0, 1]], ID, 2), V, ["rho must be Hermitian", "1.0"]),
    "mp: rho indefinite": (lambda: mp.petz_renyi([[1, 2], [2, 1]], ID, 2), V, ["rho", "semidefinite", "-1.0"]),
    "mp: rho zero": (lambda: mp.maximal_renyi(0 * ID, ID, 2), V, ["rho must be nonzero"]),
    "mp: rho not square": (lambda: mp.max_relative_entropy([[1, 2]], ID), V, ["rho must be a square", "(1, 2)"]),
    "mp: rho of words": (lambda: mp.petz_renyi([["x", 0], [0, 1]], ID, 2), V, ["rho must be finite numbers", "'x'"]),
    "mp: dimensions differ": (lambda: mp.trace_distance(ID, np.eye(3)), V, ["rho and sigma", "2 and 3"]),
    "mp: lambda negative": (lambda: mp.petz_renyi(ID, ID, 2, "-1/8"), V, ["regularization must be", "'-1/8'"]),
    "mp: lambda infinite": (lambda: mp.petz_renyi(ID, ID, 2, INF), V, ["regularization must be finite", "inf"]),
    "mp: support_tol": (lambda: mp.petz_renyi(ID, ID, 2, support_tol=2), V, ["support_tol must be", "2"]),
    "digits 1": (lambda: mp.renyi(P, Q, 2, digits=1), V, ["digits must be an integer from 2", "got 1"]),
    "digits a million": (lambda: mp.renyi(P, Q, 2, digits=10**6), V, ["digits must be an integer", "1000000"]),
    "digits a float": (lambda: mp.renyi(P, Q, 2, digits=20.0), T, ["digits must be an integer", "20.0"]),
    "digits a string": (lambda: mp.renyi(P, Q, 2, digits="20"), T, ["digits must be an integer", "'20'"]),
    "digits a boolean": (lambda: mp.renyi(P, Q, 2, digits=True), T, ["digits must be an integer", "True"]),
    # kernels
    "kernel unknown": (
        lambda: Kernel("gauss"),
        V,
        ["kernel must be a callable of two points or one of", "rbf", "'gauss'"],
    ),
    "kernel a number": (lambda: Kernel(3), T, ["kernel must be a name or a callable", "3"]),
    "no bandwidth": (lambda: Kernel("rbf"), V, ["bandwidth must be a positive number", "None"]),
    "bandwidth 0": (lambda: Kernel("rbf", 0), V, ["bandwidth must be a positive number", "got 0"]),
    "bandwidth negative": (lambda: Kernel("laplacian", -1.0), V, ["bandwidth must be a positive number", "-1.0"]),
    "bandwidth NaN": (lambda: Kernel("rbf", NAN), V, ["bandwidth must be a positive number", "nan"]),
    "bandwidth infinite": (lambda: Kernel("rbf", INF), V, ["bandwidth must be a positive number", "inf"]),
    "bandwidth a string": (lambda: Kernel("rbf", "1"), T, ["bandwidth must be a positive number", "'1'"]),
    "bandwidth a boolean": (lambda: Kernel("rbf", np.True_), T, ["bandwidth must be a positive number", "True"]),
    "bandwidth complex": (lambda: Kernel("rbf", 1j), T, ["bandwidth must be a positive number", "1j"]),
    "bandwidth an array": (lambda: Kernel("rbf", np.ones(1)), T, ["bandwidth must be a positive number", "[1.]"]),
    "a bandwidth too many": (lambda: Kernel("linear", 2.0), V, ["bandwidth must be None for 'linear'", "2.0"]),
    "params of rbf": (lambda: Kernel("rbf", 1, {"gamma": 2}), V, ["params must be empty for 'rbf'", "'gamma'"]),
    "params unknown": (lambda: Kernel("polynomial", None, {"degre": 2}), V, ["params must be", "degree", "'degre'"]),
    "params of a callable": (lambda: Kernel(min, None, {"a": 1}), V, ["params must be empty", "'a'"]),
    "params no mapping": (lambda: Kernel("polynomial", None, 3), T, ["params must be a mapping", "3"]),
    "params a string": (lambda: Kernel("polynomial", None, {"degree": "2"}), T, ["params['degree'] must", "'2'"]),
    "params NaN": (lambda: Kernel("polynomial", None, {"gamma": NAN}), V, ["params['gamma'] must be finite", "nan"]),
    "k(x, x) = 0": (lambda: of("linear"), V, ["kernel must be positive and finite on the diagonal", "0.0"]),
    "k(x, x) < 0": (lambda: of(lambda x, y: -1.0), V, ["kernel must be positive and finite", "-1.0"]),
    "k NaN": (lambda: of(lambda x, y: NAN), V, ["kernel must be positive and finite", "nan"]),
    "k infinite": (lambda: of(lambda x, y: INF), V, ["kernel must be positive and finite", "inf"]),
    "k a string": (lambda: of(lambda x, y: "1"), T, ["kernel must be a callable that returns a real number", "'1'"]),
    "k None": (lambda: of(lambda x, y: None), T, ["kernel must be a callable that returns a real number", "None"]),
    "k complex": (lambda: of(lambda x, y: np.complex128(1)), T, ["kernel must be", "real number", "1+0j"]),
    "k a boolean": (lambda: of(lambda x, y: True), T, ["kernel must be", "real number", "True"]),
    "k an array": (lambda: of(lambda x, y: np.ones((1, 1))), T, ["kernel must be", "real number", "[[1.]]"]),
    "k a string between samples": (lambda: of(lambda x, y: "a", POINTS, POINTS), T, ["kernel must", "'a'"]),
    "k above 1": (lambda: off_diagonal(2.0), V, ["kernel must be positive definite", "2.0"]),
    "k NaN off the diagonal": (lambda: off_diagonal(NAN), V, ["kernel must be positive definite", "nan"]),
    "k indefinite": (lambda: off_diagonal(-0.9), V, ["kernel must be positive definite", "eigenvalue", "-0.8"]),
    "k not symmetric": (
        lambda: Kernel(lambda x, y: 1.0 if x == y else 0.5 * (x < y)).gram([0, 1]),
        V,
        ["kernel must be symmetric", "0.5"],
    ),
    "k of negative coordinates": (lambda: of("chi2", [[1.0], [-4.0]]), V, ["points must be", "'chi2'", "negative"]),
    "points a number": (lambda: Kernel("rbf", 1).gram(3.0), V, ["x must be points of shape (n, d)", "()"]),
    "points None": (lambda: Kernel("rbf", 1).gram(None), T, ["x must be", "float", "None"]),
    "points strings": (lambda: Kernel("rbf", 1).gram([["0.5"]]), T, ["x must be", "float", "krdtheory.mp"]),
    "points objects": (lambda: Kernel("linear").gram([[Fraction(1, 2)]]), T, ["x must be", "float", "Fraction"]),
    "points boolean": (lambda: Kernel("rbf", 1).gram([[True], [False]]), T, ["x must be", "bool"]),
    "points complex": (lambda: Kernel("rbf", 1).gram([[1j]]), T, ["x must be real points", "1.j"]),
    "points ragged": (lambda: Kernel("rbf", 1).gram([[1, 2], [3]]), T, ["x must be a rectangular array"]),
    "points without coordinates": (lambda: Kernel("rbf", 1).gram(np.ones((2, 0))), V, ["x must be", "(2, 0)"]),
    "points of three axes": (lambda: Kernel("rbf", 1).gram(np.ones((2, 2, 2))), V, ["x must be", "(2, 2, 2)"]),
    "point dimensions differ": (lambda: Kernel("rbf", 1).gram(POINTS, [[1, 2]]), V, ["x and y", "1 and 2"]),
    "objects none": (lambda: Kernel("identity").gram([]), V, ["x must be at least one point", "[]"]),
    "objects a string": (lambda: Kernel("identity").gram("ab"), T, ["x must be a sequence of points", "'ab'"]),
    "objects a set": (lambda: Kernel("identity").gram({1, 2}), T, ["x must be a sequence of points", "{1, 2}"]),
    "objects an iterator": (lambda: Kernel("identity").gram(iter("ab")), T, ["x must be a sequence of points"]),
    "objects a scalar array": (lambda: Kernel("identity").gram(np.array(3)), T, ["x must be a sequence of points"]),
    "no factors": (lambda: ProductKernel([], []), V, ["columns must", "0 factors", "0"]),
    "factors and columns differ": (lambda: ProductKernel([Kernel("linear")], []), V, ["columns must", "1 factors"]),
    "factors no list": (lambda: ProductKernel(Kernel("linear"), [[0]]), T, ["factors must be a list", "linear"]),
    "factors by name": (lambda: ProductKernel(["rbf"], [[0]]), T, ["factors must be Kernels", "'rbf'"]),
    "columns out of range": (
        lambda: ProductKernel([Kernel("linear")], [[3]]).gram(POINTS),
        V,
        ["columns must be columns of points of dimension 1", "[3]"],
    ),
    "columns empty": (
        lambda: ProductKernel([Kernel("linear")], [slice(5, 6)]).gram(POINTS),
        V,
        ["columns must be columns of points of dimension 1", "slice(5, 6"],
    ),
    "columns None": (lambda: ProductKernel([Kernel("linear")], [None]).gram(POINTS), V, ["columns must be", "None"]),
    "product dimensions differ": (
        lambda: ProductKernel([Kernel("rbf", 1.0)], [[0]]).gram(POINTS, [[1, 2]]),
        V,
        ["x and y", "1 and 2"],
    ),
    "median of nothing": (lambda: median_bandwidth([], [[1]]), V, ["x must be at least one point", "(0, 1)"]),
    "median dimensions differ": (lambda: median_bandwidth([[1]], [[1, 2]]), V, ["x and y", "1 and 2"]),
    "median 0": (lambda: median_bandwidth([[1]], [[1]]), V, ["bandwidth must be given", "0.0"]),
    "median overflows": (lambda: median_bandwidth([[1.7e308]], [[-1.7e308]]), V, ["bandwidth must be given", "inf"]),
    "median rule": (lambda: median_bandwidth([[1]], [[2]], "all"), V, ["rule must be", "pooled", "'all'"]),
    "median of strings": (lambda: median_bandwidth([["1"]], [["2"]]), T, ["x must be", "float", "'1'"]),
    "median of None": (lambda: median_bandwidth([[None]], [[2]]), T, ["x must be", "float", "None"]),
    # covariance operators and the kernel divergence
    "too few weights": (lambda: covariance(POINTS, [0.5], bandwidth=1), V, ["weights must have shape (2,)", "(1,)"]),
    "weights zero": (lambda: covariance(POINTS, [0, 0], bandwidth=1), V, ["weights must", "not all zero"]),
    "weights negative": (
        lambda: covariance(POINTS, [-1, 2], bandwidth=1),
        V,
        ["weights must be nonnegative", "got -1"],
    ),
    "weights NaN": (lambda: covariance(POINTS, [NAN, 2], bandwidth=1), V, ["weights must be finite", "nan"]),
    "weights a number": (lambda: covariance(POINTS, 0.5, bandwidth=1), V, ["weights must be a vector", "0.5"]),
    "weights a matrix": (lambda: covariance(POINTS, [P], bandwidth=1), V, ["weights must have shape (2,)", "(1, 2)"]),
    "weights strings": (lambda: covariance(POINTS, ["1", "2"], bandwidth=1), T, ["weights must be", "'1'"]),
    "points empty": (lambda: covariance([], bandwidth=1), V, ["points must be at least one point"]),
    "covariance by the median": (lambda: covariance(POINTS, bandwidth="median"), T, ["bandwidth must be", "'median'"]),
    "bandwidth of a ready kernel": (
        lambda: covariance(POINTS, kernel=Kernel("linear"), bandwidth=1.0),
        V,
        ["bandwidth must be None", "1.0"],
    ),
    "p_weights": (lambda: weighted(kt, p_weights=[0, 0]), V, ["p_weights must", "not all zero"]),
    "q_weights": (lambda: weighted(kt, q_weights=[1, 2, 3]), V, ["q_weights must have shape (2,)", "(3,)"]),
    "p_points dimension": (lambda: weighted(kt, [[0, 1]]), V, ["p_points and q_points", "2", "1"]),
    "p_points without a bandwidth": (lambda: weighted(kt, ["a"], bandwidth=None), T, ["p_points must be", "'a'"]),
    "q_points empty": (lambda: weighted(kt, q_points=[], bandwidth=None), V, ["q_points must be at least one"]),
    "ready kernel and bandwidth": (
        lambda: weighted(kt, kernel=Kernel("rbf", 1.0), bandwidth=np.ones(2)),
        V,
        ["kernel must be a name or a callable where bandwidth"],
    ),
    "kernel_params a number": (lambda: weighted(kt, kernel_params=3), T, ["params must be a mapping", "3"]),
    "kernel indefinite": (
        lambda: estimate([0, 1, 2], [0, 1], kernel=lambda x, y: 1.0 if x == y else -0.9),
        V,
        ["kernel must be positive definite", "-0.8"],
    ),
    "estimate alpha": (lambda: estimate(alpha=-1), V, ["alpha must be in [0, inf]", "got -1"]),
    "estimate alpha a matrix": (
        lambda: estimate(alpha=[[2]]),
        V,
        ["alpha must be a number or 1-dimensional", "(1, 1)"],
    ),
    "estimate lambda": (lambda: estimate(regularization=[0.1, -0.1]), V, ["regularization must be", "-0.1"]),
    "estimate kernel": (lambda: estimate(kernel="gauss"), V, ["kernel must be", "'gauss'"]),
    "estimate bandwidth rule": (lambda: estimate(bandwidth="mean"), V, ["bandwidth must be", '"median"', "'mean'"]),
    "estimate bandwidth a number in a string": (lambda: estimate(bandwidth="0.5"), V, ["bandwidth must be", "'0.5'"]),
    "estimate support_tol": (lambda: estimate(support_tol=1), V, ["support_tol must be", "got 1"]),
    "estimate rng": (lambda: estimate(rng="a"), T, ["rng must be", "Generator", "'a'"]),
    # np.random.default_rng would kill the interpreter
    "estimate rng a matrix": (lambda: estimate(rng=np.eye(2).view(np.matrix)), T, ["rng must be", "Generator"]),
    "estimate rng negative": (lambda: estimate(rng=-1), V, ["rng must be", "nonnegative", "-1"]),
    "no sample": (lambda: estimate([]), V, ["x must be at least one point", "(0, 1)"]),
    "sample a number": (lambda: estimate(y=3.0), V, ["y must be points of shape (n, d)", "()"]),
    "sample None": (lambda: estimate(y=None), T, ["y must be", "None"]),
    "sample NaN": (lambda: estimate(y=[[NAN]]), V, ["y must be finite", "nan"]),
    "sample of one other dimension": (lambda: estimate(y=[[1.0, 2.0]]), V, ["x and y", "1 and 2"]),
    "sample ragged": (lambda: estimate(y=[[1.0], [2.0, 3.0]]), T, ["y must be a rectangular array"]),
    "sample of strings": (lambda: estimate(y=[["1"]], bandwidth=1), T, ["y must be", "'1'"]),
    "sample boolean": (lambda: estimate(y=np.ones((2, 1), dtype=bool)), T, ["y must be", "bool"]),
    "sample masked": (lambda: estimate(y=MASKED), V, ["y must", "masked"]),
    "samples coincide": (lambda: estimate([[1.0], [1.0]], [[1.0]]), V, ["bandwidth must be given", "0.0"]),
    "lambda = 0 undecided": (
        lambda: estimate([[1.0, 2.0]], [[2.0, 1.0]], kernel="linear", regularization=0),
        V,
        ["regularization must be positive, or support_tol given", "alpha = 2"],
    ),
    "mp: bandwidth 0": (lambda: weighted(mp, bandwidth=0), V, ["bandwidth must be a positive number", "0"]),
    "mp: bandwidth negative": (lambda: weighted(mp, bandwidth=Decimal(-1)), V, ["bandwidth must be", "Decimal('-1')"]),
    "mp: points words": (lambda: weighted(mp, [["a"]]), V, ["p_points must be finite numbers", "'a'"]),
    "mp: points words, median": (lambda: weighted(mp, [["a"]], bandwidth=None), V, ["p_points must be", "'a'"]),
    "mp: points None": (lambda: weighted(mp, q_points=[[None]]), T, ["q_points must be finite numbers", "None"]),
    "mp: points NaN": (lambda: weighted(mp, [[NAN]]), V, ["p_points must be finite; got", "nan"]),
    "mp: points boolean": (lambda: weighted(mp, [[True]]), T, ["p_points must be finite numbers", "True"]),
    "mp: weights words": (lambda: weighted(mp, p_weights=["a", 0]), V, ["p_weights must be finite numbers", "'a'"]),
    "mp: kernel inexact": (lambda: weighted(mp, kernel="chi2", bandwidth=None), V, ["kernel", "multiprec", "'chi2'"]),
    "mp: kernel of scikit-learn": (lambda: weighted(mp, kernel=RBF(), bandwidth=None), V, ["kernel", "RBF"]),
    "mp: kernel a word": (
        lambda: weighted(mp, kernel=lambda x, y: "x", bandwidth=None),
        V,
        ["kernel(x, y) must be finite numbers", "'x'"],
    ),
    "mp: k(x, x) = 0": (lambda: weighted(mp, kernel=lambda x, y: 0, bandwidth=None), V, ["kernel must be", "0.0"]),
    # smooth and restricted divergences, cuts, privacy
    "smooth_renyi delta": (lambda: kt.smooth_renyi(P, Q, 2, delta=-0.1), V, ["delta must be", "-0.1"]),
    "smooth_renyi delta a string": (lambda: kt.smooth_renyi(P, Q, 2, delta="0.1"), T, ["delta must be", "'0.1'"]),
    "smooth_renyi delta boolean": (lambda: kt.smooth_renyi(P, Q, 2, delta=True), T, ["delta must be", "bool"]),
    "smooth_renyi alpha": (lambda: kt.smooth_renyi(P, Q, -1, delta=0.1), V, ["alpha must be in [0, inf]", "got -1"]),
    "smooth_renyi p": (lambda: kt.smooth_renyi([-1, 2], Q, 2, delta=0.1), V, ["p must be nonnegative", "got -1"]),
    "approximate_max_divergence delta NaN": (
        lambda: kt.approximate_max_divergence(P, Q, delta=NAN),
        V,
        ["delta must be", "nan"],
    ),
    "approximate_max_divergence lengths": (
        lambda: kt.approximate_max_divergence([1], Q, delta=0.1),
        V,
        ["p and q", "1 and 2"],
    ),
    "optimal_smoothing delta's shape": (
        lambda: kt.optimal_smoothing([P, P], Q, delta=[0.1, 0.2, 0.3]),
        V,
        ["delta must be of a shape", "(3,)"],
    ),
    "optimal_smoothing q": (
        lambda: kt.optimal_smoothing(P, [-1, 2], delta=0.1),
        V,
        ["q must be nonnegative", "got -1"],
    ),
    "mp: smooth": (lambda: mp.smooth_renyi(P, Q, 2, delta="-2"), V, ["delta must be", "-2"]),
    "ball: p as given": (lambda: ball.renyi([-0.1, 1.1], Q, 2), V, ["p must be nonnegative; got -0.1"]),
    "ball: delta as given": (lambda: ball.smooth_renyi(P, Q, 2, delta=[0, -0.1]), V, ["delta must be", "got -0.1"]),
    "ball: regularization": (lambda: ball.trace_distance(ID, ID, -0.1), V, ["regularization must be", "got -0.1"]),
    "k as given": (
        lambda: comp.optimal_composition(epsilon=1, delta=0, k=[3, -2], total_delta=0.1),
        V,
        ["k must be an integer from 1 to 1000000000; got -2"],
    ),
    "rho of a list": (
        lambda: mp.zcdp_to_approximate_dp(rho=[[1, 2], ["0", 3]], delta=0.1),
        V,
        ["rho must be finite and > 0; got '0'"],
    ),
    "mp: smooth word": (lambda: mp.approximate_max_divergence(P, Q, delta="x"), V, ["delta must be", "'x'"]),
    "mp: smooth digits": (lambda: mp.optimal_smoothing(P, Q, delta=0, digits=0), V, ["digits must be", "0"]),
    "k_cut k 0": (lambda: kt.k_cut(P, Q, kt.kl, k=0), V, ["k must be an integer >= 1", "0"]),
    "k_cut k float": (lambda: kt.k_cut(P, Q, kt.kl, k=2.0), T, ["k must be an integer >= 1", "2.0"]),
    "k_cut k boolean": (lambda: kt.k_cut(P, Q, kt.kl, k=True), T, ["k must be an integer >= 1", "True"]),
    "k_cut divergence": (lambda: kt.k_cut(P, Q, "kl", k=2), T, ["divergence must be a callable", "'kl'"]),
    "k_cut of one": (lambda: kt.k_cut(P, Q, lambda p: 1, k=2), T, ["divergence must be", "as divergence(p, q) (too"]),
    "k_cut without order": (
        lambda: kt.k_cut(P, Q, kt.renyi, k=2),
        T,
        ["divergence must be", "'alpha'", "got <function"],
    ),
    "mp: k_cut of float64": (
        lambda: mp.k_cut(P, Q, lambda p, q: mp.kl(p, q), 2),
        T,
        ["divergence must be a function that can be called as divergence(p, q, arithmetic=...)", "got <function"],
    ),
    "mp: k_cut of balls": (lambda: mp.k_cut(P, Q, ball.kl, 2), T, ["divergence must be", "arithmetic=...", "kl"]),
    "mp: k_cut of digits": (
        lambda: mp.k_cut(P, Q, partial(mp.renyi, alpha=2, digits=9), 2),
        T,
        ["divergence must be", "arithmetic=...", "got functools.partial(", "digits=9"],
    ),
    "ball: k_cut without digits": (
        lambda: ball.k_cut(P, Q, lambda p, q: ball.kl(p, q), 2),
        T,
        ["divergence must be a function that can be called as divergence(p, q, digits=...)", "got <function"],
    ),
    "ball: k_cut without order": (lambda: ball.k_cut(P, Q, mp.renyi, 2), T, ["divergence must be", "'alpha'"]),
    "ball: f of two": (lambda: ball.f_divergence(P, Q, max_of_two), T, ["f must be", "called as f(t)", "max_of_two"]),
    "ball: side of none": (lambda: ball.certify(lambda: 1, 2), T, ["lhs must be", "called as lhs(digits)"]),
    "tradeoff of two": (lambda: notions.TradeOffDP(tradeoff=max_of_two), T, ["tradeoff must be", "as tradeoff(a)"]),
    "k of one": (lambda: Kernel(lambda x: 1), T, ["kernel must be", "called as kernel(x, y)"]),
    "k_cut p": (lambda: kt.k_cut(["a", "b"], Q, kt.kl, k=2), T, ["p must be", "'a'"]),
    "coarsen cells": (lambda: kt.coarsen(P, [0, 2], 2), V, ["cells must be from 0 to 1", "2"]),
    "coarsen cells float": (lambda: kt.coarsen(P, [0.5, 1], 2), T, ["cells must be integers", "0.5"]),
    "coarsen cells boolean": (lambda: kt.coarsen(P, [True, False], 2), T, ["cells must be integers", "True"]),
    "coarsen cells short": (lambda: kt.coarsen(P, [0], 2), V, ["cells must be one for each of the 2 weights", "(1,)"]),
    "coarsen weights": (lambda: kt.coarsen([NAN, 1], [0, 1], 2), V, ["weights must be finite", "nan"]),
    "mp: coarsen shapes": (
        lambda: mp.coarsen([P, P], [[0, 1]] * 3, 2),
        V,
        ["cells must be", "dimensions (2,)", "got (3,)"],
    ),
    "mp: coarsen": (lambda: mp.coarsen(["a", 1], [0, 1], 2), V, ["weights must be", "'a'"]),
    "mp: k_cut": (lambda: mp.k_cut(P, [-1, 2], kt.kl, k=2), V, ["q must be nonnegative", "-1"]),
    "Birkhoff-von Neumann sum": (
        lambda: kt.weak_birkhoff_von_neumann([[0.5, 0.25]]),
        V,
        ["channel must have rows that sum to 1", "3/4"],
    ),
    "Birkhoff-von Neumann negative": (
        lambda: kt.weak_birkhoff_von_neumann([[-1, 2]]),
        V,
        ["channel must be", "nonnegative", "-1"],
    ),
    "Birkhoff-von Neumann vector": (lambda: kt.weak_birkhoff_von_neumann([1]), V, ["channel must be a matrix", "(1,)"]),
    "Birkhoff-von Neumann words": (lambda: kt.weak_birkhoff_von_neumann([["a", "b"]]), V, ["channel must be", "'a'"]),
    "Birkhoff-von Neumann booleans": (
        lambda: kt.weak_birkhoff_von_neumann([[True, False]]),
        T,
        ["channel must be", "True"],
    ),
    "Birkhoff-von Neumann ragged": (
        lambda: kt.weak_birkhoff_von_neumann([[1], [0.5, 0.5]]),
        T,
        ["channel must be a rectangular array of numbers", "[1]"],
    ),
    "Birkhoff-von Neumann None": (lambda: kt.weak_birkhoff_von_neumann(None), T, ["channel must be", "None"]),
    "restricted alpha 1": (lambda: kt.restricted_renyi(P, Q, 1, C), V, ["alpha must be in (1, inf)", "1"]),
    "restricted alpha inf": (lambda: kt.restricted_renyi(P, Q, INF, C), V, ["alpha must be in (1, inf)", "inf"]),
    "restricted alpha string": (lambda: kt.restricted_renyi(P, Q, "2", C), T, ["alpha must be", "'2'"]),
    "restricted alpha boolean": (lambda: kt.restricted_alpha_divergence(P, Q, True, C), T, ["alpha must be", "bool"]),
    "restricted alpha list": (lambda: kt.restricted_renyi(P, Q, [2, 3], C), T, ["alpha must be one number", "[2, 3]"]),
    "restricted class": (lambda: kt.restricted_kl(P, Q, "affine"), T, ["function_class must be Affine", "'affine'"]),
    "restricted class itself": (lambda: kt.restricted_kl(P, Q, r.Affine), T, ["function_class must be", "Affine"]),
    "restricted extension": (
        lambda: kt.restricted_renyi(P, Q, 2, C, extension="abs"),
        V,
        ["extension must be one of", "'abs'"],
    ),
    "restricted extension list": (
        lambda: kt.restricted_renyi(P, Q, 2, C, extension=["absolute"]),
        V,
        ["extension must be one of", "['absolute']"],
    ),
    "restricted points": (
        lambda: kt.restricted_kl(P, Q, C, points=[1, 2, 3]),
        V,
        ["points must be as many as the weights, 2", "3"],
    ),
    "restricted points strings": (lambda: kt.restricted_kl(P, Q, C, points=["1", "2"]), T, ["points must be", "'1'"]),
    "restricted points booleans": (
        lambda: kt.restricted_kl(P, Q, C, points=[True, False]),
        T,
        ["points must be", "True"],
    ),
    "restricted points complex": (lambda: kt.restricted_kl(P, Q, C, points=[1j, 0]), T, ["points must be real", "1j"]),
    "restricted p batch": (lambda: kt.restricted_kl([P, P], Q, C), V, ["p must be one vector", "(2, 2)"]),
    "restricted q batch": (lambda: kt.restricted_kl(P, [Q, Q], C), V, ["q must be one vector", "(2, 2)"]),
    "restricted q zero": (lambda: kt.restricted_kl(P, [0, 0], C), V, ["q must", "not all zero"]),
    "restricted one Sample": (lambda: kt.restricted_kl(r.Sample([1, 2]), Q, C), T, ["q must be a Sample", "0.25"]),
    "restricted empty Sample": (
        lambda: kt.restricted_kl(r.Sample([]), r.Sample([1]), C),
        V,
        ["p must be points", "(0,)"],
    ),
    "restricted mechanism scale": (
        lambda: kt.restricted_kl(r.LaplaceDistribution(0, 0), r.LaplaceDistribution(1), C),
        V,
        ["scale must be positive", "0"],
    ),
    "restricted mechanism scale boolean": (
        lambda: kt.restricted_kl(r.LaplaceDistribution(0, True), r.LaplaceDistribution(1), C),
        T,
        ["scale must be", "bool"],
    ),
    "restricted mechanism location": (
        lambda: kt.restricted_kl(r.LaplaceDistribution(NAN), r.LaplaceDistribution(1), C),
        V,
        ["location must be finite", "nan"],
    ),
    "restricted mechanism location inf": (
        lambda: kt.restricted_kl(r.LaplaceDistribution(-INF), r.LaplaceDistribution(1), C),
        V,
        ["location must be finite", "-inf"],
    ),
    "restricted one mechanism": (
        lambda: kt.restricted_kl(r.LaplaceDistribution(), Q, C),
        T,
        ["q must be a mechanism", "0.25"],
    ),
    "polynomials degree 0": (lambda: r.Polynomials(0), V, ["degree must be an integer from 1 to 20", "0"]),
    "polynomials degree bool": (lambda: r.Polynomials(True), T, ["degree must be", "True"]),
    "polynomials degree 1.0": (lambda: r.Polynomials(1.0), T, ["degree must be", "1.0"]),
    "box ends": (lambda: kt.restricted_kl(P, Q, r.Box([1, 2], 1, 0)), V, ["low must be less than high", "1"]),
    "box low strings": (lambda: kt.restricted_kl(P, Q, r.Box([1, 2], "0", 1)), T, ["low must be", "'0'"]),
    "box functions": (
        lambda: kt.restricted_kl(P, Q, r.Box([1, 2, 3], 0, 1)),
        V,
        ["functions must be", "(2, m)", "(3, 1)"],
    ),
    "features complex": (lambda: kt.restricted_kl(P, Q, r.Affine([1j, 2])), T, ["features must be real", "1j"]),
    "box low complex": (lambda: kt.restricted_kl(P, Q, r.Box([1, 2], 1j, 1)), T, ["low must be real", "1j"]),
    "features None": (lambda: kt.restricted_kl(P, Q, r.Affine(lambda x: None)), T, ["features must be", "None"]),
    "hull strings": (lambda: kt.restricted_kl(P, Q, r.ConvexHull(["a", "b"])), T, ["functions must be", "'a'"]),
    "ball radius": (lambda: kt.restricted_kl(P, Q, r.RKHSBall(np.eye(2), 0)), V, ["radius must be positive", "0"]),
    "ball kernel": (
        lambda: kt.restricted_kl(P, Q, r.RKHSBall(np.eye(3), 1)),
        V,
        ["kernel must be a Gram matrix of the 2 points", "3"],
    ),
    "ball kernel indefinite": (
        lambda: kt.restricted_kl(P, Q, r.RKHSBall([[0, 1], [1, 0]], 1)),
        V,
        ["kernel must be positive semidefinite", "-1"],
    ),
    "mp: restricted alpha": (lambda: mp.restricted_renyi(P, Q, "1", C), V, ["alpha must be in (1, inf)", "1"]),
    "mp: restricted points": (lambda: mp.restricted_kl(P, Q, C, points=["a", 1]), V, ["points must be", "'a'"]),
    "mp: restricted bool": (lambda: mp.restricted_alpha_divergence([True, False], Q, 2, C), T, ["p must be", "True"]),
    "rdp alpha 1 balle": (
        lambda: conv.rdp_to_approximate_dp(alpha=1, epsilon=1, delta=0.1, method="balle"),
        V,
        ["alpha must be in (1, inf]", "1"],
    ),
    "rdp alpha string": (
        lambda: conv.rdp_to_approximate_dp(alpha="2", epsilon=1, delta=0.1),
        T,
        ["alpha must be", "'2'"],
    ),
    "rdp delta 0": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0),
        V,
        ["delta must be in (0, 1)", "0"],
    ),
    "rdp delta boolean": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=True),
        T,
        ["delta must be", "bool"],
    ),
    "rdp epsilon inf": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=INF, delta=0.1),
        V,
        ["epsilon must be finite and >= 0", "inf"],
    ),
    "rdp method": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1, method="best"),
        V,
        ["method must be one of", "'best'"],
    ),
    "rdp method None": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1, method=None),
        V,
        ["method must be one of", "None"],
    ),
    "rdp two_sided mironov": (
        lambda: conv.rdp_to_approximate_dp(alpha=2, epsilon=1, delta=0.1, method="mironov", two_sided=True),
        V,
        ["two_sided must be False", "mironov"],
    ),
    "rdp shapes": (
        lambda: conv.rdp_to_delta(alpha=[2, 3], epsilon=[1, 2, 3], target_epsilon=1),
        V,
        ["alpha, epsilon", "broadcast", "(3,)"],
    ),
    "rdp target negative": (
        lambda: conv.rdp_to_delta(alpha=2, epsilon=1, target_epsilon=-1, two_sided=True),
        V,
        ["target_epsilon must be nonnegative", "-1"],
    ),
    "mp: shapes": (lambda: mp.pure_to_rdp(epsilon=[1, 2, 3], alpha=[2, 3]), V, ["epsilon, alpha", "got (3,), (2,)"]),
    "mp: composition shapes": (
        lambda: mp.optimal_composition(epsilon=[1, 2, 3], delta=[0, 0.1], k=2, total_delta=0.2),
        V,
        ["epsilon, delta, k, total_delta must", "got (3,), (2,), (), ()"],
    ),
    "mp: tcdp shapes": (
        lambda: mp.tcdp_to_approximate_dp(rho=[1, 2], omega=[2, 3, 4], delta=0.1),
        V,
        ["rho, delta, omega must", "got (2,), (), (3,)"],
    ),
    "by position": (lambda: kt.smooth_renyi(P, Q, 2, 0.1), T, ["takes 3 ", "4 were given; delta, arithmetic must be"]),
    "mp: by position": (lambda: mp.smooth_renyi(P, Q, 2, 0.1), T, ["takes 3 ", "4 were given; delta, digits must be"]),
    "mp: one by position": (lambda: mp.pure_to_zcdp(1), T, ["0 positional arguments but 1 was given; epsilon, digits"]),
    "ball: by position": (lambda: ball.smooth_renyi(P, Q, 2, 0.1), T, ["4 were given; delta, digits must be given by"]),
    "estimate by position": (
        lambda: kernel_renyi_estimate(POINTS, POINTS, 2, regularization=0.1),
        T,
        ["takes 2 positional arguments but 3 were given; alpha, regularization, kernel"],
    ),
    "curve no order": (
        lambda: conv.rdp_curve_to_approximate_dp(alpha=[], epsilon=[], delta=0.1),
        V,
        ["alpha must be a vector of at least one order", "[]"],
    ),
    "curve number": (
        lambda: conv.rdp_curve_to_approximate_dp(alpha=2, epsilon=1, delta=0.1),
        V,
        ["alpha must be a vector of at least one order", "2"],
    ),
    "gdp mu": (lambda: conv.gdp_to_delta(mu=-1, epsilon=1), V, ["mu must be finite and >= 0", "-1"]),
    "gdp mu bool": (lambda: conv.gdp_to_delta(mu=True, epsilon=1), T, ["mu must be", "bool"]),
    "gdp eps NaN": (lambda: conv.gdp_to_delta(mu=1, epsilon=NAN), V, ["epsilon must be a finite number", "nan"]),
    "gdp delta": (lambda: conv.gdp_to_approximate_dp(mu=1, delta=1), V, ["delta must be in (0, 1)", "1"]),
    "gdp_to_rdp mu": (lambda: conv.gdp_to_rdp(mu=-1, alpha=2), V, ["mu must be", "-1"]),
    "gdp_to_rdp alpha": (lambda: conv.gdp_to_rdp(mu=1, alpha=NAN), V, ["alpha must be in [0, inf]", "nan"]),
    "pure_to_rdp": (lambda: conv.pure_to_rdp(epsilon="1", alpha=2), T, ["epsilon must be", "'1'"]),
    "pure_to_zcdp": (lambda: conv.pure_to_zcdp(epsilon=-1), V, ["epsilon must be", "-1"]),
    "zcdp rho": (lambda: conv.zcdp_to_approximate_dp(rho=0, delta=0.1), V, ["rho must be finite and > 0", "0"]),
    "tcdp omega": (
        lambda: conv.tcdp_to_approximate_dp(rho=1, omega=1, delta=0.1),
        V,
        ["omega must be finite and > 1", "1"],
    ),
    "kl": (lambda: conv.kl_to_delta(kl=-1, epsilon=1), V, ["kl must be finite and >= 0", "-1"]),
    "kl complex": (lambda: conv.kl_to_approximate_dp(kl=1j, delta=0.1), T, ["kl must be real", "1j"]),
    "hellinger": (lambda: conv.hellinger_to_delta(hellinger=1.5, epsilon=1), V, ["hellinger must be in [0, 1]", "1.5"]),
    "hellinger delta": (
        lambda: conv.hellinger_to_approximate_dp(hellinger=0.1, delta="0.2"),
        T,
        ["delta must be", "'0.2'"],
    ),
    "total variation": (
        lambda: conv.total_variation_to_delta(total_variation=NAN, epsilon=1),
        V,
        ["total_variation must be in [0, 1]", "nan"],
    ),
    "approximate DP delta": (
        lambda: conv.approximate_dp_to_delta(epsilon=1, delta=2, target_epsilon=1),
        V,
        ["delta must be in [0, 1]", "2"],
    ),
    "approximate DP hell": (
        lambda: conv.approximate_dp_to_hellinger(epsilon=-1, delta=0),
        V,
        ["epsilon must be finite and >= 0", "-1"],
    ),
    "approximate DP tv": (
        lambda: conv.approximate_dp_to_total_variation(epsilon=None, delta=0),
        T,
        ["epsilon must be", "None"],
    ),
    "approximate DP reg": (
        lambda: conv.approximate_dp_to_regularization(epsilon=[1, True], delta=0),
        T,
        ["epsilon must be", "boolean"],
    ),
    "mp: rdp": (lambda: mp.rdp_to_approximate_dp(alpha=2, epsilon=1, delta="1"), V, ["delta must be in (0, 1)", "1"]),
    "mp: gdp": (lambda: mp.gdp_to_delta(mu="x", epsilon=1), V, ["mu must be", "'x'"]),
    "mp: gdp bool": (lambda: mp.gdp_to_approximate_dp(mu=True, delta=0.1), T, ["mu must be", "True"]),
    "mp: hellinger": (
        lambda: mp.hellinger_to_delta(hellinger="3/2", epsilon=0),
        V,
        ["hellinger must be in [0, 1]", "3/2"],
    ),
    "composition k 0": (
        lambda: comp.optimal_composition(epsilon=1, delta=0, k=0, total_delta=0.1),
        V,
        ["k must be an integer from 1", "0"],
    ),
    "composition k 1.5": (
        lambda: comp.optimal_composition(epsilon=1, delta=0, k=1.5, total_delta=0.1),
        T,
        ["k must be an integer from 1", "1.5"],
    ),
    "composition k bool": (
        lambda: comp.optimal_composition(epsilon=1, delta=0, k=True, total_delta=0.1),
        T,
        ["k must be", "bool"],
    ),
    "composition delta 1": (
        lambda: comp.optimal_composition(epsilon=1, delta=1, k=2, total_delta=0.1),
        V,
        ["delta must be in [0, 1)", "1"],
    ),
    "composition total": (
        lambda: comp.optimal_composition(epsilon=1, delta=0, k=2, total_delta=1),
        V,
        ["total_delta must be in [0, 1)", "1"],
    ),
    "composition total eps": (
        lambda: comp.optimal_composition_delta(epsilon=1, delta=0, k=2, total_epsilon=NAN),
        V,
        ["total_epsilon must be a finite", "nan"],
    ),
    "composition eps str": (
        lambda: comp.optimal_composition_delta(epsilon="1", delta=0, k=2, total_epsilon=1),
        T,
        ["epsilon must be", "'1'"],
    ),
    "composition method": (
        lambda: comp.composition_bound(epsilon=1, delta=0, k=2, total_delta=0.1, method="x"),
        V,
        ["method must be one of", "'x'"],
    ),
    "heterogeneous composition number": (
        lambda: comp.heterogeneous_composition(epsilon=1, delta=0, total_delta=0.1),
        V,
        ["epsilon must be a vector of at least one", "()"],
    ),
    "heterogeneous composition empty": (
        lambda: comp.heterogeneous_composition_delta(epsilon=[], delta=[], total_epsilon=1),
        V,
        ["epsilon must be a vector of at least one", "(0,)"],
    ),
    "mp: composition": (
        lambda: mp.optimal_composition(epsilon=1, delta=0, k="1/2", total_delta=0.1),
        V,
        ["k must be an integer from 1", "1/2"],
    ),
    "mp: composition 3/2": (
        lambda: mp.optimal_composition(epsilon=1, delta=0, k="3/2", total_delta=0.1),
        T,
        ["k must be an integer from 1", "1.5"],
    ),
    "mp: heterogeneous": (
        lambda: mp.heterogeneous_composition(epsilon=["a"], delta=0, total_delta=0.1),
        V,
        ["epsilon must be", "'a'"],
    ),
    "Laplace scale": (lambda: mech.Laplace(scale=-1, sensitivity=1), V, ["scale must be a positive finite", "-1"]),
    "Laplace scale bool": (lambda: mech.Laplace(scale=True, sensitivity=1), T, ["scale must be", "True"]),
    "Laplace sens": (
        lambda: mech.Laplace(scale=1, sensitivity=INF),
        V,
        ["sensitivity must be a positive finite", "inf"],
    ),
    "Laplace sens list": (
        lambda: mech.Laplace(scale=1, sensitivity=[1, 2]),
        T,
        ["sensitivity must be one number", "[1, 2]"],
    ),
    "Laplace sens None": (lambda: mech.Laplace(scale=1, sensitivity=None), T, ["sensitivity must be", "None"]),
    "Gaussian calibrated delta": (
        lambda: mech.Gaussian.calibrated(epsilon=1, delta=0, sensitivity=1),
        V,
        ["delta must be in [1e-300, 1)", "0"],
    ),
    "Gaussian method": (
        lambda: mech.Gaussian.calibrated(epsilon=1, delta=0.1, sensitivity=1, method="x"),
        V,
        ["method must be", "'x'"],
    ),
    "Gaussian profile str": (
        lambda: mech.Gaussian(scale=1, sensitivity=1).privacy_profile("1"),
        T,
        ["epsilon must be", "'1'"],
    ),
    "Gaussian profile NaN": (
        lambda: mech.Gaussian(scale=1, sensitivity=1).privacy_profile(NAN),
        V,
        ["epsilon must be a real number", "nan"],
    ),
    "Gaussian eps_at": (
        lambda: mech.Gaussian(scale=1, sensitivity=1).epsilon_at(delta=2),
        V,
        ["delta must be in [0, 1]", "2"],
    ),
    "Gaussian renyi": (lambda: mech.Gaussian(scale=1, sensitivity=1).renyi(True), T, ["alpha must be", "bool"]),
    "Gaussian sample": (lambda: mech.Gaussian(scale=1, sensitivity=1).sample("a", rng=0), T, ["value must be", "'a'"]),
    "Gaussian sample complex": (
        lambda: mech.Gaussian(scale=1, sensitivity=1).sample(1j, rng=0),
        T,
        ["value must be real", "1j"],
    ),
    "Laplace sample complex": (
        lambda: mech.Laplace(scale=1, sensitivity=1).sample(1j, rng=0),
        T,
        ["value must be real", "1j"],
    ),
    "Gaussian rng": (lambda: mech.Gaussian(scale=1, sensitivity=1).sample(1, rng="a"), T, ["rng must be", "'a'"]),
    "Gaussian rng a list of matrices": (
        lambda: mech.Gaussian(scale=1, sensitivity=1).sample(1, rng=[np.eye(1).view(np.matrix)]),
        T,
        ["rng must be", "Generator"],
    ),
    "randomised response eps": (lambda: mech.RandomizedResponse(epsilon=0), V, ["epsilon must be", "0"]),
    "discrete Laplace sens": (
        lambda: mech.DiscreteLaplace(scale=1, sensitivity=1.0),
        T,
        ["sensitivity must be an integer >= 1", "1.0"],
    ),
    "mp: mechanism": (
        lambda: mp.evaluate(mech.Gaussian(scale=1, sensitivity=1).renyi, "-1"),
        V,
        ["alpha must be in [0, inf]", "-1"],
    ),
    "Laplace scale number string": (lambda: mech.Laplace(scale="a", sensitivity=1), V, ["scale must be", "'a'"]),
    "notion eps": (lambda: notions.PureDP(epsilon=NAN), V, ["epsilon must be", "nan"]),
    "notion eps bool": (lambda: notions.PureDP(epsilon=True), T, ["epsilon must be", "True"]),
    "notion p": (
        lambda: notions.PureDP(epsilon=1).divergence([1, 1], Q),
        V,
        ["p must be probability vectors", "[1, 1]"],
    ),
    "notion p strings": (lambda: notions.ZeroConcentratedDP(rho=1).divergence(["1", "0"], Q), T, ["p must be", "'1'"]),
    "notion capacity points": (
        lambda: notions.CapacityBoundedDP(alpha=2, epsilon=1).divergence(P, Q, points=["1", "2"]),
        T,
        ["points must be", "'1'"],
    ),
    "notion capacity degree": (
        lambda: notions.CapacityBoundedDP(alpha=2, epsilon=1, degree=21),
        V,
        ["degree must be", "21"],
    ),
    "notion kernel": (
        lambda: notions.KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1, kernel="gauss"),
        V,
        ["kernel must be", "'gauss'"],
    ),
    "notion kernel and bandwidth": (
        lambda: notions.KernelRenyiDP(alpha=2, regularization=0.1, epsilon=1, kernel="rbf", bandwidth=-1),
        V,
        ["bandwidth must be a positive number", "-1"],
    ),
    "notion other": (lambda: notions.GaussianDP(mu=1).implies(None), T, ["other must be a notion", "None"]),
    "notion satisfied": (lambda: notions.GaussianDP(mu=1).satisfied_by([True, False], Q), T, ["p must be", "True"]),
    "region bound": (lambda: regions.RenyiRegion(alpha=0, rho=1), V, ["alpha must be in (0, inf]", "0"]),
    "region str": (lambda: regions.PureDPRegion(epsilon="1"), T, ["epsilon must be", "'1'"]),
    "region bool": (lambda: regions.KLRegion(rho=True), T, ["rho must be", "bool"]),
    "region two_sided": (lambda: regions.KLRegion(rho=1, two_sided=1), T, ["two_sided must be True or False", "1"]),
    "region adp inf": (
        lambda: regions.ApproximateDPRegion(epsilon=INF, delta=0.1),
        V,
        ["epsilon must be in [0, inf)", "inf"],
    ),
    "region x": (lambda: regions.KLRegion(rho=1).contains(1.5, 0.5), V, ["x must be in [0, 1]", "1.5"]),
    "region y": (lambda: regions.KLRegion(rho=1).level(0.5, NAN), V, ["y must be in [0, 1]", "nan"]),
    "region shapes": (
        lambda: regions.KLRegion(rho=1).level([0.5, 0.5], [0.1, 0.2, 0.3]),
        V,
        ["x and y must broadcast", "(2,) and (3,)"],
    ),
    "region boundary": (lambda: regions.KLRegion(rho=1).boundary("0.5"), T, ["x must be", "'0.5'"]),
    "region covering": (lambda: regions.KLRegion(rho=1).covering(3), T, ["other must be a PrivacyRegion", "3"]),
    "region includes": (lambda: regions.KLRegion(rho=1).includes("x"), T, ["other must be a PrivacyRegion", "'x'"]),
    "region plot": (lambda: regions.KLRegion(rho=1).plot(points=1), V, ["points must be an integer >= 2", "1"]),
    # verification
    "claim taken": (lambda: declare("krd.lemma1"), V, ["id must be new", "'krd.lemma1'"]),
    "claim without a paper": (lambda: declare("nodot"), V, ['id must be "paper.name"', "'nodot'"]),
    "claim of number 3": (lambda: declare(3), T, ["id must be a string", "3"]),
    "claim's relation": (lambda: declare(relation="<"), V, ["relation must be '<=' or '=='", "'<'"]),
    "claim's record": (lambda: declare(recorded="true"), V, ["recorded must be one of", "supported", "'true'"]),
    "claim's kinds": (lambda: declare(given={"alpha": 3}), T, ["given must be a mapping", "{'alpha': 3}"]),
    "claim's arguments": (lambda: declare(given={"p": Order(1, 3)}), V, ["given must be the arguments", "['p']"]),
    "claim no function": (lambda: declare(sides=3), T, ["sides must be a function", "3"]),
    "check an id": (lambda: check("krd.lemma1"), T, ["claim must be a Claim", "'krd.lemma1'"]),
    "budget 0": (lambda: check(lemma(), budget=0), V, ["budget must be an integer >= 1", "got 0"]),
    "budget a float": (lambda: check(lemma(), budget=1.5), T, ["budget must be an integer >= 1", "1.5"]),
    "budget a boolean": (lambda: check(lemma(), budget=True), T, ["budget must be an integer >= 1", "True"]),
    "rng negative": (lambda: check(lemma(), budget=1, rng=-1), V, ["rng must be a numpy Generator", "-1"]),
    "seconds 0": (lambda: check(lemma(), seconds=0), V, ["seconds must be a number > 0, or None", "got 0"]),
    "seconds text": (lambda: check(lemma(), seconds="9"), T, ["seconds must be a number > 0", "'9'"]),
    "no sizes": (lambda: check(lemma(), sizes=()), T, ["sizes must be a list of integers >= 1", "got ()"]),
    "a size 0": (lambda: check(lemma(), sizes=(2, 0)), V, ["sizes must be an integer >= 1", "got 0"]),
    "rng a float": (lambda: check(lemma(), budget=1, rng=0.5), T, ["rng must be a numpy Generator", "0.5"]),
    "rng twice": (lambda: check(lemma(), rng=0, seed=1), T, ["rng must not be given as seed too"]),
    "paper unknown": (lambda: select("nope"), V, ["paper must be one of", "krd", "'nope'"]),
    "id unknown": (lambda: select(ids=["krd.lemma0"]), V, ["claim must be", "'krd.lemma0'"]),
    "ids a string": (lambda: select(ids="krd.lemma1"), T, ["ids must be a list", "'krd.lemma1'"]),
    "ids unhashable": (lambda: select(ids=[["krd.lemma1"]]), V, ["claim must be", "['krd.lemma1']"]),
    "profile unknown": (lambda: run([], profile="slow"), V, ["profile must be one of quick, deep", "'slow'"]),
    "profile a list": (lambda: run([], profile=["quick"]), V, ["profile must be one of quick, deep", "['quick']"]),
    "run ids": (lambda: run(["krd.lemma1"]), T, ["claims must be a list of claims", "'krd.lemma1'"]),
    "run one claim": (lambda: run(lemma()), T, ["claims must be a list of claims"]),
    "run's rng": (lambda: run([], rng="a"), T, ["rng must be a numpy Generator", "'a'"]),
    "run's executor": (lambda: run([], executor=3), T, ["executor must be", "Executor", "3"]),
}


@pytest.mark.parametrize(("call", "error", "words"), BAD.values(), ids=BAD)
def test_bad_input(call, error, words):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises((ValueError, TypeError)) as raised:
            call()
    message = str(raised.value)
    assert raised.type is error, message
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert len(message) <= 300
    assert "np." not in message
    assert [str(w.message) for w in caught] == []


@pytest.mark.parametrize(
    "value", ["2", "x", Fraction(2), None, np.array([2, True], dtype=object), "inf", "1j"], ids=repr
)
def test_mpmath_is_advised_only_for_what_it_accepts(value):
    with pytest.raises(TypeError, match="an array of int or float ") as raised:
        kt.renyi(P, Q, value)
    advised = "krdtheory.mp takes exact numbers" in str(raised.value)
    try:
        mp.renyi(P, Q, value)
    except (TypeError, ValueError):
        assert not advised
    else:
        assert advised


def test_errors_inside_a_divergence_are_its_own():
    def faulty(p, q, **options):
        return len(3)

    @wraps(kt.kl)  # takes more than the signature that it shows
    def relayed(*args, digits):
        return ball.kl(*args, digits=digits)

    for system in (kt, mp, ball):
        with pytest.raises(TypeError, match=r"^object of type 'int' has no len\(\)$"):
            system.k_cut(P, Q, faulty, 2)
    assert ball.k_cut(P, Q, relayed, 2).overlaps(ball.kl(P, Q))


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        lambda: kt.renyi(P, Q, np.float32(2)),
        lambda: kt.renyi(tuple(P), np.array(Q, dtype=np.float32), [2, 3]),
        lambda: kt.renyi([1, 0], [10, 1], 2),
        lambda: kt.renyi(np.ma.masked_array(P), Q, 2),
        lambda: kt.renyi(P, Q, np.ones((3, 2))),
        lambda: kt.petz_renyi(ID, ID, 2, support_tol=np.float32(0.1)),
        lambda: kt.petz_renyi(ID, ID, 2, support_tol=Fraction(1, 10)),
        lambda: kt.f_divergence(P, Q, lambda t: 1),
        lambda: mp.f_divergence(P, Q, lambda t: np.array([Fraction(1, 3), mpmath.mpf(2)])),
        lambda: mp.renyi(P, Q, sympy.Rational(3, 2)),
        lambda: Kernel("rbf", np.float32(2)).gram(POINTS),
        lambda: Kernel("rbf", Fraction(1, 2)).gram(POINTS),
        lambda: Kernel("polynomial", None, {"degree": np.int64(2), "gamma": None}).gram(POINTS),
        lambda: Kernel(lambda x, y: np.float32(1)).gram(POINTS),
        lambda: Kernel(lambda x, y: Fraction(1)).gram(POINTS, POINTS),
        lambda: weighted(mp, [["1/2"], [0.5]], bandwidth=None, digits=10),
        lambda: estimate(rng=np.random.default_rng(0), return_error=True)[0],
        lambda: check(lemma(), budget=np.int64(1), rng=np.int64(0)).instances,
    ],
)
def test_input_of_similar_kinds_is_accepted(call):
    assert np.all(np.asarray(call(), dtype=float) < INF)
