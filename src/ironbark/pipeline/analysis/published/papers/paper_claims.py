"""Claims of the ANE paper about its tables, counted in the published values and in ours by the same code.

Wilton and Ye (2024), Robust Loss Functions for Training Decision Trees with Noisy Labels, AAAI: section Experiments.
"""

from collections import Counter

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.published.papers import claim
from ironbark.pipeline.analysis.published.papers.ane import noises
from ironbark.pipeline.analysis.published.papers.claim import Count
from ironbark.pipeline.analysis.statistics.highlight import highlighted
from ironbark.pipeline.analysis.tables.result_table import ABSENT

SETTING = ["model", "task", "dataset", "noise", "rate"]
COLUMNS = [*SETTING, "method", "mean", "sd", "n", "n_leaves"]
CLOSE = 0.03  # means that lie within as much are alike
LAMBDA = "lambda"  # the model of Figure 6 in `compare`
ALIKE = ("ce", "mse", "ranking", "gce")


def _most_marked(method, model, task):
    """`method` is highlighted in more cells than any other."""

    def count(found):
        part = found[(found["model"] == model) & (found["task"] == task)]
        marks = part.groupby("method")["highlighted"].sum()
        rest = marks.drop(method, errors="ignore")
        return Count(int(marks.get(method, 0)), _settings(part), bool((marks.get(method, 0) > rest).all()))

    return count


def _marked(method, where, marked=True):
    """`method` is (or is not) highlighted in more than half of its cells in `where`."""

    def count(found):
        part = found[(found["method"] == method) & where(found)]
        hits = int((part["highlighted"] == marked).sum())
        return Count(hits, len(part), hits > len(part) / 2)

    return count


def _alike(found):
    """The means of the four differ by no more than `CLOSE`."""
    means = found[found["method"].isin(ALIKE)].groupby(SETTING)["mean"].agg(["max", "min", "size"])
    means = means[means["size"] > 1]
    hits = int((means["max"] - means["min"] <= CLOSE + 1e-9).sum())
    return Count(hits, len(means), hits > len(means) / 2)


def _worst(method):
    """`method` has the smallest mean more often than any other; CL, good or bad for reasons of its own, apart."""

    def count(found):
        part = found[found["method"] != "conservative"]
        last = Counter(part.loc[part.groupby(SETTING)["mean"].idxmin(), "method"])
        hits = last.pop(method, 0)
        return Count(hits, _settings(part), hits > max(last.values(), default=0))

    return count


def _no_single_best(found):
    """Cells that the lambda which is best most often wins: not all."""
    part = found[found["model"] == LAMBDA]
    best = Counter(part.loc[part.groupby(SETTING)["mean"].idxmax(), "method"])
    hits = max(best.values(), default=0)
    return Count(hits, _settings(part), hits < _settings(part))


def _smaller_trees(where, holds):
    """Steps from one lambda to the next larger one that make the trees smaller."""

    def count(found):
        part = found[(found["model"] == LAMBDA) & where(found)]
        wide = part.assign(lam=part["method"].astype(float)).pivot(index=SETTING, columns="lam", values="n_leaves")
        steps = np.diff(wide.to_numpy(), axis=1)
        hits = int((steps < 0).sum())
        return Count(hits, steps.size, holds(hits, steps.size))

    return count


def _settings(part):
    return len(part[SETTING].drop_duplicates())


def _is(**wanted):
    """Rows with one of these values in each column."""
    return lambda found: pd.concat([found[c].isin(v) for c, v in wanted.items()], axis=1).all(axis=1)


_HIGH, _NONE = ("0.3", "0.4"), ("clean",)
_HARD = _is(task=["binary"], noise=["uniform"], rate=["0.4"])

_MOST, _HALF = "more cells than any other", "more than half of the cells"

