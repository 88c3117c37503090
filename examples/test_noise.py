"""Two audits in a test suite: `pytest examples/test_noise.py`. The second one finds a bug and fails."""

from krdtheory.privacy.notions import PureDP


def noisy_sum(values, rng, size):
    """Add Laplace noise to a sum that one person changes by at most 1."""
    return sum(values) + rng.laplace(0, 2, size)


def test_one_person_more(privacy):
    privacy(noisy_sum, [1, 0, 1], [1, 0, 1, 1], PureDP(epsilon=0.5))


def test_one_person_whose_value_is_not_clipped(privacy):
    privacy(noisy_sum, [1, 0, 1], [1, 0, 1, 5], PureDP(epsilon=0.5))
