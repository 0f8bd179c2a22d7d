"""Bayesian signed-rank test: how probable it is that one method is better than another on a further data set."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, selected_cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.tables.result_table import Table

ROPE = 0.01  # differences up to this mean nothing in practice
SAMPLES = 10_000
SEED = 0
LEAST = 3  # data sets


def probabilities(first: np.ndarray, second: np.ndarray, rope=ROPE):
    """Of a posterior over mean differences: that the first is better, that they are alike, that the second is."""
    try:
        from baycomp import SignedRankTest
    except ImportError:
        raise InputError(
            "tables of kind bayes need the package baycomp; install it with `pip install baycomp`."
        ) from None
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    found = SignedRankTest.probs(first, second, rope, nsamples=SAMPLES, random_state=SEED)
    return tuple(map(float, found))


def build(rows, spec: dict, context) -> Table:
    """Every method against the one of the best average rank."""
    metric, rope, names = metric_of(spec), spec.get("rope", ROPE), context.methods
    complete, notes = ranks.compared(selected_cells(rows, spec), spec, LEAST)
    scores, sign = ranks.by_dataset(complete), 1 if metric.larger_is_better else -1
    best, *others = ranks.average_ranks(sign * complete).index
    found = [probabilities(sign * scores[best], sign * scores[name], rope) for name in others]
    heads = ["best", "alike", "method"]
    values = pd.DataFrame(found, columns=heads).assign(against=best, datasets=len(scores))
    values.insert(0, "method_id", others)
    index = pd.Index([names[name] for name in others], name="Method")
    columns = [f"{names[best]} is better", "alike", "the method is better"]
    frame = pd.DataFrame([[f"{p:.3f}" for p in line] for line in found], index, columns, dtype="str")
    bold = pd.DataFrame([[p >= 0.95 for p in line] for line in found], index, columns)
    points = f"{100 * rope:g} percentage points" if metric.unit == "percent" else f"{rope:g}"
    reading = (
        f"Bayesian signed-rank test by {metric.inline}, means over the noises of {len(scores)} data sets: probability"
    )
    reading += f" that the method of the best average rank ({names[best]}) is better than another by more than {points}"
    caption = context.caption(spec, reading)
    return Table(frame, values, bold, caption, notes)
