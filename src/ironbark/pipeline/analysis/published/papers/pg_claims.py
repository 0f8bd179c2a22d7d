"""Claims of the pairwise-gain paper about its trees and forests, counted in cells.

Yang, Gao and Li (2019), On the Robust Splitting Criterion of Random Forest, ICDM: section VI. Its Table III is counted
by the same code. The paper publishes no numbers behind the other statements.
"""

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.published.papers import claim
from ironbark.pipeline.analysis.published.papers.claim import Count
from ironbark.pipeline.analysis.tables.result_table import ABSENT

SETTING = ["model", "dataset", "noise", "rate"]
MEASURES = {"mean": "accuracy", "n_leaves": "n_leaves", "depth": "depth", "seconds": "fit_seconds"}
GINI, ENTROPY = "gini", "entropy"
NAMES = {GINI: "Gini impurity", ENTROPY: "information gain"}
ALIKE = 0.01  # accuracies that lie within as much are comparable
SLOWER = 1.1  # times as long that is comparable still
FASTER = 5  # the least factor that is about ten
LARGER = 2  # the least factor that is much more
SYMMETRIC, ASYMMETRIC = "uniform", "class_conditional"
STRONGEST = "0.4"
#: Asymmetric rates -> the symmetric rate of the same mean.
SAME_MEAN = {"0.1/0.3": "0.2", "0.2/0.4": "0.3"}


def _wide(found, model, noise, measure="mean", rate=None):
    """One row for each setting that all three criteria have, one column for each criterion."""
    part = found[(found["model"] == model) & (found["noise"] == noise)]
    part = part if rate is None else part[part["rate"] == rate]
    wide = part.pivot(index=["dataset", "rate"], columns="method", values=measure)
    return wide.reindex(columns=["pairwise", GINI, ENTROPY]).dropna()


def _most(hits):
    """A count of booleans that holds if more than half of them are true."""
    hits = np.asarray(hits, bool)
    return Count(int(hits.sum()), hits.size, bool(hits.sum() > hits.size / 2))


def _better(model, noise, rival):
    """Pairwise gain has the higher mean accuracy."""

    def count(found):
        wide = _wide(found, model, noise)
        return _most(wide["pairwise"] > wide[rival])

    return count


def _smaller(measure, rival):
    """A tree of pairwise gain is smaller than the rival's."""

    def count(found):
        wide = _wide(found, "DT", SYMMETRIC, measure)
        return _most(wide["pairwise"] < wide[rival])

    return count


def _times(model, measure, rival, least, rate=None):
    """The rival has at least so many times what pairwise gain has."""

    def count(found):
        wide = _wide(found, model, SYMMETRIC, measure, rate)
        ratio = wide[rival] / wide["pairwise"]
        size = f" (median factor {ratio.median():.2g})" if len(ratio) else ""
        return _most(ratio >= least)._replace(size=size)

    return count


def _steps(table):
    """Differences from one rate to the next; rows are (data set, rate), rates in the order of their text."""
    return table.sort_index().groupby("dataset").diff().dropna()


def _falls(found):
    """Accuracy at the next larger rate is lower, for each data set and criterion."""
    return _most(_steps(_wide(found, "DT", SYMMETRIC)).to_numpy() < 0)


def _lead(wide):
    """Accuracy of pairwise gain above the mean of the two others."""
    return wide["pairwise"] - wide[[GINI, ENTROPY]].mean(axis=1)


def _lead_grows(found):
    """The lead at the next larger rate is larger."""
    return _most(_steps(_lead(_wide(found, "DT", SYMMETRIC))) > 0)


def _comparable(found):
    """Forests of the three criteria lie within `ALIKE` under symmetric noise."""
    wide = _wide(found, "RF", SYMMETRIC)
    return _most(wide.max(axis=1) - wide.min(axis=1) <= ALIKE + 1e-9)


