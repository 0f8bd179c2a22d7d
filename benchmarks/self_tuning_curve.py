"""Picture of accuracy against the share of wrong labels: the self-tuned forest and its rivals."""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator
from self_tuning import HALVES, UNIFORM, report
from threadpoolctl import threadpool_limits

from ironbark.files import replacing
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, save, styled

#: Method of self_tuning.py -> name in the legend.
METHODS = {
    "forest, self-tuned": "ironbark, self-tuned forest",
    "LightGBM, 7 leaves": "LightGBM, 7 leaves, learning rate 0.05",
    "scikit-learn forest": "scikit-learn, random forest",
    "LightGBM": "LightGBM",
}
WIDE = 2.4  # line width of the first method


def means(rows):
    """Mean accuracy of each method and rate over the tables that have all of them."""
    rows = rows[rows["method"].isin(METHODS) & rows["noise"].isin(UNIFORM)]
    wide = rows.pivot_table(index="data", columns=["method", "noise"], values="accuracy").dropna()
    assert wide.shape[1] == len(METHODS) * len(UNIFORM), "the store lacks a method or a rate"
    found = wide.mean().rename("accuracy").reset_index()
    found["rate"] = [UNIFORM[noise][1] or 0.0 for noise in found["noise"]]
    order = found["method"].map(list(METHODS).index)
    found = found.assign(tables=len(wide), order=order).sort_values(["order", "rate"])
    return found[["method", "rate", "accuracy", "tables"]]


@styled
def draw(found):
    """One line for each method."""
    figure = new_figure(6.2, 2.9)
    axis = figure.subplots()
    style = looks(METHODS)
    for method, own in found.groupby("method", sort=False):
        look = style[method]._replace(linestyle="-")._asdict()
        width = {"linewidth": WIDE} if method == next(iter(METHODS)) else {}
        axis.plot(100 * own["rate"], 100 * own["accuracy"], **look, **width)
    axis.set(xlabel="Wrong training labels (%)", ylabel="Accuracy on clean labels (%)")
    axis.xaxis.set_major_locator(FixedLocator(100 * np.unique(found["rate"])))
    handles = [handle(style[method]._replace(linestyle="-"), name) for method, name in METHODS.items()]
    figure.legend(handles=handles, loc="outside right center")
    return finish(
        figure, {"caption": f"Mean accuracy over {found['tables'].iloc[0]} tables under uniform label noise."}
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where self-tuning.csv, .png and .svg go")
    parser.add_argument("--tables", help="folder of <name>.parquet; without it, what is in self-tuning.csv is drawn")
    parser.add_argument("--store", type=Path, help="folder that keeps the result of each fit; needed with --tables")
    parser.add_argument("--half", choices=HALVES, default="report")
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    if bool(options.tables) != bool(options.store):
        parser.error("give both --tables and --store, or none of them")
    table = options.folder / "self-tuning.csv"
    if options.tables:
        with threadpool_limits(1):
            rows = report(options.tables, options.store, options.repeats, options.half, METHODS, UNIFORM)
        with replacing(table) as path:
            means(rows).round(6).to_csv(path, index=False)
    found = pd.read_csv(table)
    save(draw(found), options.folder / "self-tuning")
    print(
        (100 * found.pivot_table(index="method", columns="rate", values="accuracy", sort=False)).round(1).to_markdown()
    )


if __name__ == "__main__":
    sys.exit(main())
