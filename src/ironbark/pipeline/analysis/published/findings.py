"""What a study has found, in sentences that state their numbers."""

import numpy as np
import pandas as pd

from ironbark.pipeline.analysis.collect import cells, select
from ironbark.pipeline.analysis.statistics import bayes, ranks
from ironbark.pipeline.analysis.statistics.significance import p_text
from ironbark.pipeline.analysis.statistics.slopes import slopes
from ironbark.pipeline.analysis.tables.result_table import Table
from ironbark.pipeline.analysis.tables.training_cost import seconds
from ironbark.pipeline.results.records import FAILED

TOP = 5  # methods among which cost is weighed


def build(rows, spec: dict, context):
    """Numbered sentences: coverage, ranks, probability of the first against the second, slopes, clean labels, cost."""
    chosen = select(rows, spec)
    gathered, name = cells(chosen, "accuracy"), context.methods
    complete, notes = ranks.compared(gathered, spec)
    placed = ranks.average_ranks(complete)
    findings = [
        _coverage(chosen),
        *_ranks(complete, placed, name),
        *_probability(complete, placed, name, spec.get("rope", bayes.ROPE)),
        *_slopes(slopes(gathered), name),
        *_clean(complete, placed, name),
        *_cost(chosen, complete, placed, name),
    ]
    index = pd.Index([str(i) for i in range(1, len(findings) + 1)], name="No.")
    frame = pd.DataFrame({"Finding": findings}, index, dtype="str")
    caption = context.caption({"caption": "Findings"} | spec)
    values = frame.rename(columns=str.lower).rename_axis("number").reset_index()
    return Table(frame, values, frame.eq("") & False, caption, notes)


def _coverage(chosen):
    sizes = [chosen[column].nunique() for column in ("method", "dataset", "noise_id")]
    failed = int((chosen["status"] == FAILED).sum())
    text = f"{len(chosen)} fits of {sizes[0]} methods on {sizes[1]} data sets under {sizes[2]} noises"
    return f"{text}, {failed} failed."


def _ranks(complete, placed, name):
    """First, last, and how many Nemenyi's test cannot tell from the first."""
    difference = ranks.critical_difference(len(placed), len(complete))
    near = int((placed.iloc[1:] <= placed.iloc[0] + difference).sum())
    best = ", ".join(f"{name[method]} ({rank:.2f})" for method, rank in placed.head(3).items())
    worst, rank = placed.index[-1], placed.iloc[-1]
    text = f"Best average ranks by accuracy over {len(complete)} settings of data set and noise: {best};"
    yield f"{text} worst: {name[worst]} ({rank:.2f} of {len(placed)})."
    if len(placed) > 2 and len(complete) > 1:
        statistic, p = ranks.friedman(complete)
        text = f"Friedman's chi-square is {statistic:.1f} ({p_text(p)}); Nemenyi's critical difference of"
        text += f" {difference:.2f} does not tell {near} of {len(placed) - 1} other methods from"
        yield f"{text} {name[placed.index[0]]}."


def _probability(complete, placed, name, rope):
    scores = ranks.by_dataset(complete)
    if len(scores) >= bayes.LEAST:
        first, second = placed.index[:2]
        better, alike, worse = bayes.probabilities(scores[first], scores[second], rope)
        text = f"On {len(scores)} data sets, {name[first]} is better than {name[second]} by more than"
        text += f" {100 * rope:g} point{'s' * (100 * rope != 1)}"
        yield f"{text} with probability {better:.2f}, worse with {worse:.2f}, alike with {alike:.2f}."


def _slopes(values, name):
    """Change of the accuracy of the best, the median and the worst method under each kind of noise; it may grow."""
    for noise, part in values.groupby("noise", sort=False):
        means = 100 * part.groupby("method")["slope"].mean().sort_values(ascending=False, kind="stable")
        text = f"With ten percent more {noise.replace('_', '-')} noise, accuracy changes by {means.iloc[0]:+.2f} points"
        text += f" for {name[means.index[0]]}, the best by this measure, by {means.iloc[-1]:+.2f} for"
        text += f" {name[means.index[-1]]}, the worst, and by {means.median():+.2f} for the median method"
        yield f"{text} (means of {_count(part['dataset'].nunique(), 'data set')})."


def _count(n, noun):
    return f"{n} {noun}{'s' * (n != 1)}"


def _clean(complete, placed, name):
    """The best on clean labels, and where it stands over all noises."""
    clean = complete[complete.index.get_level_values("noise_id") == "clean"]
    if len(clean):
        best = ranks.average_ranks(clean)
        first, place = best.index[0], int(np.flatnonzero(placed.index == best.index[0])[0]) + 1
        mean = 100 * clean[first].mean()
        text = f"On clean labels {name[first]} ranks best ({best.iloc[0]:.2f} over {len(clean)} data sets, mean"
        yield f"{text} accuracy {mean:.2f} %); over all noises it is at place {place} of {len(placed)}."


def _cost(chosen, complete, placed, name):
    """What the cheapest of the best costs, and the dearest."""
    top = list(placed.index[:TOP])
    spent = seconds(chosen, complete)[top]
    cheap, dear = spent.idxmin(), spent.idxmax()
    gain = 100 * (complete[dear].mean() - complete[cheap].mean())
    text = f"Of the {len(top)} best, {name[cheap]} costs least, {spent[cheap]:.3g} CPU seconds a fit with its tuning;"
    text += f" {name[dear]} costs {spent[dear] / spent[cheap]:.3g} times as much for"
    yield f"{text} {gain:+.2f} points of accuracy."
