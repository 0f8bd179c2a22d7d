"""Time of a fit against the number of training samples, relative to that at the smallest number."""

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import selected
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled
from ironbark.pipeline.results.records import FAILED

RUN = ["dataset", "method", "n_train"]


@styled
def draw(rows, spec, context):
    """Draw a panel for each data set, both axes as in the paper: sizes linear, ratios logarithmic."""
    chosen = selected(rows[rows["status"] != FAILED], spec, "figure")
    times = chosen.groupby(RUN)["fit_seconds"].mean().unstack("n_train")
    smallest = times.columns.min()
    if times[smallest].isna().any():
        absent = ", ".join(method for _, method in times.index[times[smallest].isna()])
        raise InputError(f"{absent} has no finished fit of {smallest} samples; complete the runs")
    ratios = times.div(times[smallest], axis=0)
    datasets = [name for name in spec.get("datasets") or dict.fromkeys(chosen["dataset"]) if name in times.index]
    methods = [m for m in spec.get("methods") or dict.fromkeys(chosen["method"]) if m in times.index.unique("method")]
    style = looks(methods, spec.get("colors", "ironbark"))
    figure = new_figure(1.6 + 3.1 * len(datasets), 3.1)
    for axis, dataset in zip(panels(figure, len(datasets), len(datasets)), datasets, strict=True):
        for method, look in style.items():
            line = ratios.loc[(dataset, method)].dropna()
            axis.plot(line.index, line, color=look.color, marker=look.marker, linestyle=look.linestyle)
        axis.set_yscale("log")
        _plain_ticks(axis.yaxis)
        axis.set(title=context.datasets[dataset], xlabel="Training size", ylabel="Relative running time")
    figure.legend(handles=[handle(look, context.methods[m]) for m, look in style.items()], loc="outside right upper")
    notes = [_seconds(times.loc[d], methods, context.methods, context.datasets[d]) for d in datasets]
    return finish(figure, spec, *notes, context.note)


def _plain_ticks(axis):
    """1, 2, 5, 10, ... in place of powers of ten, of which a short axis has but one."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def _seconds(times, methods, labels, name):
    """Mean times at both ends, in words."""
    ends = times.columns.min(), times.columns.max()
    parts = [f"{labels[m]} {times.loc[m, ends[0]]:.3g} to {times.loc[m, ends[1]]:.3g}" for m in methods]
    return f"{name}: seconds of a fit from {ends[0]} to {ends[1]} samples, {', '.join(parts)}"
