"""Claims of the pairwise-gain paper on its trees and forests, counted in published cells and in ours by the same code.

Yang, Gao and Li (2019), section VI. The paper publishes no numbers behind its text but for Table III. A claim is its
words, the rule by which it holds, and a function of cells that makes a `Count`.
"""

import operator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ironbark.pipeline.published.comparison import NOT_COMPARABLE
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

HEADS = ["Claim", "Holds if", "Published", "Published, cells as ours", "Ours", "Verdict"]
HALF = "more than half of the cells"

SETTING = ["model", "dataset", "noise", "rate"]
MEASURES = {"mean": "accuracy", "n_leaves": "n_leaves", "depth": "depth", "seconds": "fit_seconds"}
COLUMNS = [*SETTING, "method", *MEASURES]
GINI, ENTROPY = "gini", "entropy"
ALIKE = 0.01  # accuracies that lie within as much are comparable
SLOWER, FASTER, LARGER = 1.1, 5, 2  # times that is comparable still; at least about ten; at least much more
SYMMETRIC, ASYMMETRIC, STRONGEST = "uniform", "class_conditional_by_size", "0.4"
SAME_MEAN = {"0.1/0.3": "0.2", "0.2/0.4": "0.3"}  # asymmetric rates -> the symmetric rate of the same mean


class Count(NamedTuple):
    """In how many of the cells it is so, and for some claims by how much."""

    count: int
    total: int
    size: str = ""

    def __str__(self):
        return f"{self.count}/{self.total}{self.size}"


def counted(hits, size=""):
    """A count of booleans."""
    hits = np.asarray(hits, bool)
    return Count(int(hits.sum()), hits.size, size)


def _wide(cells, model, noise, measure="mean"):
    """One row for each setting that all three criteria have, one column for each criterion."""
    part = cells[(cells["model"] == model) & (cells["noise"] == noise)]
    wide = part.pivot(index=["dataset", "rate"], columns="method", values=measure)
    return wide.reindex(columns=["pairwise", GINI, ENTROPY]).dropna()


def _lead(cells, model, noise):
    """Accuracy of pairwise gain above the mean of the two others."""
    wide = _wide(cells, model, noise)
    return wide["pairwise"] - wide[[GINI, ENTROPY]].mean(axis=1)


def _steps(table):
    """Differences from one rate to the next; rows are (data set, rate), rates in the order of their text."""
    return table.sort_index().groupby("dataset").diff().dropna()


def _compared(cells, model, noise, rival, measure="mean", than=operator.gt):
    """Pairwise gain has a larger measure than the rival; or a smaller one, by `than`."""
    wide = _wide(cells, model, noise, measure)
    return counted(than(wide["pairwise"], wide[rival]))


def _times(cells, model, measure, rival, least):
    """The rival has at least so many times what pairwise gain has; seconds are those of the strongest noise."""
    part = cells[cells["rate"] == STRONGEST] if measure == "seconds" else cells
    wide = _wide(part, model, SYMMETRIC, measure)
    ratio = wide[rival] / wide["pairwise"]
    return counted(ratio >= least, f" (median factor {ratio.median():.2g})" if len(ratio) else "")


def _comparable(cells):
    """Forests of the three criteria lie within `ALIKE` under symmetric noise."""
    wide = _wide(cells, "RF", SYMMETRIC)
    return counted(wide.max(axis=1) - wide.min(axis=1) <= ALIKE + 1e-9)


def _owed_to_asymmetry(cells):
    """The lead of forests is larger than under symmetric noise of the same mean rate."""
    asymmetric, symmetric = (_lead(cells, "RF", noise) for noise in (ASYMMETRIC, SYMMETRIC))
    pairs = [(key, (key[0], SAME_MEAN[key[1]])) for key in asymmetric.index if key[1] in SAME_MEAN]
    return counted([asymmetric[key] > symmetric[other] for key, other in pairs if other in symmetric.index])


def _of_both(words, count, **fixed):
    """A claim for each rival."""
    rivals = {GINI: "Gini impurity", ENTROPY: "information gain"}
    return [(f"{words} {name}", HALF, partial(count, rival=rival, **fixed)) for rival, name in rivals.items()]


