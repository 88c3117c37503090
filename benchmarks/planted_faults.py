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
    ("exponent.q == 1 and self.exact and", "self.exact and", "rational powers are integer ones"),
    ("return abs(int(exponent.p)) * size > EXACT", "return False", "powers of a million bits are exact"),
    ("signed and exponent.q == 1:", "signed:", "rational powers of balls that may be negative are integer ones"),
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

SCALARS = faults_of(
    "verification/provers/scalars.py",
    ("    if _is_zero(_without_corners(e)):\n", "    if True:\n", "is_zero: by random points alone"),
    (
        "    if not _vanishes(e):\n        return False\n",
        "",
        "is_zero: no random points",
        "sympy must see it all the same; the points only guard against an error of sympy",
    ),
    (
        "    if _negative_somewhere(shown):\n",
        "    if False:\n",
        "nonnegative: no random points",
        "the tactic must get through all the same; the points only guard against an error of sympy",
    ),
    (
        "return not _negative_somewhere(e) and _seen(",
        "return not _negative_somewhere(e) or _seen(",
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
        "name = corner.func(*(_expanded(a) for a in corner.args))",
        "name = corner.func",
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
    # tactics
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
        '        raise ProofError("; ".join(said))\n\n\n@dataclass(frozen=True)\nclass Split',
        "        return 0\n\n\n@dataclass(frozen=True)\nclass Split",
        "First: none will do",
    ),
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
    # maxima
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

KERNEL = faults_of(
    "verification/provers/kernel.py",
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
        '    if not same(case, a, b):\n        raise ProofError(f"{a} is not seen to equal {b}")\n',
        "",
        "equal: nothing is shown",
    ),
    (
        "low, high = relation.rhs, relation.lhs",
        "low, high = relation.lhs, relation.rhs",
        "assumed: the wrong way round",
    ),
    ("        if not same(case, old, wanted):\n", "        if False:\n", "rewrite: as anything"),
    ('{"positive": True} if seen else {}', '{"positive": True}', "through: everything is positive"),
    (
        '{"nonnegative": True} if seen_nonnegative(a) else {"real": True}',
        '{"nonnegative": True}',
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
        "settle(-term.subs(unit), ratio, prove) if equal else count",
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
    ("if not is_zero(Total(weights, alphabet) - 1):", "if False:", "jensen: weights of any sum"),
    ("        nonnegative(weights)\n        if not", "        if not", "jensen: weights below 0"),
    ("        if not seen_nonnegative(x, strict=True):\n", "        if False:\n", "jensen: points that may be 0"),
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
    # premises
    ("            lies(kind, arguments[name], case)\n", "            pass\n", "premise: outside of its kinds"),
    ('same_sides = claim.relation == "=="', "same_sides = True", "premise: every inequality is an equality"),
    (
        "                (claim.id,),\n                same_sides,\n",
        "                (),\n                same_sides,\n",
        "premise: not told",
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
        'raise ProofError(f"the size of the alphabet is looked at: the total of {terms[0]}")',
        "return terms[0]",
        "totals: one letter",
    ),
    ("return True if self.args[0].is_nonnegative else None", "return True", "totals: nonnegative"),
    # cases
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
    (
        "names |= tied if tied & names else set()",
        "pass",
        "impossible: what ties two weights is not seen",
        "fewer cases are left out, which are more to prove",
    ),
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
    # numbers
    (
        "return Rational(*float(x).as_integer_ratio())\n    if isinstance(x, int",
        "return Rational(str(float(x)))\n    if isinstance(x, int",
        "numbers: decimals of a float",
    ),
    ("return not self > other", "return not self < other", "<= is >="),
    ("return not self < other", "return self > other", ">= is >"),
    ('raise ProofError(f"{x} times {y}")', "return Integer(0)", "0 times infinity is 0"),
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
    ("origins[0][1] is origins[1][1]", "True", "images under two kernels are under one"),
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

OPERATORS = faults_of(
    "verification/provers/operators.py",
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
    (
        "        if not isinstance(other, Operator) or other.space != self.space:\n",
        "        if not isinstance(other, Operator):\n",
        "operators on different spaces are added",
    ),
    ("        if is_operator(c) or CASE.get().ranges(c):\n", "        if False:\n", "operators are numbers"),
    ("return atom.args[kept] * trace(atom.args[gone])", "return atom.args[kept]", "partial trace: without the trace"),
    ("kept, gone = (0, 1) if second else (1, 0)", "kept, gone = (0, 1)", "partial trace: of the second factor only"),
    ("        if len(set(parts)) != 1:\n", "        if False:\n", "blocks on different spaces are added"),
    ("    if back:\n        here, there = there, here\n", "", "U^* . U is U . U^*"),
    (
        '    if not isinstance(space, Symbol):\n        raise ProofError("a projection',
        '    if False:\n        raise ProofError("a projection',
        "projections on products have a range of a name",
    ),
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
    ("parts[int(block.args[0])] += c", "parts[0] += c", "blocks: all are the first"),
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
    ("if case.operators.setdefault(symbol, known) != known:", "if False:", "two operators of one name"),
    ("        elif _home(atom) != space:\n", "        elif False:\n", "operators act on any space"),
    (
        '    if kind == "unitary":\n        return space\n',
        "    if kind:\n        return space\n",
        "every map keeps the space",
    ),
    ("        if self.seal is not _SEAL:\n", "        if False:\n", "anybody makes a channel"),
    ("    psd(Operator(phi.e, phi.space))\n", "    pass\n", "prepared: what may not be positive"),
    (
        "    if trace(phi.e) != 1 or not CASE.get().ranges(phi.e) <= {alphabet}:\n",
        "    if False:\n",
        "prepared: states of any trace",
    ),
    ("        if CASE.get().ranges(v):\n", "        if False:\n", "moments: one case for every letter"),
    (
        "divergence(moment(a, b, order), _mass(a), order)",
        "divergence(moment(a, b, order), trace(a.e), order)",
        "a divergence of 0",
    ),
    ("not seen_nonnegative(trace(a.e), strict=True) or a.space", "a.space", "lies: states that may be 0"),
    (
        '            raise ProofError("a state is wanted, not zero")\n        psd(a)\n',
        '            raise ProofError("a state is wanted, not zero")\n',
        "lies: what may not be positive is a state",
    ),
    ("    if not isinstance(x, SymbolicChannel):\n", "    if not callable(x):\n", "lies: every function is a channel"),
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
    ("    psd(b)\n    psd(more)\n", "    psd(b)\n", "lies: commuting with what may not be positive"),
)

SERIES = faults_of(
    "verification/provers/balls.py",
    (
        "return v.upper() if side > 0 else v.lower()",
        "return v.lower() if side > 0 else v.upper()",
        "intervals: rounded inward",
    ),
    ("return v.upper() if side > 0 else v.lower()", "return v.mid()", "intervals: midpoints"),
    (
        "return infinite[0] if len(set(infinite)) == 1 else side * math.inf",
        "return infinite[0]",
        "intervals: oo - oo is oo",
        "no interval has the lower end oo or the upper end -oo, and only ends of one kind are added",
    ),
    (
        "return math.inf if _negative(a) == _negative(b) else -math.inf",
        "return math.inf",
        "intervals: -1 times oo is oo",
    ),
    (
        "        if (end > out) if side > 0 else (end < out):\n",
        "        if end > out:\n",
        "intervals: the least end is the largest",
    ),
    (
        "        if _negative(self.low) or self.high == 0:\n            raise TooWide\n",
        "        if self.high == 0:\n            raise TooWide\n",
        "intervals: 1 / 0 is finite",
    ),
    (
        "    if _negative(inner.low) or inner.high == 0:\n        raise TooWide\n",
        "    if inner.high == 0:\n        raise TooWide\n",
        "intervals: logarithms of what may be negative",
        "the logarithm of an end below 0 is no finite ball, which is refused",
    ),
    ("            if _negative(below):  #", "            if False:  #", "intervals: even powers of what may be 0"),
    (
        "    if _negative(inner.low) or inner.high > 1 or inner.high == 0:\n",
        "    if _negative(inner.low) or inner.high == 0:\n",
        "w^a log w: for w > 1",
    ),
    ("least = -1 / (arb.const_e() * a)", "least = arb(0)", "w^a log w: without -1/(e a)"),
    (
        "            if not visit(algebra.expand(slope)).high <= 0:\n                continue\n",
        "            visit(algebra.expand(slope))\n",
        "what falls may rise",
    ),
    (
        "        last = _coefficients(e, self.x, _ball(low, high), others, count + 1)[count]\n",
        "        last = arb(0)\n",
        "Taylor: without the remainder",
    ),
    (
        "last = _coefficients(e, self.x, _ball(low, high), others",
        "last = _coefficients(e, self.x, _ball(centre, centre), others",
        "Taylor: the remainder at the centre",
    ),
    ("                value += slope\n", "                pass\n", "Taylor: other parameters at their centre"),
    ("return _horner([*polynomial[order:], last]", "return _horner([*polynomial, last]", "Taylor: not divided by x^m"),
    (
        "            if not _vanishes(d.subs(self.x, 0)):\n                return -1\n",
        "",
        "order: coefficients that seem to vanish do",
    ),
    (
        "        order = next((k for k, c in enumerate(at_zero) if not c.contains(0)), None)\n",
        "        order = next((k for k, c in enumerate(at_zero) if not c.contains(0)), 0) + 1\n",
        "order: one too many",
    ),
    ("sign * (-1 if end else 1)", "sign", "edge: the slope at 1 has the sign of f"),
    (
        "not (_continuous(d, t, end) and _vanishes(value)):",
        "not _continuous(d, t, end):",
        "edge: what does not vanish there",
    ),
    (
        "            if low == 0 or not f.over(low, where) >= 0:\n                return False\n",
        "",
        "beyond: values at the start are not looked at",
    ),
    (
        "                if _range(form, at).low >= 0:\n",
        "                if _range(form, at).high >= 0:\n",
        "ranges: some value is >= 0",
    ),
    (
        "            if value >= 0:\n                return True, None\n",
        "            if not value < 0:\n                return True, None\n",
        "boxes: undecided is nonnegative",
    ),
    ("            xs.append((ends[-1], None))\n", "            pass\n", "boxes: none beyond 1"),
    ("            yield (middle, high), where\n", "", "cut: the second half is left out"),
    ("            yield (low, middle), where\n", "", "cut: the first half is left out"),
    (
        "        for part in ((low, (low + high) / 2), ((low + high) / 2, high)):\n",
        "        for part in ((low, (low + high) / 2),):\n",
        "cut: the second half of a parameter is left out",
    ),
    ("            if count > self.hints.boxes:\n", "            if False:\n", "no limit of boxes"),
    ("            if time.monotonic() - start > self.hints.seconds:\n", "            if False:\n", "no limit of time"),
    (
        "        return rest.check(e.subs(s, part)) + rest.check(e.subs(s, -part))\n",
        "        return rest.check(e.subs(s, part))\n",
        "real parameters are positive",
    ),
    (
        "        if e.atoms(*CORNERS) or e.has(",
        "        if e.has(",
        "corners are smooth",
        "a maximum has no enclosure by balls",
    ),
    (
        "            if not s.is_positive:  #",
        "            if False:  #",
        "the end that belongs to the range is left out",
    ),
    (
        "checks += nonnegative(e.subs(self.x, sympy.Rational(stop.numerator, stop.denominator) + PAST), tactic)",
        "pass",
        "beyond X nothing is shown",
    ),
    ("        nonnegative(factor)\n        quotient", "        quotient", "Series: a factor below 0"),
    (
        "        return 2 + nonnegative(quotient, replace(self, factor=None))\n",
        "        return 2\n",
        "Series: the quotient is not looked at",
    ),
    (
        '            raise ProofError(f"{e} is not seen to be {form}")\n        return 1',
        "            pass\n        return 1",
        "Written: as anything",
    ),
    (
        "            if not seen_nonnegative(of, strict=bool(self.u.is_positive)):\n",
        "            if False:\n",
        "Composed: outside of its range",
    ),
    ("        if not is_zero(e - form.subs(self.u, of)):\n", "        if False:\n", "Composed: of anything"),
)

ARGUED = faults_of(
    "verification/symbolic.py",
    ("self.power(q, 1 - order)", "self.power(q, order - 1)", "renyi: the second weight to the opposite power"),
    (
        "self.power(q, 1 - order)).sum(-1)) / (alpha - 1)",
        "self.power(q, 1 - order)).sum(-1)) / alpha",
        "renyi: over alpha",
    ),
    ("self.log(p / q)", "self.log(q / p)", "kl: the opposite sign"),
    ("(p * self.log", "(q * self.log", "kl: weighted by the other"),
    ("1 - self.sqrt(p * q).sum(-1)", "1 - (p * q).sum(-1)", "hellinger: without the root"),
    ("self.maximum(excess, 0 * excess)", "excess", "hockey_stick: the sign of the excess is not looked at"),
    ("self.maximum(excess, Fraction(0))", "excess", "hockey_stick of rationals: the sign of the excess"),
    ("return alpha * mu * mu / 2", "return alpha * mu / 2", "gdp_to_rdp: mu for its square"),
    ("if rho.shape[-1] != 1:", "if False:", "sandwiched_renyi: of one entry of any matrix"),
    ("sigma[..., 0, 0] + regularization", "sigma[..., 0, 0]", "sandwiched_renyi: without regularization"),
    ("_elementwise(sympy.Max, 2)", "_elementwise(sympy.Min, 2)", "maximum: the minimum"),
    ("_elementwise(max, 2)", "_elementwise(min, 2)", "maximum of rationals: the minimum"),
    ("_elementwise(min, 2)", "_elementwise(max, 2)", "minimum of rationals: the maximum"),
    ("lambda x: x.argument", "lambda x: 1 / x.argument", "exp of a logarithm: the inverse"),
    ("Fraction(a) ** int(b)", "Fraction(a) * int(b)", "power of rationals: a product"),
)

ENCLOSURES = faults_of(
    "verification/provers/enclosures.py",
    ("return arb(fmpq(int(e.p), int(e.q)))", "return arb(int(e.p))", "constants: numerators alone"),
    ("return (y - 1 / y) / 2", "return (y + 1 / y) / 2", "sinh: cosh"),
    ("return 1 - 2 / ((2 * v).exp() + 1)", "return 1 - 2 / (v.exp() + 1)", "tanh: of half"),
    ("reduce(lambda a, b: a.min(b), balls)", "balls[0]", "smallest: the first"),
    ("    if a > b or a <= b:\n", "    if True:\n", "cases: what is not seen is not so"),
    ("        if holds:\n", "        if True:\n", "cases: the first"),
    ("    if n < 0:\n", "    if False:\n", "powers: negative exponents are not ended"),
    ("base if e.q == 1 else base.sqrt()", "base", "powers: of a root, of its square"),
    ("return _constant(e, ctx.prec)", "return _constant(e, 64)", "constants: in 64 bits"),
    ("isinstance(a, arb_series) for a in args", "False for a in args", "corners: of series"),
)

FAULTS = [
    *(*BALL, *RIGOROUS, *CERTIFICATES, *SEARCH),
    *(*SCALARS, *KERNEL, *SYMBOLS, *KINDS, *SYMBOLIC_VOCABULARY, *DERIVATION, *PROOF, *CHALLENGE, *ESTABLISHED),
    *(*OPERATORS, *SERIES, *ENCLOSURES, *ARGUED),
]

_V = "tests/verification/"

TESTS = {
    "krdtheory/arithmetic/ball.py": (
        *("tests/arithmetic/test_enclosures.py", "tests/arithmetic/test_ball.py", "tests/test_ball_vocabulary.py"),
        *("tests/ball/test_graded.py", "tests/ball/test_spectra.py", "-k", "not every_error_term"),
    ),
    "verification/rigorous.py": ("tests/verification/test_rigorous.py",),
    "krdtheory/ball/certificates.py": ("tests/ball/test_certificates.py", "tests/test_ball_vocabulary.py"),
    "verification/search.py": (f"{_V}test_provers_claims.py", f"{_V}test_sides.py"),
    "verification/simplify.py": (f"{_V}test_certify_violation.py",),
    "verification/provers/scalars.py": (f"{_V}test_scalars.py", f"{_V}test_provers_tactics.py"),
    "verification/provers/kernel.py": (
        *(f"{_V}test_provers_rules.py", f"{_V}test_kernel.py", f"{_V}test_lemmas.py", f"{_V}test_levels.py"),
    ),
    "verification/provers/symbols.py": (f"{_V}test_provers_cases.py", f"{_V}test_provers_rules.py"),
    "verification/provers/kinds.py": (f"{_V}test_provers_cases.py", f"{_V}test_provers_rules.py"),
    "verification/provers/vocabulary.py": (f"{_V}test_provers_definitions.py", f"{_V}test_levels.py"),
    "verification/provers/derivation.py": (f"{_V}test_provers_claims.py",),
    "verification/proof.py": (f"{_V}test_provers_claims.py",),
    "verification/provers/operators.py": (f"{_V}test_provers_operators.py", f"{_V}test_operators.py"),
    "verification/provers/balls.py": (f"{_V}test_provers_intervals.py", f"{_V}test_balls.py"),
    "verification/provers/enclosures.py": (f"{_V}test_enclosures.py", f"{_V}test_balls.py"),
    "verification/challenge.py": (f"{_V}test_provers_claims.py",),
    "verification/symbolic.py": (f"{_V}test_symbolic.py",),
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
