"""The look that all figures share, and saving with reproducible bytes."""

import functools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.tables.kinds import SUFFIXES, sentences

RC = Path(__file__).with_name("ironbark.mplstyle")
GREY = "#666666"
HOLLOW = {"markerfacecolor": "white", "linestyle": "none"}  # marks of published values
TEXT_WIDTH = 7.0  # inches: both columns of a page of the usual conferences
LETTERS = 16  # of a legend, in an inch
LINE = 0.17  # inches, of a legend
DIGITS = 9  # decimals of the positions of panels
PASSES = 4  # most layout passes: one is too few for rotated labels beside a colour bar

#: Abbreviation in labels of noises -> what it stands for.
SPELLED = {"CC": "class-conditional noise", "Adv.": "adversarial noise", "Part-dep.": "part-dependent noise"}


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


def _ordered(ids):
    """Colours of viridis, for a quantity that grows."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = [to_hex(colormaps["viridis"](0.9 * i / max(len(ids) - 1, 1))) for i in range(len(ids))]
    return {name: look._replace(color=shade) for (name, look), shade in zip(_own(ids).items(), shades, strict=True)}


PALETTES = {"ironbark": _own, "viridis": _ordered}


def styled(draw):
    """Make a draw function work under `RC`, whatever the caller has set."""

    @functools.wraps(draw)
    def inner(*args, **options):
        from matplotlib import style

        with style.context(RC, after_reset=True):
            return draw(*args, **options)

    return inner


def new_figure(width, height, layout="constrained"):
    """An empty figure of a size in inches, no wider than a page; layout ``compressed`` is for square panels."""
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


def legend(figure, handles, title=None):
    """One legend above all panels, in as many columns as its labels leave room for; the figure grows by it."""
    longest = max(len(handle.get_label()) for handle in handles)
    most = max(1, int(LETTERS * figure.get_figwidth() / (longest + 8)))
    rows = math.ceil(len(handles) / most)
    columns = math.ceil(len(handles) / rows)
    figure.set_figheight(figure.get_figheight() + LINE * (rows + bool(title)))
    figure.legend(handles=handles, title=title, loc="outside upper center", ncols=columns, handlelength=3)


def with_unit(metric):
    """Label of the axis of a metric."""
    return metric.with_unit.replace("(percent)", "(%)")


def spelled(noises, labels):
    """What the abbreviations below the axis stand for, in words; empty for none."""
    first = {labels[noise].partition(" ")[0] for noise in noises}
    return "; ".join(f"{short}: {words}" for short, words in SPELLED.items() if short in first)


def noise_name(noise_id, rows, labels):
    """Name of a noise, whose model is in `rows`; papers call clean and uniform noise by their rates alone."""
    if not (label := labels[noise_id]).replace(".", "").isdigit():
        return label
    model = rows.loc[rows["noise_id"] == noise_id, "noise"].iloc[0]
    words = model.replace("_", " ").capitalize()
    return words if model == "clean" else f"{words} {label}"


def left_out(gathered) -> str:
    """Number of failed fits, in words; empty for none."""
    failed = int(gathered["failed"].sum())
    fits = int((gathered["n"] + gathered["failed"]).sum())
    return f"{failed} of {fits} fits failed and are left out" if failed else ""


def literal(text):
    """A text in which dollar signs begin no formula, such as a user's file name or label."""
    return str(text).replace("$", r"\$")


def finish(figure, spec, *notes):
    """Set the caption, with the notes, as the label of the figure, write the notes small below it, fix the layout."""
    figure.set_label(sentences(spec.get("caption", ""), *notes))
    if below := sentences(*notes):
        figure.supxlabel(below, x=0.01, ha="left", fontsize=7, color=GREY, wrap=True)
    _lay_out(figure)
    figure.set_layout_engine(None)  # saving twice gives the same bytes
    for axis, place in zip(figure.axes, _places(figure), strict=True):
        axis.set_position(place)
    figure.draw_without_rendering()
    return figure


def _lay_out(figure):
    places = None
    for _ in range(PASSES):
        before = places
        figure.draw_without_rendering()
        if (places := _places(figure)) == before:
            break


def _places(figure):
    """Rounded positions of panels: the solver's last digits differ between processes, and SVG files use them in ids."""
    return [[round(edge, DIGITS) for edge in axis.get_position(original=True).bounds] for axis in figure.axes]


@styled
def save(figure, stem: str | Path):
    """Write ``stem.png`` (200 dpi), ``stem.svg`` and ``stem.pdf`` (with its fonts), each whole or not at all."""
    text = figure.get_label()
    metadata = (
        {"Software": None, "Description": text},
        {"Date": None, "Creator": None, "Description": text},
        {"CreationDate": None, "Creator": None, "Producer": None, "Subject": text},
    )
    for suffix, entries in zip(SUFFIXES["figures"], metadata, strict=True):
        with replacing(Path(f"{stem}{suffix}")) as side:
            figure.savefig(side, metadata={key: value for key, value in entries.items() if value != ""})