_STEPS = "more than half of the steps between rates"
_FASTER = f"at least {FASTER} times as fast in more than half of the cells"
_NODES = f"at least {LARGER} times the leaves in more than half of the cells"
_TIME = f"at most {SLOWER} times the time in more than half of the cells"
_smaller = partial(_compared, model="DT", noise=SYMMETRIC, than=operator.lt)
_leaves = partial(_times, model="DT", measure="n_leaves", rival=ENTROPY, least=LARGER)
_time = partial(_times, measure="seconds", rival=ENTROPY, least=FASTER)
_ALONE = "Forests: the lead is larger under asymmetric noise than under symmetric noise of the same mean rate"

CLAIMS = (
    (
        "Trees, symmetric noise: accuracy falls as the noise grows",
        _STEPS,
        lambda cells: counted(_steps(_wide(cells, "DT", SYMMETRIC)) < 0),
    ),
    *_of_both("Trees, symmetric noise: more accurate than", _compared, model="DT", noise=SYMMETRIC),
    (
        "Trees, symmetric noise: the lead grows with the noise",
        _STEPS,
        lambda cells: counted(_steps(_lead(cells, "DT", SYMMETRIC)) > 0),
    ),
    *_of_both("Trees: fewer leaves than", _smaller, measure="n_leaves"),
    *_of_both("Trees: less deep than", _smaller, measure="depth"),
    ("Trees: those of information gain have much more nodes", _NODES, _leaves),
    (
        "Trees: no or little slower than Gini impurity (Figure 2)",
        _TIME,
        partial(_time, model="DT", rival=GINI, least=1 / SLOWER),
    ),
    ("Trees: about ten times as fast as information gain (Figure 2)", _FASTER, partial(_time, model="DT")),
    ("Forests: about ten times as fast as information gain", _FASTER, partial(_time, model="RF")),
    *_of_both("Forests, asymmetric noise: more accurate than", _compared, model="RF", noise=ASYMMETRIC),
    (
        "Forests, symmetric noise: the criteria are comparable",
        "within 1 point in more than half of the cells",
        _comparable,
    ),
    (_ALONE, HALF, _owed_to_asymmetry),
)


def check(cells):
    """The `Count` of each claim, None where there is no cell for it."""
    counts = [count(cells) for *_, count in CLAIMS]
    return [count if count.total else None for count in counts]


def verdict(count, capped=""):
    """The verdict on our count; `capped` says how the scale changes fits, and is empty where it does not."""
    if count is None or capped:
        return NOT_COMPARABLE
    return "holds" if count.count > count.total / 2 else "doesn't hold"


def judged(own, published, capped_fits=""):
    """One line each: counts in all published cells, in those that we have too, and in ours."""
    published = published.reindex(columns=COLUMNS)
    shared = published.merge(own[SETTING].drop_duplicates(), on=SETTING)
    lines = [
        [name, rule, *(ABSENT if count is None else str(count) for count in counts), verdict(counts[-1], capped_fits)]
        for (name, rule, _), *counts in zip(CLAIMS, check(published), check(shared), check(own), strict=True)
    ]
    return pd.DataFrame(lines, columns=HEADS)


def build(rows, spec, context, *, accuracy, mapping, capped_fits="") -> Table:
    """The claims as a table."""
    keys = ["dataset", "noise", "rate", "method"]
    parts = [cells(rows, metric).set_index(keys)["mean"].rename(name) for name, metric in MEASURES.items()]
    ids = [(model, name, own) for model, names in mapping.items() for name, own in names.items()]
    named = pd.concat(parts, axis=1).reset_index().rename(columns={"method": "id"})
    own = named.merge(pd.DataFrame(ids, columns=["model", "method", "id"]), on="id")[COLUMNS]
    values = judged(own, accuracy, capped_fits)
    frame, caption = values.set_index(HEADS[0]), context.caption({"caption": "Claims of the text"} | spec)
    note = f"{ABSENT}: no such cell. Times are CPU seconds of the last fit at uniform noise of {STRONGEST}."
    return Table(frame, values, None, caption, [note])
