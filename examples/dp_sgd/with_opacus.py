"""Audit of one run of DP-SGD with the clipping, sampling and noise of Opacus.

    pip install 'krdtheory[audit,opacus]'
    python examples/dp_sgd/with_opacus.py [--canaries 500] [--seed 0]

Canaries are white-box: each is an example whose gradient is along its own coordinate, a row of an embedding, and its
score is computed from the noisy gradients of that row (`training.white_box`). In the second run the noise generator is
seeded again at every step.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from opacus import PrivacyEngine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

sys.path.insert(0, str(Path(__file__).parent))
import comparison
import training


class Model(nn.Module):
    """Logistic regression, and one weight for each canary; row 0 of the embedding is for the images."""

    def __init__(self, canaries: int) -> None:
        super().__init__()
        self.linear, self.canaries = nn.Linear(64, 10), nn.Embedding(canaries + 1, 1)

    def forward(self, images: Any, canary: Any) -> tuple[Any, Any]:
        return self.linear(images), self.canaries(canary)[:, 0]


def one_run(recipe: training.Recipe, m: int, seed: int, same_noise: bool = False) -> tuple[Any, Any, training.Run]:
    """Return the scores of m canaries, which were included, and the run; `same_noise` makes all noise the same."""
    rng = np.random.default_rng(seed)
    x, y = training.digits()
    included = rng.random(m) < 0.5
    extra = int(included.sum())
    images = torch.tensor(np.concatenate([x, np.zeros((extra, x.shape[1]))]), dtype=torch.float32)
    labels = torch.tensor(np.concatenate([y, np.zeros(extra, dtype=int)]))
    own = torch.tensor(np.concatenate([np.zeros(len(x), dtype=int), 1 + np.flatnonzero(included)]))

    noise, sampling = (torch.Generator().manual_seed(int(rng.integers(2**31))) for _ in range(2))
    start = int(rng.integers(2**31))
    model = Model(m)
    loader = DataLoader(
        TensorDataset(images, labels, own), batch_size=-(-len(images) // round(1 / recipe.rate)), generator=sampling
    )  # Opacus samples at the rate 1 / len(loader)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=recipe.learning_rate),
        data_loader=loader,
        noise_multiplier=recipe.sigma,
        max_grad_norm=recipe.clip,
        noise_generator=noise,
    )
    sums: list[Any] = []
    while len(sums) < recipe.steps:
        for image, label, canary in loader:
            optimizer.zero_grad()
            logits, weights = model(image, canary)
            entropy = nn.functional.cross_entropy(logits, label, reduction="none")
            torch.where(canary == 0, entropy, 1e3 * weights).mean().backward()
            if same_noise:
                noise.manual_seed(start)
            optimizer.step()
            released = dict(model.named_parameters())["_module.canaries.weight"].grad[1:, 0]
            sums.append(released.double().numpy() * optimizer.expected_batch_size / recipe.clip)
    with torch.no_grad():
        logits = model(images[: len(x)], own[: len(x)])[0]
    run = training.Run([], np.array(sums[: recipe.steps]), float((logits.argmax(1).numpy() == y).mean()))
    told = replace(recipe, fault="noise reused") if same_noise else recipe  # the adversary knows the code
    return training.white_box(run, told), included, run


if __name__ == "__main__":
    raise SystemExit(comparison.main(one_run, "Opacus", "the same noise at every step", __doc__))
