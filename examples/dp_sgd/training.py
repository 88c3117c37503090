"""DP-SGD on scikit-learn's digits, in NumPy, which clips every example's gradient without forming it.

A model is a list of layers (matrices of weights, with one more row for the bias). The gradient of an example with
respect to a layer is the outer product of the layer's input and of the backpropagated error, so its norm is the product
of their norms, and a clipped sum over a batch is one matrix product, in which each example's error is scaled.

Canaries are extra examples. A white-box canary is a gradient of norm `clip` in an extra coordinate that nothing else
uses, as if inserted by an adversary; its score is the log-likelihood ratio of the noisy sums in this coordinate. A
black-box canary is an image with a wrong label; its score is its negative loss.

Bugs are chosen by name: see `FAULTS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.datasets import load_digits

Array = np.ndarray[Any, Any]
FAULTS = {
    "noise not scaled by the clipping norm": "the noise has standard deviation sigma, not sigma clip",
    "clipped by batch": "the mean gradient of a batch is clipped, not each example's",
    "noise reused": "every step adds the same noise",
    "wrong sampling rate": "batches are ten times as large as the accountant was told",
    "shuffled": "batches of a fixed size from a shuffle, accounted as Poisson samples",
}


@dataclass(frozen=True)
class Recipe:
    """The parameters of DP-SGD, of which the accountant uses `rate`, `steps` and `sigma`."""

    rate: float = 0.05
    steps: int = 60
    sigma: float = 1.0
    clip: float = 1.0
    learning_rate: float = 0.5
    hidden: int = 0  # width of the hidden layer; 0 for logistic regression
    fault: str = ""


@dataclass
class Run:
    """A trained model, and the noisy sums in the coordinates of the white-box canaries, step by step."""

    layers: list[Array]
    sums: Array  # (steps, canaries), in units of clip
    accuracy: float = 0.0
    batches: list[int] = field(default_factory=list)


def digits() -> tuple[Array, Array]:
    """Return images (n, 64) with values in [0, 1], and labels."""
    data = load_digits()
    return data.data / 16, data.target


def batches(n: int, recipe: Recipe, rng: np.random.Generator) -> Any:
    """Yield the indices of each step's examples: Poisson samples, or parts of a shuffle."""
    rate = recipe.rate * (10 if recipe.fault == "wrong sampling rate" else 1)
    if recipe.fault != "shuffled":
        for _ in range(recipe.steps):
            yield np.flatnonzero(rng.random(n) < rate)
        return
    size, order = max(round(rate * n), 1), np.zeros(0, dtype=int)
    for _ in range(recipe.steps):
        if len(order) < size:
            order = rng.permutation(n)
        batch, order = order[:size], order[size:]
        yield batch


def forward(layers: list[Array], x: Array) -> list[Array]:
    """Return the input of each layer, with a 1 for the bias, and the logits."""
    out = []
    for i, w in enumerate(layers):
        x = np.concatenate([x, np.ones((len(x), 1))], axis=1)
        out.append(x)
        x = x @ w
        if i + 1 < len(layers):
            x = np.tanh(x)
    return [*out, x]


def losses(layers: list[Array], x: Array, y: Array) -> Array:
    """Return the cross entropy of each example."""
    return np.asarray(-log_softmax(forward(layers, x)[-1], axis=1)[np.arange(len(y)), y])


def errors(layers: list[Array], x: Array, y: Array) -> tuple[list[Array], list[Array]]:
    """Return each layer's inputs and backpropagated errors, whose outer product is the gradient of an example."""
    *inputs, logits = forward(layers, x)
    back = softmax(logits, axis=1)
    back[np.arange(len(y)), y] -= 1
    out = [back]
    for i in range(len(layers) - 1, 0, -1):
        back = (back @ layers[i][:-1].T) * (1 - inputs[i][:, :-1] ** 2)
        out.insert(0, back)
    return inputs, out


def train(
    x: Array, y: Array, recipe: Recipe, rng: np.random.Generator, canaries: int = 0, included: Array | None = None
) -> Run:
    """Train once. Of the white-box `canaries`, those `included` (bool) are sampled like other examples."""
    widths = [x.shape[1], *([recipe.hidden] if recipe.hidden else []), 10]
    layers = [rng.normal(size=(a + 1, b)) / np.sqrt(a + 1) for a, b in pairwise(widths)]
    n, clip = len(x), recipe.clip
    present = np.flatnonzero(included) if included is not None else np.zeros(0, dtype=int)
    scale = recipe.sigma * (1.0 if recipe.fault == "noise not scaled by the clipping norm" else clip)
    same = [rng.normal(size=w.shape) for w in layers], rng.normal(size=canaries)
    sums, sizes = [], []
    for batch in batches(n + len(present), recipe, rng):
        of_data, of_canaries = batch[batch < n], present[batch[batch >= n] - n]
        inputs, back = errors(layers, x[of_data], y[of_data])
        norms = np.sqrt(sum((a**2).sum(1) * (b**2).sum(1) for a, b in zip(inputs, back, strict=True)))
        own = np.zeros(canaries)
        if recipe.fault == "clipped by batch":
            factor, own[of_canaries] = np.ones(len(of_data)), 20 * clip  # nothing clips an inserted gradient
            whole = np.sqrt(sum(((a.T @ b) ** 2).sum() for a, b in zip(inputs, back, strict=True)) + (own**2).sum())
            cut = min(1.0, clip * max(len(batch), 1) / max(whole, 1e-300))
            factor, own = factor * cut, own * cut
        else:
            factor = np.minimum(1, clip / np.maximum(norms, 1e-300))
            own[of_canaries] = clip
        noise, own_noise = same
        if recipe.fault != "noise reused":
            noise, own_noise = [rng.normal(size=w.shape) for w in layers], rng.normal(size=canaries)
        expected = recipe.rate * n
        for w, a, b, z in zip(layers, inputs, back, noise, strict=True):
            w -= recipe.learning_rate * (a.T @ (b * factor[:, None]) + scale * z) / expected
        sums.append((own + scale * own_noise) / clip)
        sizes.append(len(batch))
    accuracy = float((forward(layers, x)[-1].argmax(1) == y).mean())
    return Run(layers, np.array(sums), accuracy, sizes)


def white_box(run: Run, recipe: Recipe) -> Array:
    """Return the log-likelihood ratio of each canary, for an adversary who sees every step and knows the recipe."""
    s, q, sigma = run.sums, recipe.rate, recipe.sigma
    if recipe.fault == "noise reused":
        s = s - s.min(0) + np.zeros_like(s)  # the noise is the same in every step: the smallest sum is only noise
        return np.asarray((s > 0.5).sum(0) + 0.0)
    return np.asarray(np.logaddexp(np.log1p(-q), np.log(q) + (2 * s - 1) / (2 * sigma**2)).sum(0))


def mislabelled(x: Array, y: Array, m: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return black-box canaries: images of noise with random labels."""
    return rng.random((m, x.shape[1])) * (rng.random((m, x.shape[1])) < 0.5), rng.integers(10, size=m)


def one_run(recipe: Recipe, m: int, seed: int, box: str = "white") -> tuple[Array, Array, Run]:
    """Return the scores of m canaries, which of them were included, and the run."""
    rng = np.random.default_rng(seed)
    x, y = digits()
    included = rng.random(m) < 0.5
    if box == "white":
        run = train(x, y, recipe, rng, m, included)
        return white_box(run, recipe), included, run
    u, v = mislabelled(x, y, m, rng)
    run = train(np.concatenate([x, u[included]]), np.concatenate([y, v[included]]), recipe, rng)
    return -losses(run.layers, u, v), included, run
