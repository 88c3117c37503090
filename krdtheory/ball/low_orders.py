r"""Sandwiched divergences of orders near 0, and of order 0, where powers of B spread all eigenvalues far apart.

With d_1 > d_2 > ... the eigenvalues of B, W its eigenvectors and H = W* rho W, block elimination by decreasing d gives
H = L G^-1 L* with L block lower triangular, so that the sandwich has the nonzero eigenvalues of

    D N D,   D = diag(d^s),   N = G^{-1/2} L'* L' G^{-1/2},   L'_ij = L_ij (d_i / d_j)^s,   s = (1 - alpha) / (2 alpha),

whatever the size of s: d_i <= d_j where L_ij is not 0. A change of N by a fraction theta of its least eigenvalue
changes every eigenvalue of D N D by a factor within 1 +- theta (Ostrowski), and its power alpha hardly at all. The
number of columns of a block of L is the increase of the rank of rho on the upper eigenspaces of B.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from flint import acb, arb, arb_mat, ctx, fmpq, fmpz

from krdtheory.arithmetic.ball import (
    BallMatrix,
    Eigen,
    Matrix,
    Power,
    UndecidedError,
    add_up,
    adjoint,
    norm,
    positive_power,
)


@dataclass(frozen=True)
class Level:
    """A cluster of eigenvalues of B, enclosed by `value`: indices in the eigenbasis, and the rank that the cluster adds
    to rho on the eigenspaces above."""

    members: list[int]
    value: Any
    rank: int


def is_graded(b: Eigen, shift: fmpq, alpha: fmpq) -> bool:
    """Return whether the order separates eigenvalues by more than the precision allows."""
    if not 0 < alpha < fmpq(1, 4):
        return False
    bottom = max(b.lowest, arb(0)) + arb(shift)
    return not (bottom > 0 and ((b.highest + arb(shift)) / bottom).log() * arb((1 - alpha) / alpha) < ctx.prec // 4)


def levels(b: Eigen, shift: fmpq, rho: BallMatrix, whole: int, least: Any = None, commute: bool = False) -> list[Level]:
    """Return the clusters of B by decreasing eigenvalue, without those of eigenvalue 0; `whole` is the rank of B rho.

    The rank of rho on the upper eigenspaces is bounded below by the number of eigenvalues that exceed the errors. It is
    bounded above by their dimension, by the whole rank (minus the rank below, if rho and B commute), and by the fact
    that the next eigenvalue of the image of rho is 0 if it is less than `least(m)`, a lower bound on a nonzero m-th
    one.

    Raises
    ------
    UndecidedError
        These bounds differ.
    """
    clusters = []
    for c in reversed(b.clusters()):
        value = b.hull(c) + arb(shift)
        if value > 0:
            clusters.append((c, value))
        elif not value.is_zero():
            raise UndecidedError(f"is the eigenvalue {value.str(5)} zero?")
    out: list[Level] = []
    seen = 0
    for k, (c, value) in enumerate(clusters, 1):
        upper, lower = ([i for d, _ in part for i in d] for part in (clusters[:k], clusters[k:]))
        most = min(len(upper), whole)
        if commute and lower:
            most = min(most, whole - _above_errors(b.projection(lower), rho)[0])
        rank, rest = _above_errors(b.projection(upper), rho)
        if rank < most and not (least is not None and rest < least(rank + 1)):
            raise UndecidedError(f"the rank of rho in eigenspaces of sigma is not decided at {ctx.prec} bits")
        out.append(Level(c, value, rank - seen))
        seen = rank
    if seen != whole:
        raise UndecidedError(f"the rank of rho in eigenspaces of sigma is not decided at {ctx.prec} bits")
    return out


def _above_errors(projection: BallMatrix, rho: BallMatrix) -> tuple[int, Any]:
    """Return the number of eigenvalues of P rho P known to be positive, and an upper bound on the next one."""
    eigen = Eigen.of(projection * rho * projection)
    values = sorted(eigen.values, reverse=True)
    seen = sum(1 for x in values if x - eigen.eta > 0)
    return seen, (values[seen] + eigen.eta if seen < len(values) else arb(0))


class LeastEigenvalue:
    """A lower bound on the m-th eigenvalue of P rho P if it is not 0, where P is a sum of eigenspaces of sigma.

    With integer entries, disc^m e_m(P rho), where disc is the discriminant of sigma's distinct eigenvalues and e_m the
    elementary symmetric function of the eigenvalues, is an algebraic integer. Its conjugates belong to other sums of
    eigenspaces; they are at most disc^m (tr rho)^m, and their number is that of the choices of as many conjugate
    eigenvalues. Their product is an integer.
    """

    def __init__(self, rho: Matrix, sigma: Matrix) -> None:
        assert rho.exact is not None and sigma.exact is not None
        self.size = rho.size
        doubled = sigma.exact._embedded(sigma.exact.im is not None)
        integral, _ = doubled.numer_denom()
        factors = [f for f, _ in integral.charpoly().factor()[1]]
        distinct = factors[0]
        for f in factors[1:]:
            distinct = distinct * f
        discriminant = abs(distinct.discriminant()) if distinct.degree() > 1 else fmpz(1)
        count = 1
        for f in factors:
            count *= comb(f.degree(), f.degree() // 2)
        parts = [rho.exact.re] + ([] if rho.exact.im is None else [rho.exact.im])
        self.scale = fmpz(1)
        for part in parts:
            denominator = part.numer_denom()[1]
            self.scale = self.scale * denominator / self.scale.gcd(denominator)
        trace = add_up([arb(rho.exact.re[i, i] * self.scale) for i in range(self.size)])
        self.log_trace = trace.log()
        self.log_bound = count * arb(discriminant).log() + (count - 1) * self.log_trace

    def __call__(self, m: int) -> Any:
        choices = arb(comb(self.size, m)).log() + arb(self.scale).log()
        return (-m * self.log_bound - choices - (m - 1) * self.log_trace).exp().lower()


def least_eigenvalue(rho: Matrix, sigma: Matrix) -> LeastEigenvalue | None:
    """Return the bound on the least eigenvalue, None for balls."""
    return None if rho.exact is None or sigma.exact is None else LeastEigenvalue(rho, sigma)


def greedy_sum(parts: list[Level]) -> Any:
    """Return the limit of `graded_power_sum` as alpha -> 0, the sum of the eigenvalues of B that increase the rank."""
    return add_up(part.rank * part.value for part in parts)


def graded_power_sum(b: Eigen, rho: BallMatrix, parts: list[Level], alpha: fmpq) -> Any:
    """Return tr (B^s rho B^s)^alpha, alpha < 1; some part has a positive rank."""
    s = (1 - alpha) / (2 * alpha)
    logs = [part.value.log() for part in parts]
    spread = max((arb(s) * x.rad()).upper() for x in logs)  # B^s = D (1 + an error of at most e^spread - 1)
    exact = [x.mid() for x in logs]
    columns, grams = _eliminated(_seen(b, rho, parts), parts)
    kept = [(j, parts[j].rank, gram) for j, gram in grams.items()]
    scaled = _scaled(columns, parts, exact, s)
    roots = [Eigen.of(gram).apply(Power(fmpq(-1, 2))) for _, _, gram in kept]
    root = _diagonal(roots, type(columns))
    whole = root * adjoint(scaled) * scaled * root
    middle, blocks = _split(whole.mid(), [(exact[j], rank) for j, rank, _ in kept], s)
    eigen = Eigen.of(middle)
    if not eigen.lowest > 0:
        raise UndecidedError(f"eigenvalues are not separated from 0 at {ctx.prec} bits")
    theta = (norm(whole - middle) / eigen.lowest.lower()).upper()
    if not theta < 1:
        raise UndecidedError(f"a graded spectrum is not resolved at {ctx.prec} bits")
    moved = (2 * spread - (1 - theta).log()).upper() * arb(alpha)
    total = add_up(
        (arb(1 - alpha) * top).exp() * add_up(positive_power(x, alpha) for x in values)
        for top, values in (_block_spectrum(block, heights, s) for block, heights in blocks)
    )
    return total * arb(0, moved.upper()).exp()


def _seen(b: Eigen, rho: BallMatrix, parts: list[Level]) -> BallMatrix:
    """Return W* rho W, where W has orthonormal bases of the exact eigenspaces of B near the columns of b.basis.

    The eigenspace of a cluster differs from the columns by at most x = eta / (gap - eta) (Davis and Kahan), its nearest
    orthonormal basis by x + x^2, and the columns from their polar factor by their defect.
    """
    n, columns, radii = rho.nrows(), [], []
    for part in parts:
        inside = set(part.members)
        ends = [b.values[i] for i in part.members]
        rest = [v for i, v in enumerate(b.values) if i not in inside]
        gap = min((min(abs(v - min(ends)), abs(v - max(ends))) for v in rest), default=None)
        x = arb(0) if gap is None else b.eta / (gap - b.eta)
        if not (0 <= x < arb("0.7")):
            raise UndecidedError(f"eigenspaces are not separated at {ctx.prec} bits")
        columns += part.members
        radii += [(x + x * x + b.defect).upper()] * len(part.members)
    exact = isinstance(b.basis, arb_mat)
    entries = []
    for i in range(n):
        for j, radius in zip(columns, radii, strict=True):
            ball = arb(0, radius)
            entries.append(b.basis[i, j] + (ball if exact else acb(ball, ball)))
    w = type(b.basis)(n, len(columns), entries)
    return adjoint(w) * rho * w


def _eliminated(h: BallMatrix, parts: list[Level]) -> tuple[BallMatrix, dict[int, BallMatrix]]:
    """Return L and the blocks of G, without those of rank 0."""
    n, kind = h.nrows(), type(h)
    start, columns, grams = 0, [], {}
    for j, part in enumerate(parts):
        rows = range(start, start + len(part.members))
        start = rows.stop
        if not part.rank:
            continue
        block = kind(len(rows), len(rows), [h[i, k] for i in rows for k in rows])
        basis = _leading(block, part.rank)
        side = kind(n, len(rows), [h[i, k] if i >= rows.start else 0 for i in range(n) for k in rows]) * basis
        gram = adjoint(basis) * block * basis
        try:
            h = h - side * gram.inv() * adjoint(side)
        except ZeroDivisionError as error:
            raise UndecidedError(f"a rank is not decided at {ctx.prec} bits") from error
        columns.append(side)
        grams[j] = gram
    joined = [m[i, k] for i in range(n) for m in columns for k in range(m.ncols())]
    return kind(n, sum(m.ncols() for m in columns), joined), grams


def _leading(block: BallMatrix, rank: int) -> BallMatrix:
    """Return exact vectors near the eigenvectors of the largest eigenvalues."""
    n = block.nrows()
    eigen = Eigen.of(block.mid())
    order = sorted(range(n), key=lambda i: eigen.values[i], reverse=True)[:rank]
    return type(block)(n, rank, [eigen.basis[i, k] for i in range(n) for k in order]).mid()


def _scaled(columns: BallMatrix, parts: list[Level], logs: list[Any], s: fmpq) -> BallMatrix:
    """Return L'."""
    rows = [log for part, log in zip(parts, logs, strict=True) for _ in part.members]
    tops = [log for part, log in zip(parts, logs, strict=True) for _ in range(part.rank)]
    k = columns.ncols()
    entries = [
        x * _ratio(rows[i // k], tops[i % k], s) if rows[i // k] < tops[i % k] else x
        for i, x in enumerate(columns.entries())
    ]
    return type(columns)(columns.nrows(), k, entries)


def _ratio(low: Any, high: Any, s: fmpq) -> Any:
    """Return exp(s (low - high)), low <= high; a ball about 0 if it is small."""
    exponent = arb(s) * (low - high)
    return arb(0, arb(2) ** (-4 * ctx.prec)) if exponent < -4 * ctx.prec else exponent.exp()


def _diagonal(blocks: list[BallMatrix], kind: type) -> BallMatrix:
    n = sum(m.nrows() for m in blocks)
    out = kind(n, n)
    start = 0
    for m in blocks:
        for i in range(m.nrows()):
            for j in range(m.ncols()):
                out[start + i, start + j] = m[i, j]
        start += m.nrows()
    return out


def _split(
    m: BallMatrix, heights: list[tuple[Any, int]], s: fmpq
) -> tuple[BallMatrix, list[tuple[BallMatrix, list[Any]]]]:
    """Return m without the entries between levels that s separates by more than the precision, and its blocks."""
    groups: list[list[Any]] = []
    last = None
    for height, rank in heights:
        if last is None or arb(s) * (last - height) > ctx.prec:
            groups.append([])
        groups[-1] += [height] * rank
        last = height
    blocks, start = [], 0
    for group in groups:
        rows = range(start, start + len(group))
        start = rows.stop
        blocks.append((type(m)(len(group), len(group), [m[i, j] for i in rows for j in rows]), group))
    return _diagonal([block for block, _ in blocks], type(m)), blocks


def _block_spectrum(block: BallMatrix, heights: list[Any], s: fmpq) -> tuple[Any, list[Any]]:
    """Return eigenvalues of D N D relative to the top of D, for an exact N, with precision added for D's range."""
    top, apart = heights[0], (arb(s) * (heights[0] - heights[-1])).upper()
    with ctx.workprec(2 * ctx.prec + int(float(apart) * 3) + 64):
        sizes = [(arb(s) * (x - top)).exp() for x in heights]
        n = len(sizes)
        image = type(block)(n, n, [x * sizes[i // n] * sizes[i % n] for i, x in enumerate(block.entries())])
        eigen = Eigen.of(image)
        if not eigen.lowest > 0:
            raise UndecidedError("a graded spectrum is not resolved")
        return top, eigen.spectrum()
