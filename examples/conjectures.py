"""Three conjectures for `krdtheory check examples/conjectures.py`: a false one, a true one and an open one."""

import numpy as np

from verification import claim
from verification.instances import Distributions, Fraction01, Maps, Order


@claim(
    "example.triangle",
    label="false",
    statement=r"D_\alpha(p\|r) \le D_\alpha(p\|q) + D_\alpha(q\|r)",
    given={"p": Distributions(3), "alpha": Order(1)},
)
def triangle(k, p, alpha):
    return k.renyi(p[0], p[2], alpha), k.renyi(p[0], p[1], alpha) + k.renyi(p[1], p[2], alpha)


@claim(
    "example.pinsker",
    label="true: Gilardoni (2010)",
    statement=r"2 \alpha\, \mathrm{TV}(p,q)^2 \le D_\alpha(p\|q),\ 0 < \alpha < 1",
    given={"p": Distributions(2), "alpha": Order(1 / 64, 1)},
)
def pinsker(k, p, alpha):
    distance = k.total_variation(*p)
    return 2 * alpha * distance * distance, k.renyi(*p, alpha)


@claim(
    "example.boolean",
    label="open: Courtade and Kumar (2014)",
    statement=r"I(b(X); Y) \le \log 2 - h(\pi),\ b : \{0,1\}^3 \to \{0,1\},\ Y = X \text{ with bits flipped at } \pi",
    given={"b": Maps(8, 2), "flip": Fraction01()},
)
def boolean(k, b, flip):
    flip = (62 * flip + 1) / 128  # in (0, 1/2)
    flips = np.array([[bin(x ^ y).count("1") for y in range(8)] for x in range(8)])
    channel = flip[:, None, None] ** flips * (1 - flip)[:, None, None] ** (3 - flips)
    values = b[:, 0] == np.arange(2)[:, None, None]
    joint = (values[..., None] * channel).sum(-2) / 8  # distribution of b(X) and Y: (2, batch, 8)
    product = joint.sum(-1)[..., None] / 8 + 0 * joint
    entropy = -flip * k.log(flip) - (1 - flip) * k.log(1 - flip)
    return k.kl(np.concatenate([*joint], -1), np.concatenate([*product], -1)), k.log(0 * flip + 2) - entropy
