"""Private outputs computed from scikit-learn's handwritten digits, as samples for `krdtheory divergence` and audits.

An output is the vector sum of the records of a data set plus OpenDP's Gaussian noise. A record is an image of 8 x 8
pixels, summed over 2 x 2 blocks to 4 x 4 numbers, and clipped to Euclidean length at most 100. Two data sets are
neighbours if one of them lacks one record of the other. The L2 sensitivity is then 100 (up to the rounding of float64
sums), and it is attained here: D' is D (1797 images) without one whose length is clipped to 100. OpenDP finds the
smallest noise for which its own accounting (zero-concentrated DP, converted) gives each output
(epsilon, delta) = (1, 0.005). Rounding to one decimal is post-processing and does not affect the guarantee.

The guarantee is for one output. The 400 outputs together would reveal the record; they are samples for tests of the
mechanism.

    pip install '.[peers]' && python examples/digits_releases.py

writes digits_d.csv and digits_d_prime.csv next to this file. OpenDP deliberately draws its noise from the operating
system and takes no seed, so every run writes different numbers.
"""

from pathlib import Path

import numpy as np
import opendp.prelude as dp
from sklearn.datasets import load_digits

EPSILON, DELTA = 1.0, 0.005
LENGTH = 100.0
RELEASES = 400

dp.enable_features("contrib")


def records():
    """Return rows of 16 block sums, clipped to Euclidean length `LENGTH`, and which of them were clipped."""
    images = load_digits().images
    blocks = images.reshape(-1, 4, 2, 4, 2).sum((2, 4)).reshape(-1, 16)
    lengths = np.linalg.norm(blocks, axis=1)
    return blocks * np.minimum(1, LENGTH / lengths)[:, None], lengths >= LENGTH


def gaussian_mechanism(dimension):
    """Return OpenDP's mechanism with the least noise that it can prove to be (EPSILON, DELTA)-private."""
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=dimension), dp.l2_distance(T=float)

    def mechanism(scale):
        return space >> dp.m.then_gaussian(scale)

    def is_private(scale):
        return dp.c.make_zCDP_to_approxDP(mechanism(scale)).map(LENGTH).epsilon(DELTA) <= EPSILON

    return mechanism(dp.binary_search(is_private, bounds=(LENGTH / 10, 100 * LENGTH)))


def main():
    data, cut = records()
    without = np.delete(data, np.flatnonzero(cut)[0], axis=0)
    release = gaussian_mechanism(data.shape[1])
    header = ",".join(f"block{i}" for i in range(data.shape[1]))
    for name, rows in (("digits_d", data), ("digits_d_prime", without)):
        total = rows.sum(0).tolist()
        samples = np.array([release(total) for _ in range(RELEASES)])
        np.savetxt(Path(__file__).with_name(f"{name}.csv"), samples, "%.1f", ",", header=header, comments="")


if __name__ == "__main__":
    main()