def _owed_to_asymmetry(found):
    """The lead of forests is larger than under symmetric noise of the same mean rate."""
    asymmetric, symmetric = (_lead(_wide(found, "RF", noise)) for noise in (ASYMMETRIC, SYMMETRIC))
    pairs = [(place, (place[0], SAME_MEAN[place[1]])) for place in asymmetric.index if place[1] in SAME_MEAN]
    return _most([asymmetric[place] > symmetric[other] for place, other in pairs if other in symmetric.index])


_HALF = "more than half of the cells"
_STEPS = "more than half of the steps between rates"

#: (claim, rule in words, count).
CLAIMS = (
    ("Trees, symmetric noise: accuracy falls as the noise grows", _STEPS, _falls),
    *(
        (f"Trees, symmetric noise: more accurate than {name}", _HALF, _better("DT", SYMMETRIC, rival))
        for rival, name in NAMES.items()
    ),
    ("Trees, symmetric noise: the lead grows with the noise", _STEPS, _lead_grows),
    *((f"Trees: fewer leaves than {name}", _HALF, _smaller("n_leaves", rival)) for rival, name in NAMES.items()),
    *((f"Trees: less deep than {name}", _HALF, _smaller("depth", rival)) for rival, name in NAMES.items()),
    (
        "Trees: those of information gain have much more nodes",
        f"at least {LARGER} times the leaves in more than half of the cells",
        _times("DT", "n_leaves", ENTROPY, LARGER),
    ),
    (
        "Trees: no or little slower than Gini impurity (Figure 2)",
        f"at most {SLOWER} times the time in more than half of the cells",
        _times("DT", "seconds", GINI, 1 / SLOWER, STRONGEST),
    ),
    *(
        (
            f"{plural}: about ten times as fast as information gain{figure}",
            f"at least {FASTER} times as fast in more than half of the cells",
            _times(model, "seconds", ENTROPY, FASTER, STRONGEST),
        )
        for model, plural, figure in (("DT", "Trees", " (Figure 2)"), ("RF", "Forests", ""))
    ),
    *(
        (f"Forests, asymmetric noise: more accurate than {name}", _HALF, _better("RF", ASYMMETRIC, rival))
        for rival, name in NAMES.items()
    ),
    (
        "Forests, symmetric noise: the criteria are comparable",
        "within 1 point in more than half of the cells",
        _comparable,
    ),
    (
        "Forests: the lead is larger under asymmetric noise than under symmetric noise of the same mean rate",
        _HALF,
        _owed_to_asymmetry,
    ),
)


def ours(rows: pd.DataFrame, mapping) -> pd.DataFrame:
    """Our cells in the words of the paper."""
    ids = [(model, name, own) for model, names in mapping.items() for name, own in names.items()]
    keys = ["dataset", "noise", "rate", "method"]
    parts = [cells(rows, metric).set_index(keys)["mean"].rename(name) for name, metric in MEASURES.items()]
    found = pd.concat(parts, axis=1).reset_index().merge(pd.DataFrame(ids, columns=["model", "name", "method"]))
    return found.assign(method=found["name"])[[*SETTING, "method", *MEASURES]]


def printed(accuracy):
    """The cells of Table III, of `ironbark.pipeline.analysis.published.papers.pg.accuracy`."""
    return accuracy.reindex(columns=[*SETTING, "method", *MEASURES])


def check(found):
    """The `Count` of each claim in cells of `ours` or `printed`, None where there is no cell for it."""
    counts = [count(found) for *_, count in CLAIMS]
    return [count if count.total else None for count in counts]


def build(rows, spec, context, *, accuracy: pd.DataFrame, mapping, capped_fits: str = ""):
    """The claims as a table."""
    own, table = ours(rows, mapping), printed(accuracy)
    shared = table.merge(own[SETTING].drop_duplicates(), on=SETTING)
    note = f"{ABSENT}: no such cell. Times are CPU seconds of the last fit at uniform noise of {STRONGEST}."
    return claim.table(CLAIMS, (check(table), check(shared), check(own)), spec, context, note, capped_fits)
