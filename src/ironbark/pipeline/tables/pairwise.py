"""Tables of methods against each other: tests with marks, differences of pairs."""

from functools import partial

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.results.records import FAILED, NoResults
from ironbark.pipeline.statistics.significance import RUN, possible, verdicts, win_tie_loss
from ironbark.pipeline.tables.collect import metric_of, order, select, selected_cells
from ironbark.pipeline.tables.result_table import ABSENT, Table, cell_text, grid, headings, mean_text, notes_of, reading

#: Verdict on the tested method -> mark at the rival.
MARKS = {"win": "•", "loss": "◦", "tie": "", "untested": ""}
WORDS = {
    "paired": "paired t-test over all runs, for these samples only",
    "trial-means": "paired t-test over the means of the repeats",
    "corrected": "paired t-test corrected for overlapping training sets (Nadeau and Bengio)",
}
TOTAL = "Win/tie/loss"
RUN_OF_PAIR = ["dataset", "noise_id", "repeat", "fold"]


def build_significance(rows, spec: dict, context) -> Table:
    """Rows data set and noise, columns methods: the first method against each of the others."""
    chosen, metric, name = select(rows, spec), metric_of(spec), spec.get("metric", "accuracy")
    methods = [method for method in order(chosen, spec)[1] if method in set(chosen["method"])]
    if len(methods) < 2:
        raise InputError(f"table {spec.get('id', '')!r} needs results of two methods; check its methods and noises")
    gathered = selected_cells(chosen, spec, context.missing)
    first, *rivals = methods
    by_test = {test: verdicts(chosen, first, rivals, test=test, metric=name) for test in possible(chosen)}
    shown = next(iter(by_test))
    marks = {(v.dataset, v.noise_id, v.rival): MARKS[v.verdict] for v in by_test[shown].itertuples()}

    def text(cell):
        mark = marks.get((cell.dataset, cell.noise_id, cell.method))
        return cell_text(cell, partial(mean_text, factor=metric.factor)) + (f" {mark}" if mark else "")

    names = headings(chosen, {**spec, "methods": methods}, context)
    frame, _ = grid(gathered, names, ["dataset", "noise_id"], "method", text)
    for test, tested in by_test.items():
        counts = win_tie_loss(tested).reindex(rivals, fill_value=0)
        frame.loc[(TOTAL, test), :] = ["", *("/".join(map(str, line)) for line in counts.to_numpy())]
    rule = f"• and ◦: {frame.columns[0]} is significantly better and worse, {WORDS[shown]}, two-sided at 5 %"
    caption = context.caption(spec, reading(metric, gathered), rule)
    asked = len(chosen.groupby(RUN[:3])) * len(rivals)
    notes = _significance_notes(by_test, frame, asked, gathered)
    return Table(frame, _tidy(gathered, by_test), None, caption, notes)


def _tidy(gathered, by_test):
    """Cells, and for rivals the difference, and t, p and verdict of each test."""
    tidy = gathered[["dataset", "task", "method", "noise", "rate", "noise_id", "mean", "sd", "n", "failed"]]
    for test, tested in by_test.items():
        columns = {"rival": "method", "t": f"t_{test}", "p": f"p_{test}", "verdict": f"verdict_{test}"}
        kept = ["dataset", "task", "noise_id", *columns, *(["difference"] if test == next(iter(by_test)) else [])]
        tidy = tidy.merge(
            tested[kept].rename(columns=columns), how="left", on=["dataset", "task", "noise_id", "method"]
        )
    return tidy


def _significance_notes(by_test, frame, asked, gathered):
    notes = [f"{TOTAL}, {test}: {WORDS[test]}; differences that do not vary are ties." for test in by_test]
    tested = next(iter(by_test.values()))
    if len(tested) < asked:
        notes.append(f"{asked - len(tested)} of {asked} comparisons lack fits and are not tested.")
    if single := int((tested["n"] == 1).sum()):
        notes.append(f"{single} of {asked} comparisons have a single run and cannot be judged; add repeats.")
    return notes + notes_of(gathered, frame)


def build_pairs(rows, spec: dict, context) -> Table:
    """Rows data set and pair of methods, columns noise; mean and deviation of the differences, first minus second."""
    name, metric = spec.get("metric", "accuracy"), metric_of(spec)
    chosen = select(rows, {key: value for key, value in spec.items() if key != "methods"})
    of_pairs = chosen["method"].isin({method for pair in spec["pairs"] for method in pair})
    failed, chosen = int((of_pairs & chosen["status"].eq(FAILED)).sum()), chosen[chosen["status"] != FAILED]
    parts = [_differences(chosen, pair, name) for pair in spec["pairs"]]
    values = pd.concat([part for part in parts if len(part)] or [pd.DataFrame()], ignore_index=True)
    if values.empty:
        raise NoResults(f"no pair of table {spec.get('id', '')!r} has fits of both on the same labels; check `pairs`")
    if spec.get("pool"):
        values = _pooled(values)
        spec = {key: value for key, value in spec.items() if key != "datasets"}
    pairs = {f"{a} − {b}": f"{context.methods[a]} − {context.methods[b]}" for a, b in spec["pairs"]}
    names = headings(values, spec, context) | {"pair": pairs}
    named = values.assign(pair=values["method"] + " − " + values["rival"])

    def text(cell):
        mean, sd = metric.factor * cell.mean, metric.factor * cell.sd
        return f"{mean:+.2f}" if pd.isna(sd) else f"{mean:+.2f} ± {sd:.2f}"

    frame, _ = grid(named, names, ["dataset", "pair"], "noise_id", text)
    unit = " in percentage points" if metric.unit == "percent" else f" in {metric.unit}" * bool(metric.unit)
    over = " over the data sets" * bool(spec.get("pool"))
    about = f"{metric.name}{unit}, mean difference on the same labels ± one standard deviation{over}"
    notes = [f"Fits that failed: {failed}; the means are over the pairs in which neither did."] * bool(failed)
    notes += [f"{ABSENT}: not run by both."] * bool((frame == ABSENT).any(axis=None))
    return Table(frame, values, None, context.caption(spec, about), notes)


def _differences(rows, pair, name):
    """Mean, sd and number of the differences in each setting that both methods have."""
    sides = [rows[rows["method"] == method].set_index(RUN_OF_PAIR)[name] for method in pair]
    both = (sides[0] - sides[1]).dropna().groupby(["dataset", "noise_id"], sort=False)
    result = both.agg(mean="mean", sd="std", n="count").reset_index()
    return result.assign(method=pair[0], rival=pair[1])


def _pooled(values):
    """Mean and sd over the data sets of the mean differences; n counts data sets."""
    result = values.groupby(["method", "rival", "noise_id"], sort=False)["mean"].agg(mean="mean", sd="std", n="count")
    least, most = (result.groupby(["method", "rival"])["n"].transform(end) for end in ("min", "max"))
    ranges = [f"{low} to {high}" if low < high else str(high) for low, high in zip(least, most, strict=True)]
    return result.reset_index().assign(dataset=[f"{n} data set{'s' * (n != '1')}" for n in ranges])
