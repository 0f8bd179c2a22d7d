"""Figures from result rows. matplotlib is imported only when a figure is drawn."""

from ironbark.errors import InputError
from ironbark.figures import (
    accuracy_cost,
    by_dataset,
    comparison_scatter,
    concepts,
    critical_difference,
    loss_curvature,
    metric_curves,
    noise_curves,
    noise_panels,
    relative_times,
    series,
    top_n,
    trade_off,
    transition_matrix,
    weight_reactions,
)
from ironbark.figures.style import caption, save

__all__ = ["FIGURES", "caption", "draw", "save"]

#: Kind -> draw(data, spec, labels, *, noise_labels, dataset_labels, caption_note) -> matplotlib Figure.
FIGURES = {
    "noise-curves": noise_curves.draw,
    "critical-difference": critical_difference.draw,
    "transition-matrix": transition_matrix.draw,
    "comparison-scatter": comparison_scatter.draw,
    "noise-panels": noise_panels.draw,
    "metric-curves": metric_curves.draw,
    "by-dataset": by_dataset.draw,
    "trade-off": trade_off.draw,
    "series": series.draw,
    "relative-times": relative_times.draw,
    "losses-and-impurities": concepts.losses,
    "risk-reductions": concepts.reductions,
    "weight-reactions": weight_reactions.draw,
    "top-n": top_n.draw,
    "loss-curvature": loss_curvature.draw,
    "accuracy-cost": accuracy_cost.draw,
}


def draw(data, spec, labels=None, noise_labels=None, dataset_labels=None, *, caption_note=""):
    """The figure that ``spec["kind"]`` names in `FIGURES`.

    Parameters
    ----------
    data : DataFrame or list
        Result rows for ``noise-curves``, ``noise-panels`` and ``critical-difference``; a frame of
        `ironbark.analysis.comparison.compare` for ``comparison-scatter``; a list of (title, matrix, class names) for
        ``transition-matrix``; a frame of `ironbark.theory` for ``weight-reactions`` and ``loss-curvature``; None for
        pictures of definitions.
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
    if spec.get("kind") not in FIGURES:
        raise InputError(f"figure kind {spec.get('kind')!r} is unknown; choose one of {', '.join(FIGURES)}")
    names = {"noise_labels": noise_labels or {}, "dataset_labels": dataset_labels or {}}
    return FIGURES[spec["kind"]](data, spec, labels or {}, **names, caption_note=caption_note)
