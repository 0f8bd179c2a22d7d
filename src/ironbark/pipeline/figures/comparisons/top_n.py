"""Share of settings in which each method is among the best n: Figures 3 and 5 of the Robust-GBDT paper."""

import pandas as pd

from ironbark.pipeline.analysis.collect import metric_of, order, selected, selected_cells
from ironbark.pipeline.analysis.tables.ranks.rank_table import ranked
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled


def counts(ranks):
    """Number of settings in which each method (columns) has rank n or better, for n = 1, 2, ... (index)."""
    return pd.DataFrame({n: (ranks <= n).sum() for n in range(1, ranks.shape[1] + 1)}).T


@styled
def draw(rows, spec: dict, context):
    """Draw the counts against n, one line per method."""
    gathered = selected_cells(selected(rows, spec, "figure"), spec)
    ranks = ranked(gathered, spec.get("metric", "accuracy"))
    found = counts(ranks)
    methods = [method for method in order(gathered, spec)[1] if method in found]
    style = looks(methods, spec.get("colors", "ironbark"))
    figure = new_figure(5.4, 3.4)
    [axis] = panels(figure, 1, 1)
    for method, look in style.items():
        axis.plot(found.index, found[method], gid=method, **look._asdict())
    axis.set(xlabel="n", ylabel="Settings with rank n or better", xticks=found.index, ylim=(0, 1.04 * len(ranks)))
    axis.yaxis.get_major_locator().set_params(integer=True)
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    about = f"{len(ranks)} settings of data set and noise, ranked by {metric_of(spec).inline}"
    return finish(figure, spec, about, noise_axes.left_out(gathered), context.note)
