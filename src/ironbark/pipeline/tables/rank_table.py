"""Average ranks per data set next to the published ones, as in Tables 1 and 2 of the Robust-GBDT paper.

In each setting of data set and noise, methods are ranked by their mean; ties share the best rank. A data set's line
holds the means of these ranks over the noises. A method without a result counts as tied last, one rank behind the
others: with this rule the published averages follow from the published lines.
"""

import pandas as pd

from ironbark.pipeline import metrics
from ironbark.pipeline.statistics.concordance import LEVEL, spearman, spearman_interval
from ironbark.pipeline.statistics.ranks import DIGITS, setting_ranks
from ironbark.pipeline.tables.collect import metric_of, order, selected, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table

OURS, PUBLISHED = "ours", "published"
SAME, ALL, AS_PUBLISHED = "published, these data sets", "published, all data sets", "as published"
AGREEMENT = "Spearman"


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
    theirs = own.pivot(index="dataset", columns="method", values="average_rank")
    theirs = theirs.reindex(dict.fromkeys(own["dataset"]), columns=[name for name in methods if name in theirs])
    lines = []
    for dataset in ours.index:
        name = context.datasets[dataset]
        lines.append((name, OURS, dataset, ours.loc[dataset], None))
        if dataset in theirs.index:
            published = theirs.loc[dataset].reindex(methods)
            lines.append((name, PUBLISHED, dataset, published, spearman(ours.loc[dataset], published)))
    shared = [name for name in ours.index if name in theirs.index]
    means = {OURS: tied_last(ours).mean()}
    if shared and len(shared) < len(theirs):
        means[SAME] = tied_last(theirs.loc[shared]).mean().reindex(methods)
    means[ALL] = tied_last(theirs).mean().reindex(methods)
    means[AS_PUBLISHED] = _renamed(averages, spec).set_index("method")["published_average"].reindex(methods)
    rho = {source: spearman(means[OURS], means[source]) for source in (SAME, ALL) if source in means}
    lines += [("Average", source, "average", mean, rho.get(source)) for source, mean in means.items()]
    table = _table(lines, methods, context, context.caption(spec, _reading(spec, gathered, ranks)), _notes(gathered))
    _add_precision(table.frame, tied_last(ours), tied_last(theirs.loc[shared]))
    return table


def _add_precision(frame, ours, theirs):
    """Add standard errors over the data sets to our averages, and an interval to the correlation on shared sets."""
    shown = frame.loc[("Average", OURS)].to_numpy()[:-1]
    errors = [f"{mean} ± {error:.2f}" for mean, error in zip(shown, ours.sem(), strict=True)]
    frame.loc[("Average", OURS), frame.columns[:-1]] = errors if len(ours) > 1 else shown
    line = ("Average", SAME if ("Average", SAME) in frame.index else ALL)
    if len(theirs) > 2:
        low, high = spearman_interval(ours.loc[theirs.index, theirs.columns], theirs)
        frame.loc[line, AGREEMENT] += f" [{low:.2f}, {high:.2f}]"


def _renamed(printed, spec):
    """The published lines of the task, with our ids of the methods."""
    own = printed[printed["task"] == spec["task"]]
    return own.assign(method=own["method"].map(spec["printed_methods"]))


def _table(lines, methods, context, caption, notes):
    index = pd.MultiIndex.from_tuples([line[:2] for line in lines], names=["Data set", "Ranks"])
    columns = [*(context.methods[method] for method in methods), AGREEMENT]
    text, bold, tidy = [], [], []
    for _, source, dataset, values, rho in lines:
        text.append([*(ABSENT if pd.isna(v) else f"{v:.2f}" for v in values), _signed(rho)])
        bold.append([*(values == values.min()), False])
        found = {**values, **({} if rho is None else {AGREEMENT: rho})}
        tidy += [(dataset, source, name, value) for name, value in found.items()]
    frame = pd.DataFrame(text, index, columns, dtype="str")
    values = pd.DataFrame(tidy, columns=["dataset", "ranks", "method", "average_rank"])
    return Table(frame, values, pd.DataFrame(bold, index, columns), caption, notes)


def _signed(value):
    return "" if value is None else ABSENT if pd.isna(value) else f"{value:.2f}"


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
