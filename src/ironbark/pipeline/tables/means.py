"""Tables of means: of a measure with its spread, of errors as the RMBoost paper has them, of several measures."""

from functools import partial

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected
from ironbark.pipeline.tables.kinds import Names
from ironbark.pipeline.tables.result_table import (
    ABSENT,
    Table,
    cell_text,
    fits_text,
    footnotes,
    grid,
    highlighted_cells,
    highlights,
    mean_text,
)

#: Option ``spread`` -> factor of the standard deviation, and its name.
SPREADS = {"2sd": (2.0, "two standard deviations"), "sd": (1.0, "one standard deviation")}
CELL = ["dataset", "task", "method", "noise", "rate", "mean", "sd", "n", "failed", "highlighted"]
RISK, RISK_LABEL = "minimax-risk", "Minimax risk"
TOLERANCE = 1e-12  # equal errors may differ in the last bits of their means
ERROR = ["dataset", "task", "method", "noise_id", "noise", "rate", "mean", "sd", "n", "failed", "missing"]


def build_accuracy(rows, spec: dict, context) -> Table:
    """Rows data set and method, columns noise; mean and spread; the best methods bold."""
    spread = spec.get("spread", "2sd")
    if spread not in SPREADS:
        raise InputError(f"spread {spread!r} is unknown; choose one of {', '.join(SPREADS)}")
    gathered = highlighted_cells(rows, spec, context.missing)
    datasets, methods, noises = order(gathered, spec)
    at = {(cell.dataset, cell.method, cell.noise_id): cell for cell in gathered.itertuples()}
    keys = [(dataset, method) for dataset in datasets for method in methods]
    lines = {(d, m): (context.datasets[d], context.methods[m]) for d, m in keys if any((d, m, n) in at for n in noises)}
    columns = {noise: context.noises[noise] for noise in noises}
    shown = partial(mean_text, factor=metric_of(spec).factor, spread=SPREADS[spread][0])
    text = partial(cell_text, text=shown)
    frame, bold = grid(at, lines, columns, ["Data set", "Method"], text, lambda cell: cell.highlighted)
    caption = context.caption(spec, _reading(gathered, spec, SPREADS[spread][1]))
    notes = [*_bold_rule(gathered, spec), *footnotes(gathered, frame)]
    return Table(frame, gathered[CELL], bold, caption, notes, _kinds_of_noise(gathered, noises))


def _kinds_of_noise(gathered, noises):
    """A head for each column, as in the ANE paper: its noise model, where clean labels are the rate 0 of the next."""
    models = gathered.drop_duplicates("noise_id").set_index("noise_id")["noise"].reindex(noises)
    heads = models.mask(models == "clean").bfill().fillna("").str.replace("_", " ").str.capitalize().tolist()
    return heads if 1 < len(set(heads)) < len(heads) else []


def _reading(gathered, spec, spread):
    """How to read the cells."""
    metric, fits = metric_of(spec), fits_text(gathered)
    unit = f" in {metric.unit}" * bool(metric.unit)
    text = f"{metric.name}{unit}, mean of {fits} fit{'s' * (fits != '1')}"
    return text + f" ± {spread}" * _several(gathered)


def _several(gathered):
    """Whether some cell has more than one fit."""
    return bool((gathered["n"] + gathered["failed"] + gathered["missing"]).max() > 1)


def _bold_rule(gathered, spec):
    """What bold cells are, as a list of one note; empty where none are bold."""
    rule = ", or no paired t-test at 5 % finds a better method and its 97.5 % t-interval meets that of the best"
    note = f"Bold: the largest mean of the data set and noise{rule * _several(gathered)}."
    return [note] * bool(highlights(spec))


