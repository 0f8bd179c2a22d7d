"""Claims of the pairwise-gain paper on its trees and forests: Yang, Gao and Li (2019), section VI.

The paper publishes no numbers behind its text but for Table III.
"""

from functools import partial

import pandas as pd

from ironbark.pipeline.tables.claims import HALF, half, named, table, within
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

SETTING = ["model", "dataset", "noise", "rate"]
MEASURES = {"mean": "accuracy", "n_leaves": "n_leaves", "depth": "depth", "seconds": "fit_seconds"}
COLUMNS = [*SETTING, "method", *MEASURES]
GINI, ENTROPY = "gini", "entropy"
ALIKE = 0.01  # accuracies that lie within as much are comparable
SLOWER, FASTER, LARGER = 1.1, 5, 2  # times that is comparable still; at least about ten; at least much more
SYMMETRIC, ASYMMETRIC, STRONGEST = "uniform", "class_conditional", "0.4"
SAME_MEAN = {"0.1/0.3": "0.2", "0.2/0.4": "0.3"}  # asymmetric rates -> the symmetric rate of the same mean


def _wide(cells, model, noise, measure="mean", rate=None):
    """One row for each setting that all three criteria have, one column for each criterion."""
    part = within(cells, model=[model], noise=[noise], **({} if rate is None else {"rate": [rate]}))
    wide = part.pivot(index=["dataset", "rate"], columns="method", values=measure)
    return wide.reindex(columns=["pairwise", GINI, ENTROPY]).dropna()


def _better(cells, model, noise, rival):
    """Pairwise gain has the higher mean accuracy."""
    wide = _wide(cells, model, noise)
    return half(wide["pairwise"] > wide[rival])


def _smaller(cells, measure, rival):
    """A tree of pairwise gain is smaller than the rival's."""
    wide = _wide(cells, "DT", SYMMETRIC, measure)
    return half(wide["pairwise"] < wide[rival])


def _times(cells, model, measure, rival, least, rate=None):
    """The rival has at least so many times what pairwise gain has."""
    wide = _wide(cells, model, SYMMETRIC, measure, rate)
    ratio = wide[rival] / wide["pairwise"]
    return half(ratio >= least, f" (median factor {ratio.median():.2g})" if len(ratio) else "")


def _steps(table):
    """Differences from one rate to the next; rows are (data set, rate), rates in the order of their text."""
    return table.sort_index().groupby("dataset").diff().dropna()


def _lead(cells, model, noise):
    """Accuracy of pairwise gain above the mean of the two others."""
    wide = _wide(cells, model, noise)
    return wide["pairwise"] - wide[[GINI, ENTROPY]].mean(axis=1)


def _comparable(cells):
    """Forests of the three criteria lie within `ALIKE` under symmetric noise."""
    wide = _wide(cells, "RF", SYMMETRIC)
    return half(wide.max(axis=1) - wide.min(axis=1) <= ALIKE + 1e-9)


def _owed_to_asymmetry(cells):
    """The lead of forests is larger than under symmetric noise of the same mean rate."""
    asymmetric, symmetric = (_lead(cells, "RF", noise) for noise in (ASYMMETRIC, SYMMETRIC))
    pairs = [(key, (key[0], SAME_MEAN[key[1]])) for key in asymmetric.index if key[1] in SAME_MEAN]
    return half([asymmetric[key] > symmetric[other] for key, other in pairs if other in symmetric.index])


_STEPS = "more than half of the steps between rates"
_FASTER = f"at least {FASTER} times as fast in more than half of the cells"


def _of_both(words, count):
    """A claim for each rival."""
    return [
        (f"{words} {name}", HALF, partial(count, rival=rival))
        for rival, name in ((GINI, "Gini impurity"), (ENTROPY, "information gain"))
    ]


CLAIMS = (
    (
        "Trees, symmetric noise: accuracy falls as the noise grows",
        _STEPS,
        lambda cells: half(_steps(_wide(cells, "DT", SYMMETRIC)).to_numpy() < 0),
    ),
    *_of_both("Trees, symmetric noise: more accurate than", partial(_better, model="DT", noise=SYMMETRIC)),
    (
        "Trees, symmetric noise: the lead grows with the noise",
        _STEPS,
        lambda cells: half(_steps(_lead(cells, "DT", SYMMETRIC)) > 0),
    ),
    *_of_both("Trees: fewer leaves than", partial(_smaller, measure="n_leaves")),
    *_of_both("Trees: less deep than", partial(_smaller, measure="depth")),
    (
        "Trees: those of information gain have much more nodes",
        f"at least {LARGER} times the leaves in more than half of the cells",
        partial(_times, model="DT", measure="n_leaves", rival=ENTROPY, least=LARGER),
    ),
    (
        "Trees: no or little slower than Gini impurity (Figure 2)",
        f"at most {SLOWER} times the time in more than half of the cells",
        partial(_times, model="DT", measure="seconds", rival=GINI, least=1 / SLOWER, rate=STRONGEST),
    ),
    (
        "Trees: about ten times as fast as information gain (Figure 2)",
        _FASTER,
        partial(_times, model="DT", measure="seconds", rival=ENTROPY, least=FASTER, rate=STRONGEST),
    ),
    (
        "Forests: about ten times as fast as information gain",
        _FASTER,
        partial(_times, model="RF", measure="seconds", rival=ENTROPY, least=FASTER, rate=STRONGEST),
    ),
    *_of_both("Forests, asymmetric noise: more accurate than", partial(_better, model="RF", noise=ASYMMETRIC)),
    (
        "Forests, symmetric noise: the criteria are comparable",
        "within 1 point in more than half of the cells",
        _comparable,
    ),
    (
        "Forests: the lead is larger under asymmetric noise than under symmetric noise of the same mean rate",
        HALF,
        _owed_to_asymmetry,
    ),
)


def check(cells):
    """The `Count` of each claim, None where there is no cell for it."""
    counts = [count(cells) for *_, count in CLAIMS]
    return [count if count.total else None for count in counts]


def build(rows, spec, context, *, accuracy, mapping, capped_fits="") -> Table:
    """The claims of the pairwise-gain paper."""
    keys = ["dataset", "noise", "rate", "method"]
    parts = [cells(rows, metric).set_index(keys)["mean"].rename(name) for name, metric in MEASURES.items()]
    own, published = named(pd.concat(parts, axis=1).reset_index(), mapping)[COLUMNS], accuracy.reindex(columns=COLUMNS)
    shared = published.merge(own[SETTING].drop_duplicates(), on=SETTING)
    note = f"{ABSENT}: no such cell. Times are CPU seconds of the last fit at uniform noise of {STRONGEST}."
    counts = [check(part) for part in (published, shared, own)]
    return table(CLAIMS, counts, spec, context, note, capped_fits)
