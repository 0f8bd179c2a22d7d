"""Accuracies of a method and its rivals with marks of significance, and wins, ties and losses below."""

from functools import partial

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order, select, selected_cells
from ironbark.pipeline.analysis.statistics.significance import ALPHA, RUN, possible, verdicts, win_tie_loss
from ironbark.pipeline.analysis.tables.result_table import Table, cell_text, fits_text, footnotes, mean_text
from ironbark.pipeline.results.records import FAILED

#: Verdict on the tested method -> mark at the rival.
MARKS = {"win": "•", "loss": "◦", "tie": ""}
WORDS = {
    "paired": "paired t-test over all runs",
    "trial-means": "paired t-test over the means of the repeats",
    "corrected": "paired t-test corrected for overlapping training sets (Nadeau and Bengio)",
}
TOTAL = "Win/tie/loss"


def build(rows, spec: dict, context) -> Table:
    """Rows data set and noise, columns methods: the first method against each of the others."""
    chosen = select(rows, spec)
    metric = metric_of(spec)
    datasets, methods, noises = order(chosen, spec)
    methods = [method for method in methods if method in set(chosen["method"])]
    if len(methods) < 2:
        raise InputError(f"table {spec.get('id', '')!r} needs results of two methods; check its methods and noises")
    gathered = selected_cells(chosen, spec, context.missing)
    paired = _complete(chosen, methods)
    found = {test: _verdicts(paired, methods, test, spec, metric) for test in possible(chosen)}
    shown = spec.get("test", next(iter(found)))
    if shown not in found:
        raise InputError(f"the protocol does not allow the test {shown!r}; use {' or '.join(map(repr, found))}")
    at = {(cell.dataset, cell.noise_id, cell.method): cell for cell in gathered.itertuples()}
    marks = {(v.dataset, v.noise_id, v.rival): MARKS[v.verdict] for v in found[shown].itertuples()}
    keys = [(d, n) for d in datasets for n in noises if any((d, n, m) in at for m in methods)]
    lines = [[_text(at, marks, (*key, method), metric.factor) for method in methods] for key in keys]
    named = [(context.datasets[d], context.noises[n]) for d, n in keys]
    for test, about in found.items():
        counts = win_tie_loss(about).reindex(methods[1:], fill_value=0)
        lines.append(["", *("/".join(map(str, line)) for line in counts.to_numpy())])
        named.append((TOTAL, test))
    index = pd.MultiIndex.from_tuples(named, names=["Data set", "Noise"])
    columns = [context.methods[method] for method in methods]
    frame = pd.DataFrame(lines, index, columns, dtype="str")
    caption = context.caption(spec, *_reading(spec, metric, gathered, columns[0], shown))
    notes = _notes(found, frame, chosen, paired, gathered)
    return Table(frame, _tidy(gathered, found), pd.DataFrame(False, index, columns), caption, notes)


def _complete(rows, methods):
    """Rows of the settings of data set and noise in which all methods have finished the same runs."""
    whole = []
    for _, setting in rows.groupby(RUN[:3]):
        runs = [set(own[["repeat", "fold"]].itertuples(index=False, name=None)) for _, own in setting.groupby("method")]
        alike = len(runs) == len(methods) and all(own == runs[0] for own in runs)
        if alike and not (setting["status"] == FAILED).any():
            whole.append(setting)
    return pd.concat(whole) if whole else rows.iloc[:0]


def _verdicts(rows, methods, test, spec, metric):
    name = spec.get("metric", "accuracy")
    sign = 1 if metric.larger_is_better else -1
    signed, alpha = rows.assign(**{name: sign * rows[name]}), spec.get("alpha", ALPHA)
    found = verdicts(signed, methods[0], methods[1:], test=test, alpha=alpha, metric=name)
    return found.assign(difference=sign * found["difference"], t=sign * found["t"])


def _text(at, marks, key, factor):
    """``72.14 ± 8.22 •``; a cell that was not run is a dash."""
    text = cell_text(at.get(key), partial(mean_text, factor=factor))
    return f"{text} {marks[key]}" if marks.get(key) else text


def _tidy(gathered, found):
    """Cells, and for rivals the difference, and t, p and verdict of each test."""
    tidy = gathered[["dataset", "task", "method", "noise", "rate", "noise_id", "mean", "sd", "n", "failed"]]
    for test, about in found.items():
        columns = {"rival": "method", "t": f"t_{test}", "p": f"p_{test}", "verdict": f"verdict_{test}"}
        kept = ["dataset", "task", "noise_id", *columns, *(["difference"] if test == next(iter(found)) else [])]
        tidy = tidy.merge(about[kept].rename(columns=columns), how="left", on=["dataset", "task", "noise_id", "method"])
    return tidy.drop(columns="noise_id")


def _reading(spec, metric, gathered, first, test):
    unit = f" in {metric.unit}" * bool(metric.unit)
    reading = f"{metric.name}{unit}, mean of {fits_text(gathered)} fits ± one standard deviation"
    level = f"{100 * spec.get('alpha', ALPHA):g} %"
    rule = f"• and ◦: {first} is significantly better and worse, {WORDS[test]}, two-sided at {level}"
    return reading, rule


def _notes(found, frame, rows, paired, gathered):
    notes = [f"{TOTAL}, {test}: {WORDS[test]}; differences that do not vary are ties." for test in found]
    settings, tested = (len(part.groupby(RUN[:3])) for part in (rows, paired))
    if tested < settings:
        notes.append(f"{settings - tested} of {settings} data sets and noises lack fits and are not tested.")
    return notes + footnotes(gathered, frame)
