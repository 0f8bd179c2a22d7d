"""Bayesian signed-rank test: how probable it is that one method is better than another on a further data set."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, order, select
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.tables.captions import sentences
from ironbark.pipeline.analysis.tables.result_table import Table

ROPE = 0.01  # differences up to this mean nothing in practice
SAMPLES = 10_000
SEED = 0
LEAST = 3  # data sets


def probabilities(first, second, rope=ROPE):
    """Of a posterior over mean differences: that the first is better, that they are alike, that the second is.

    Parameters
    ----------
    first, second : ndarray of shape (n_datasets,), float64
        One score for each data set, larger is better.
    rope : float > 0
        Half the width of the region of practical equivalence.

    Returns
    -------
    tuple of three floats
        Up to 0.01 of chance, with a fixed seed.

    References
    ----------
    Benavoli, Corani, Mangili, Zaffalon and Ruggeri, "A Bayesian Wilcoxon signed-rank test based on the Dirichlet
    process", ICML 2014.
    """
    try:
        from baycomp import SignedRankTest
    except ImportError:
        raise InputError(
            "tables of kind bayes need the package baycomp; install it with `pip install baycomp`."
        ) from None
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    found = SignedRankTest.probs(first, second, rope, nsamples=SAMPLES, random_state=SEED)
    return tuple(map(float, found))


def build(rows, spec, labels=None, noise_labels=None, dataset_labels=None, *, caption_note="", missing=None):
    """Every method against the one of the best average rank.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.pipeline.results.records`.
    spec : dict
        The selection of `ironbark.pipeline.analysis.collect.select`; ``metric`` (accuracy by default); ``rope`` (`ROPE`
        by default); ``caption``.
    labels : dict, optional
        Method id -> display name.
    noise_labels, dataset_labels, missing : ignored
    caption_note : str

    Returns
    -------
    Table
        In the order of average ranks; bold: a probability of 0.95 or more.

    Raises
    ------
    InputError
        If fewer than two methods or `LEAST` data sets are left.
    """
    metric, rope = metrics.resolve(spec.get("metric", "accuracy")), spec.get("rope", ROPE)
    gathered = cells(select(rows, spec), spec.get("metric", "accuracy"))
    complete, notes = ranks.compared(gathered, spec, LEAST)
    scores, sign = ranks.by_dataset(complete), 1 if metric.larger_is_better else -1
    best, *others = ranks.average_ranks(sign * complete).index
    found = [probabilities(sign * scores[best], sign * scores[name], rope) for name in others]
    heads = ["best", "alike", "method"]
    values = pd.DataFrame(found, columns=heads).assign(against=best, datasets=len(scores))
    values.insert(0, "method_id", others)
    names = {name: (labels or {}).get(name, name) for name in order(gathered, spec)[1]}
    index = pd.Index([names[name] for name in others], name="Method")
    columns = [f"{names[best]} is better", "alike", "the method is better"]
    frame = pd.DataFrame([[f"{p:.3f}" for p in line] for line in found], index, columns, dtype="str")
    bold = pd.DataFrame([[p >= 0.95 for p in line] for line in found], index, columns)
    points = f"{100 * rope:g} percentage points" if metric.unit == "percent" else f"{rope:g}"
    reading = (
        f"Bayesian signed-rank test by {metric.inline}, means over the noises of {len(scores)} data sets: probability"
    )
    reading += f" that the method of the best average rank ({names[best]}) is better than another by more than {points}"
    caption = sentences(spec.get("caption", ""), reading, caption_note)
    return Table(frame, values, bold, caption, notes)
