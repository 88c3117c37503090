"""Every public function of the library, and the entry by which it is tested.

`public()` reads the list from `krdtheory.table`, so that a new function without an entry is noticed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from flint import arb

import krdtheory
from extremes import inputs as i
from extremes.inputs import Source
from extremes.properties import Entry
from krdtheory import ball, kernels, mp
from krdtheory.arithmetic.ball import UndecidedError
from krdtheory.divergences import restricted
from krdtheory.privacy import composition, conversions, mechanisms, notions, regions
from krdtheory.table import CLASSES, FUNCTIONS

MODULES: dict[str, ModuleType] = {
    "": krdtheory,
    "kernels": kernels,
    "conversions": conversions,
    "composition": composition,
    "mechanisms": mechanisms,
    "notions": notions,
    "regions": regions,
    "mp": mp,
    "ball": ball,
}
NOT_SWEPT = {
    "regions.*.plot": "draws",
    "ball.certify": "a verdict, no number; tests/ball/test_certificates.py",
}
INF = math.inf


def public() -> set[str]:
    """Return the dotted names of all functions of the table, in each number system, and of methods of its classes."""
    found = set()
    for function in FUNCTIONS.values():
        found |= {f"{system}.{function.name}" for system in function.systems if system != "float64"}
        if "float64" in function.systems:
            found.add(f"{prefix(function.module)}.{function.name}".strip("."))
    for module, names in CLASSES.items():
        for name in names:
            x = getattr(MODULES[prefix(module)], name)
            found |= {f"{prefix(module)}.{name}.{m}" for m in dir(x) if m[0] != "_" and callable(getattr(x, m))}
    return {name for name in found if not any(fnmatch(name, left) for left in NOT_SWEPT)}


def prefix(module: str) -> str:
    """Return the key of a module of the table in `MODULES`; divergences are in `krdtheory`."""
    last = module.rpartition(".")[2]
    return last if last in MODULES else ""


# Entries


def drawn(**sources: Source) -> Source:
    """Return a source of dictionaries with one number from each source."""
    return lambda rng: {name: source(rng) for name, source in sources.items()}


def with_(base: Source, **sources: Source) -> Source:
    """Return a source that draws the arguments of `base` and more."""
    return lambda rng: {**base(rng), **drawn(**sources)(rng)}


def systems(name: str, call: Callable[..., Any] | None = None) -> dict[str, Callable[..., Any]]:
    """Return the function of the same name in mpmath and in balls."""
    return {key: getattr(MODULES[key], name) for key in ("ball", "mp") if key in FUNCTIONS[name].systems}


def both(prefix: str, name: str, source: Source, **options: Any) -> Entry:
    """Return an entry whose function is also in `krdtheory.mp` and `krdtheory.ball`."""
    options.setdefault("oracles", systems(name))
    return Entry(f"{prefix}.{name}".strip("."), getattr(MODULES[prefix], name), source, **options)


def classical() -> Iterator[Entry]:
    pair, laws, beyond = i.pair_of_weights, i.pair_of_laws, "weights whose sum is finite"
    yield both("", "renyi", with_(pair, alpha=i.order))
    yield both("", "kl", pair)
    yield both("", "max_divergence", pair)
    yield both("", "hockey_stick", with_(pair, epsilon=i.extended), low=0, falls={"epsilon": i.extended})
    yield both("", "total_variation", pair, low=0)
    yield both("", "hellinger", pair, absolute=1e-14)
    yield both(
        "", "f_divergence", with_(pair, f=i.choice("kl", "reverse_kl", "chi_squared", "total_variation", "hellinger"))
    )
    yield law_entry("renyi", with_(laws, alpha=i.order), low=-1e-12, rises={"alpha": i.order})
    yield law_entry("hellinger", laws, low=-1e-15 * 1000, high=1 + 1e-12, absolute=1e-14)
    yield law_entry("total_variation", laws, low=0, high=1 + 1e-12)
    yield both("", "approximate_max_divergence", with_(pair, delta=i.unit), falls={"delta": i.unit}, refuses=beyond)
    yield both(
        "",
        "smooth_renyi",
        with_(pair, alpha=i.order, delta=i.unit),
        falls={"delta": i.unit},
        rises={"alpha": i.order},
        refuses=beyond,
    )
    yield both(
        "",
        "optimal_smoothing",
        nonzero_q(with_(pair, delta=i.unit)),
        low=0,
        refuses=beyond,
        absolute=lambda a: 1e-14 * a["p"].sum(),
    )


def law_entry(name: str, source: Source, **options: Any) -> Entry:
    """Return an entry for distributions, which have more properties than weights."""
    return both("", name, source, **options)


def nonzero_q(source: Source) -> Source:
    def draw(rng: np.random.Generator) -> dict[str, Any]:
        out = source(rng)
        out["q"] = out["q"] if out["q"].any() else out["p"]
        return out

    return draw


CUT = {
    "renyi 1/2": partial(krdtheory.renyi, alpha=0.5),
    "renyi 3": partial(krdtheory.renyi, alpha=3.0),
    "renyi inf": partial(krdtheory.renyi, alpha=INF),
    "kl": krdtheory.kl,
    "total_variation": krdtheory.total_variation,
    "hellinger": krdtheory.hellinger,
    "hockey_stick": partial(krdtheory.hockey_stick, epsilon=1.0),
    **{f: partial(krdtheory.f_divergence, f=f) for f in ("reverse_kl", "chi_squared", "hellinger")},
}


def in_balls(divergence: Any) -> Any:
    function = divergence.func if isinstance(divergence, partial) else divergence
    options = divergence.keywords if isinstance(divergence, partial) else {}
    return partial(getattr(ball, function.__name__), **options)


def cuts() -> Iterator[Entry]:
    few = partial(i.pair_of_weights, most=12)
    source = with_(few, divergence=i.choice(*CUT.values()), k=i.choice(1, 2, 3, 5))
    more = {"rises": {"k": i.choice(1, 2, 3, 4, 20)}}

    def by_balls(divergence: Any, digits: int, **arguments: Any) -> Any:
        return ball.k_cut(divergence=in_balls(divergence), digits=digits, **arguments)

    def by_mp(divergence: Any, **arguments: Any) -> Any:
        return mp.k_cut(divergence=divergence, **arguments)

    yield both("", "k_cut", source, oracles={"ball": by_balls, "mp": by_mp}, **more)
    yield Entry("k_cut_cells", krdtheory.k_cut_cells, source, low=0, high=lambda a: a["k"] - 1)

    def weights_and_cells(rng: np.random.Generator) -> dict[str, Any]:
        p = i.pair_of_weights(rng)["p"]
        k = int(rng.integers(1, 6))
        return {"weights": p, "cells": rng.integers(0, k, len(p)), "k": k}

    yield both("", "coarsen", weights_and_cells, low=0)

    def channel(rng: np.random.Generator) -> dict[str, Any]:
        counts = rng.multinomial(2**10, np.ones(4) / 4, size=3)
        return {"channel": counts / 2**10}

    def rebuilt(channel: Any) -> Any:
        """Return the mixture, which equals the channel exactly."""
        out = np.zeros(channel.shape)
        for weight, cells in krdtheory.weak_birkhoff_von_neumann(channel):
            out[np.arange(len(cells)), cells] += float(weight)
        return out - channel

    yield Entry("weak_birkhoff_von_neumann", rebuilt, channel, low=0, high=0)


def quantum() -> Iterator[Entry]:
    pair, lam = i.pair_of_states, i.either(i.choice(0.0), i.choice(0.0), i.positive)
    shifted = with_(pair, regularization=lam)
    ordered = with_(shifted, alpha=i.order)
    falls = {"regularization": lam}
    for name in ("sandwiched_renyi", "petz_renyi", "maximal_renyi"):
        yield both("", name, ordered, falls=falls)
    for name in ("quantum_relative_entropy", "max_relative_entropy"):
        yield both("", name, shifted, falls=falls)
    moderate = i.either(i.choice(0.0, 1.0, -1.0, -700.0, -1e300), i.signed(i.power(-3, 1)))
    yield both(
        "", "quantum_hockey_stick", with_(shifted, epsilon=moderate), low=0, falls={"epsilon": moderate, **falls}
    )
    yield both("", "trace_distance", shifted, low=0)


def in_balls_or_not(
    p_points: Any, p_weights: Any, q_points: Any, q_weights: Any, *, kernel: str, **options: Any
) -> Any:
    """Return the value in balls, which have no polynomial kernels."""
    if kernel == "polynomial":
        raise UndecidedError("no polynomial kernels")
    return ball.kernel_renyi(p_points, p_weights, q_points, q_weights, kernel=kernel, **options)


def of_kernels() -> Iterator[Entry]:
    lam = i.either(i.choice(1.0, 0.1, 1e-3), i.power(-6, 2), i.power(-300, 300))
    source = with_(
        i.points_and_weights, alpha=i.either(i.choice(0.5, 1.0, 2.0, INF), i.power(-0.3, 2)), regularization=lam
    )
    oracles = {"ball": in_balls_or_not, "mp": mp.kernel_renyi}
    yield both(
        "kernels", "kernel_renyi", source, falls={"regularization": lam}, oracles=oracles, error=1e-9, absolute=1e-9
    )

    def samples(rng: np.random.Generator) -> dict[str, Any]:
        drawn = source(rng)
        names = ("alpha", "regularization", "kernel", "bandwidth")
        return {"x": drawn["p_points"], "y": drawn["q_points"], **{n: drawn[n] for n in names}}

    def by_weights(function: Any, x: Any, y: Any, **options: Any) -> Any:
        return function(x, None, y, None, **options)

    oracles = {name: partial(by_weights, function) for name, function in oracles.items()}
    yield Entry(
        "kernels.kernel_renyi_estimate",
        kernels.kernel_renyi_estimate,
        samples,
        falls={"regularization": lam},
        oracles=oracles,
        error=1e-9,
        absolute=1e-9,
    )

    def spread(rng: np.random.Generator) -> dict[str, Any]:
        x = rng.normal(size=(3, 2)) * 10.0 ** rng.uniform(-300, 300)
        return {"x": x, "y": x[:2] * 1.5 + x[2:]}

    yield Entry("kernels.median_bandwidth", kernels.median_bandwidth, spread, low=0)

    def gram(rng: np.random.Generator) -> dict[str, Any]:
        drawn = i.points_and_weights(rng)
        return {"x": drawn["p_points"], "kernel": drawn["kernel"], "bandwidth": drawn["bandwidth"]}

    yield Entry(
        "kernels.Kernel.gram",
        lambda x, kernel, bandwidth: kernels.Kernel(kernel, bandwidth).gram(x),
        gram,
        low=-1 - 1e-12,
        high=1 + 1e-12,
    )

    def product(x: Any, kernel: str, bandwidth: Any) -> Any:
        factor = kernels.Kernel(kernel, bandwidth)
        return kernels.ProductKernel([factor, factor], [[0], [x.shape[1] - 1]]).gram(x)

    yield Entry("kernels.ProductKernel.gram", product, gram, low=-1 - 1e-12, high=1 + 1e-12)
    yield Entry(
        "kernels.covariance",
        lambda p, q: kernels.covariance(np.arange(len(p)), p, "identity").weights,
        partial(i.pair_of_weights, most=12),
        low=0,
    )


def converted() -> Iterator[Entry]:
    up, down = partial(dict), partial(dict)
    rdp = {"alpha": i.order_from_one, "epsilon": i.nonnegative}
    flags = {"two_sided": i.flag, "nonnegative": i.flag}
    add = partial(both, "conversions")
    for method in ("optimal", "certificate", "balle", "mironov"):
        source = drawn(
            **rdp | {"alpha": i.order_from_one if method == "optimal" else i.order_above_one},
            delta=i.inside_unit,
            method=i.choice(method),
            nonnegative=i.flag,
            two_sided=i.flag if method == "optimal" else i.choice(False),
        )
        yield add("rdp_to_approximate_dp", source, rises=up(epsilon=i.nonnegative), falls=down(delta=i.inside_unit))
    target = with_two_sided("target_epsilon")
    yield add(
        "rdp_to_delta",
        target(drawn(**rdp)),
        low=0,
        high=1,
        rises=up(epsilon=i.nonnegative),
        falls=down(target_epsilon=i.nonnegative),
    )

    def curve(rng: np.random.Generator) -> dict[str, Any]:
        n = int(rng.integers(1, 5))
        alpha, epsilon = (np.array([source(rng) for _ in range(n)]) for source in rdp.values())
        return {
            "alpha": alpha,
            "epsilon": epsilon,
            "delta": i.inside_unit(rng),
            **{k: f(rng) for k, f in flags.items()},
        }

    yield add("rdp_curve_to_approximate_dp", curve, falls=down(delta=i.inside_unit))
    yield add(
        "pure_to_rdp",
        drawn(epsilon=i.nonnegative, alpha=i.order),
        low=0,
        high=lambda a: rounded_up(a["epsilon"]),
        rises=up(epsilon=i.nonnegative, alpha=i.order),
    )
    yield add(
        "pure_to_zcdp",
        drawn(epsilon=i.nonnegative),
        low=0,
        high=lambda a: rounded_up(a["epsilon"]),
        rises=up(epsilon=i.nonnegative),
    )
    yield add("gdp_to_rdp", drawn(mu=i.nonnegative, alpha=i.order), low=0, rises=up(mu=i.nonnegative, alpha=i.order))
    methods = i.choice("optimal", "certificate", "balle", "mironov")
    yield add(
        "zcdp_to_approximate_dp",
        sided(drawn(rho=i.positive, delta=i.inside_unit, xi=i.nonnegative, method=methods, **flags)),
        rises=up(rho=i.positive, xi=i.nonnegative),
        falls=down(delta=i.inside_unit),
    )
    yield add(
        "tcdp_to_approximate_dp",
        sided(drawn(rho=i.positive, omega=i.above_one, delta=i.inside_unit, method=methods, **flags)),
        rises=up(rho=i.positive),
        falls=down(delta=i.inside_unit, omega=i.above_one),
    )
    yield add(
        "gdp_to_delta",
        drawn(mu=i.positive, epsilon=i.real),
        low=0,
        high=1,
        rises=up(mu=i.positive),
        falls=down(epsilon=i.real),
    )
    yield add(
        "gdp_to_approximate_dp",
        drawn(mu=i.positive, delta=i.inside_unit, nonnegative=i.flag),
        rises=up(mu=i.positive),
        falls=down(delta=i.inside_unit),
    )
    yield add(
        "kl_to_approximate_dp",
        drawn(kl=i.nonnegative, delta=i.inside_unit, **flags),
        rises=up(kl=i.nonnegative),
        falls=down(delta=i.inside_unit),
    )
    yield add(
        "kl_to_delta",
        with_two_sided("epsilon")(drawn(kl=i.nonnegative)),
        low=0,
        high=1,
        rises=up(kl=i.nonnegative),
        falls=down(epsilon=i.nonnegative),
    )
    for name in ("hellinger", "total_variation"):
        yield add(
            f"{name}_to_delta",
            drawn(**{name: i.unit}, epsilon=i.real),
            low=0,
            high=1,
            rises={name: i.unit},
            falls=down(epsilon=i.real),
        )
        yield add(
            f"{name}_to_approximate_dp",
            drawn(**{name: i.unit}, delta=i.inside_unit, nonnegative=i.flag),
            rises={name: i.unit},
            falls=down(delta=i.inside_unit),
        )
    pair = drawn(epsilon=i.nonnegative, delta=i.unit)
    rises = up(epsilon=i.nonnegative, delta=i.unit)
    yield add(
        "approximate_dp_to_delta",
        with_two_sided("target_epsilon")(pair),
        low=0,
        high=1,
        rises=rises,
        falls=down(target_epsilon=i.nonnegative),
    )
    yield add("approximate_dp_to_hellinger", pair, low=0, high=1, rises=rises)
    yield add("approximate_dp_to_total_variation", pair, low=0, high=1, rises=rises)
    yield add(
        "approximate_dp_to_regularization",
        pair,
        low=0,
        high=1,
        rises=up(delta=i.unit),
        falls=down(epsilon=i.nonnegative),
    )


def rounded_up(x: float) -> float:
    """Return x, increased by the 2 units in the last place by which a guarantee may exceed its bound."""
    return min(math.nextafter(math.nextafter(x, INF), INF), i.LARGEST)


def with_two_sided(name: str) -> Callable[[Source], Source]:
    """Extend a source by `two_sided` and a target of either sign, or at least 0 if both orders are bounded."""

    def of(source: Source) -> Source:
        def draw(rng: np.random.Generator) -> dict[str, Any]:
            two_sided = bool(rng.integers(2))
            return {**source(rng), name: (i.nonnegative if two_sided else i.real)(rng), "two_sided": two_sided}

        return draw

    return of


def sided(source: Source) -> Source:
    """Restrict a source to both orders only for method "optimal"."""

    def draw(rng: np.random.Generator) -> dict[str, Any]:
        out = source(rng)
        return {**out, "two_sided": out["two_sided"] and out["method"] == "optimal"}

    return draw


def composed() -> Iterator[Entry]:
    add = partial(both, "composition")
    each = {"epsilon": i.nonnegative, "delta": i.below_one}
    few = i.either(i.choice(1, 2, 3, 10), lambda rng: int(10 ** rng.uniform(0, 2.3)))
    rises = {"epsilon": i.nonnegative, "delta": i.below_one, "k": few}
    yield add(
        "optimal_composition",
        drawn(**each, k=few, total_delta=i.below_one, nonnegative=i.flag),
        rises=rises,
        falls={"total_delta": i.below_one},
    )
    yield add(
        "optimal_composition_delta",
        drawn(epsilon=i.nonnegative, delta=i.unit, k=few, total_epsilon=i.real),
        low=0,
        high=1,
        rises={**rises, "delta": i.unit},
        falls={"total_epsilon": i.real},
    )
    yield add(
        "composition_bound",
        drawn(**each, k=i.folds, total_delta=i.below_one, method=i.choice(*composition.METHODS)),
        rises={**rises, "k": i.folds},
        falls={"total_delta": i.below_one},
    )

    def many(deltas: Source, total: str, totals: Source) -> Source:
        def draw(rng: np.random.Generator) -> dict[str, Any]:
            n = int(rng.integers(1, 6))
            return {
                "epsilon": np.array([i.nonnegative(rng) for _ in range(n)]),
                "delta": np.array([deltas(rng) for _ in range(n)]),
                total: totals(rng),
            }

        return draw

    def ends(function: Any, **arguments: Any) -> Any:
        """Return the lower and the upper bound of the values that balls enclose."""
        value = np.ravel(function(**arguments))
        return np.repeat(value, 2) if len(value) == 1 else value

    for name, deltas, total, totals in (
        ("heterogeneous_composition", i.below_one, "total_delta", i.below_one),
        ("heterogeneous_composition_delta", i.unit, "total_epsilon", i.real),
    ):
        oracles = {key: partial(ends, f) for key, f in systems(name).items()}
        bounds = {"low": 0, "high": 1} if name.endswith("delta") else {}
        yield add(name, many(deltas, total, totals), falls={total: totals}, oracles=oracles, **bounds)


NUMBER = i.either(i.positive, i.power(-6, 6))
ratio = i.power(-6, 3)


def mechanism_sources() -> dict[str, Callable[[np.random.Generator], Any]]:
    """Return sources of mechanisms with any valid parameters."""

    def scaled(cls: Any) -> Callable[[np.random.Generator], Any]:
        def draw(rng: np.random.Generator) -> Any:
            scale = i.power(-140, 140)(rng)
            return cls(scale=scale, sensitivity=scale * i.power(-150, 5)(rng))

        return draw

    def matrices(rng: np.random.Generator) -> Any:
        strategy = np.zeros((3, 2))
        while np.linalg.matrix_rank(strategy) < 2:  # answers that may not depend on the data are rejected
            strategy = rng.integers(-2, 3, (3, 2)) + np.vstack([3 * np.eye(2), [[0, 0]]])
        noise, neighbours = str(rng.choice(["laplace", "gaussian"])), str(rng.choice(["add-remove", "replace"]))
        scale = i.power(-100, 100)(rng)
        return mechanisms.MatrixMechanism(
            workload=strategy, strategy=strategy, scale=scale, noise=noise, neighbours=neighbours
        )

    return {
        "Laplace": scaled(mechanisms.Laplace),
        "Gaussian": scaled(mechanisms.Gaussian),
        "DiscreteLaplace": lambda rng: mechanisms.DiscreteLaplace(
            scale=i.power(-2, 15)(rng), sensitivity=int(10 ** rng.uniform(0, 2))
        ),
        "RandomizedResponse": lambda rng: mechanisms.RandomizedResponse(
            epsilon=i.positive(rng), categories=int(rng.choice([2, 3, 1000]))
        ),
        "Exponential": lambda rng: mechanisms.Exponential(
            epsilon=i.positive(rng), sensitivity=i.power(-100, 100)(rng), monotone=bool(rng.integers(2))
        ),
        "MatrixMechanism": matrices,
    }


def of_mechanisms() -> Iterator[Entry]:
    for name, source in mechanism_sources().items():
        yield from methods_of_mechanism(name, source)
    scaled = {"epsilon": i.power(-100, 100), "sensitivity": i.power(-100, 100)}

    def noise(cls: Any, **arguments: Any) -> Any:
        return float(cls.calibrated(**arguments).scale)

    for name in ("Laplace", "Gaussian"):
        deltas = i.below_one if name == "Laplace" else i.power(-299, -0.001)
        yield Entry(
            f"mechanisms.{name}.calibrated",
            partial(noise, getattr(mechanisms, name)),
            drawn(**scaled, delta=deltas),
            low=0,
            rises={"sensitivity": scaled["sensitivity"]},
            falls={"epsilon": scaled["epsilon"], "delta": deltas},
        )
    yield Entry(
        "mechanisms.DiscreteLaplace.calibrated",
        partial(noise, mechanisms.DiscreteLaplace),
        drawn(epsilon=i.power(-14, 2), sensitivity=i.choice(1, 2, 10)),
        low=0,
        rises={"sensitivity": i.choice(1, 2, 10)},
        falls={"epsilon": i.power(-14, 2)},
    )
    strategy = [[1, 1], [1, 0], [0, 1]]
    yield Entry(
        "mechanisms.MatrixMechanism.calibrated",
        partial(noise, mechanisms.MatrixMechanism, workload=strategy, strategy=strategy),
        drawn(epsilon=i.power(-100, 100)),
        low=0,
        falls={"epsilon": i.power(-100, 100)},
    )
    yield Entry(
        "mechanisms.RandomizedResponse.distribution",
        lambda m, value: m.distribution(value),
        drawn(m=mechanism_sources()["RandomizedResponse"], value=i.choice(0, 1)),
        low=0,
        high=1,
    )
    yield Entry(
        "mechanisms.Exponential.distribution",
        lambda m, scores: m.distribution(scores),
        lambda rng: {
            "m": mechanism_sources()["Exponential"](rng),
            "scores": np.array([i.real(rng) / 4 for _ in range(int(rng.integers(1, 5)))]),
        },
        low=0,
        high=1,
    )


def methods_of_mechanism(name: str, source: Source) -> Iterator[Entry]:
    cls = getattr(mechanisms, name)

    def method(which: str) -> Callable[..., Any]:
        return lambda m, **arguments: getattr(m, which)(**arguments)

    def in_mp(which: str) -> dict[str, Callable[..., Any]]:
        return {"mp": lambda m, digits, **arguments: mp.evaluate(getattr(m, which), digits=digits, **arguments)}

    def entry(which: str, more: Mapping[str, Source], **options: Any) -> Entry:
        return Entry(
            f"mechanisms.{name}.{which}", method(which), drawn(m=source, **more), oracles=in_mp(which), **options
        )

    yield entry("privacy_profile", {"epsilon": i.extended}, low=0, high=1, falls={"epsilon": i.extended})
    yield entry("epsilon_at", {"delta": i.unit}, low=0, falls={"delta": i.unit})
    yield entry("renyi", {"alpha": i.order}, low=0, rises={"alpha": i.order})
    yield entry("kl", {}, low=0)
    yield entry("max_divergence", {}, low=0)
    yield entry("hellinger", {}, low=0, high=1)
    yield entry("total_variation", {}, low=0, high=1)
    values = {
        "RandomizedResponse": i.choice(0, 1, [0, 1, 1]),
        "Exponential": lambda rng: [i.real(rng) / 4 for _ in range(3)],
        "DiscreteLaplace": i.choice(0, [5, -3]),
        "MatrixMechanism": i.choice([0.0, 1.0], [1e300, -1e300]),
    }
    yield Entry(
        f"mechanisms.{name}.sample",
        lambda m, value, seed: m.sample(value, rng=seed),
        drawn(m=source, value=values.get(name, i.real), seed=lambda rng: int(rng.integers(2**32))),
    )
    assert cls


def of_notions() -> Iterator[Entry]:
    laws = partial(i.pair_of_laws, most=12)
    finite = i.either(i.choice(*i.PLAIN), i.power(-300, 300))
    order = i.either(i.choice(0.5, 1.0, 2.0), i.power(-2, 3))
    made: dict[str, Callable[[np.random.Generator], Any]] = {
        "PureDP": lambda rng: notions.PureDP(epsilon=finite(rng)),
        "ApproximateDP": lambda rng: notions.ApproximateDP(epsilon=finite(rng), delta=i.unit(rng)),
        "RenyiDP": lambda rng: notions.RenyiDP(alpha=order(rng), epsilon=finite(rng)),
        "ZeroConcentratedDP": lambda rng: notions.ZeroConcentratedDP(rho=finite(rng), xi=finite(rng)),
        "TruncatedConcentratedDP": lambda rng: notions.TruncatedConcentratedDP(
            ceiling=1 + i.power(-3, 3)(rng), rho=finite(rng)
        ),
        "MeanConcentratedDP": lambda rng: notions.MeanConcentratedDP(mu=i.power(-3, 3)(rng), tau=i.power(-3, 3)(rng)),
        "GaussianDP": lambda rng: notions.GaussianDP(mu=i.power(-6, 1)(rng)),
        "TradeOffDP": lambda rng: notions.TradeOffDP(
            tradeoff=regions.ApproximateDPRegion(epsilon=finite(rng), delta=i.unit(rng)).boundary
        ),
        "KernelRenyiDP": lambda rng: notions.KernelRenyiDP(
            alpha=order(rng), regularization=i.power(-6, 2)(rng), epsilon=finite(rng)
        ),
        "CapacityBoundedDP": lambda rng: notions.CapacityBoundedDP(alpha=1 + i.power(-2, 1)(rng), epsilon=finite(rng)),
    }
    for name, source in made.items():
        both_ = with_(laws, m=source)
        words = "the density left the range of the numbers" if name == "CapacityBoundedDP" else ""
        yield Entry(f"notions.{name}.divergence", lambda m, p, q: m.divergence(p, q), both_, refuses=words)
        yield Entry(
            f"notions.{name}.satisfied_by", lambda m, p, q: m.satisfied_by(p, q), both_, low=0, high=1, refuses=words
        )
        kinds = list(made.values())

        def other(rng: np.random.Generator, kinds: Any = kinds) -> Any:
            return kinds[int(rng.integers(len(kinds)))](rng)

        yield Entry(
            f"notions.{name}.implies",
            lambda m, other: m.implies(other).parameter,
            drawn(m=source, other=other),
        )


def of_regions() -> Iterator[Entry]:
    bound = i.either(i.choice(*i.PLAIN, 0.0, INF), i.power(-300, 300), i.power(-6, 3))
    order = i.either(i.choice(0.5, 1.0, 2.0, INF), i.power(-2, 3))
    made: dict[str, Callable[[np.random.Generator], Any]] = {
        "PureDPRegion": lambda rng: regions.PureDPRegion(epsilon=bound(rng)),
        "ApproximateDPRegion": lambda rng: regions.ApproximateDPRegion(epsilon=i.nonnegative(rng), delta=i.unit(rng)),
        "RenyiRegion": lambda rng: regions.RenyiRegion(
            alpha=order(rng), rho=bound(rng), two_sided=bool(rng.integers(2))
        ),
        "KLRegion": lambda rng: regions.KLRegion(rho=bound(rng), two_sided=bool(rng.integers(2))),
        "HellingerRegion": lambda rng: regions.HellingerRegion(distance=i.unit(rng)),
        "TotalVariationRegion": lambda rng: regions.TotalVariationRegion(distance=i.unit(rng)),
        "GaussianDPRegion": lambda rng: regions.GaussianDPRegion(mu=bound(rng)),
    }
    for name, source in made.items():
        point = drawn(m=source, x=i.unit, y=i.unit)
        yield Entry(f"regions.{name}.level", lambda m, x, y: m.level(x, y), point, low=0)
        yield Entry(f"regions.{name}.contains", lambda m, x, y: m.contains(x, y), point, low=0, high=1)
        yield Entry(
            f"regions.{name}.boundary",
            lambda m, x: m.boundary(x),
            drawn(m=source, x=i.unit),
            low=0,
            high=1,
            falls={"x": i.unit},
        )
        kinds = list(made.values())

        def other(rng: np.random.Generator, kinds: Any = kinds) -> Any:
            return kinds[int(rng.integers(len(kinds)))](rng)

        two = drawn(m=source, other=other)
        yield Entry(f"regions.{name}.covering", lambda m, other: m.covering(other).bound, two, low=0)
        if name == "ApproximateDPRegion":
            yield Entry(
                f"regions.{name}.covering_at_delta",
                lambda m, other: m.covering_at_delta(other).epsilon,
                two,
                low=0,
                refuses="larger: at this one no finite epsilon covers",
            )
        yield Entry(f"regions.{name}.includes", lambda m, other: m.includes(other), two, low=0, high=1)


def of_restrictions() -> Iterator[Entry]:
    """Return entries for function classes on few points, with certificates of both sides."""
    alphas = i.either(i.choice(2.0, 1.5, 3.0), i.power(0.05, 1.5))

    def problem(rng: np.random.Generator) -> dict[str, Any]:
        n = int(rng.integers(2, 5))
        p, q = (i.vector(rng, n, "law") for _ in "pq")
        if rng.random() < 0.2:
            q = p.copy()
        points = np.round(rng.normal(size=n), 2) * 10.0 ** rng.uniform(-3, 3)
        classes = (
            restricted.Affine(),
            restricted.Polynomials(2),
            restricted.Box(np.round(rng.normal(size=(n, 2)), 2), -1.0, 1.0, intercept=True),
        )
        return {"p": p, "q": q, "function_class": classes[int(rng.integers(3))], "points": points}

    words = "upper bound"
    ordered = with_(problem, alpha=alphas)
    for name in ("restricted_renyi", "restricted_alpha_divergence"):
        yield both("", name, ordered, low=-1e-9, refuses=words, error=1e-8, absolute=1e-8)
    yield both("", "restricted_kl", problem, low=-1e-9, refuses=words, error=1e-8, absolute=1e-8)
    yield Entry(
        "restricted_solution",
        lambda p, q, function_class, points, alpha: (
            krdtheory.restricted_solution(p, q, function_class, alpha=alpha, points=points).gap
        ),
        ordered,
        low=-1e-9,
        high=1e-6,
        refuses=words,
    )


def of_spectra() -> Iterator[Entry]:
    """Return entries for functions that exist only in balls, compared with LAPACK."""

    def matrix(rng: np.random.Generator) -> dict[str, Any]:
        x = rng.integers(-3, 4, (3, int(rng.integers(1, 4)))) * 2.0 ** int(rng.integers(-300, 300))
        return {"matrix": x @ x.T}

    def off(matrix: Any) -> Any:
        values = np.array([float(x.mid()) for x in ball.eigvalsh(matrix, digits=20)])
        return abs(values - np.linalg.eigvalsh(matrix)) / (abs(matrix).max() or 1.0)

    def squared(matrix: Any) -> Any:
        root = ball.sqrtm(matrix, digits=20)
        return [
            float(not x.contains(arb(float(m)))) for x, m in zip((root @ root).ravel(), matrix.ravel(), strict=True)
        ]

    yield Entry("ball.eigvalsh", off, matrix, low=0, high=1e-13)
    yield Entry("ball.sqrtm", squared, matrix, low=0, high=0)


def entries() -> list[Entry]:
    """Return all entries."""
    groups = (
        classical,
        cuts,
        quantum,
        of_kernels,
        of_restrictions,
        of_spectra,
        converted,
        composed,
        of_mechanisms,
        of_notions,
        of_regions,
    )
    return [entry for group in groups for entry in group()]


def covered(tested: list[Entry]) -> set[str]:
    """Return the public names that the entries test, directly or as another number system's."""
    names = {e.name for e in tested}
    for e in tested:
        _, _, name = e.name.rpartition(".")
        names |= {f"{system}.{name}" for system in e.oracles if hasattr(MODULES[system], name)}
    return names | {"mp.evaluate"}  # the oracle of mechanisms
