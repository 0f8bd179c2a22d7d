"""The picture of `ironbark labels`: how good labels are, and which classes are confused."""

import numpy as np

from ironbark.files import replacing
from ironbark.pipeline.figures.style import LOOKS, finish, literal, new_figure, styled
from ironbark.pipeline.figures.transition_matrix import heat_map

BINS = 40
LARGEST = 30  # classes of a matrix that is drawn


@styled
def draw(detector, name):
    """Histogram of the quality of labels, with the rows that are called errors, and the estimated noise matrix.

    Parameters
    ----------
    detector : LabelErrorDetector
        Fitted.
    name : str
        Of the data.

    Returns
    -------
    matplotlib.figure.Figure
        Without the matrix for more than 30 classes.
    """
    beside = len(detector.classes_) <= LARGEST
    figure = new_figure(7.0 if beside else 4.0, 3.2)
    axes = np.atleast_1d(figure.subplots(1, 2 if beside else 1))
    _histogram(axes[0], detector, name)
    if beside:
        heading = f"Estimated noise: {100 * detector.noise_rate_:.1f} % of the labels"
        image = heat_map(axes[1], detector.noise_matrix_, list(map(str, detector.classes_)), heading)
        axes[1].set(xlabel="Given label")
        bar = figure.colorbar(image, ax=axes[1], shrink=0.8, aspect=25, label="Probability")
        bar.outline.set_visible(False)
    return finish(figure, {"caption": f"Quality of the labels of {name}"})


def _histogram(axis, detector, name):
    quality, wrong = detector.label_quality_, detector.is_error_
    parts, looks = [quality[wrong], quality[~wrong]], [LOOKS[1], LOOKS[0]]
    names = [f"called errors ({wrong.sum():,})", f"others ({(~wrong).sum():,})"]
    colors = [look.color for look in looks]
    axis.hist(parts, np.linspace(0, 1, BINS + 1), stacked=True, color=colors, label=names, linewidth=0)
    if wrong.any():
        axis.axvline(quality[wrong].max(), color="black", linestyle="--", linewidth=0.8)
    axis.set(xlabel="Quality of the label", ylabel="Rows", xlim=(0, 1), yscale="log")
    axis.set_title(literal(name))
    axis.legend(loc="upper center")


@styled
def write(path, detector, name):
    """Write the picture as PNG, whole or not at all."""
    figure = draw(detector, name)
    with replacing(path) as side:
        figure.savefig(side, metadata={"Software": None})
