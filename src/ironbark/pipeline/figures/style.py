"""The look that all figures share, and saving with reproducible bytes."""

import functools
import itertools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.tables.kinds import sentences

RC = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that the bytes do not depend on the machine
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.3,
    "lines.markersize": 4.5,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "ironbark",
    "pdf.fonttype": 42,  # TrueType, embedded: what publishers ask for
}
GREY = "#666666"
THINNED = "thinned"  # gid of tick labels of which every second may be left out where they would touch
TEXT_WIDTH = 7.0  # inches: both columns of a page of the usual conferences
DIGITS = 9  # decimals of the positions of panels
PASSES = 4  # layout passes: one is too few for rotated labels beside a colour bar


class Look(NamedTuple):
    """Style of one method in all panels."""

    color: str
    marker: str
    linestyle: str | tuple


# Okabe and Ito's colours without their yellow, which is too light for lines, and four of Paul Tol's
_COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#882255", "#117733", "#999933"]
_COLORS += ["#332288", "#888888", "#AA4499", "#661100"]
_MARKERS = "osD^vPX<>hp*dH"
_LINES = ["-", "--", "-.", (0, (1, 1.2)), (0, (5, 1, 1, 1, 1, 1))]
LOOKS = [Look(color, _MARKERS[i], _LINES[i % len(_LINES)]) for i, color in enumerate(_COLORS)]


def looks(ids: Iterable[str], palette: str = "ironbark"):
    """Id -> look, by position."""
    if palette not in PALETTES:
        raise InputError(f"there are no colors {palette!r}; choose one of {', '.join(PALETTES)}")
    return PALETTES[palette](list(ids))


def _own(ids):
    """Colour, marker and line of each; after all of them the colours return with other lines."""
    found = {}
    for i, name in enumerate(ids):
        look, lap = LOOKS[i % len(LOOKS)], i // len(LOOKS)
        found[name] = look._replace(linestyle=_LINES[(i + 2 * lap) % len(_LINES)], marker=_MARKERS[(i + 5 * lap) % 14])
    return found


def _greys(ids):
    """From dark to light, for a quantity that grows."""
    steps = max(len(ids) - 1, 1)
    return {name: Look(str(round(0.82 * i / steps, 3)), ".", "-") for i, name in enumerate(ids)}


PALETTES = {"ironbark": _own, "greys": _greys}


def styled(draw):
    """Make a draw function work under `RC`, whatever the caller has set."""

    @functools.wraps(draw)
    def inner(*args, **options):
        import matplotlib

        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(RC)
            return draw(*args, **options)

    return inner


def new_figure(width, height, layout="constrained"):
    """An empty figure without pyplot state; layout ``compressed`` is for square panels.

    Its size is given in inches; it is never wider than the text of a paper's page, so that its letters keep their size.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shrunk = min(1.0, TEXT_WIDTH / width)
    figure = Figure(figsize=(width * shrunk, height * (shrunk if layout == "compressed" else 1.0)), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def grid_size(count, spec, columns):
    """Columns and rows of `count` panels, of which at most ``spec["columns"]`` or `columns` are side by side."""
    columns = min(count, spec.get("columns", columns))
    return columns, math.ceil(count / columns)


def panels(figure, count, columns):
    """Axes of `count` panels in rows of `columns`."""
    grid = figure.subplots(math.ceil(count / columns), columns, squeeze=False)
    for unused in grid.flat[count:]:
        unused.remove()
    return list(grid.flat[:count])


def handle(look, label, **changes):
    """Legend entry of a method."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **look._asdict() | changes, label=label)


def literal(text):
    """A text in which dollar signs begin no formula, such as a user's file name or label."""
    return str(text).replace("$", r"\$")


def finish(figure, spec, *notes):
    """Set the caption, with the notes, as the label of the figure, write the notes small below it, fix the layout."""
    figure.set_label(sentences(spec.get("caption", ""), *notes))
    below = sentences(*notes)
    if below:
        figure.supxlabel(below, x=0.01, ha="left", fontsize=7, color=GREY, wrap=True)
    _lay_out(figure)
    if any(map(_crowded, figure.axes)):
        _thin(figure.axes)
        _lay_out(figure)
    if below:
        _clear(figure)
    figure.set_layout_engine("none")  # saving twice gives the same bytes
    for axis in figure.axes:  # the solver's last digits differ between processes, and SVG files use them in ids
        axis.set_position([round(edge, DIGITS) for edge in axis.get_position(original=True).bounds])
    figure.draw_without_rendering()
    return figure


def _lay_out(figure):
    for _ in range(PASSES):
        figure.draw_without_rendering()


def _crowded(axis):
    """Whether two neighbouring tick labels of an x axis touch, of those that may be thinned."""
    boxes = [label.get_window_extent() for label in _thinnable(axis)]
    space = 0.3 * boxes[0].height if boxes else 0.0
    return any(before.x1 + space > after.x0 for before, after in itertools.pairwise(boxes))


def _thin(axes):
    """Blank every second of the labels, in all panels alike; their ticks stay."""
    for axis in axes:
        for label in _thinnable(axis)[1::2]:
            label.set_visible(False)


def _thinnable(axis):
    return [label for label in axis.get_xticklabels() if label.get_gid() == THINNED]


def _clear(figure):
    """Lift everything above the notes if a legend below the panels stands on them, which layouts do not see."""
    note = figure._supxlabel
    extent, total = note.get_window_extent(), figure.bbox.height
    lower = [legend for legend in figure.legends if legend.get_window_extent().overlaps(extent)]
    if not lower:
        return
    floor = extent.y1 / total
    ceiling = floor + 1.1 * max(legend.get_window_extent().height for legend in lower) / total
    for legend in lower:  # the layout leaves no room for a legend with a place of its own
        legend.set_bbox_to_anchor((0, floor, 1, ceiling - floor), transform=figure.transFigure)
    note.set_in_layout(False)
    figure.get_layout_engine().set(rect=(0, ceiling, 1, 1 - ceiling))
    _lay_out(figure)


@styled
def save(figure, stem: str | Path) -> list[Path]:
    """Write ``stem.png`` (200 dpi), ``stem.svg`` and ``stem.pdf`` (with its fonts), each whole or not at all."""
    text = figure.get_label()
    metadata = {
        ".png": {"Software": None, "Description": text},
        ".svg": {"Date": None, "Creator": None, "Description": text},
        ".pdf": {"CreationDate": None, "Creator": None, "Producer": None, "Subject": text},
    }
    paths = []
    for suffix, entries in metadata.items():
        paths.append(Path(f"{stem}{suffix}"))
        with replacing(paths[-1]) as side:
            figure.savefig(side, metadata={key: value for key, value in entries.items() if value != ""})
    return paths
