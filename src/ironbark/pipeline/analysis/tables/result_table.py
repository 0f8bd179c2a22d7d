"""Tables for readers: display strings, the numbers behind them, bold cells, caption and notes."""

from dataclasses import dataclass, field

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, order, select
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.statistics.highlight import highlighted
from ironbark.pipeline.analysis.tables.captions import sentences

#: Option ``spread`` -> factor of the standard deviation.
SPREADS = {"2sd": 2.0, "sd": 1.0}
SPREAD_TEXT = {"2sd": "two standard deviations", "sd": "one standard deviation"}
ABSENT = "–"
TIDY = ["dataset", "task", "method", "noise", "rate", "mean", "sd", "n", "failed", "highlighted"]


@dataclass(frozen=True, eq=False)
class Table:
    """A table ready for `ironbark.pipeline.analysis.tables.layout.write`.

    Attributes
    ----------
    frame : DataFrame of str
        Display text; the index holds the row headings, its names the headings of their columns.
    values : DataFrame
        Tidy numbers behind the text, not rounded.
    bold : DataFrame of bool
        Of the shape of `frame`.
    caption : str
    notes : list of str
        Footnotes.
    """

    frame: pd.DataFrame
    values: pd.DataFrame
    bold: pd.DataFrame
    caption: str
    notes: list = field(default_factory=list)


def build(rows, spec, labels=None, noise_labels=None, dataset_labels=None, *, caption_note="", missing=None):
    """The table that ``spec["kind"]`` names in `TABLES`, from the rows that `spec` selects.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.pipeline.results.records`.
    spec : dict
        ``kind``; the selection of `ironbark.pipeline.analysis.collect.select`; ``caption``, ``metric`` (accuracy by
        default), ``spread`` (``2sd`` or ``sd``), ``highlight`` (true by default where larger is better), ``alpha``
        (0.05 by default).
    labels, noise_labels, dataset_labels : dict, optional
        Id -> display name; an id without a name is shown itself.
    caption_note : str
        Appended to the caption: the scale and what it caps.
    missing : DataFrame, optional
        From `ironbark.pipeline.analysis.collect.refuse_holes`.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        If kind, spread or metric is unknown, or nothing is selected.
    """
    if spec.get("kind") not in TABLES:
        raise InputError(f"table kind {spec.get('kind')!r} is unknown; choose one of {', '.join(TABLES)}")
    if spec.get("spread", "2sd") not in SPREADS:
        raise InputError(f"spread {spec['spread']!r} is unknown; choose one of {', '.join(SPREADS)}")
    chosen = select(rows, spec)
    if chosen.empty:
        raise InputError(f"no result row is in table {spec.get('id', '')!r}; check its datasets, methods and noises")
    missing = None if missing is None else select(missing, spec)
    gathered = cells(chosen, spec.get("metric", "accuracy"), missing)
    gathered["highlighted"] = highlighted(gathered) & _highlights(spec)
    names = (labels or {}, noise_labels or {}, dataset_labels or {})
    return TABLES[spec["kind"]](gathered, order(gathered, spec), spec, names, caption_note)


def _metric(spec):
    return metrics.resolve(spec.get("metric", "accuracy"))


def _highlights(spec):
    return spec.get("highlight", True) and _metric(spec).larger_is_better


def accuracy(gathered, ids, spec, names, caption_note):
    """Rows data set and method, columns noise; mean and spread; the best methods bold."""
    datasets, methods, noises = ids
    labels, noise_labels, dataset_labels = names
    at = {(cell.dataset, cell.method, cell.noise_id): cell for cell in gathered.itertuples()}
    spread = spec.get("spread", "2sd")
    keys = [(dataset, method) for dataset in datasets for method in methods]
    keys = [key for key in keys if any((*key, noise) in at for noise in noises)]
    text, bold = [], []
    for key in keys:
        line = [at.get((*key, noise)) for noise in noises]
        text.append([cell_text(cell, SPREADS[spread], _metric(spec).factor) for cell in line])
        bold.append([cell is not None and bool(cell.highlighted) for cell in line])
    shown = [(dataset_labels.get(dataset, dataset), labels.get(method, method)) for dataset, method in keys]
    index = pd.MultiIndex.from_tuples(shown, names=["Data set", "Method"])
    columns = [noise_labels.get(noise, noise) for noise in noises]
    frame = pd.DataFrame(text, index, columns, dtype="str")
    caption = sentences(spec.get("caption", ""), _reading(gathered, spec, spread), caption_note)
    return Table(frame, gathered[TIDY], pd.DataFrame(bold, index, columns), caption, _notes(gathered, frame))


