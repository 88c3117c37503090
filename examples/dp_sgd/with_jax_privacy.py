"""Audit of one run of DP-SGD with the clipping, sampling and noise of jax_privacy.

    pip install 'krdtheory[audit,jax]'
    python examples/dp_sgd/with_jax_privacy.py [--canaries 500] [--seed 0]

Canaries are white-box: each is an example whose gradient is along its own coordinate, and its score is computed from
the noisy sums in that coordinate (`training.white_box`). The second run uses the same key for the noise of every step.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax_privacy import batch_selection, clipped_grad, noise_addition

sys.path.insert(0, str(Path(__file__).parent))
import comparison
import training


def loss(layers: dict[str, Any], image: Any, label: Any, canary: Any) -> Any:
    """Return the cross entropy of an image (canary = -1), or a multiple of the weight of the canary's coordinate."""
    logits = image @ layers["weights"] + layers["bias"]
    entropy = jax.nn.logsumexp(logits) - logits[label]
    return jnp.where(canary < 0, entropy, 1e3 * layers["canaries"][canary])


def one_run(recipe: training.Recipe, m: int, seed: int, same_key: bool = False) -> tuple[Any, Any, training.Run]:
    """Return the scores of m canaries, which were included, and the run; `same_key` makes all noise the same."""
    rng = np.random.default_rng(seed)
    x, y = training.digits()
    included = rng.random(m) < 0.5
    own = np.concatenate([np.full(len(x), -1), np.flatnonzero(included)])
    images = np.concatenate([x, np.zeros((included.sum(), x.shape[1]))]).astype(np.float32)
    labels = np.concatenate([y, np.zeros(included.sum(), dtype=int)])

    layers = {"weights": jnp.zeros((x.shape[1], 10)), "bias": jnp.zeros(10), "canaries": jnp.zeros(m)}
    gradient = jax.jit(
        clipped_grad(loss, l2_clip_norm=recipe.clip, batch_argnums=(1, 2, 3), keep_batch_dim=False, return_values=False)
    )
    privatizer = noise_addition.gaussian_privatizer(
        stddev=recipe.sigma * recipe.clip, prng_key=jax.random.key(int(rng.integers(2**31)))
    )
    fresh = state = privatizer.init(layers)
    sampling = batch_selection.CyclicPoissonSampling(sampling_prob=recipe.rate, iterations=recipe.steps)
    sums = []
    for batch in sampling.batch_iterator(len(images), rng=rng):
        batch = batch_selection.pad_to_multiple_of(batch, 64)  # with -1, so that few shapes are compiled
        summed = gradient(layers, images[batch], labels[batch], own[batch], is_padding_example=jnp.asarray(batch == -1))
        noisy, state = privatizer.update(summed, fresh if same_key else state)
        step = recipe.learning_rate / (recipe.rate * len(x))
        layers = {name: layers[name] - step * noisy[name] for name in layers}
        sums.append(np.asarray(noisy["canaries"], dtype=float) / recipe.clip)
    accuracy = float((np.asarray(x @ layers["weights"] + layers["bias"]).argmax(1) == y).mean())
    run = training.Run([], np.array(sums), accuracy)
    told = replace(recipe, fault="noise reused") if same_key else recipe  # the adversary knows the code
    return training.white_box(run, told), included, run


if __name__ == "__main__":
    raise SystemExit(comparison.main(one_run, "jax_privacy", "one key for every step", __doc__))