def build_errors(rows, spec: dict, context) -> Table:
    """Blocks of noises; lines of methods and columns of data sets, or the other way round; the minimax risk apart."""
    chosen = selected(rows, spec)
    absent = None if context.missing is None else select(context.missing, spec)
    gathered = cells(chosen, "error", absent)
    smallest = gathered.groupby(["dataset", "noise_id"])["mean"].transform("min")
    gathered["best"] = gathered["mean"] <= smallest + TOLERANCE
    datasets, methods, noises = order(gathered, spec)
    names = Names(context.methods | {RISK: RISK_LABEL})
    if "risk_of" in spec:
        risks = cells(chosen[chosen["method"] == spec["risk_of"]], "minimax_risk")
        gathered = pd.concat([gathered, risks.assign(method=RISK, best=False)], ignore_index=True)
        methods = [*methods, RISK]
    sides = [("Method", "method", methods, names), ("Data set", "dataset", datasets, context.datasets)]
    down, across = sides[::-1] if spec.get("columns") == "methods" else sides
    (head, line_key, lines, line_names), (_, column_key, columns, column_names) = down, across
    at = {(cell.noise_id, getattr(cell, line_key), getattr(cell, column_key)): cell for cell in gathered.itertuples()}
    keys = [(noise, line) for noise in noises for line in lines if any((noise, line, c) in at for c in columns)]
    heads = {c: column_names[c] for c in columns if any((*key, c) in at for key in keys)}
    lines = {(noise, line): (context.noises[noise], line_names[line]) for noise, line in keys}
    text = partial(cell_text, text=printed_text)
    frame, bold = grid(at, lines, heads, ["Noise", head], text, lambda cell: cell.best)
    reading = f"Test error in percent, mean of {fits_text(gathered)} fits ± one standard deviation; bold: the smallest "
    caption = context.caption(spec, reading + "mean")
    return Table(frame, gathered[ERROR], bold, caption, footnotes(gathered, frame))


def printed_text(mean, sd=None):
    """A fraction in percent, whole from 10 on, as that paper has it: ``22 ± 3.5`` or ``8.5 ± 2.0``."""
    percent = 100 * mean
    text = f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"
    return text if sd is None else f"{text} ± {100 * sd:.1f}"


def build_measures(rows, spec: dict, context) -> Table:
    """Methods by the first measure, one column a measure."""
    chosen, names = select(rows, spec), spec["metrics"]
    entries = {name: metrics.resolve(name) for name in names}
    means, notes = {}, []
    for name, metric in entries.items():
        complete, dropped = ranks.scores(cells(chosen, name))
        means[name] = ranks.by_dataset(complete).mean()
        notes += [f"{metric.name}: {note}" for note in ranks.left_out(dropped)]
    table = pd.DataFrame(means)
    if table.empty:
        raise InputError(f"table {spec.get('id', '')!r} has no method with a value of {', '.join(names)}; add runs")
    table = table.sort_values(names[0], ascending=not entries[names[0]].larger_is_better, kind="stable")
    best = {name: table[name].agg("max" if metric.larger_is_better else "min") for name, metric in entries.items()}
    heads = [f"{metric.name} ({metric.unit})" if metric.unit else metric.name for metric in entries.values()]
    index = pd.Index([context.methods[method] for method in table.index], name="Method")
    texts = {name: [_measure_text(value, metric) for value in table[name]] for name, metric in entries.items()}
    frame = pd.DataFrame(texts, index, dtype="str").set_axis(heads, axis=1)
    bold = table.eq(pd.Series(best)).set_axis(index).set_axis(heads, axis=1)
    reading = (
        f"Means over {chosen['dataset'].nunique()} data sets, each of which counts once; bold: the best of a column"
    )
    values = table.rename_axis("method").reset_index().melt("method", var_name="metric", value_name="mean")
    return Table(frame, values, bold, context.caption(spec, reading), notes)


def _measure_text(value, metric):
    if pd.isna(value):
        return ABSENT
    return f"{metric.factor * value:.2g}" if metric.unit == "seconds" else f"{metric.factor * value:.2f}"