def cell_text(cell, spread, factor):
    """Display text of a cell: ``94.00 ± 0.48 †1``."""
    if cell is None or (cell.n == 0 and cell.failed == 0):
        return ABSENT
    parts = [f"{factor * cell.mean:.2f}" if cell.n else ABSENT]
    if cell.n > 1:
        parts.append(f"± {factor * spread * cell.sd:.2f}")
    if cell.failed:
        parts.append(f"†{cell.failed}")
    if cell.missing:
        parts.append(f"‡{cell.missing}")
    return " ".join(parts)


def _reading(gathered, spec, spread):
    """How to read the cells."""
    counts = sorted(set(gathered["n"] + gathered["failed"] + gathered["missing"]))
    fits = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    metric = _metric(spec)
    unit = f" in {metric.unit}" * bool(metric.unit)
    text = f"{metric.name}{unit}, mean of {fits} fit{'s' * (fits != '1')}"
    if counts[-1] > 1:
        text += f" ± {SPREAD_TEXT[spread]}"
    if _highlights(spec):
        rule = " or its 97.5 % t-interval meets that of the best" if counts[-1] > 1 else ""
        text += f"; bold: the largest mean of the data set and noise{rule}"
    return text


def _notes(gathered, frame):
    """Footnotes for the marks that occur."""
    fits = int((gathered["n"] + gathered["failed"]).sum())
    notes = []
    if gathered["failed"].any():
        failed = int(gathered["failed"].sum())
        notes.append(f"†k: k fits of the cell failed and are not in its mean; {failed} of {fits} fits failed.")
    if gathered["missing"].any():
        notes.append(f"‡k: k fits of the cell were not run; {int(gathered['missing'].sum())} in all.")
    empty = gathered[(gathered["n"] == 0) & (gathered["failed"] == 0) & (gathered["missing"] == 0)]
    if len(empty):
        reason = "for example because a method has no probabilities; the column `message` of rows.parquet says why"
        notes.append(f"{ABSENT}: not run, or without a value of this metric, {reason}.")
    elif (frame == ABSENT).any(axis=None):
        notes.append(f"{ABSENT}: not run.")
    return notes


def average_rank(gathered, ids, spec, names, caption_note):
    """Average rank of each method over the data sets, by noise and over all; bold: within reach of the best."""
    labels, noise_labels, _ = names
    complete, dropped = ranks.scores(gathered)
    complete = complete if _metric(spec).larger_is_better else -complete
    if complete.empty or complete.shape[1] < 2:
        raise InputError("ranks need two methods and a data set and noise that all of them have finished; add runs")
    by_setting = ranks.setting_ranks(complete)
    overall = ranks.average_ranks(complete)
    by_noise = by_setting.groupby("noise_id").mean().T
    table = by_noise[[noise for noise in ids[2] if noise in by_noise]].assign(all=overall).loc[overall.index]
    difference = ranks.critical_difference(complete.shape[1], len(complete), spec.get("alpha", 0.05))
    bold = pd.DataFrame(False, table.index, table.columns)
    bold["all"] = overall <= overall.iloc[0] + difference
    frame = table.map("{:.2f}".format)
    index = pd.Index([labels.get(method, method) for method in table.index], name="Method")
    columns = [*(noise_labels.get(noise, noise) for noise in table.columns[:-1]), "All"]
    frame, bold = frame.set_axis(index).set_axis(columns, axis=1), bold.set_axis(index).set_axis(columns, axis=1)
    caption = sentences(spec.get("caption", ""), _rank_reading(complete, difference, spec), caption_note)
    values = table.rename_axis("method").reset_index().melt("method", var_name="noise_id", value_name="average_rank")
    values["settings"] = values["noise_id"].map({**by_setting.groupby("noise_id").size(), "all": len(complete)})
    notes = ["The settings of one data set share their test set, so the p-value is a guide only."]
    absent = [labels.get(method, method) for method in ids[1] if method not in complete]
    if absent:
        notes.append(f"Not ranked, since no fit has finished: {', '.join(absent)}.")
    if dropped:
        notes.append(f"{dropped} settings are left out, since some method has no finished fit there.")
    return Table(frame, values, bold, caption, notes)


def _rank_reading(complete, difference, spec):
    name = _metric(spec).inline
    text = f"Average rank by {name} (1 is best, ties shared) over {len(complete)} settings of data set and noise"
    if complete.shape[1] > 2 and len(complete) > 1:
        statistic, p = ranks.friedman(complete)
        p_text = "< 0.001" if p < 0.001 else f"= {p:.3f}"
        text += f"; Friedman chi-square {statistic:.2f}, p {p_text}"
    level = spec.get("alpha", 0.05)
    return f"{text}; Nemenyi critical difference {difference:.2f} at level {level:g}; bold: within it of the best"


#: Kind -> builder(cells, ids, spec, names, caption_note).
TABLES = {"accuracy": accuracy, "ranks": average_rank}
