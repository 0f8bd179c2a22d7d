"""Average ranks per data set next to the published ones, as in Tables 1 and 2 of the Robust-GBDT paper.

In each setting of data set and noise, methods are ranked by their mean; ties share the best rank. A data set's line
holds the means of these ranks over the noises. A method without a result counts as tied last, one rank behind the
others: with this rule the published averages follow from the published lines.
"""

from typing import NamedTuple

import pandas as pd

from ironbark.pipeline import metrics
from ironbark.pipeline.statistics.concordance import LEVEL, spearman, spearman_interval
from ironbark.pipeline.statistics.ranks import DIGITS, setting_ranks
from ironbark.pipeline.tables.collect import metric_of, order, selected, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

OURS, PUBLISHED = "ours", "published"
SAME, ALL, AS_PUBLISHED = "published, these data sets", "published, all data sets", "as published"
AGREEMENT = "Spearman"


class Line(NamedTuple):
    """A line of the table."""

    name: str
    source: str
    dataset: str
    ranks: pd.Series  # by method
    rho: float | None = None  # correlation with our ranks
    errors: pd.Series | None = None  # standard errors over the data sets
    interval: tuple[float, float] | None = None  # of the correlation


def ranked(gathered, metric):
    """Rank of each method (columns) in each setting (index dataset, noise_id); NaN without a result."""
    wide = gathered.pivot(index=["dataset", "noise_id"], columns="method", values="mean").round(DIGITS)
    return setting_ranks(wide if metrics.resolve(metric).larger_is_better else -wide, ties="min")


def tied_last(ranks):
    """Ranks with those that are missing one behind the number of the others in their line."""
    last = ranks.notna().sum(axis=1) + 1
    return ranks.apply(lambda column: column.fillna(last))


def by_dataset(ranks):
    """Mean ranks over the noises, one line per data set; NaN for a method that has no result there at all."""
    means, known = (frame.groupby("dataset", sort=False) for frame in (tied_last(ranks), ranks.notna()))
    return means.mean().where(known.any())


def build(rows, spec: dict, context, *, printed: pd.DataFrame, averages: pd.DataFrame):
    """Lines of average ranks, ours and published in turn, and their averages."""
    gathered = selected_cells(selected(rows, spec), spec)
    datasets, methods, _ = order(gathered, spec)
    ranks = ranked(gathered, spec.get("metric", "accuracy"))
    ours = by_dataset(ranks).reindex(columns=methods)
    ours = ours.loc[[name for name in datasets if name in ours.index]]
    own = _renamed(printed, spec)
    theirs = own.pivot(index="dataset", columns="method", values="average_rank").reindex(dict.fromkeys(own["dataset"]))
    shared = [name for name in ours.index if name in theirs.index]
    lines = [*_of_datasets(ours, theirs, context.datasets), *_averages(ours, theirs, shared, _renamed(averages, spec))]
    return _table(lines, methods, context, context.caption(spec, _reading(spec, gathered, ranks)), _notes(gathered))


def _of_datasets(ours, theirs, labels):
    """Lines of each data set: ours, and the published one if there is one."""
    for dataset, ranks in ours.iterrows():
        yield Line(labels[dataset], OURS, dataset, ranks)
        if dataset in theirs.index:
            published = theirs.loc[dataset].reindex(ours.columns)
            yield Line(labels[dataset], PUBLISHED, dataset, published, spearman(ranks, published))


def _averages(ours, theirs, shared, averages):
    """Lines of averages; the interval of the correlation is that of the data sets in both."""
    mean, errors = tied_last(ours).mean(), tied_last(ours).sem() if len(ours) > 1 else None
    yield Line("Average", OURS, "average", mean, errors=errors)
    theirs = tied_last(theirs)  # of all methods of the paper
    common = [name for name in ours if name in theirs]
    interval = spearman_interval(tied_last(ours).loc[shared, common], theirs.loc[shared])
    parts = {SAME: shared} if shared and len(shared) < len(theirs) else {}
    for source, part in (parts | {ALL: theirs.index}).items():
        published = theirs.loc[part].mean().reindex(ours.columns)
        known = interval if len(part) == len(shared) > 2 else None
        yield Line("Average", source, "average", published, spearman(mean, published), interval=known)
    published = averages.set_index("method")["published_average"].reindex(ours.columns)
    yield Line("Average", AS_PUBLISHED, "average", published)


def _renamed(printed, spec):
    """The published lines of the task, with our ids of methods that are ours too."""
    own = printed[printed["task"] == spec["task"]]
    return own.assign(method=own["method"].map(spec["printed_methods"]).fillna("published " + own["method"]))


def _table(lines, methods, context, caption, notes):
    index = pd.MultiIndex.from_tuples([(line.name, line.source) for line in lines], names=["Data set", "Ranks"])
    columns = [*(context.methods[method] for method in methods), AGREEMENT]
    bold = [[*(line.ranks == line.ranks.min()), False] for line in lines]
    frame = pd.DataFrame([_cells(line) for line in lines], index, columns, dtype="str")
    values = pd.concat(map(_values, lines), ignore_index=True)
    return Table(frame, values, pd.DataFrame(bold, index, columns), caption, notes)


def _cells(line):
    """The texts of a line."""
    cells = [ABSENT if pd.isna(value) else f"{value:.2f}" for value in line.ranks]
    if line.errors is not None:
        cells = [f"{cell} ± {error:.2f}" for cell, error in zip(cells, line.errors, strict=True)]
    rho = "" if line.rho is None else ABSENT if pd.isna(line.rho) else f"{line.rho:.2f}"
    return [*cells, rho if line.interval is None else "{} [{:.2f}, {:.2f}]".format(rho, *line.interval)]


def _values(line):
    """The numbers of a line, with the standard errors of ranks and the interval of the correlation."""
    found = pd.DataFrame({"average_rank": line.ranks, "standard_error": line.errors})
    if line.rho is not None:
        found.loc[AGREEMENT, ["average_rank", "low", "high"]] = [line.rho, *(line.interval or (None, None))]
    found = found.rename_axis("method").reset_index().assign(dataset=line.dataset, ranks=line.source)
    return found.reindex(columns=["dataset", "ranks", "method", "average_rank", "standard_error", "low", "high"])


def _reading(spec, gathered, ranks):
    noises, fits = ranks.index.get_level_values("noise_id").nunique(), int(gathered["n"].max())
    return (
        f"Rank by {metric_of(spec).inline} (1 is best, ties share the best rank), mean over {noises} "
        f"noise{'s' * (noises != 1)} of the ranks of means over {fits} fit{'s' * (fits != 1)}; bold: the best"
    )


def _notes(gathered):
    failed = int(gathered["failed"].sum())
    return [
        "A method without a result counts as tied last in the averages, one rank behind the others of its line.",
        "In a published line with dashes, the other methods are ranked among themselves.",
        f"±: standard error over the data sets. {AGREEMENT}: correlation of the published line with ours; in brackets "
        f"{100 * LEVEL:g} % of bootstrap draws of data sets.",
        f"The line {AS_PUBLISHED!r} is the paper's own; for several classes it divides by 15 in place of 10.",
        *[f"{failed} fits failed and are left out."] * bool(failed),
    ]
