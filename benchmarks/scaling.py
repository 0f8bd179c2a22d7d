"""How cost grows with samples, features, classes, depth and noise: a CSV, and a figure for each of them.

Synthetic data: normal features, labels by the largest of K random linear functions of five of them, a fifth of the
labels wrong. Depth and noise are also varied on scikit-learn's digits.
"""

import argparse
import statistics
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator, StrMethodFormatter
from measure import SHIPPED, noisy, seconds
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.files import replacing
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, save, styled

TREES = 5  # of a forest

#: Kind -> scikit-learn's estimator and ours.
KINDS = {
    "tree": (DecisionTreeClassifier, RobustDecisionTreeClassifier, {"ccp_alpha": 0.0}),
    "forest": (RandomForestClassifier, RobustRandomForestClassifier, {"n_estimators": TREES, "ccp_alpha": 0.0}),
}

#: What is varied -> its name on the axis, its values, and whether the axis is logarithmic.
AXES = {
    "n": ("Samples", [1000, 2000, 5000, 10_000, 20_000, 50_000], True),
    "d": ("Features", [5, 10, 20, 50, 100, 200], True),
    "K": ("Classes", [2, 3, 5, 10, 20, 50, 100], True),
    "depth": ("Largest depth", [2, 4, 6, 8, 12, 16, 20], False),
    "noise": ("Noise rate", [0.0, 0.1, 0.2, 0.3, 0.4], False),
}
MIDDLE = {"n": 10_000, "d": 20, "K": 4, "depth": None, "noise": 0.2}


def synthetic(n, d, K, noise):
    """Normal features, and labels of K linear classes with uniform noise."""
    rng = np.random.default_rng([n, d, K])
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, noisy((X[:, :5] @ rng.normal(size=(min(5, d), K))).argmax(axis=1), noise)


def data(name, axis, value):
    """Features, labels and the largest depth at one point of an axis."""
    point = {**MIDDLE, axis: value}
    if name == "digits":
        X, y = SHIPPED["digits"](return_X_y=True)
        return X.astype(np.float32), noisy(y, point["noise"]), point["depth"]
    return *synthetic(point["n"], point["d"], point["K"], point["noise"]), point["depth"]


def measure(axis, repeats):
    """Rows of the CSV for one axis."""
    for name in ("synthetic", "digits") if axis in ("depth", "noise") else ("synthetic",):
        for value in AXES[axis][1]:
            X, y, depth = data(name, axis, value)
            features = encode(X)
            for kind, (theirs, ours, options) in KINDS.items():
                a, b = (estimator(max_depth=depth, random_state=0, **options) for estimator in (theirs, ours))
                b.fit(features, y)  # compiles
                pairs = [(seconds(a.fit, X, y), seconds(b.fit, features, y)) for _ in range(repeats)]
                yield {
                    "axis": axis,
                    "value": value,
                    "data": name,
                    "kind": kind,
                    "sklearn_s": statistics.median(one for one, _ in pairs),
                    "ironbark_s": statistics.median(two for _, two in pairs),
                    "ratio": statistics.median(one / two for one, two in pairs),
                }


@styled
def draw(rows, axis):
    """CPU seconds of both libraries, and their ratio, against one quantity."""
    figure = new_figure(6.8, 2.9)
    times, ratios = panels(figure, 2, 2)
    label, values, logarithmic = AXES[axis]
    lines = {key: own.sort_values("value") for key, own in rows.groupby(["kind", "data"], sort=False)}
    style = looks(lines)
    for key, own in lines.items():
        look = style[key]
        times.plot(own["value"], own["ironbark_s"], **look._replace(linestyle="-")._asdict())
        times.plot(own["value"], own["sklearn_s"], **look._replace(linestyle="--")._asdict(), markerfacecolor="white")
        ratios.plot(own["value"], own["ratio"], **look._replace(linestyle="-")._asdict())
    times.set_yscale("log")
    times.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    times.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    times.yaxis.set_minor_locator(NullLocator())
    times.set_ylabel("CPU seconds of a fit")
    ratios.set_ylabel("scikit-learn / ironbark")
    ratios.axhline(1, color="black", linewidth=0.8)
    ratios.set_ylim(0, 1.08 * rows["ratio"].max())
    for panel in (times, ratios):
        panel.set_xlabel(label)
        if logarithmic:
            panel.set_xscale("log")
        panel.xaxis.set_major_locator(FixedLocator(values))
        panel.xaxis.set_minor_locator(NullLocator())
        panel.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    handles = [handle(look._replace(linestyle="-"), legend(*key, lines)) for key, look in style.items()]
    grey = next(iter(style.values()))._replace(color="#666666", marker="")
    handles += [handle(grey._replace(linestyle="-"), "ironbark"), handle(grey._replace(linestyle="--"), "scikit-learn")]
    figure.legend(handles=handles, loc="outside upper center", ncols=4 if len(lines) == 2 else 3, handlelength=2.4)
    return finish(figure, {"caption": f"Cost of a fit against: {label.lower()}. Forests have {TREES} trees."})


def legend(kind, name, lines):
    """Name of a line; that of the data only where there are several."""
    return f"{kind}, {name}" if len({data for _, data in lines}) > 1 else kind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where scaling.csv and scaling-<axis>.png and .svg go")
    parser.add_argument("--axes", nargs="+", choices=AXES, default=list(AXES), help="what to vary")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    parser.add_argument("--draw", action="store_true", help="only draw what is in scaling.csv")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    table = options.folder / "scaling.csv"
    if not options.draw:
        rows = pd.DataFrame([row for axis in options.axes for row in measure(axis, options.repeats)])
        with replacing(table) as path:
            rows.round({"sklearn_s": 5, "ironbark_s": 5, "ratio": 3}).to_csv(path, index=False)
    rows = pd.read_csv(table)
    for axis, own in rows.groupby("axis", sort=False):
        save(draw(own, axis), options.folder / f"scaling-{axis}")
    print(rows.pivot_table("ratio", ["axis", "value"], ["data", "kind"]).round(1).to_string())


if __name__ == "__main__":
    sys.exit(main())
