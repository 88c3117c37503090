"""From scores to guesses: the guess for each canary, and the order of the guesses, from scores and seeds alone.

A guess may depend on everything except the coins: on all scores, on their centre, and on how many there are of a kind.
So guesses are ordered from the most extreme score on, and ties are broken at random. If there is no score (NaN) the
guess is random and comes last, as the number of guesses must not depend on the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from krdtheory.arithmetic.base import Array, check_labels, reject
from krdtheory.audit.one_run.coins import Coins, Secrets

_FEW = 1e-9  # p-value below which coins are implausible


@dataclass(frozen=True)
class Guesses:
    """Guesses of coins.

    Parameters
    ----------
    coins : Coins or Secrets
    canaries : int
        The number of canaries.
    sides : tuple of bool array
        Which guesses are right, the most confident first: those "in" and those "out", or for secrets all.
    merged : bool array
        Which guesses are right, from both sides, the most confident first; for unfair coins only those "in".
    scores, truth : array
        One score and one bit for each guess, for figures and metrics; for pairs and secrets, those of each secret.
    notes : tuple of str
        Notes on random guesses.
    several : bool
        Whether there are several runs.
    """

    coins: Coins | Secrets
    canaries: int
    sides: tuple[Array, ...]
    merged: Array
    scores: Array
    truth: Array
    notes: tuple[str, ...] = ()
    several: bool = False


def read(scores: Any, included: Any, inclusion: float, draw: np.random.Generator) -> Guesses:
    """Return guesses from arrays as `krdtheory.audit.audit_one_run` takes them."""
    check_labels(0, scores=scores, included=included)
    x, bits = _numbers(scores, "scores"), np.asarray(included)
    if np.ma.isMaskedArray(included) or bits.dtype.kind not in "biuf" or not bits.size:
        reject("included", included, "an array that says of each canary whether it was in (or which secret it held)")
    if x.ndim == 2 and bits.ndim == 1 and len(bits) == len(x):
        return _secrets(x, _choices(bits, x.shape[1]), inclusion, draw)
    if np.isin(bits, (-1, 1)).all():  # another common coding of coins
        bits = bits == 1
    if bits.shape != x.shape or x.ndim not in (1, 2):
        allowed = f"of the shape of scores, {x.shape}"
        if x.ndim == 2:
            allowed += f", or of shape ({len(x)},) for one of {x.shape[1]} secrets each"
        raise ValueError(f"included must be {allowed}; got shape {bits.shape}")
    if not np.isin(bits, (0, 1)).all():
        reject("included", bits, "True or False (1 or 0, or 1 or -1) for each canary")
    return _coins(x, bits.astype(bool), inclusion, draw)


def _coins(x: Array, bits: Array, inclusion: float, draw: np.random.Generator) -> Guesses:
    several = x.ndim == 2  # each run is centred and scaled separately
    if several:
        x = np.stack([_standard(run) for run in x]).ravel()
    bits = bits.ravel()
    _check_coins(bits, inclusion)
    known = ~np.isnan(x)
    if not known.any():
        reject("scores", x, "numbers, at least one of them not NaN")
    mixed = draw.permutation(len(x))  # ties are broken at random
    falling = mixed[np.argsort(-x[mixed], kind="stable")]  # NaN comes last
    count = int(known.sum())
    order = np.concatenate([falling[: (count + 1) // 2], falling[count:], falling[(count + 1) // 2 : count]])
    half = (len(order) + 1) // 2
    sides = bits[order[:half]], ~bits[order[half:]][::-1]
    coins = Coins(inclusion)
    merged = sides[0]
    if coins.fair:
        right = np.concatenate([sides[0], sides[1][::-1]])
        distance = np.nan_to_num(np.abs(_standard(x)), nan=-1.0, posinf=np.inf)[order]
        # among equal distances, including infinite ones, the outer rank comes first
        merged = right[np.lexsort((-np.abs(2 * np.arange(len(order)) + 1 - len(order)), -distance))]
    return Guesses(coins, len(x), sides, merged, x[known], bits[known], _missing(len(x) - count), several)


def _secrets(x: Array, choices: Array, inclusion: float, draw: np.random.Generator) -> Guesses:
    k = x.shape[1]
    if k < 2:
        reject("scores", x, "those of at least 2 secrets a row, where included says which of them was in")
    if inclusion != 0.5:
        reject("inclusion", inclusion, "left out where each canary holds one of several secrets")
    known = np.asarray(~np.isnan(x).any(1))
    if not known.any():
        reject("scores", x, "numbers, in at least one row none of them NaN")
    filled = np.where(known[:, None], x, 0.0)
    shuffled = draw.permuted(np.broadcast_to(np.arange(k), x.shape), axis=1)  # ties are broken at random
    mixed = np.take_along_axis(filled, shuffled, axis=1)
    guess = shuffled[np.arange(len(x)), mixed.argmax(1)]
    top, next_best = mixed.max(1), np.partition(mixed, -2, axis=1)[:, -2]
    with np.errstate(invalid="ignore"):
        gap = np.where(top == next_best, 0.0, top - next_best)
    gap[~known] = -1.0
    places = draw.permutation(len(x))
    right = np.asarray(guess == choices)[places[np.argsort(-gap[places], kind="stable")]]
    bits = choices[known][:, None] == np.arange(k)
    lost = _missing(int((~known).sum()))
    return Guesses(Secrets(k), len(x), (right,), right, x[known].ravel(), bits.ravel(), lost)


def _numbers(values: Any, name: str) -> Array:
    if np.ma.isMaskedArray(values):
        reject(name, values, "an array without a mask: NaN where there is no score", TypeError)
    try:
        x = np.asarray(values)
        x = x if np.iscomplexobj(x) else x.astype(float)
    except (TypeError, ValueError):
        reject(name, values, "real numbers, one for each canary", TypeError)
    if np.iscomplexobj(x) or not x.size:
        reject(name, values, "real numbers, one for each canary")
    if np.asarray(values).dtype == bool and x.ndim == 1:
        reject(name, values, "the scores, and included what tells which canaries were in")
    return x


def _choices(bits: Array, k: int) -> Array:
    if not np.isin(bits, np.arange(k)).all():
        reject("included", bits, f"the column of the secret that was in, 0 to {k - 1}, for each row")
    return bits.astype(int)


def _check_coins(bits: Array, inclusion: float) -> None:
    """Reject coins that are implausible for the stated probability."""
    from scipy.stats import binomtest

    count = int(bits.sum())
    if len(bits) > 1 and binomtest(count, len(bits), inclusion).pvalue < _FEW:
        raise ValueError(
            f"included must be coins of their own that show True with probability inclusion = {inclusion:g}; "
            f"got True for {count} of {len(bits)}"
        )


def _standard(x: Array) -> Array:
    """Return scores centred and scaled by their own median and median absolute deviation."""
    finite = x[np.isfinite(x)]
    if not len(finite):
        return np.where(np.isnan(x), np.nan, np.sign(x))
    centre = np.median(finite)
    spread = np.median(np.abs(finite - centre)) or np.abs(finite - centre).mean() or 1.0
    out: Array = (x - centre) / spread
    return out


def _missing(count: int) -> tuple[str, ...]:
    return (f"{count} canaries, whose scores are NaN, are guessed at last, and at random",) if count else ()
