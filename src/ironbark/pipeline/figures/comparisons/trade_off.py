"""Performance without noise against robustness to it, one point per method, next to the published points."""

from ironbark.errors import InputError
from ironbark.pipeline.analysis.tables.ranks.trade_off import OURS, RANK, SAME, TABLE_4, ids_of, sources
from ironbark.pipeline.figures.style import GREY, Look, finish, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec: dict, context, *, printed, tradeoff, mapping):
    """Draw average rank by clean error, best on top, against the average increase of the error at one noise."""
    found, datasets = sources(rows, spec, printed, tradeoff, mapping)
    columns = ids_of(rows, spec)
    noises = [name for name, column in columns.items() if column in found[OURS]]
    if len(noises) != 1:
        raise InputError(f"figure {spec.get('id', '')!r} shows clean and one other noise; set `noises` to these")
    [noise] = noises
    theirs = found.get(SAME, found[TABLE_4])
    print_name = f"published ({SAME if SAME in found else TABLE_4})"
    figure = new_figure(5.4, 3.6)
    [axis] = panels(figure, 1, 1)
    style = looks(found[OURS].index)
    for method, look in style.items():
        x, y = 100 * found[OURS].loc[method, columns[noise]], found[OURS].loc[method, RANK]
        if method in theirs.index:
            there = 100 * theirs.loc[method, columns[noise]], theirs.loc[method, RANK]
            axis.plot([x, there[0]], [y, there[1]], color=look.color, linewidth=0.6, alpha=0.5, zorder=2, gid="link")
            axis.plot(
                *there, color=look.color, marker=look.marker, markerfacecolor="white", linestyle="none", gid="print"
            )
        axis.plot(x, y, color=look.color, marker=look.marker, linestyle="none", markersize=7, zorder=3, gid="ours")
    axis.invert_yaxis()
    name = context.noises[noise]
    axis.set(xlabel=f"Error with noise {name} − error without noise (points)", ylabel="Average rank without noise")
    handles = [handle(look, context.methods[method], linestyle="none") for method, look in style.items()]
    grey = Look(GREY, "o", "none")
    handles += [handle(grey, "ours"), handle(grey, print_name.replace(", ", ",\n"), markerfacecolor="white")]
    figure.legend(handles=handles, loc="outside right upper")
    sets = ", ".join(context.datasets[d] for d in datasets)
    return finish(figure, spec, f"Averages over {sets}; best methods are at the upper left", context.note)
