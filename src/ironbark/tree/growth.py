"""Growing one tree in the way that its input allows."""

import numpy as np

from ironbark.tree.growing import nodewise, presorted, weighted
from ironbark.tree.growing.binary import counting_binary
from ironbark.tree.growing.categorical import Categories
from ironbark.tree.growing.regression import pack_labels
from ironbark.tree.growing.sparse import counting_entries
from ironbark.tree.structure import Tree


def needs_floats(weights, compat=None, share=0.0):
    """Whether a tree must grow on float class weights, with parameters as for `grow_tree`."""
    real = weights is not None and weights.dtype.kind == "f"
    return bool(real or share > 0 or compat is not None)


def mean_weight(weights, samples=None):
    """Mean of positive real weights of samples, which may have several rows; 1 if weights are numbers of copies."""
    if weights is None or weights.dtype.kind != "f":
        return 1.0
    positive = weights > 0
    return float(weights.sum() / (positive.sum() if samples is None else len(np.unique(samples[positive]))))


def grow_tree(
    criterion, features, y, n_classes, settings, weights=None, compat=None, share: float = 0.0, unit: float = 1.0
) -> Tree:
    """Grow one tree: on float class weights if it must, else presorted if nodes look at all features, else nodewise."""
    # `unit` is the `mean_weight` of the samples that the whole model is fitted on; numbers of copies have none.
    quirks, counted = compat is not None, weights is None or weights.dtype.kind in "iu"
    floats = needs_floats(weights, compat, share) or type(criterion).early_exit
    features, classes = features.single() if quirks else features, max(2, n_classes)
    if settings.max_features >= features.shape[1] and not floats and not features.categorical.any():
        if weights is not None and not weights.all():
            used = np.flatnonzero(weights)
            features, y, weights = features.take(used), y[used], weights[used]
        nodes = presorted.grow(criterion, features, pack_labels(y, weights), classes, settings)
        return Tree.from_nodes(nodes, features, n_classes, criterion.weighted)
    weights = np.ones(len(y), np.int64) if weights is None else weights
    samples = np.flatnonzero(weights).astype(np.uint32)
    y, own, categories = y[samples], weights[samples], Categories(features, classes, 1.0 if counted else unit)
    if floats:
        labels, root = pack_labels(y, own if counted else np.ones_like(y)), float(weights.sum())
        arrays = samples, labels, own.astype(np.float64), root
        nodes = weighted.grow(criterion, features, *arrays, classes, settings, categories, quirks, share)
    else:
        labels = pack_labels(y, own, nodewise.label_dtype(features, weights.max()))
        wrap = categories
        if not features.categorical.any():
            wrap = counting_binary(features, settings, classes) or counting_entries(features) or categories
        nodes = nodewise.grow(criterion, features, samples, labels, classes, settings, wrap)
    return Tree.from_nodes(nodes, features, n_classes, criterion.weighted, counted, quirks, categories.sets())
