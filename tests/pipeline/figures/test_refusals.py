"""What figures refuse: the input, and words of the culprit and the remedy."""

from itertools import product

import figure_cases
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.results.records import FAILED


def rows(methods="ab", noises=("clean", "n"), datasets=("d1", "d2"), **changes):
    about = {"n_train": 100, "accuracy": 0.8, "fit_seconds": 1.0, "tune_seconds": 0.0} | changes
    keys = product(datasets, methods, noises)
    return figure_cases.rows(about | {"dataset": d, "method": m, "noise_id": n} for d, m, n in keys)


def draw(kind, data=None, **spec):
    return figures.draw(rows() if data is None else data, {"kind": kind, "id": "f"} | spec)


def failed_at(size):
    data = pd.concat([rows(noises=["clean"]), rows(noises=["clean"], fold=1, n_train=400)], ignore_index=True)
    data.loc[(data["method"] == "a") & (data["n_train"] == size), "status"] = FAILED
    return data


UNLIKE = pd.concat([rows("a", datasets=["d1"]), rows("b", datasets=["d2"])])
COMPARED = pd.DataFrame(
    {"method": ["a"], "dataset": ["d"], "task": ["binary"], "published_mean": [90.0], "mean": [np.nan]}
)
COMPARED = COMPARED.reindex(columns=COLUMNS).assign(metric="accuracy", verdict="not comparable")
PANEL = {"title": "Trees", "task": "binary", "methods": ["a"]}
PANELS = {"dataset": "d1", "noises": ["clean"], "panels": [PANEL]}
MORE = [PANEL, PANEL | {"methods": ["b", "a"]}]
SERIES = {"x": [0, 1], "series": [{"label": "A", "methods": ["a"], "noises": ["clean", "n"]}]}
NOTHING = "no result row is in figure 'f'"
MATRIX = "'noise' needs a square matrix"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: draw("pie"), "unknown kind 'pie'; choose one of noise-curves, "),
        (lambda: draw("noise-curves", datasets=["d9"]), NOTHING),
        (lambda: draw("by-dataset", noises=["n"], datasets=["d9"], metric="fit_seconds"), NOTHING),
        (lambda: draw("relative-times", methods=["z"]), NOTHING),
        (lambda: draw("series", datasets=["d9"], **SERIES), NOTHING),
        (lambda: draw("accuracy-cost", UNLIKE), "needs two methods and a setting that both have finished"),
        (lambda: draw("critical-difference", methods=["a"]), "needs two methods"),
        (lambda: draw("gains", task="binary", reference="plain"), "no fit of the reference 'plain'"),
        (lambda: draw("by-dataset", noises=["clean", "n"], metric="fit_seconds"), "'f' shows one noise"),
        (lambda: draw("by-dataset", rows(fit_seconds=0.0), noises=["n"], metric="fit_seconds"), "is not above zero"),
        (lambda: draw("relative-times", failed_at(100)), "a has no finished fit of 100 samples"),
        (lambda: draw("noise-panels", **PANELS | {"dataset": "none"}), "no result row is in panel 'Trees'"),
        (lambda: draw("noise-panels", colors="pink", **PANELS), "no colors 'pink'; choose one of ironbark, viridis"),
        (lambda: draw("noise-panels", **PANELS | {"panels": MORE}), "the first panel needs all methods"),
        (lambda: draw("comparison-scatter", COMPARED), "no published cell has a mean of ours"),
        (lambda: draw("published-curves", COMPARED), "no published cell of which we have a mean"),
        (lambda: draw("published-curves", COMPARED, task="multiclass"), "check its datasets, methods and task"),
        (lambda: draw("transition-matrix", []), "no transition matrix"),
        (lambda: draw("transition-matrix", [("noise", np.eye(2), "abc")]), MATRIX),
        (lambda: draw("transition-matrix", [("noise", np.array([[0.5, 0.4], [0, 1]]), "ab")]), MATRIX),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()