#: (claim, rule in words, count).
CLAIMS = (
    ("ANE is highlighted: trees, binary", _MOST, _most_marked("ane", "DT", "binary")),
    ("ANE is highlighted: trees, multiclass", _MOST, _most_marked("ane", "DT", "multiclass")),
    ("ANE is highlighted: forests, binary", _MOST, _most_marked("ane", "RF", "binary")),
    ("ANE is highlighted: forests, multiclass", _HALF, _marked("ane", _is(model=["RF"], task=["multiclass"]))),
    ("Credal is highlighted: forests, multiclass", _MOST, _most_marked("credal", "RF", "multiclass")),
    (
        "CL is not highlighted without noise: trees",
        _HALF,
        _marked("conservative", _is(model=["DT"], noise=_NONE), marked=False),
    ),
    (
        "CL is highlighted at uniform noise of 0.3 and 0.4: trees",
        _HALF,
        _marked("conservative", _is(model=["DT"], noise=["uniform"], rate=_HIGH)),
    ),
    ("CL is not highlighted: forests", _HALF, _marked("conservative", _is(model=["RF"]), marked=False)),
    ("CE, MSE, Ranking and GCE lie within 3 points", _HALF, _alike),
    ("Twoing of the authors' code is the worst but for CL", _MOST, _worst("twoing")),
    ("Twoing as defined is the worst but for CL", _MOST, _worst("twoing_defined")),
    ("One lambda is best (Figure 6)", "not in all cells", _no_single_best),
    (
        "The next larger lambda makes smaller trees (Figure 6)",
        "more than half of the steps",
        _smaller_trees(lambda found: found["task"].notna(), lambda n, of: n > of / 2),
    ),
    ("The same at 40 % noise, two classes (Figure 6)", "not in all steps", _smaller_trees(_HARD, lambda n, of: n < of)),
)


def ours(rows: pd.DataFrame, mapping) -> pd.DataFrame:
    """Our cells by the names of the paper."""
    ids = [(model, name, own) for model, names in mapping.items() for name, own in names.items()]
    known = pd.DataFrame(ids, columns=["model", "name", "method"])
    keys = ["dataset", "task", "method", "noise_id"]
    leaves = cells(rows, "n_leaves").rename(columns={"mean": "n_leaves"})[[*keys, "n_leaves"]]
    found = cells(rows).merge(leaves, on=keys).merge(known, on="method")
    return found.assign(method=found["name"])[COLUMNS]


def printed(tables, marks, lambdas: pd.DataFrame) -> pd.DataFrame:
    """The published cells: those of Tables 2 to 5, and of Figure 6."""
    figure = lambdas.assign(
        model=LAMBDA,
        method=lambdas[LAMBDA],
        **noises(lambdas),
        mean=lambdas["accuracy"].astype(float) / 100,
        n_leaves=lambdas["n_leaves"].astype(float),
        sd=float("nan"),
        n=1,
    )
    tables = tables.rename(columns={"spread": "sd"}).assign(n_leaves=float("nan"), highlighted=marks)
    return pd.concat([tables[[*COLUMNS, "highlighted"]], figure[COLUMNS].assign(highlighted=False)], ignore_index=True)


def check(found: pd.DataFrame):
    """The `Count` of each claim, None where there is no cell for it."""
    with_defined = found[found["method"] != "twoing"] if (found["method"] == "twoing_defined").any() else found[:0]
    plain = found[found["method"] != "twoing_defined"]
    if "highlighted" not in found:
        plain = plain.assign(highlighted=highlighted(plain, by=SETTING))
    counts = []
    for name, _, count in CLAIMS:
        part = with_defined if "as defined" in name else plain
        result = count(part[part["model"] != LAMBDA] if "Figure 6" not in name else part) if len(part) else None
        counts.append(result if result and result.total else None)
    return counts


def build(
    rows,
    spec,
    context,
    *,
    tables: pd.DataFrame,
    marks: pd.DataFrame,
    lambdas: pd.DataFrame,
    mapping,
    capped_fits: str = "",
):
    """The claims as a table."""
    own, all_printed = ours(rows, mapping), printed(tables, marks, lambdas)
    shared = all_printed.merge(own[SETTING].drop_duplicates(), on=SETTING)
    both = own.merge(all_printed[SETTING].drop_duplicates(), on=SETTING)
    note = f"Our cells count where the paper has them too; {ABSENT}: no such cell. Capped fits do not compare."
    return claim.table(CLAIMS, (check(all_printed), check(shared), check(both)), spec, context, note, capped_fits)
