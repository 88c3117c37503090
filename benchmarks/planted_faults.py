"""Faults planted one by one in the code that verdicts rest on: which test notices each of them?

    python benchmarks/planted_faults.py [--file ball.py] [--only "1 / e"] [--list]

The repository is copied to a temporary directory; there one text is replaced by another, the tests that concern the
file run until one fails, and the text is put back. A fault that no test notices must have an explanation in the list,
which says why nothing is wrong with it; a fault that has one and is noticed all the same makes the explanation false.

Exit status 0 when every fault is noticed or explained, 1 when one is not, 2 when nothing could be found out: a text
that does not occur exactly once, a fault that is no Python, or tests that fail without any fault.

To add a fault, add a line to the list of its file; to add a file, add a list, its tests to `TESTS`, and the list to
`FAULTS`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).parents[1]
UNNOTICED = "NOT NOTICED"
LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".hypothesis", ".venv", "results", "notebooks")


@dataclass(frozen=True)
class Fault:
    """A text of a file, which occurs there once, what replaces it, and what that means.

    `explanation` is for those that no test can notice: why no answer gets wrong.
    """

    file: str
    old: str
    new: str
    meaning: str
    explanation: str = ""


@dataclass(frozen=True)
class Result:
    """What became of a fault: the test that failed first, or a time limit, or `UNNOTICED`."""

    fault: Fault
    noticed_by: str
    seconds: float

    @property
    def unnoticed(self) -> bool:
        return self.noticed_by == UNNOTICED

    @property
    def ok(self) -> bool:
        """Noticed, or explained; not both."""
        return self.unnoticed == bool(self.fault.explanation)


class PlantingError(Exception):
    """Nothing can be said about a fault."""


def faults_of(file: str, *faults: tuple[str, ...]) -> list[Fault]:
    """Faults of one file: (old, new, meaning) or (old, new, meaning, explanation)."""
    return [Fault(file, *fault) for fault in faults]


def planted(text: str, fault: Fault) -> str:
    """The text of a file with the fault in it.

    Raises
    ------
    PlantingError
        The old text does not occur exactly once, or what comes out is no Python or nothing new.
    """
    count = text.count(fault.old)
    if count != 1:
        raise PlantingError(f"{fault.file}: the text of {fault.meaning!r} occurs {count} times: {fault.old!r}")
    faulty = text.replace(fault.old, fault.new)
    if faulty == text:
        raise PlantingError(f"{fault.file}: {fault.meaning!r} changes nothing")
    try:
        compile(faulty, fault.file, "exec")
    except SyntaxError as error:
        raise PlantingError(f"{fault.file}: {fault.meaning!r} is no Python: {error}") from error
    return faulty


def first_failure(root: Path, tests: Sequence[str], limit: float) -> str:
    """The first of the tests that fails in a repository, or `UNNOTICED`.

    Raises
    ------
    PlantingError
        The tests did not run, as where nothing can be imported any more.
    """
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    plain = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib", "--tb=line"]
    environment = {**os.environ, **threads, **plain, "COLUMNS": "300"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"no end within {limit:.0f} s"
    if done.returncode == 0:
        return UNNOTICED
    found = re.search(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode != 1 or found is None:
        raise PlantingError(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found[1]


def run(
    faults: Sequence[Fault], tests: Mapping[str, Sequence[str]], *, root: Path = ROOT, console: Console | None = None
) -> Iterable[Result]:
    """Plant each of the faults in a copy of the repository, and run the tests of its file.

    Raises
    ------
    PlantingError
        A fault cannot be planted, or the tests fail without it.
    """
    for fault in faults:
        planted((root / fault.file).read_text(), fault)
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "repository"
        shutil.copytree(root, copy, ignore=LEFT_OUT)
        limits = {}
        files = dict.fromkeys(fault.file for fault in faults)
        progress = console or Console(stderr=True)
        for file in track(files, "tests without a fault", console=progress, transient=True):
            start = time.perf_counter()
            failure = first_failure(copy, tests[file], 3600)
            if failure != UNNOTICED:
                raise PlantingError(f"without any fault {failure} fails")
            limits[file] = 60 + 5 * (time.perf_counter() - start)
        for fault in track(faults, "planting", console=progress, transient=True):
            path, start = copy / fault.file, time.perf_counter()
            text = path.read_text()
            path.write_text(planted(text, fault))
            try:
                failure = first_failure(copy, tests[fault.file], limits[fault.file])
            finally:
                path.write_text(text)
            yield Result(fault, failure, time.perf_counter() - start)


def report(results: Iterable[Result], out: Console) -> int:
    """Print the table; 0 if every fault is noticed or explained, else 1."""
    table = Table(title="Planted faults", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("file", "fault", "noticed by", "s"):
        table.add_column(column, overflow="fold")
    results = list(results)
    for result in results:
        fault, name = result.fault, result.noticed_by.split("::", 1)[-1]
        if fault.explanation:
            name = f"explained: {fault.explanation}" if result.ok else f"{name}, against: {fault.explanation}"
        table.add_row(Path(fault.file).name, escape(fault.meaning), escape(name), f"{result.seconds:.0f}")
    out.print(table)
    noticed = sum(not r.unnoticed for r in results)
    bad = [r for r in results if not r.ok]
    out.print(f"{len(results)} faults: {noticed} noticed, {len(results) - noticed} not; {len(bad)} to be looked at")
    for result in bad:
        out.print(escape(f"{result.fault.file}: {result.fault.meaning}: {result.noticed_by}"))
    return 1 if bad else 0


# The faults


BALL = faults_of(
    "krdtheory/arithmetic/ball.py",
    # enclose
    ("if any(x.is_nan() for x in _parts(value)):", "if False:", "enclose: NaN passes"),
    ("if all(_accurate(x, digits) for x", "if any(_accurate(x, digits) for x", "enclose: one accurate part is enough"),
    (
        "if best is not None and not exact:",
        "if best is not None:",
        "enclose: what is too wide is returned as if it were accurate",
    ),
    (
        "lower, upper = best.lower(), best.upper()",
        "lower, upper = best.upper(), best.lower()",
        "enclose: bounds of what is undecided exchanged",
    ),
    (
        "return x if not y.is_finite() or x.rad() <= y.rad() else y",
        "return y if not y.is_finite() or x.rad() <= y.rad() else x",
        "enclose: the wider of two enclosures",
    ),
    (
        "x.rad() <= floor * max(abs(x.mid()), floor)",
        "x.rad() <= floor.sqrt() * max(abs(x.mid()), floor)",
        "enclose: half the digits are enough",
    ),
    (
        "(x.real, x.imag) if isinstance(x, acb) else (x,)",
        "(x.real,) if isinstance(x, acb) else (x,)",
        "no imaginary part",
    ),
    # scalar functions
    ("low if low == high else low.union(high)", "low if low == high else (low + high) / 2", "interval: its midpoint"),
    ("low if low == high else low.union(high)", "low if low.overlaps(high) else low.union(high)", "interval: one end"),
    (
        "    if s == 0:\n        return arb(1)\n    if x > 0:",
        "    if s == 0 and x > 0:\n        return arb(1)\n    if x > 0:",
        "positive_power: 0^0 = 0",
    ),
    (
        "    if x > 0:\n        return x ** arb(s)",
        "    if x >= 0:\n        return x ** arb(s)",
        "positive_power: a ball that touches 0 taken for positive",
    ),
    (
        "    if x > 0:\n        return x ** arb(s)",
        "    if x > 0:\n        return x.mid() ** arb(s)",
        "positive_power: the midpoint's",
    ),
    (
        '    if s < 0:\n        raise UndecidedError(f"a negative',
        '    if s < -1:\n        raise UndecidedError(f"a negative',
        "positive_power: negative powers of 0 are bounded",
    ),
    ("interval(arb(0), high ** arb(s))", "high ** arb(s)", "positive_power: 0 left out of a wide ball"),
    ("interval(arb(0), high) if high > 0", "interval(arb(0), high) if x.mid() > 0", "positive_part: 0 by the midpoint"),
    (
        "return interval(arb(0), high) if",
        "return x if",
        "positive_part: negative numbers stay",
    ),
    ("return interval(arb(0), high) if", "return high if", "positive_part: its upper end"),
    ("    if high < turn:", "    if high < 1:", "x_log_x: no -1/e on a ball that holds 1/e"),
    (
        "    return interval(-turn, positive_part",
        "    return interval(high * high.log(), positive_part",
        "x_log_x: no -1/e",
    ),
    (
        "interval(-turn, positive_part(high * high.log()))",
        "interval(-turn, arb(0))",
        "x_log_x: never positive on a ball that holds 0",
    ),
    ("interval(high * high.log(), arb(0))", "high * high.log()", "x_log_x: 0 log 0 left out"),
    ("    if not high > 0:\n", "    if not x.mid() > 0:\n", "x_log_x: 0 by the midpoint"),
    ("    if not y > 0:\n        raise", "    if y == 0:\n        raise", "quotient: only an exact 0 is refused"),
    ("if out is None or x > out:", "if out is None or x.mid() > out.mid():", "largest: by midpoints"),
    (
        "out = x.max(out)",
        "out = interval(max(x.lower(), out.lower()), max(x.upper(), out.upper()))",
        "largest: NaN passes",
    ),
    ("elif not (x < out or x == out):", "elif not (x < out or x.overlaps(out)):", "largest: the first that overlaps"),
    # matrices
    ("else m.transpose().conjugate()", "else m.transpose()", "adjoint: not conjugated"),
    ("(_squares(m.real) + _squares(m.imag))", "_squares(m.real)", "norm: of the real part"),
    (
        "    return _squares(m).upper().sqrt().upper()",
        "    return _squares(m).lower().sqrt().lower()",
        "norm: rounded inward",
    ),
    ("    return _squares(m).upper().sqrt().upper()", "    return _squares(m).upper()", "norm: squared"),
    (
        "with ctx.workprec(64):  # balls",
        "entries = [x.mid() for x in entries]\n    with ctx.workprec(64):  # balls",
        "norm: radii of the entries dropped",
    ),
    ("    ball = arb(0, radius)\n", "    ball = arb(0, radius / 2)\n", "widened: by half the radius"),
    ("    ball = arb(0, radius)\n", "    ball = arb(0, radius * radius)\n", "widened: by the radius squared"),
    ("[acb(ball, ball)]", "[acb(ball)]", "widened: the real part only"),
    ("factors[i % k]", "factors[i // k]", "scaled_columns: rows"),
    ("b.transpose().entries()))[0, 0]", "b.entries()))[0, 0]", "real_trace_of_product: tr(a b^T)"),
    ("else acb(arb(x[0]), arb(x[1]))", "else acb(arb(x[0]), -arb(x[1]))", "as_ball: conjugated"),
    ("acb_mat(arb_mat(self.exact.im)) * acb(0, 1)", "acb_mat(arb_mat(self.exact.im)) * acb(0, -1)", "A conjugated"),
    (
        "(zero if b.im is None else b.im) * factor",
        "(zero if b.im is None else b.im)",
        "plus: imaginary part not scaled",
    ),
    ("other.at_precision() * arb(factor)", "other.at_precision()", "plus: balls not scaled"),
    ("if Eigen.of(self.at_precision()).lowest > 0", "if Eigen.of(self.at_precision()).highest > 0", "rank_of: full"),
    # eigenvalues
    ("return norm(_minus_identity(gram))", "return norm(_minus_identity(gram)) ** 2", "defect squared"),
    ("norm(_minus_diagonal(m, values))\n\n\ndef", "norm(_minus_diagonal(m, values)) ** 2\n\n\ndef", "residual squared"),
    (
        "norm(_minus_diagonal(m, values))\n\n\ndef",
        "norm(_minus_diagonal(m.mid(), values))\n\n\ndef",
        "residual without the radii of A",
    ),
    ("rest = (1 - delta).lower()", "rest = (1 + delta).lower()", "rotation: 1 + delta"),
    ("rest = (1 - delta).lower()", "rest = arb(1)", "rotation: to first order"),
    ("phi = delta / (2 *", "phi = delta / (4 *", "rotation: half of it"),
    ("return (2 * phi + phi * phi).upper()", "return (2 * phi + phi * phi).lower()", "rotation: rounded inward"),
    ("return (2 * phi + phi * phi).upper()", "return (phi * phi).upper()", "rotation: its square only"),
    (
        "return (2 * phi + phi * phi).upper()",
        "return (2 * phi).upper()",
        "rotation: without its square",
        "2 phi = delta / (1 - delta)^(3/2) is above delta / (1 - delta), what G^(-1/2) D G^(-1/2) - D can be of |D|",
    ),
    ("return (eps / (1 - delta).lower() + rot", "return (eps + rot", "eta: residual in V taken for one in W"),
    ("rotation * size).upper()", "rotation * size).lower()", "eta: rounded inward"),
    (".lower() + rotation * size)", ".lower() + rotation)", "eta: not scaled with A"),
    ("if not 2 * delta < 1 or", "if", "no check of the basis"),
    (
        "if not 2 * delta < 1 or",
        "if not delta < 1 or",
        "bases to defect 1",
        "every bound holds for delta < 1; a defect above 1/2 only makes it wide",
    ),
    ("    return norm(_minus_identity(gram))\n", "    return norm(_minus_identity(gram.mid()))\n", "defect: midpoints"),
    (
        "order[: n - (n if rank is None else rank)]",
        "order[: n - (n if rank is None else rank - 1)]",
        "positive: one zero too many",
    ),
    (
        "values = [x if x > 0 and i not in zeros else arb(0)",
        "values = [x if i not in zeros else arb(0)",
        "positive: negative values stay",
    ),
    ("key=lambda i: abs(self.values[i]))", "key=lambda i: self.values[i])", "of_rank: the lowest values are 0"),
    (
        "size = max(abs(x) for x in self.values)",
        "size = max(self.values)",
        "eta: the largest value, not the largest size",
    ),
    ("default=arb(0)) - self.eta", "default=arb(0))", "lowest: without the error"),
    ("return max(self.values) + self.eta", "return max(self.values)", "highest: without the error"),
    ("spread = arb(0, self.eta)", "spread = arb(0, self.eta / 2)", "spectrum: half the error"),
    ("x = arb(0) if i in self.zeros else self.values[i] + spread", "x = self.values[i] + spread", "spectrum: no zeros"),
    (
        "if all(i in self.zeros for i in cluster):",
        "if any(i in self.zeros for i in cluster):",
        "hull: 0 if one value is",
    ),
    ("self.values[cluster[-1]]) + arb(0, self.eta)", "self.values[cluster[-1]])", "hull: without the error"),
    (
        "self.values[cluster[0]], self.values[cluster[-1]])",
        "self.values[cluster[0]], self.values[cluster[0]])",
        "hull: one",
    ),
    (
        "move = arb(0) if gap is None else",
        "move = arb(0) if gap is None or gap > 0 else",
        "projection: eigenvectors of A",
    ),
    (
        "(move + (1 + self.defect) * self.rotation).upper())",
        "move.upper())",
        "projection: V in place of W",
    ),
    (
        "move = f.move(self.eta, low if low > 0 else arb(0),",
        "move = f.move(self.eta, self.values[-1],",
        "apply: a value for low",
    ),
    ("(move + (1 + self.defect) * self.rotation * top)", "(move + self.rotation * 0)", "apply: V in place of W"),
    ("rotation * top).upper()", "rotation).upper()", "apply: not scaled with f"),
    (
        '        if not radius.is_finite():\n            raise UndecidedError(f"no finite bound of a function',
        '        if radius < 0:\n            raise UndecidedError(f"no finite bound of a function',
        "apply: an infinite radius passes",
    ),
    (
        "    if eigen.lowest > 0:\n        return eigen\n",
        "    if eigen.highest > 0:\n        return eigen\n",
        "positive_eigen: the highest",
    ),
    (
        "if (min(eigen.values) + eigen.eta) < 0:",
        "if min(eigen.values) < 0:",
        "positive_eigen: refused by an approximation",
    ),
    (
        "if (min(eigen.values) + eigen.eta) < 0:",
        "if (min(eigen.values) + eigen.eta) < -1:",
        "positive_eigen: -1 is positive",
    ),
    (
        "if a.rank and not eigen.lowest > 0:",
        "if a.rank and not eigen.highest > 0:",
        "positive_eigen: undecided accepted",
    ),
    # functions of matrices
    (
        "an exact zero: `slope` refuses others where this jumps\n            return arb(0)",
        "\n            return arb(1)",
        "0^s = 1",
    ),
    (
        "steep = max(_end(bottom, self.s - 1), _end(high + shift, self.s - 1))",
        "steep = min(_end(bottom, self.s - 1), _end(high + shift, self.s - 1))",
        "Power.slope: the flat end",
    ),
    ("bottom = shift if zero and self.shift > 0 else low + shift", "bottom = low + shift", "Power.slope: 0 left out"),
    (
        "(max(factor, arb(1)) if zero and self.shift == 0 else factor) * steep",
        "factor * steep",
        "Power.slope: no jump to 0",
    ),
    (
        "if self.shift == 0 and 0 < self.s < 1:",
        "if self.shift == 0 and 0 < self.s:",
        "Power.move: eta^s of convex powers",
    ),
    (
        "if self.shift == 0 and 0 < self.s < 1:",
        "if 0 < self.s < 1:",
        "Power.move: eta^s with a shift",
        "|(A + t)^s - (B + t)^s| <= |A - B|^s holds of A + t and B + t too",
    ),
    ("concave = (eta ** arb(self.s)).upper()", "concave = eta.upper()", "Power.move: eta for eta^s"),
    (
        "return min(concave, (slope * eta).upper())",
        "return max(concave, (slope * eta).upper())",
        "Power.move: the larger bound",
    ),
    (
        "        return (x ** arb(s)).upper()\n    return",
        "        return (x ** arb(s)).lower()\n    return",
        "_end: rounded inward",
    ),
    ("INF if s < 0 else arb(0)", "arb(0)", "_end: 0 to a negative power is 0"),
    (
        "return (1 / ((arb(0) if zero else low) + arb(self.shift))).upper()",
        "return (1 / (low + arb(self.shift))).upper()",
        "Log.slope: 0 left out",
    ),
    (
        "        if not low > 0:\n            return INF\n",
        "        if not low > 0:\n            return arb(0)\n",
        "Log.slope: flat at 0",
    ),
    (
        "if zero else arb(1)\n        return (size / low)",
        "if False else arb(1)\n        return (size / low)",
        "Log.slope: no jump to 0",
    ),
    (
        "return 1 + max(abs(low.log()).upper(), abs(high.log()).upper()) if low > 0 else INF",
        "return max(abs(low.log()).upper(), abs(high.log()).upper()) if low > 0 else INF",
        "XLogX.slope: without 1",
    ),
    (
        "return 1 + max(abs(low.log()).upper(), abs(high.log()).upper()) if low > 0 else INF",
        "return 1 + abs(low.log()).upper() if low > 0 else INF",
        "XLogX.slope: at the lower end",
    ),
    ("return s * base / shift if x == 0", "return s * base if x == 0", "DividedPower at 0"),
    (
        "steep = max(_end(bottom, s - 2), _end(high + bottom, s - 2))",
        "steep = _end(high + bottom, s - 2)",
        "DividedPower.slope: the upper end",
    ),
    ("abs(arb(s * (s - 1) / 2))", "abs(arb(s * (s - 1) / 4))", "DividedPower.slope: half of it"),
    (
        "arb(1 / (2 * self.shift * self.shift))",
        "arb(1 / (4 * self.shift * self.shift))",
        "DividedLog.slope: half of it",
    ),
    ("return 1 / shift if x == 0 else", "return shift if x == 0 else", "DividedLog at 0"),
    (
        "for t in values if not t.is_zero()), arb(0))",
        "for t in values if t > 0), arb(0))",
        "power_sum: what may be 0 is left out",
    ),
)

RIGOROUS = faults_of(
    "verification/rigorous.py",
    ("return isinstance(self._im, fmpq) and self._im == 0", "return not self._im != 0", "what may be real is real"),
    (
        "isinstance(self._re, fmpq) and isinstance(self._im, fmpq)",
        "isinstance(self._re, fmpq)",
        "exact if the real part is",
    ),
    (
        "return self._re if self.is_real and isinstance",
        "return self._re if isinstance",
        "the rational part of a complex number",
    ),
    (
        "        if not self.is_real:\n            raise TypeError",
        "        if False:\n            raise TypeError",
        "a complex number is its real part",
    ),
    (
        "(INFINITY if self._re > 0 else -INFINITY)",
        "(INFINITY if self._re < 0 else -INFINITY)",
        "flint: infinities exchanged",
    ),
    (
        "QQ_I(_python(self._re), _python(self._im)) if self.exact",
        "QQ_I(_python(self._re), -_python(self._im)) if self.exact",
        "flint: conjugated",
    ),
    ("else acb(self._re, self._im)", "else acb(self._re)", "flint: imaginary part lost"),
    ("return Number(self._re, -self._im)", "return Number(self._re, self._im)", "conjugate: nothing"),
    ("return Number(-self._re, -self._im)", "return Number(-self._re, self._im)", "negation of the real part only"),
    ("return Number(abs(self._re))", "return self", "abs: of a real number, itself"),
    (
        "sqrt(Number(self._re * self._re + self._im * self._im))",
        "sqrt(Number(self._re * self._re - self._im * self._im))",
        "abs: sign slip",
    ),
    (
        "return Number(self._re + y._re, self._im + y._im)",
        "return Number(self._re + y._re, self._im)",
        "sum: imaginary part lost",
    ),
    (
        "return Number(self._re - y._re, self._im - y._im)",
        "return Number(self._re - y._re, self._im + y._im)",
        "difference: sign slip",
    ),
    ("return number(other) - self", "return self - number(other)", "difference reversed"),
    (
        "Number(self._re * y._re - self._im * y._im, self",
        "Number(self._re * y._re + self._im * y._im, self",
        "product: sign slip",
    ),
    (
        "self._re * y._im + self._im * y._re)",
        "self._re * y._im - self._im * y._re)",
        "product: sign slip in the imaginary part",
    ),
    ("ZERO if self.is_real else _quotient(self._im, y._re))", "ZERO)", "quotient: imaginary part lost"),
    ("top = self * y.conjugate()", "top = self * y", "quotient: not by the conjugate"),
    ("return number(other) / self", "return self / number(other)", "quotient reversed"),
    ("else (1 / self, -int(exponent.p))", "else (self, -int(exponent.p))", "negative powers are positive ones"),
    ('if bit == "1" else out * out', 'if bit == "0" else out * out', "bits of an exponent exchanged"),
    ("exponent.q == 1 and self.exact:", "self.exact:", "rational powers are integer ones"),
    ("not x > 0 and exponent.q == 1:", "not x > 0:", "rational powers of balls that may be negative are integer ones"),
    (
        "if exponent is None or exponent <= 0:",
        "if exponent is not None and exponent <= 0:",
        "0 to a power that may be negative is 0",
    ),
    ("if exponent is None or exponent <= 0:", "if exponent is None or exponent > 0:", "0 to a negative power is 0"),
    (
        "Number(arb.nan() if real < 0 else positive_power(real, exponent))",
        "Number(positive_power(real, exponent))",
        "roots of negative numbers are 0",
    ),
    ("return exp(y * log(self))", "return exp(y.real + log(self))", "power: sum for product"),
    ("return number(other) ** self", "return self ** number(other)", "power reversed"),
    ("return (x > y) - (x < y)", "return (x < y) - (x > y)", "order of rationals reversed"),
    (
        "        if x < y:\n            return -1",
        "        if x <= y:\n            return -1",
        "balls that touch are apart",
    ),
    (
        "        if x > y:\n            return 1",
        "        if x >= y:\n            return 1",
        "balls that touch are apart, the other way",
    ),
    (
        "        if x < y:\n            return -1",
        "        if x.mid() < y.mid():\n            return -1",
        "balls compared by midpoints",
    ),
    ("if x.is_exact() and y.is_exact() and x == y:", "if x.overlaps(y):", "balls that overlap are equal"),
    ("if x.is_exact() and y.is_exact() and x == y:", "if x.is_exact() and y.is_exact():", "NaN is equal to everything"),
    ("return self._order(other) < 0", "return self._order(other) <= 0", "< is <="),
    ("return self._order(other) <= 0", "return self._order(other) < 0", "<= is <"),
    ("return self._order(other) > 0", "return self._order(other) >= 0", "> is >="),
    ("return self._order(other) >= 0", "return self._order(other) > 0", ">= is >"),
    (
        "self.real._order(y.real) == 0 and self.imag._order(y.imag) == 0",
        "self.real._order(y.real) == 0",
        "== of the real parts",
    ),
    (
        "self.real._order(y.real) == 0 and self.imag._order(y.imag) == 0",
        "self.real._order(y.real) == 0 or self.imag._order(y.imag) == 0",
        "== of one part",
    ),
    ("return not self == other", "return self == other", "!= is =="),
    ("return self != 0", "return self == 0", "truth reversed"),
    ("if self.rational is None or self.rational.q != 1:", "if self.rational is None:", "int: the numerator"),
    ("Number(arb.pos_inf() if x > 0 else arb.neg_inf())", "Number(arb.pos_inf())", "number: -inf is inf"),
    ("return Number(x.real, x.imag)", "return Number(x.real)", "number: the real part of a ball"),
    ("return Number(*parts)", "return Number(parts[0])", "number: the real part of a rational"),
    ("if isinstance(y, fmpq) and y == 0:\n        raise", "if False:\n        raise", "division of balls by 0 passes"),
    ("ZERO if value == 1 else arb.neg_inf()", "ZERO if value == 0 else arb.neg_inf()", "log 0 = 0"),
    ("return Number(arb(value).log())", "return Number(arb(value).mid().log())", "log of the midpoint"),
    ("return Number(arb(value).log())", "return Number(abs(arb(value)).log())", "log of |x|"),
    ("value == 0 else arb(value).exp())", "value == 0 else arb(value).mid().exp())", "exp of the midpoint"),
    ("return Number(arb(value).sqrt())", "return Number(arb(value).mid().sqrt())", "sqrt of the midpoint"),
    ("return Number(arb(value).sqrt())", "return Number(abs(arb(value)).sqrt())", "sqrt of |x|"),
    ("if p.is_square() and q.is_square():", "if p.is_square() or q.is_square():", "sqrt: one part is a square"),
    (
        "if isinstance(value, fmpq) and value >= 0:",
        "if isinstance(value, fmpq):",
        "sqrt: no look at the sign",
        "a negative integer is no square",
    ),
    ("return x if x >= y else y", "return y if x >= y else x", "maximum of rationals: the smaller"),
    ("arb(x.part()).max(arb(y.part()))", "arb(x.part()).min(arb(y.part()))", "maximum of balls: the smaller"),
    ("return Number(arb(x.part()).max(arb(y.part())))", "return x", "maximum of balls that overlap: the first"),
    ("lambda x, y: -maximum(-x, -y)", "lambda x, y: -maximum(x, y)", "minimum: sign slip"),
    ("**plain, digits=self.digits)", "**plain, digits=2)", "divergences to two digits"),
    ('raise UndecidedError(f"{name}: {error}") from error', "raise error", "bounds of a part are those of a side"),
    (
        "(TypeError, ValueError, UndecidedError) as error",
        "(TypeError, UndecidedError) as error",
        "not in range, though it may be",
    ),
    ("(-_floor(-x) - 1, ", "(-_floor(-x), ", "binomial: low counts as outside"),
    ("(-_floor(-x) - 1, ", "(_floor(x) - 1, ", "binomial: floor for ceiling"),
    ("_floor(y) + 1)", "_floor(y))", "binomial: high counts as outside"),
    (
        "balls = np.array([Number(arb(x.part())) for x in q]",
        "balls = np.array([Number(arb(x.part()).mid()) for x in q]",
        "binomial: midpoint of q",
    ),
    (
        "whole = arb(x.part()).floor().unique_fmpz()",
        "whole = arb(x.part()).mid().floor().unique_fmpz()",
        "floor of the midpoint",
    ),
    ("out[i] = Number(fmpq(ExactMatrix.of(parts).rank()))", "out[i] = Number(fmpq(len(parts)))", "rank: full"),
    (
        "RIGOROUS = Field(lambda x: Number(fmpq(x)), Number(ZERO, fmpq(1)))",
        "RIGOROUS = Field(lambda x: Number(fmpq(x)), Number(ZERO, fmpq(-1)))",
        "I is -I",
    ),
)

CERTIFICATES = faults_of(
    "krdtheory/ball/certificates.py",
    (
        'if verdict != "undecided" or fixed or',
        "if fixed or",
        "certify: decided, and not returned",
    ),
    (
        "not callable(lhs) and not callable(rhs)",
        "not callable(lhs) or not callable(rhs)",
        "certify: no second precision",
    ),
    ("or 2 * digits > max_digits:", "or digits >= 30:", "certify: max_digits is 30"),
    (
        "with ctx.workprec(_bits(digits)):",
        "with ctx.workprec(8):",
        "certify: margins at 8 bits",
    ),
    (
        "return (_extended(error.lower), _extended(error.upper)), str(error)",
        "return (_extended(error.upper), _extended(error.lower)), str(error)",
        "bounds of what is undecided exchanged",
    ),
    (
        "return (_extended(error.lower), _extended(error.upper)), str(error)",
        "return (_extended(error.lower), _extended(error.lower)), str(error)",
        "lower bound of what is undecided taken for it",
    ),
    ("if value.is_nan():", "if False:", "NaN is a side"),
    (
        'return (value, value), f"{name} is not a number"',
        'return (INF, INF), f"{name} is not a number"',
        "NaN is infinite",
    ),
    (
        "(_extended(value.lower()), _extended(value.upper()))",
        "(_extended(value.mid()), _extended(value.mid()))",
        "a ball is its midpoint",
    ),
    (
        "(_extended(value.lower()), _extended(value.upper()))",
        "(_extended(value.upper()), _extended(value.lower()))",
        "ends of a ball exchanged",
    ),
    (
        "value = INF if is_infinite(value) else -INF",
        "value = -INF if is_infinite(value) else INF",
        "infinities exchanged",
    ),
    ("return rational(x) if x.is_finite() else x", "return rational(x) if x.is_finite() else INF", "-inf is inf"),
    ("if a[0] == a[1] == b[0] == b[1]:", "if a[0] == b[0]:", "equal if the lower bounds are"),
    ("if a[0] == a[1] == b[0] == b[1]:", "if False:", "no equality is proved"),
    ("if any(isinstance(x, arb) and x.is_nan() for x in (*a, *b)):", "if False:", "NaN among the bounds decides"),
    ("_gap(b[0], a[1], fmpq(0))", "_gap(b[0], a[1], -INF)", "something is above infinity"),
    ("_gap(b[0], a[1], fmpq(0))", "_gap(b[0], a[0], fmpq(0))", "least margin from the wrong end"),
    ("_gap(b[1], a[0], INF)", "_gap(b[1], a[1], INF)", "largest margin from the wrong end"),
    ("_gap(b[1], a[0], INF)", "_gap(b[1], a[0], -INF)", "what may be infinite on both sides is refuted"),
    ("interval(arb(low), arb(high))", "arb(low)", "margin: its lower end"),
    ("if high < 0 or", "if high <= 0 or", "equality refutes"),
    ("if high < 0 or", "if low < 0 or", "refuted if it may be false"),
    ('or (relation == "==" and low > 0)', 'or (relation == "==" and low >= 0)', "== refuted where both may be equal"),
    ('or (relation == "==" and low > 0)', "or low > 0", "<= read as =="),
    ('or (relation == "==" and low > 0)', "", "== read as <="),
    ('"proved" if relation == "<=" and low >= 0', '"proved" if low >= 0', "== proved by <="),
    (
        '"proved" if relation == "<=" and low >= 0',
        '"proved" if relation == "<=" and high >= 0',
        "proved if it may be true",
    ),
    (
        '"proved" if relation == "<=" and low >= 0',
        '"proved" if relation == "<=" and low > 0',
        "balls that touch are undecided",
    ),
    ("        return x - y\n", "        return y - x\n", "margin: sign slip"),
    ("return unknown if difference.is_nan() else difference", "return difference", "inf - inf is NaN"),
)

SEARCH = faults_of(
    "verification/search.py",
    ('if found.verdict != "refuted":', 'if found.verdict == "proved":', "certify_violation: undecided accepted"),
    ('if found.verdict != "refuted":', "if False:", "certify_violation: everything accepted"),
    ("for side in (0, 1)),", "for side in (1, 0)),", "certify_violation: sides exchanged"),
    ("            relation=claim.relation,\n", "", "certify_violation: == read as <="),
    ("[side][worst]).flint()", "[side][0]).flint()", "certify_violation: the first inequality, not the worst"),
    (
        "claim.sides(RigorousVocabulary(digits), **build",
        "claim.sides(RigorousVocabulary(15), **build",
        "certify_violation: 15 digits only",
    ),
    ("            max_digits=240,\n", "            max_digits=15,\n", "certify_violation: one precision"),
    (
        "except (ArithmeticError, TypeError):  # the claim's",
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

FAULTS = [*BALL, *RIGOROUS, *CERTIFICATES, *SEARCH]

TESTS = {
    "krdtheory/arithmetic/ball.py": (
        *("tests/arithmetic/test_enclosures.py", "tests/arithmetic/test_ball.py", "tests/test_ball_vocabulary.py"),
        *("tests/ball/test_graded.py", "tests/ball/test_spectra.py", "-k", "not every_error_term"),
    ),
    "verification/rigorous.py": ("tests/verification/test_rigorous.py",),
    "krdtheory/ball/certificates.py": ("tests/ball/test_certificates.py", "tests/test_ball_vocabulary.py"),
    "verification/search.py": ("tests/verification/test_certify_violation.py",),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="", help="only faults of files whose path ends so")
    parser.add_argument("--only", default="", help="only faults whose meaning contains this")
    parser.add_argument("--list", action="store_true", help="list them, and plant none")
    options = parser.parse_args(arguments)
    faults = [f for f in FAULTS if f.file.endswith(options.file) and options.only in f.meaning]
    out = Console(width=150)
    if options.list:
        for fault in faults:
            out.print(escape(f"{fault.file}: {fault.meaning}"), highlight=False)
        return 0
    try:
        return report(run(faults, TESTS), out)
    except PlantingError as error:
        Console(stderr=True).print(escape(str(error)), highlight=False)
        return 2


if __name__ == "__main__":
    sys.exit(main())
