"""The pictures of the site, light and dark, and those of the README: `python docs/pictures.py` draws the latter."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "benchmarks" / "results"
MADE = DOCS / "_static" / "pictures"
README = ("audit", "verdicts")  # stored in docs/images
BLUE, RED, GREEN, AMBER, GREY = "#4c86c6", "#d1605a", "#3f9c6b", "#c98a2b", "#8b95a3"
VERDICTS = {"proved": GREEN, "supported": "#9bcfb1", "undecided": AMBER, "refuted": RED}
WORDS = {"proved": "proved", "supported": "supported", "undecided": "undecided", "refuted": "fails as printed"}
MODES = {"light": "#333b46", "dark": "#cdd4dd"}

Draw = Callable[[], Figure]


def style(ink: str) -> dict[str, object]:
    """Return Matplotlib's settings for a transparent background."""
    inked = ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "xtick.color", "ytick.color")
    return dict.fromkeys(inked, ink) | {
        "axes.facecolor": "none",
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlesize": 11,
        "figure.facecolor": "none",
        "font.size": 10,
        "legend.frameon": False,
        "savefig.facecolor": "none",
        "svg.hashsalt": "krdtheory",
    }


def panels(count: int = 1, width: float = 4.6, height: float = 3.3) -> tuple[Figure, list[Axes]]:
    """Return a figure, and its axes side by side."""
    figure = Figure(figsize=(width * count, height), layout="constrained")
    return figure, list(np.ravel(figure.subplots(1, count)))


def rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a recorded table of benchmarks/results."""
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


# The three uses


def orders() -> Figure:
    """Plot Renyi divergences by order."""
    import krdtheory

    figure, (axes,) = panels()
    alpha = np.linspace(0, 12, 241)
    p, q = [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]
    axes.plot(alpha, krdtheory.renyi(p, q, alpha), color=BLUE, label=r"$D_\alpha(p\Vert q)$")
    axes.plot(alpha, krdtheory.renyi(q, p, alpha), color=RED, label=r"$D_\alpha(q\Vert p)$")
    for a, b, colour in ((p, q, BLUE), (q, p, RED)):
        axes.axhline(float(krdtheory.max_divergence(a, b)), color=colour, lw=1, ls=":")
        axes.plot(1, krdtheory.kl(a, b), "o", color=colour, ms=5)
    axes.set(xlabel=r"order $\alpha$", ylabel="nats", xlim=(0, 12), ylim=(0, 1.5))
    axes.legend(loc="lower right")
    return figure


def verdicts() -> Figure:
    """Plot the verdicts on the printed statements of the papers."""
    import recorded

    from verification.claim import PAPERS

    figure, (axes,) = panels(width=7, height=2.5)
    counts = recorded.registered()
    names = [PAPERS[p].replace("Chaudhuri, Imola and Machanavajjhala", "Chaudhuri et al.") for p in counts]
    names = [n.replace("Balle, Barthe, Gaboardi, Hsu and Sato", "Balle et al.") for n in names]
    left = np.zeros(len(counts))
    for verdict, colour in VERDICTS.items():
        values = np.array([c[verdict] for c in counts.values()])
        if values.any():
            bars = axes.barh(names, values, left=left, color=colour, label=WORDS[verdict], height=0.7)
            labels = [str(v) if v else "" for v in values]
            axes.bar_label(bars, labels, label_type="center", color="#14181d", fontsize=9)
        left += values
    axes.invert_yaxis()
    axes.tick_params(left=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xticks([])
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def audit() -> Figure:
    """Plot the audit of a mechanism with half the noise that its claim needs."""
    from krdtheory.audit import audit as audited
    from krdtheory.privacy.notions import PureDP

    rng = np.random.default_rng(0)
    x, y = rng.laplace(0, 0.5, 1000), rng.laplace(1, 0.5, 1000)
    with mpl.rc_context(mpl.rcParamsDefault):
        figure = audited(x, y, PureDP(epsilon=1), rng=0).plot()
    figure.set_facecolor("white")
    return figure


# Small versions for the first page


def card_orders() -> Figure:
    """Plot `orders` with fewer words."""
    figure = orders()
    axes = figure.axes[0]
    figure.set_size_inches(3.3, 2.3)
    axes.set(yticks=[0, 0.5, 1, 1.5], xticks=[0, 1, 4, 8, 12])
    return figure


def card_verdicts() -> Figure:
    """Plot the verdicts on all papers in one ring."""
    import recorded

    figure, (axes,) = panels(width=3.3, height=2.3)
    counts = {v: sum(paper[v] for paper in recorded.registered().values()) for v in VERDICTS}
    shown = {v: n for v, n in counts.items() if n}
    axes.pie(
        list(shown.values()),
        labels=[f"{n} {WORDS[v].replace('fails as printed', 'fail')}" for v, n in shown.items()],
        colors=[VERDICTS[v] for v in shown],
        startangle=90,
        counterclock=False,
        wedgeprops={"width": 0.38},
        textprops={"fontsize": 10},
        labeldistance=1.15,
    )
    axes.text(0, 0, f"{sum(shown.values())}\nstatements", ha="center", va="center", fontsize=9)
    axes.set(xlim=(-2.3, 2.3), ylim=(-1.25, 1.25))
    return figure


def card_audit() -> Figure:
    """Plot the outputs of `audit`, and what was certified."""
    from krdtheory.audit import audit as audited
    from krdtheory.privacy.notions import PureDP

    rng = np.random.default_rng(0)
    x, y = rng.laplace(0, 0.5, 1000), rng.laplace(1, 0.5, 1000)
    found = audited(x, y, PureDP(epsilon=1), rng=0)
    figure, (axes,) = panels(width=3.3, height=2.3)
    edges = np.linspace(-2, 3, 36)
    for values, colour, label in ((x, RED, "D"), (y, BLUE, "D'")):
        axes.hist(values, edges, color=colour, alpha=0.55, label=label)
    axes.set(yticks=[], xlabel="output", title=rf"claimed $\varepsilon = 1$, found $\geq$ {found.epsilon_lower:.2f}")
    axes.spines["left"].set_visible(False)
    axes.legend(loc="upper right")
    return figure


# Theory


def regularization() -> Figure:
    """Plot the kernel divergence, which decreases in lambda."""
    from krdtheory.kernels import kernel_renyi

    figure, (axes,) = panels()
    points = np.linspace(-2, 2, 9)[:, None]
    p, q = (np.exp(-((points[:, 0] - m) ** 2)) for m in (-0.4, 0.4))
    p, q = p / p.sum(), q / q.sum()
    lambdas = np.geomspace(1e-5, 1, 41)
    for alpha, colour in ((1, GREY), (2, BLUE), (6, RED)):
        values = kernel_renyi(points, p, points, q, alpha=alpha, regularization=lambdas, bandwidth=1)
        axes.plot(lambdas, values, color=colour, label=rf"$\alpha = {alpha}$")
    axes.axhline(0, color=GREY, lw=0.8)
    axes.set(xscale="log", xlabel=r"regularization $\lambda$", ylabel=r"$D_{\alpha,\lambda}$, nats")
    axes.legend()
    return figure


def hockey_stick() -> Figure:
    """Plot the part of p above e^epsilon q, whose area is the divergence."""
    import krdtheory

    figure, (axes,) = panels()
    epsilon, x = 0.5, np.linspace(-3.5, 4.5, 801)
    p, q = (np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi) for mean in (1, 0))
    step = x[1] - x[0]
    delta = float(krdtheory.hockey_stick(p * step, q * step, epsilon))
    scaled = np.exp(epsilon) * q
    axes.plot(x, p, color=RED, label="$p$")
    axes.plot(x, q, color=BLUE, label="$q$")
    axes.plot(x, scaled, color=BLUE, ls=":", label=r"$e^\varepsilon q$")
    axes.fill_between(x, scaled, p, where=p > scaled, color=RED, alpha=0.35, lw=0, label=rf"$\delta = {delta:.3f}$")
    axes.set(xlabel=r"output, with $\varepsilon = 0.5$", yticks=[], ylim=(0, None))
    axes.spines["left"].set_visible(False)
    axes.legend(loc="upper left")
    return figure


def restricted() -> Figure:
    """Plot restricted divergences, which increase with the degree of the polynomials."""
    from krdtheory.divergences.restricted import GaussianDistribution, Polynomials, restricted_renyi

    figure, (axes,) = panels()
    degrees = np.arange(1, 9)
    p, q = GaussianDistribution(0), GaussianDistribution(1)
    for alpha, colour in ((2, BLUE), (3, RED)):
        values = [float(restricted_renyi(p, q, alpha, Polynomials(int(degree)))) for degree in degrees]
        axes.plot(degrees, values, "o-", color=colour, ms=4, label=rf"$\alpha = {alpha}$")
        axes.axhline(alpha / 2, color=colour, lw=1, ls=":")
    axes.set(xlabel="degree", ylabel=r"$D_{R,\alpha}^H$, nats", xticks=degrees, ylim=(0, 1.6))
    axes.legend(loc="lower right")
    return figure


def quantum() -> Figure:
    """Plot three divergences of one pair of states, by order."""
    import krdtheory

    figure, (axes,) = panels()
    rho, sigma = np.array([[0.75, 0.25], [0.25, 0.25]]), np.diag([0.3, 0.7])
    alpha = np.linspace(0.5, 4, 141)
    drawn = {"maximal": krdtheory.maximal_renyi, "Petz": krdtheory.petz_renyi, "sandwiched": krdtheory.sandwiched_renyi}
    for (name, f), colour in zip(drawn.items(), (RED, AMBER, BLUE), strict=True):
        known = alpha <= 2 if name != "sandwiched" else alpha > 0
        values = f(rho, sigma, alpha)
        axes.plot(alpha[known], values[known], color=colour, label=name)
        axes.plot(alpha[~known], values[~known], color=colour, ls=":")
    axes.set(xlabel=r"order $\alpha$", ylabel="nats")
    axes.legend()
    return figure


def cuts() -> Figure:
    """Plot k-cuts, which increase with the number of cells."""
    import krdtheory

    figure, (axes,) = panels()
    rng = np.random.default_rng(3)
    p, q = rng.dirichlet(np.ones(8)), rng.dirichlet(np.ones(8))
    ks = np.arange(1, 9)
    for alpha, colour in ((2, BLUE), (6, RED)):
        values = [float(krdtheory.k_cut(p, q, partial(krdtheory.renyi, alpha=alpha), int(k))) for k in ks]
        axes.plot(ks, values, "o-", color=colour, ms=4, label=rf"$D_{alpha}$ in $k$ cells")
    axes.set(xlabel="cells $k$", ylabel="nats", xticks=ks, ylim=(0, None))
    axes.legend(loc="lower right")
    return figure


def profiles() -> Figure:
    """Plot privacy profiles of mechanisms."""
    from krdtheory.privacy.mechanisms import Gaussian, Laplace, RandomizedResponse

    figure, (axes,) = panels()
    epsilon = np.linspace(0, 3, 151)
    drawn = {
        "Laplace, scale 1": Laplace(scale=1, sensitivity=1),
        "Gaussian, scale 1": Gaussian(scale=1, sensitivity=1),
        r"randomised response, $\varepsilon = 1$": RandomizedResponse(epsilon=1),
    }
    for (name, mechanism), colour in zip(drawn.items(), (BLUE, RED, GREEN), strict=True):
        axes.plot(epsilon, mechanism.privacy_profile(epsilon), color=colour, label=name)
    axes.set(xlabel=r"$\varepsilon$", ylabel=r"$\delta(\varepsilon)$", ylim=(0, None), xlim=(0, 3))
    axes.legend()
    return figure


def notions() -> Figure:
    """Plot what the notions bound: Renyi divergences, by order."""
    from krdtheory.privacy.conversions import gdp_to_rdp, pure_to_rdp

    figure, (axes,) = panels(width=5.4)
    alpha = np.linspace(1, 8, 141)
    pure = [float(pure_to_rdp(epsilon=2, alpha=a)) for a in alpha]
    axes.plot(alpha, pure, color=BLUE, label=r"pure, $\varepsilon = 2$")
    gaussian = [float(gdp_to_rdp(mu=0.75, alpha=a)) for a in alpha]
    axes.plot(alpha, gaussian, color=AMBER, label=r"Gaussian, $\mu = 0.75$")
    axes.plot(alpha, 0.4 + 0.2 * alpha, color=GREEN, label=r"zero-concentrated, $\xi = 0.4$, $\rho = 0.2$")
    axes.plot(alpha, np.minimum(1.2, 0.4 * alpha), color=RED, label=r"truncated, $\min(1.2, 0.4 \alpha)$")
    axes.plot(4, 0.8, "v", color=GREY, ms=8, ls="none", label=r"Rényi, $(4, 0.8)$: at one order")
    axes.set(xlabel=r"order $\alpha$", ylabel=r"bound on $D_\alpha$, nats", xlim=(1, 8), ylim=(0, 3.4))
    axes.legend(loc="upper left", fontsize=9)
    return figure


def regions() -> Figure:
    """Plot the error rates of tests that the notions allow."""
    from krdtheory.privacy.regions import ApproximateDPRegion, GaussianDPRegion, PureDPRegion, RenyiRegion

    figure, (axes,) = panels(height=4.2)
    x = np.linspace(0, 1, 401)
    drawn = {
        r"pure, $\varepsilon = 1$": PureDPRegion(epsilon=1, two_sided=True),
        r"approximate, $(1, 0.1)$": ApproximateDPRegion(epsilon=1, delta=0.1, two_sided=True),
        r"Rényi, $(2, 0.5)$": RenyiRegion(alpha=2, rho=0.5, two_sided=True),
        r"Gaussian, $\mu = 1$": GaussianDPRegion(mu=1),
    }
    for (name, region), colour in zip(drawn.items(), (BLUE, RED, GREEN, AMBER), strict=True):
        axes.plot(x, region.boundary(x), color=colour, label=name)
    axes.plot(x, 1 - x, color=GREY, lw=0.8, ls=":")
    axes.set(xlabel="false alarms $x$", ylabel="misses $y$", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.legend()
    return figure


# Benchmarks, from recorded results


def samples() -> Figure:
    """Plot what is certified for 1-private noise, by the number of outputs."""
    figure, (axes,) = panels(width=6)
    found: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows("audit_samples.csv"):
        found.setdefault(row["mechanism"], []).append((float(row["n"]), float(row["median"]), float(row["worst"])))
    for (name, values), colour in zip(found.items(), (BLUE, AMBER, GREEN, RED, GREY), strict=True):
        n, median, worst = zip(*values, strict=True)
        axes.plot(n, median, "o-", color=colour, ms=3, label=name)
        axes.plot(n, worst, color=colour, lw=0.8, ls=":")
    axes.axhline(1, color=GREY, lw=0.8)
    axes.set(xscale="log", xlabel="outputs of each input", ylabel=r"certified $\varepsilon$", ylim=(0, 1.05))
    axes.legend(loc="lower right", fontsize=9)
    return figure


def samples_of_all() -> Figure:
    """Plot what is certified for each mechanism of the zoo and row of the power table, by the number of outputs."""
    figure, (axes,) = panels(width=6)
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows("audit_samples_all.csv"):
        found.setdefault(row["mechanism"], []).append((float(row["n"]), float(row["median"])))
    for name, values in found.items():
        n, median = np.transpose(values)
        if median[-1]:
            colour, label = (BLUE, "zoo") if name.startswith("zoo") else (RED, "power table")
            axes.plot(n, median / median[-1], "o-", color=colour, ms=2.5, lw=0.8, alpha=0.6, label=label)
    axes.set(xscale="log", xlabel="outputs of each input", ylabel="certified, relative to $10^6$", ylim=(0, None))
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    axes.legend(unique.values(), unique, loc="lower right", fontsize=9)
    return figure


def faults() -> Figure:
    """Plot the number of outputs needed to find known faults."""
    figure, (axes,) = panels(width=7, height=4.6)
    found = [r for r in rows("audit_zoo.csv") if r["private"] == "False"]
    found.sort(key=lambda r: -float(r["median outputs"]))
    names = [r["mechanism"] for r in found]
    median, most = (np.array([float(r[key]) for r in found]) for key in ("median outputs", "most"))
    axes.barh(names, median, color=BLUE, height=0.65)
    axes.plot(most, names, "|", color=RED, ms=9, mew=2, label="the slowest of 11 runs")
    axes.set(xscale="log", xlabel="outputs of each input until rejected, median", xlim=(10, None))
    axes.tick_params(left=False)
    axes.legend(loc="upper right")
    return figure


def levels() -> Figure:
    """Plot the false alarms of audits, and the allowed rate."""
    figure, (axes,) = panels(width=7, height=4)
    found: dict[str, list[float]] = {}
    most = 0.0
    for row in rows("audit_validity.csv"):
        found.setdefault(row["mechanism"], []).append(100 * int(row["beyond"]) / int(row["runs"]))
        most = max(most, 100 * int(row["at most"]) / int(row["runs"]))
    for name, shares in found.items():
        axes.plot(shares, [name] * len(shares), "o", color=BLUE, ms=5, alpha=0.7)
    axes.axvline(5, color=RED, lw=1, label="allowed")
    axes.axvline(most, color=RED, lw=1, ls=":", label="1 of 1000 tables, if truly 5%")
    axes.invert_yaxis()
    axes.set(xlim=(0, 8), xlabel="audits with a bound beyond the truth, percent (n = 50, 500, 5000)")
    axes.legend(loc="lower right")
    return figure


def one_run() -> Figure:
    """Plot one-run audits beside an oracle."""
    figure, (axes,) = panels(width=6)
    found = [r for r in rows("one_run_power.csv") if r["true"]]
    at = np.arange(len(found))
    series = (("(eps, delta)", BLUE, "this audit"), ("oracle (eps, delta)", GREY, "upper limit for any audit"))
    series += (("GDP", AMBER, "this audit, Gaussian DP"), ("oracle GDP", "#c9ced6", "upper limit, Gaussian DP"))
    for k, (key, colour, label) in enumerate(series):
        axes.bar(at + (k - 1.5) * 0.2, [float(r[key]) for r in found], 0.2, color=colour, label=label)
    axes.set_xticks(at, [r["scores"].replace("mu", r"$\mu$") for r in found])
    axes.set(ylabel=r"certified $\varepsilon$ at $\delta = 10^{-5}$, median")
    axes.legend(fontsize=9)
    return figure


def searched() -> Figure:
    """Plot how many false conjectures the search refutes, by where they fail."""
    text = (RESULTS / "search_power.txt").read_text(encoding="utf-8")
    table = text.split("By where they fail", 1)[1]
    found = [line.rsplit(None, 1) for line in table.splitlines() if line.rstrip().endswith("%")]
    figure, (axes,) = panels(width=6)
    names, shares = [name.strip() for name, _ in found], [float(share.rstrip("%")) for _, share in found]
    bars = axes.barh(names, shares, color=BLUE, height=0.65)
    axes.bar_label(bars, [f"{s:.0f}%" for s in shares], padding=3, fontsize=9)
    axes.invert_yaxis()
    axes.tick_params(left=False)
    axes.set(xlim=(0, 112), xticks=[], xlabel="share of pairs of a false statement and a seed that are refuted")
    return figure


def speeds() -> Figure:
    """Plot times relative to those of peers, and the targets."""
    figure, (axes,) = panels(width=7, height=6.6)
    record = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))
    found = [r for r in record["rows"] if "peer_seconds" in r]
    names = [f"{r['work']} / {r['peer']}" for r in found]
    marks = [
        (float(r["reach"].removesuffix(" x")), name) for r, name in zip(found, names, strict=True) if " x" in r["reach"]
    ]
    axes.plot([r["seconds"] / r["peer_seconds"] for r in found], names, "o", color=BLUE, ms=5)
    axes.grid(axis="y", lw=0.4, color=GREY, alpha=0.4)
    axes.plot(*zip(*marks, strict=True), "|", color=RED, ms=9, mew=2, label="target")
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="CPU time relative to the peer, one core")
    axes.tick_params(left=False, labelsize=8)
    axes.legend(loc="lower right")
    return figure


DRAWN = (orders, verdicts, audit, card_orders, card_verdicts, card_audit)
DRAWN += (hockey_stick, quantum, regularization, restricted, cuts, notions, profiles, regions)
DRAWN += (samples, samples_of_all, faults, levels, one_run, searched, speeds)
PICTURES: dict[str, Draw] = {f.__name__.replace("_", "-"): f for f in DRAWN}


def draw_all() -> None:
    """Draw every picture of the site in both modes, unless it exists and is newer than its inputs."""
    MADE.mkdir(parents=True, exist_ok=True)
    inputs = [Path(__file__), *(DOCS.parent / "verification" / "claims").iterdir(), *RESULTS.iterdir()]
    newest = max(path.stat().st_mtime for path in inputs)
    for name, draw in PICTURES.items():
        for mode, ink in MODES.items():
            file = MADE / f"{name}-{mode}.svg"
            if not file.exists() or file.stat().st_mtime < newest:
                with mpl.rc_context(style(ink)):
                    draw().savefig(file, metadata={"Date": None})


def main() -> None:
    """Draw the pictures of the README."""
    (DOCS / "images").mkdir(exist_ok=True)
    for name in README:
        with mpl.rc_context(style(MODES["light"])):
            PICTURES[name]().savefig(DOCS / "images" / f"{name}.png", dpi=110, facecolor="white")


if __name__ == "__main__":
    sys.path.insert(0, str(DOCS))
    main()
