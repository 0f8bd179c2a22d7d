"""Growing one tree in the way that its input allows."""

from dataclasses import replace

import numpy as np

from ironbark.tree.growing import nodewise, presorted, weighted
from ironbark.tree.growing.labels import pack_labels
from ironbark.tree.growing.nodes import HIGH, LEAF, LOW, SIZE, TO_LEFT
from ironbark.tree.structure import Tree, compact


def needs_floats(weights, compat=None, share=0.0):
    """Whether a tree must grow on float class weights, which `ironbark.tree.growing.weighted` does.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,) or None
    compat : {"rdts", None}
    share : float
        `min_weight_fraction_leaf`.
    """
    real = weights is not None and weights.dtype.kind == "f"
    return bool(real or share > 0 or compat is not None)


def grow_tree(criterion, features, y, n_classes, settings, weights=None, compat=None, share=0.0):
    """Grow one tree: on float class weights if it must be, else presorted if nodes look at all features, else nodewise.

    Parameters
    ----------
    criterion : Criterion
        Built for the sum of the weights, if they need not be floats.
    features : EncodedFeatures
    y : ndarray of shape (n_samples,), int
        Class indices.
    n_classes : int
    settings : Settings
    weights : ndarray of shape (n_samples,), int or float, optional
        How often each sample counts, or real weights; samples of weight 0 are left out.
    compat : {"rdts", None}
    share : float
        Smallest share of the weight of all samples that a child must have.

    Returns
    -------
    Tree
    """
    if needs_floats(weights, compat, share) or type(criterion).early_exit:
        return _grow_weighted(criterion, features, y, n_classes, settings, weights, compat, share)
    real_classes, n_classes = n_classes, max(2, n_classes)
    if settings.max_features >= features.shape[1]:
        if weights is not None and not weights.all():
            used = np.flatnonzero(weights)
            features, y, weights = features.take(used), y[used], weights[used]
        nodes = presorted.grow(criterion, features, pack_labels(y, weights), n_classes, settings)
    else:
        weights = np.ones(len(y), np.int64) if weights is None else weights
        samples = np.flatnonzero(weights).astype(np.uint32)
        dtype = nodewise.label_dtype(features, weights.max())
        labels = pack_labels(y[samples], weights[samples], dtype)
        nodes = nodewise.grow(criterion, features, samples, labels, n_classes, settings)
    return _tree(nodes, features, real_classes, criterion)


def _grow_weighted(criterion, features, y, n_classes, settings, weights, compat, share):
    """A `Tree` whose counts are integers if the weights are."""
    quirks = compat is not None
    features = features.single() if quirks else features
    weights = np.ones(len(y), np.int64) if weights is None else weights
    counted = weights.dtype.kind in "iu"
    samples = np.flatnonzero(weights).astype(np.uint32)
    sizes = weights[samples] if counted else np.ones(len(samples), np.int64)
    data = features, samples, pack_labels(y[samples], sizes), weights[samples].astype(np.float64), float(weights.sum())
    nodes = weighted.grow(criterion, *data, max(2, n_classes), settings, quirks, share)
    tree = _tree(nodes, features, n_classes, criterion, quirks)
    if counted:
        return replace(tree, counts=compact(np.rint(tree.counts).astype(np.int64)))
    return replace(tree, sizes=nodes.records[:, SIZE].copy())


def _tree(nodes, features, n_classes, criterion, quirks=False):
    """The `Tree` of a grower's nodes."""
    tree, records = Tree.from_nodes(nodes, features, n_classes, criterion.weighted), nodes.records
    if records.shape[1] <= TO_LEFT:
        return tree
    directions = records[:, TO_LEFT].astype(np.uint8)
    return replace(tree, threshold=_thresholds(tree, records, features, quirks), directions=directions)


def _thresholds(tree, records, features, quirks):
    """Infinity where only missing values go right, and midpoints in float32 with `quirks`."""
    inner = tree.children_left != LEAF
    start = features.offsets[np.where(inner, tree.feature, 0)]
    low = features.levels[np.where(inner, start + records[:, LOW], 0)]
    high = features.levels[np.where(inner, start + records[:, HIGH], 0)]
    middle = np.float32(0.5 * low + 0.5 * high).astype(np.float64) if quirks else tree.threshold
    return np.where(inner, np.where(np.isnan(high), np.inf, middle), tree.threshold)
