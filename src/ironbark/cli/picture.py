"""The picture of `ironbark labels`: how good labels are, and which classes are confused."""

import functools

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from ironbark.files import replacing
from ironbark.pipeline.figures.style import GREY, LOOKS, finish, literal, new_figure, styled
from ironbark.pipeline.figures.transition_matrix import LONGEST, PRINTED, heat_map

BINS = 40
FAMILY = "DejaVu Sans"  # of all figures
_NO_LETTERS = ("Last Resort", "cm", "STIX")  # fonts of boxes and of formulas
LARGEST = 30  # classes of a matrix that is drawn


@styled
def draw(detector, classes: list[str], name: str, checked=()):
    """Histogram of quality with the rows called errors, of which checked ones are none, and the noise matrix."""
    name, *names = _drawable(name, *classes)
    drawn = len(names) <= LARGEST and not detector._is_unknown
    below = drawn and (len(names) > PRINTED or max(map(len, names)) > LONGEST)  # a matrix that needs much room
    heights = [2.6, max(2.4, 0.6 + 0.13 * len(names))] if below else [3.2]
    figure = new_figure(7.0 if drawn else 4.0, sum(heights))
    axes = figure.subplots(len(heights), 1 + (drawn and not below), height_ratios=heights, squeeze=False).ravel()
    quality, wrong = detector.label_quality_, detector.is_error_.copy()
    wrong[checked] = False
    others = "others and checked" if len(checked) else "others"
    called = [f"called errors ({wrong.sum():,})", f"{others} ({(~wrong).sum():,})"]
    bars = {"stacked": True, "color": [LOOKS[1].color, LOOKS[0].color], "label": called, "linewidth": 0}
    axes[0].hist([quality[wrong], quality[~wrong]], np.linspace(0, 1, BINS + 1), **bars)
    if wrong.any():
        axes[0].axvline(quality[wrong].max(), ymax=0.75, color="black", linestyle="--", linewidth=0.8)
    axes[0].set(xlabel="Quality of the label", ylabel="Rows", xlim=(0, 1), yscale="log", title=literal(name))
    axes[0].set_ylim(0.5, 10 * axes[0].get_ylim()[1])  # a single row is seen, and the legend hides none
    axes[0].legend(loc="upper left")
    if drawn:
        given = "without the answers" if len(checked) else "of the labels"
        heading = f"Estimated noise: {100 * detector.noise_rate_:.1f} % {given}"
        places = np.searchsorted(detector.classes_, classes)
        image = heat_map(axes[1], detector.noise_matrix_[np.ix_(places, places)], names, heading)
        axes[1].set(xlabel="Given label")
        bar = figure.colorbar(image, ax=axes[1], shrink=0.8, aspect=25, label="Probability")
        bar.outline.set_visible(False)
    return finish(figure, {"caption": f"Quality of the labels of {name}"})


@styled
def draw_review(name: str, wrong: np.ndarray, ahead: np.ndarray, at_random: float):
    """Wrong labels found against rows checked, and those to expect among the next suspects, or among rows at random."""
    (name,) = _drawable(name)
    figure = new_figure(4.5, 3.0)
    axis = figure.subplots()
    found = np.append(0, np.cumsum(wrong))
    following = len(wrong) + np.arange(len(ahead) + 1)
    expected, low, high = found[-1] + np.vstack([np.zeros(3), ahead]).T
    axis.plot(found, color=LOOKS[0].color, label="found")
    if len(ahead):
        axis.fill_between(following, low, high, color=LOOKS[1].color, alpha=0.2, linewidth=0)
        label = "expected among the next suspects (90 %)"
        axis.plot(following, expected, color=LOOKS[1].color, linestyle="--", label=label)
        chance = found[-1] + at_random * np.arange(len(following))
        axis.plot(following, chance, color=GREY, linestyle=":", label="expected among rows at random")
    axis.set(xlabel="Rows checked", ylabel="Wrong labels", xlim=(0, None), ylim=(0, None), title=literal(name))
    axis.legend(loc="best")
    return finish(figure, {"caption": f"Wrong labels found in {name}"})


def _drawable(*texts):
    """Texts, cut in the middle if they are long, with escapes where no font has a character; sets the fonts."""
    matplotlib.rcParams["font.family"], unknown = fonts("".join(texts))
    escapes = {ord(char): char.encode("unicode_escape").decode() for char in unknown}
    texts = [text.translate(escapes) for text in texts]
    return [f"{text[:15]}…{text[-15:]}" if len(text) > 31 else text for text in texts]


def fonts(text):
    """Families of installed fonts that draw a text, and the characters that none of them has."""
    printable = set(filter(str.isprintable, text))
    families, missing = [FAMILY], printable - _characters(font_manager.findfont(FAMILY))
    for entry in font_manager.fontManager.ttflist if missing else ():
        if entry.style != "normal" or entry.name in families or entry.name.startswith(_NO_LETTERS):
            continue
        found = missing & _characters(entry.fname)
        if found and found <= _characters(font_manager.findfont(font_manager.FontProperties([entry.name]))):
            families.append(entry.name)
            missing -= found
    return families, missing | (set(text) - printable)


@functools.cache
def _characters(path):
    """Characters that a font file has; none for one that matplotlib cannot read."""
    try:
        return frozenset(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()


@styled
def write(path, figure):
    """Write the picture as PNG, whole or not at all."""
    with replacing(path) as side:
        figure.savefig(side, metadata={"Software": None})
