"""Performance against robustness, as in Table 4 and Figures 1 and 3 of the RMBoost paper.

Performance is the average rank by clean error over the data sets, 1 for the best, ties shared; robustness the average
over the data sets of the error with noise minus that without.
"""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.results.records import NoResults
from ironbark.pipeline.statistics.concordance import spearman
from ironbark.pipeline.tables.collect import cells, select
from ironbark.pipeline.tables.result_table import Table, grid

CLEAN = "clean-0"
ROUNDED = 3  # decimals of a fraction: 0.1 %
OURS, SAME, PRINTED, TABLE_4 = "ours", "Table 3, these data sets", "Table 3", "Table 4"
RANK, RANK_ROUNDED = "average_rank", "average_rank_rounded"


def points(means: pd.DataFrame):
    """Average rank and increase of the error of each method."""
    keyed = means.assign(noise=_keys(means))
    wide = keyed.pivot(index="dataset", columns=["noise", "method"], values="mean").dropna().sort_index(axis=1)
    if wide.empty or CLEAN not in set(wide.columns.get_level_values("noise")):
        raise NoResults(
            "a trade-off needs a data set on which all methods have finished at all noises, one of them clean"
        )
    clean = wide[CLEAN]
    columns = {RANK: clean.rank(axis=1).mean(), RANK_ROUNDED: clean.round(ROUNDED).rank(axis=1).mean()}
    for noise in dict.fromkeys(keyed["noise"]):
        if noise != CLEAN:
            columns[noise] = (wide[noise] - clean).mean()
    methods = list(dict.fromkeys(means["method"]))
    return pd.DataFrame(columns).loc[methods], list(wide.index)


def _keys(frame):
    """Noise and rate as one word; ids of ours may be others."""
    return frame["noise"] + "-" + frame["rate"]


def sources(rows: pd.DataFrame, spec: dict, printed: pd.DataFrame, tradeoff: pd.DataFrame, mapping):
    """The points of our rows and of the published table."""
    ours, datasets = points(cells(select(rows, spec), "error"))
    mapping = mapping["classifier"]
    print3 = printed[printed["table"] == "3"].assign(method=lambda f: f["method"].map(mapping)).dropna(subset="method")
    ours = ours.loc[[method for method in spec.get("methods") or ours.index if method in ours.index]]
    same = print3[print3["dataset"].isin(datasets) & print3["method"].isin(ours.index)]
    if same.empty:
        raise InputError(f"Table 3 has none of the data sets {', '.join(datasets)}; check those of the trade-off")
    table4 = tradeoff.assign(method=tradeoff["method"].map(mapping)).dropna(subset="method")
    wide = table4.assign(noise=_keys(table4)).pivot(index="method", columns="noise", values="value")
    wide = wide.rename(columns={CLEAN: RANK})
    points_of = {OURS: ours, SAME: points(same)[0], PRINTED: points(print3)[0], TABLE_4: wide}
    if len(same) == len(print3):
        del points_of[SAME]
    return points_of, datasets


def build(rows, spec, context, *, printed, tradeoff, mapping) -> Table:
    """Table 4 from our errors, from the published Table 3, and as published."""
    points_of, datasets = sources(rows, spec, printed, tradeoff, mapping)
    ours = points_of[OURS]
    heads = {RANK: "Average rank", RANK_ROUNDED: "Rank of rounded errors"}
    heads |= {key: f"Increase, {context.noises[i]}" for i, key in ids_of(rows, spec).items() if key in ours}
    values = pd.concat([table.assign(source=source) for source, table in points_of.items()]).rename_axis("method")
    cells = values.reset_index().melt(["method", "source"], list(heads), "column").dropna()
    methods = {method: context.methods[method] for method in ours.index}
    names = {"method": methods, "source": dict(zip(points_of, points_of, strict=True)), "column": heads}
    cells["value"] *= np.where(cells["column"].isin((RANK, RANK_ROUNDED)), 1, 100)  # increases in points
    frame, _ = grid(cells, names, ["method", "source"], "column", lambda cell: f"{cell.value:.2f}")
    sets = ", ".join(context.datasets[name] for name in datasets)
    reading = (
        f"Average rank by clean error (1 is best, ties shared) and average increase of the error in points, over {sets}"
    )
    caption = context.caption(spec, reading)
    return Table(frame, values.reset_index(), None, caption, _notes(points_of, heads))


def ids_of(rows, spec):
    """Noise id -> column of the points, in the order of the spec."""
    columns = dict(zip(rows["noise_id"], _keys(rows), strict=True))
    return {name: columns[name] for name in spec.get("noises") or columns if name in columns}


def _notes(points_of, heads):
    """Correlation of the methods with those of the paper, on the same data sets."""
    source = SAME if SAME in points_of else PRINTED
    ours, theirs = points_of[OURS], points_of[source]
    found = {head: spearman(ours[column], theirs[column]) for column, head in heads.items() if column in theirs}
    parts = [f"{head} {rho:.2f}" for head, rho in found.items() if not pd.isna(rho)]
    return [f"Spearman correlation of our methods with {source}: {'; '.join(parts)}."] if parts else []
