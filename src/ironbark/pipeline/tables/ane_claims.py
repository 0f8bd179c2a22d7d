"""Claims of the ANE paper on its tables: Wilton and Ye (2024), section Experiments."""

from functools import partial

import numpy as np
import pandas as pd

from ironbark.pipeline.published.readers import ane_noises as noises
from ironbark.pipeline.statistics.significance import highlighted
from ironbark.pipeline.tables.claims import HALF, MOST, Count, half, leads, named, table, within
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

SETTING = ["model", "task", "dataset", "noise", "rate"]
COLUMNS = [*SETTING, "method", "mean", "sd", "n", "n_leaves"]
CLOSE = 0.03  # means that lie within as much are alike
LAMBDA = "lambda"  # the model of Figure 6 in `compare`


def _most_marked(cells, method, model, task):
    """`method` is highlighted in more cells than any other."""
    part = within(cells, model=[model], task=[task])
    return leads(part.groupby("method")["highlighted"].sum(), method, part.groupby(SETTING).ngroups)


def _marked(cells, method, marked=True, **wanted):
    """`method` is (or is not) highlighted in more than half of its cells."""
    return half(within(cells, method=[method], **wanted)["highlighted"] == marked)


def _alike(cells):
    """The means of the four differ by no more than `CLOSE`."""
    means = within(cells, method=["ce", "mse", "ranking", "gce"]).groupby(SETTING)["mean"].agg(["max", "min", "size"])
    return half((means["max"] - means["min"] <= CLOSE + 1e-9)[means["size"] > 1])


def _worst(cells, method):
    """`method` has the smallest mean more often than any other; CL, good or bad for reasons of its own, apart."""
    part = cells[cells["method"] != "conservative"]
    last = part.loc[part.groupby(SETTING)["mean"].idxmin(), "method"]
    return leads(last.value_counts(), method, len(last))


def _no_single_best(cells):
    """Cells that the lambda which is best most often wins: not all."""
    part = within(cells, model=[LAMBDA])
    best = part.loc[part.groupby(SETTING)["mean"].idxmax(), "method"]
    hits = int(best.value_counts().max()) if len(best) else 0
    return Count(hits, len(best), hits < len(best))


def _smaller_trees(cells, **wanted):
    """Steps from one lambda to the next larger one that make the trees smaller."""
    part = within(cells, model=[LAMBDA], **wanted)
    wide = part.assign(method=part["method"].astype(float)).pivot(index=SETTING, columns="method", values="n_leaves")
    return half(np.diff(wide.to_numpy(), axis=1) < 0)


def _not_always(cells):
    """The same in the hardest setting, where a smaller number holds too."""
    count = _smaller_trees(cells, task=["binary"], noise=["uniform"], rate=["0.4"])
    return count._replace(holds=count.count < count.total)


_CL = partial(_marked, method="conservative")

CLAIMS = (
    ("ANE is highlighted: trees, binary", MOST, partial(_most_marked, method="ane", model="DT", task="binary")),
    ("ANE is highlighted: trees, multiclass", MOST, partial(_most_marked, method="ane", model="DT", task="multiclass")),
    ("ANE is highlighted: forests, binary", MOST, partial(_most_marked, method="ane", model="RF", task="binary")),
    (
        "ANE is highlighted: forests, multiclass",
        HALF,
        partial(_marked, method="ane", model=["RF"], task=["multiclass"]),
    ),
    (
        "Credal is highlighted: forests, multiclass",
        MOST,
        partial(_most_marked, method="credal", model="RF", task="multiclass"),
    ),
    ("CL is not highlighted without noise: trees", HALF, partial(_CL, marked=False, model=["DT"], noise=["clean"])),
    (
        "CL is highlighted at uniform noise of 0.3 and 0.4: trees",
        HALF,
        partial(_CL, model=["DT"], noise=["uniform"], rate=["0.3", "0.4"]),
    ),
    ("CL is not highlighted: forests", HALF, partial(_CL, marked=False, model=["RF"])),
    ("CE, Gini, pairwise gain and GCE lie within 3 points", HALF, _alike),
    ("Twoing of the authors' code is the worst but for CL", MOST, partial(_worst, method="twoing")),
    ("Twoing as defined is the worst but for CL", MOST, partial(_worst, method="twoing_defined")),
    ("One lambda is best (Figure 6)", "not in all cells", _no_single_best),
    ("The next larger lambda makes smaller trees (Figure 6)", "more than half of the steps", _smaller_trees),
    ("The same at 40 % noise, two classes (Figure 6)", "not in all steps", _not_always),
)


def printed(tables, marks, lambdas: pd.DataFrame) -> pd.DataFrame:
    """The published cells: those of Tables 2 to 5, and of Figure 6."""
    figure = lambdas.assign(model=LAMBDA, method=lambdas[LAMBDA], **noises(lambdas), sd=float("nan"), n=1)
    figure = figure.assign(mean=figure["accuracy"].astype(float) / 100, n_leaves=figure["n_leaves"].astype(float))
    tables = tables.rename(columns={"spread": "sd"}).assign(n_leaves=float("nan"), highlighted=marks)
    return pd.concat([tables[[*COLUMNS, "highlighted"]], figure[COLUMNS].assign(highlighted=False)], ignore_index=True)


def check(gathered: pd.DataFrame):
    """The `Count` of each claim, None where there is no cell for it."""
    with_defined = (
        gathered[gathered["method"] != "twoing"] if (gathered["method"] == "twoing_defined").any() else gathered[:0]
    )
    plain = gathered[gathered["method"] != "twoing_defined"]
    if "highlighted" not in gathered:
        plain = plain.assign(highlighted=highlighted(plain, by=SETTING))
    counts = []
    for name, _, count in CLAIMS:
        part = with_defined if "as defined" in name else plain
        counts.append(count(part if "Figure 6" in name else part[part["model"] != LAMBDA]) if len(part) else None)
    return [count if count and count.total else None for count in counts]


def build(rows, spec, context, *, tables, marks, lambdas, mapping, capped_fits="") -> Table:
    """The claims of the ANE paper."""
    keys = ["dataset", "task", "method", "noise_id"]
    leaves = cells(rows, "n_leaves").rename(columns={"mean": "n_leaves"})[[*keys, "n_leaves"]]
    own = named(cells(rows).merge(leaves, on=keys), mapping)[COLUMNS]
    published = printed(tables, marks, lambdas)
    shared = published.merge(own[SETTING].drop_duplicates(), on=SETTING)
    both = own.merge(published[SETTING].drop_duplicates(), on=SETTING)
    note = f"Our cells count where the paper has them too; {ABSENT}: no such cell. Capped fits do not compare."
    counts = [check(part) for part in (published, shared, both)]
    return table(CLAIMS, counts, spec, context, note, capped_fits)
