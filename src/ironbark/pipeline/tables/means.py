"""Tables of means: of a measure with its spread, of errors as the RMBoost paper has them, of several measures."""

from functools import partial

import pandas as pd

from ironbark.pipeline import metrics
from ironbark.pipeline.results.records import NoResults
from ironbark.pipeline.statistics import ranks, significance
from ironbark.pipeline.tables.collect import cells, metric_of, select, selected, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table, cell_text, grid, headings, mean_text, notes_of, reading

#: Option ``spread`` -> factor of the standard deviation, and its name.
SPREADS = {"2sd": (2.0, "two standard deviations"), "sd": (1.0, "one standard deviation")}
CELL = ["dataset", "task", "method", "noise_id", "noise", "rate", "mean", "sd", "n", "failed", "highlighted"]
RISK, RISK_LABEL = "minimax-risk", "Minimax risk"
TOLERANCE = 1e-12  # equal errors may differ in the last bits of their means
ERROR = ["dataset", "task", "method", "noise_id", "noise", "rate", "mean", "sd", "n", "failed", "missing"]


def build_accuracy(rows, spec: dict, context) -> Table:
    """Rows data set and method, columns noise; mean and spread; the best methods bold."""
    metric, (factor, spread) = metric_of(spec), SPREADS[spec.get("spread", "2sd")]
    gathered = _highlighted(selected(rows, spec), spec, context.missing)
    names = headings(gathered, spec, context)
    text = partial(cell_text, text=partial(mean_text, factor=metric.factor, spread=factor))
    frame, bold = grid(gathered, names, ["dataset", "method"], "noise_id", text, "highlighted")
    caption, notes = context.caption(spec, reading(metric, gathered, spread)), notes_of(gathered, frame)
    if metric.larger_is_better:
        rule = ", or its 97.5 % t-interval meets that of the best"
        rule += " and no paired t-test at 5 % finds a better method" * (spec.get("bold") != "intervals")
        several = bool(gathered[["n", "failed", "missing"]].sum(axis=1).max() > 1)
        notes.insert(0, f"Bold: the largest mean of the data set and noise{rule * several}.")
    shown = [noise for noise, name in names["noise_id"].items() if name in frame]
    return Table(frame, gathered[CELL], bold, caption, notes, _kinds_of_noise(gathered, shown))


def _highlighted(rows, spec, missing):
    """The cells of a table, with a column that says which of them are bold."""
    gathered = selected_cells(rows, spec, missing)
    gathered["highlighted"] = significance.highlighted(gathered) & metric_of(spec).larger_is_better
    if spec.get("bold") == "intervals":
        return gathered
    bold = gathered[gathered["highlighted"]]
    keys = list(bold[["dataset", "task", "noise_id", "method"]].itertuples(index=False, name=None))
    worse = significance.beaten(rows, keys, spec.get("metric", "accuracy"))
    gathered.loc[[at for at, key in zip(bold.index, keys, strict=True) if key in worse], "highlighted"] = False
    return gathered


def _kinds_of_noise(gathered, noises):
    """A head for each column, as in the ANE paper: its noise model, where clean labels are the rate 0 of the next."""
    models = gathered.drop_duplicates("noise_id").set_index("noise_id")["noise"].reindex(noises)
    heads = models.mask(models == "clean").bfill().fillna("").str.replace("_", " ").str.capitalize().tolist()
    return heads if 1 < len(set(heads)) < len(heads) else []


def build_errors(rows, spec: dict, context) -> Table:
    """Blocks of noises; lines of methods and columns of data sets, or the other way round; the minimax risk apart."""
    chosen = selected(rows, spec)
    gathered = selected_cells(chosen, {**spec, "metric": "error"}, context.missing)
    smallest = gathered.groupby(["dataset", "noise_id"])["mean"].transform("min")
    gathered["best"] = gathered["mean"] <= smallest + TOLERANCE
    names = headings(gathered, spec, context)
    if "risk_of" in spec:
        risks = cells(chosen[chosen["method"] == spec["risk_of"]], "minimax_risk")
        gathered = pd.concat([gathered, risks.assign(method=RISK, best=False)], ignore_index=True)
        names["method"][RISK] = RISK_LABEL
    line, column = ("dataset", "method") if spec.get("columns") == "methods" else ("method", "dataset")
    text = partial(cell_text, text=printed_text)
    frame, bold = grid(gathered, names, ["noise_id", line], column, text, "best")
    about = f"{reading(metrics.resolve('error'), gathered)}; bold: the smallest mean"
    return Table(frame, gathered[ERROR], bold, context.caption(spec, about), notes_of(gathered, frame))


def printed_text(mean, sd=None):
    """A fraction in percent, whole from 10 on, as that paper has it: ``22 ± 3.5`` or ``8.5 ± 2.0``."""
    percent = 100 * mean
    text = f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"
    return text if sd is None else f"{text} ± {100 * sd:.1f}"


def build_measures(rows, spec: dict, context) -> Table:
    """Methods by the first measure, one column a measure."""
    chosen, names = select(rows, spec), spec["metrics"]
    entries = {name: metrics.resolve(name) for name in names}
    means, told, datasets = {}, {}, set()
    for name, metric in entries.items():
        gathered = selected_cells(chosen, spec | {"metric": name}, context.missing)
        complete, dropped = ranks.scores(gathered)
        means[name] = ranks.by_dataset(complete).mean()
        datasets |= set(complete.index.get_level_values("dataset"))
        for note in ranks.left_out(gathered, complete, dropped, context.methods):
            told.setdefault(note, []).append(metric.name)
    table = pd.DataFrame(means)
    if table.empty:
        raise NoResults(f"table {spec.get('id', '')!r} has no method with a value of {', '.join(names)}; add runs")
    table = table.sort_values(names[0], ascending=not entries[names[0]].larger_is_better, kind="stable")
    best = {name: table[name].agg("max" if metric.larger_is_better else "min") for name, metric in entries.items()}
    heads = [metric.with_unit for metric in entries.values()]
    index = pd.Index([context.methods[method] for method in table.index], name="Method")
    digits = {name: "{:.2g}" if metric.unit == "seconds" else "{:.2f}" for name, metric in entries.items()}
    texts = {name: (metric.factor * table[name]).map(digits[name].format) for name, metric in entries.items()}
    frame = pd.DataFrame(texts, dtype="str").where(table.notna(), ABSENT).set_axis(index).set_axis(heads, axis=1)
    bold = table.eq(pd.Series(best)).set_axis(index).set_axis(heads, axis=1)
    notes = [note if len(of) == len(entries) else f"{', '.join(of)}: {note}" for note, of in told.items()]
    n = len(datasets)
    about = f"Means over {n} data set{'s' * (n > 1)}, each of which counts once; bold: the best of a column"
    values = table.rename_axis("method").reset_index().melt("method", var_name="metric", value_name="mean")
    return Table(frame, values, bold, context.caption(spec, about), notes)
