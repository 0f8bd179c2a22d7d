"""Published values of the ANE paper."""

from pathlib import Path

import pandas as pd

from ironbark.pipeline.analysis.published.numbers import COLUMNS, FINE, read

REPEATS = 5  # noisy training sets per cell


def accuracy(path: str | Path) -> pd.DataFrame:
    """Tables 2 to 5 of the adaptive negative exponential loss paper."""
    wanted = {"table", "model", "task", "dataset", "method", "noise_kind", "noise_rate", "mean", "two_sd"}
    printed = read(path, wanted, {"table": "str", "noise_rate": "str"})
    tidy = printed.assign(
        **noises(printed),
        mean=printed["mean"] / 100,
        spread=printed["two_sd"] / 200,
        n=REPEATS,
        rounding=FINE,
    )
    return tidy[COLUMNS]


def noises(printed):
    """Columns noise and rate in our terms: that at rate zero is ``clean`` with rate ``0``."""
    clean = (printed["noise_kind"] == "uniform") & (printed["noise_rate"] == "0.0")
    return {"noise": printed["noise_kind"].mask(clean, "clean"), "rate": printed["noise_rate"].mask(clean, "0")}


def highlighted(path):
    """Whether each cell of `accuracy` is bold in the paper: Series of bool, in the same order."""
    return (pd.read_csv(path, usecols=["highlighted"])["highlighted"] == "yes").rename("highlighted")


def lambdas(path):
    """Figure 6, digitized: accuracy and size of trees by lambda, as text."""
    return pd.read_csv(path, dtype="str", keep_default_na=False)


def points(path):
    """Figure 6 as cells without spread: columns `COLUMNS`, model "lambda", method the lambda as text."""
    found = lambdas(path)
    tidy = found.assign(
        table="Figure 6",
        model="lambda",
        method=found["lambda"],
        **noises(found),
        mean=found["accuracy"].astype(float) / 100,
        spread=float("nan"),
        n=1,
        rounding=0.0005,
    )
    return tidy[COLUMNS]


def curves(path):
    """Figure 6 as `points`, once for each measure, which the column ``metric`` names; numbers of leaves as they are."""
    found, cells = lambdas(path), points(path)
    units = {"accuracy": 100, "validation_accuracy": 100, "n_leaves": 1}
    parts = [cells.assign(metric=name, mean=found[name].astype(float) / unit) for name, unit in units.items()]
    return pd.concat(parts, ignore_index=True)
