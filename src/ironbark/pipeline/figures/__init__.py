"""Figures from result rows. A kind's module, and matplotlib, are imported only when a figure of it is drawn."""

import importlib

from ironbark.errors import InputError
from ironbark.pipeline.figures.style import caption, save

__all__ = ["FIGURES", "caption", "draw", "module_of", "resolve", "save"]

#: Kind -> function below this package: (data, spec, labels, *, noise_labels, dataset_labels, caption_note) -> Figure.
FIGURES = {
    "noise-curves": "noise_curves.draw",
    "critical-difference": "critical_difference.draw",
    "transition-matrix": "transition_matrix.draw",
    "comparison-scatter": "comparison_scatter.draw",
    "noise-panels": "noise_panels.draw",
    "metric-curves": "metric_curves.draw",
    "by-dataset": "by_dataset.draw",
    "trade-off": "trade_off.draw",
    "series": "series.draw",
    "relative-times": "relative_times.draw",
    "losses-and-impurities": "concepts.losses",
    "risk-reductions": "concepts.reductions",
    "weight-reactions": "weight_reactions.draw",
    "top-n": "top_n.draw",
    "loss-curvature": "loss_curvature.draw",
    "accuracy-cost": "accuracy_cost.draw",
}


def module_of(kind):
    """Name of the module that draws a kind, for those who must not import it."""
    return f"{__name__}.{FIGURES[kind].partition('.')[0]}"


def resolve(kind):
    """The function that draws a kind.

    Raises
    ------
    InputError
        If the kind is unknown.
    """
    if kind not in FIGURES:
        raise InputError(f"figure kind {kind!r} is unknown; choose one of {', '.join(FIGURES)}")
    return getattr(importlib.import_module(module_of(kind)), FIGURES[kind].partition(".")[2])


def draw(data, spec, labels=None, noise_labels=None, dataset_labels=None, *, caption_note=""):
    """The figure that ``spec["kind"]`` names in `FIGURES`.

    Parameters
    ----------
    data : DataFrame or list
        Result rows for ``noise-curves``, ``noise-panels`` and ``critical-difference``; a frame of
        `ironbark.pipeline.analysis.published.comparison.compare` for ``comparison-scatter``; a list of (title, matrix,
        class names) for ``transition-matrix``; a frame of `ironbark.pipeline.theory` for ``weight-reactions`` and
        ``loss-curvature``; None for pictures of definitions.
    spec : dict
        ``kind`` and the options of that kind.
    labels, noise_labels, dataset_labels : dict, optional
        Id -> display name; an id without a name is shown itself.
    caption_note : str
        The scale and what it caps, written small below the figure and at the end of its caption.

    Returns
    -------
    matplotlib.figure.Figure
        Its ``get_label()`` is the caption.

    Raises
    ------
    InputError
        If the kind is unknown or the data hold nothing to draw.
    """
    drawn = resolve(spec.get("kind"))
    names = {"noise_labels": noise_labels or {}, "dataset_labels": dataset_labels or {}}
    return drawn(data, spec, labels or {}, **names, caption_note=caption_note)
