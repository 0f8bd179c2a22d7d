"""What methods gain over one of them under each noise, as a heat map."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order, selected_cells
from ironbark.pipeline.analysis.statistics import against_best, ranks
from ironbark.pipeline.analysis.statistics.significance import ALPHA
from ironbark.pipeline.figures.style import finish, new_figure, panels, styled

DARK = 0.6  # gains beyond this part of the scale are printed white


def gains(complete: pd.DataFrame, reference: str, noises: list[str]) -> pd.DataFrame:
    """Mean gain of each method over the reference, and p-values."""
    others = [method for method in complete if method != reference]
    means, p = {}, {}
    for noise in noises:
        part = complete.xs(noise, level="noise_id")
        means[noise] = part[others].sub(part[reference], axis=0).mean()
        p[noise] = against_best.over_datasets(part[[reference, *others]])[others]
    found = pd.DataFrame(means)
    found = found.loc[found.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    return found, pd.DataFrame(p).loc[found.index]


@styled
def draw(rows, spec: dict, context):
    """Draw methods by noises."""
    metric, reference = metric_of(spec), spec["reference"]
    if "methods" in spec:
        spec = spec | {"methods": list(dict.fromkeys([reference, *spec["methods"]]))}
    gathered = selected_cells(rows, spec)
    complete, notes = ranks.compared(gathered, spec)
    if reference not in complete:
        raise InputError(f"figure {spec.get('id', 'gains')!r}: no fit of the reference {reference!r} has finished")
    there = set(complete.index.get_level_values("noise_id"))
    noises = [noise for noise in order(gathered, spec)[2] if noise in there]
    means, p = gains(complete if metric.larger_is_better else -complete, reference, noises)
    figure = new_figure(2.2 + 0.36 * len(noises), 1.6 + 0.17 * len(means))
    _heat_map(panels(figure, 1, 1)[0], metric.factor * means, p < ALPHA)
    [axis] = figure.axes
    axis.set_yticks(range(len(means)), [context.methods[method] for method in means.index])
    models = gathered.drop_duplicates("noise_id").set_index("noise_id")["noise"]
    axis.set_xticks(range(len(noises)), [_name(context.noises[noise], models[noise]) for noise in noises])
    axis.tick_params(axis="x", rotation=45)
    for text in axis.get_xticklabels():
        text.set(ha="right", rotation_mode="anchor")
    sets = len(set(complete.index.get_level_values("dataset")))
    unit = {"percent": " in points", "": ""}.get(metric.unit, f" in {metric.unit}")
    about = (
        f"Gain{unit} over {context.methods[reference]} by {metric.inline}, mean of {sets} data sets; bold: "
        f"significant at {ALPHA:g} (Wilcoxon's signed-rank test over data sets, Holm's adjustment within a noise)"
    )
    return finish(figure, spec, about, *notes, context.note)


def _name(label, model):
    """Name of a noise; papers call clean and uniform noise by their rates alone."""
    if not label.replace(".", "").isdigit():
        return label
    words = model.replace("_", " ").capitalize()
    return words if model == "clean" else f"{words} {label}"


def _heat_map(axis, values, significant):
    top = float(np.nanmax(np.abs(values.to_numpy()))) or 1.0
    axis.imshow(values, cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    for (row, column), value in np.ndenumerate(values.to_numpy()):
        weight = "bold" if significant.to_numpy()[row, column] else "normal"
        color = "white" if abs(value) > DARK * top else "black"
        axis.text(column, row, f"{value:+.1f}", ha="center", va="center", fontsize=6, color=color, weight=weight)
    axis.grid(False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
