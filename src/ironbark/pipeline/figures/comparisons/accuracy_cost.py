"""A measure against training cost, one point a method; the methods that no cheaper one beats are joined."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, select, selected_cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.tables.training_cost import seconds
from ironbark.pipeline.figures.point_names import name_points
from ironbark.pipeline.figures.style import GREY, finish, new_figure, panels, styled

FRONT = "#0072B2"
NAME = {"fontsize": 7, "color": "black", "zorder": 4}
SMALL = {"fontsize": 5.5, "color": GREY, "zorder": 4}


@styled
def draw(rows, spec, context):
    """Draw the mean over all settings (data set and noise) that all methods have finished."""
    metric, chosen = metric_of(spec), select(rows, spec)
    complete, dropped = ranks.scores(selected_cells(chosen, spec))
    if complete.empty:
        raise InputError(f"figure {spec.get('id', '')!r} needs a setting that all methods have finished; add runs")
    points = seconds(chosen, complete).to_frame("seconds").assign(value=complete.mean())
    joined = front(points, metric.larger_is_better)
    figure = new_figure(6.3, 4.4)
    [axis] = panels(figure, 1, 1)
    axis.set_xscale("log")
    best = points.loc[joined]
    line = np.column_stack([best["seconds"], metric.factor * best["value"]])
    axis.plot(*line.T, color=FRONT, linewidth=1, zorder=2, gid="front")
    on = points.index.isin(joined)
    for (_, point), front_point in zip(points.iterrows(), on, strict=True):
        look = {"color": FRONT, "markersize": 5} if front_point else {"color": GREY, "markersize": 3.5}
        axis.plot(point["seconds"], metric.factor * point["value"], "o", zorder=3, gid="method", **look)
    unit = f" ({metric.unit})" * bool(metric.unit)
    axis.set(xlabel="CPU seconds of a fit with its tuning", ylabel=f"{metric.name}{unit}")
    axis.margins(x=0.12)
    left_out = f"; {dropped} incomplete settings are left out" * bool(dropped)
    note = f"Means over {len(complete)} settings of data set and noise{left_out}; joined: no cheaper method is as good"
    finish(figure, spec, note, context.note)
    shown = [*points[on].iterrows(), *points[~on].iterrows()]
    named = [(context.methods[name], point["seconds"], metric.factor * point["value"]) for name, point in shown]
    name_points(axis, named, [NAME] * on.sum() + [SMALL] * (~on).sum(), line)
    return figure


def front(points, larger):
    """Methods, from cheap to dear, each better than all that cost less."""
    found, best = [], -np.inf
    for method, point in points.sort_values(["seconds", "value"], ascending=[True, not larger]).iterrows():
        value = point["value"] if larger else -point["value"]
        if value > best:
            found.append(method)
            best = value
    return found
