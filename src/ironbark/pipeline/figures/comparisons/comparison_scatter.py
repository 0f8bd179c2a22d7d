"""Published accuracy against ours, one point per cell."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.published.comparison import DIFFERS, NOT_COMPARABLE, NOT_REJECTED
from ironbark.pipeline.figures.style import GREY, Look, finish, grid_size, handle, looks, new_figure, panels, styled

#: Verdict -> marker.
MARKERS = {NOT_REJECTED: "o", DIFFERS: "X", NOT_COMPARABLE: "^"}


@styled
def draw(comparison, spec: dict, context):
    """Draw one panel per published table; colour is the display name of the method, marker the verdict."""
    drawn = comparison.dropna(subset=["mean", "published_mean"])
    if drawn.empty:
        raise InputError("no published cell has a mean of ours; run the study before drawing the comparison")
    tables = list(dict.fromkeys(drawn["table"]))
    columns, lines = grid_size(len(tables), spec, 2)
    figure = new_figure(2.9 * columns + 1.7, 2.9 * lines + 0.35, "compressed")
    drawn = drawn.assign(method=[context.methods[method] for method in drawn["method"]])  # trees and forests alike
    style = looks(dict.fromkeys(drawn["method"]))
    for axis, table in zip(panels(figure, len(tables), columns), tables, strict=True):
        _panel(axis, drawn[drawn["table"] == table], style)
        axis.set_title(f"Table {table}")
    _legend(figure, style, drawn)
    absent = len(comparison) - len(drawn)
    note = f"{absent} published cells have no mean of ours and are not drawn" if absent else ""
    return finish(figure, spec, note, context.note)


def _panel(axis, cells, style):
    values = cells[["published_mean", "mean"]].to_numpy()
    margin = max(0.05 * np.ptp(values), 0.5)
    ends = values.min() - margin, values.max() + margin
    axis.plot(ends, ends, color=GREY, linewidth=0.8, zorder=1, gid="diagonal")
    for verdict, marker in MARKERS.items():
        group = cells[cells["verdict"] == verdict]
        colors = [style[method].color for method in group["method"]]
        axis.scatter(group["published_mean"], group["mean"], c=colors, marker=marker, s=20, alpha=0.75, linewidth=0)
    [name] = {metrics.resolve(metric).name for metric in cells["metric"]}  # a published table has one
    axis.set(xlim=ends, ylim=ends, aspect="equal", xlabel=f"{name}, published (%)", ylabel=f"{name}, ours (%)")
    axis.locator_params(nbins=6)


def _legend(figure, style, drawn):
    dots = {"marker": "o", "linestyle": "none"}
    handles = [handle(look, method, **dots) for method, look in style.items()]
    counts = drawn["verdict"].value_counts()
    for verdict in [verdict for verdict in MARKERS if verdict in counts]:
        look = Look(GREY, MARKERS[verdict], "none")
        handles.append(handle(look, f"{verdict} ({counts[verdict]})"))
    figure.legend(handles=handles, loc="outside right upper")
