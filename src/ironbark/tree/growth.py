"""Growing one tree in the way that its input allows."""

from dataclasses import replace

import numpy as np

from ironbark.tree import gather_growth, general_growth, list_growth
from ironbark.tree.general_nodes import SIZE, TO_LEFT
from ironbark.tree.lists import sorted_lists
from ironbark.tree.nodes import HIGH, LEAF, LOW, pack_labels
from ironbark.tree.structure import Tree, compact


def is_general(features, weights, compat=None, share=0.0):
    """Whether a tree must grow in the general way.

    Parameters
    ----------
    features : EncodedFeatures
    weights : ndarray of shape (n_samples,) or None
    compat : {"rdts", None}
    share : float
        `min_weight_fraction_leaf`.
    """
    real = weights is not None and weights.dtype.kind == "f"
    return bool(real or share > 0 or compat is not None or features.missing.any())


def grow_tree(criterion, features, y, n_classes, settings, weights=None, draws=None, compat=None, share=0.0):
    """Grow one tree: in the general way if it must be, else on sorted lists if every node looks at all features, else
    on gathered keys.

    Parameters
    ----------
    criterion : Criterion
        Built for the sum of the weights, if it is not for the general way.
    features : EncodedFeatures
    y : ndarray of shape (n_samples,), int
        Class indices.
    n_classes : int
    settings : Settings
    weights : ndarray of shape (n_samples,), int or float, optional
        How often each sample counts, or real weights; samples of weight 0 are left out.
    draws : ndarray of shape (n_samples,), int, optional
        How often each sample counts for stopping rules if weights are real; once by default.
    compat : {"rdts", None}
    share : float
        Smallest share of the weight of all samples that a child must have.

    Returns
    -------
    Tree
    """
    if is_general(features, weights, compat, share):
        return _grow_general(criterion, features, y, n_classes, settings, weights, draws, compat, share)
    real_classes, n_classes = n_classes, max(2, n_classes)
    if settings.max_features >= features.shape[1]:
        if weights is not None and not weights.all():
            used = np.flatnonzero(weights)
            features, y, weights = features.take(used), y[used], weights[used]
        nodes = list_growth.grow(criterion, sorted_lists(features), pack_labels(y, weights), n_classes, settings)
    else:
        weights = np.ones(len(y), np.int64) if weights is None else weights
        samples = np.flatnonzero(weights).astype(np.uint32)
        dtype, _, _ = gather_growth.key_type(int(np.diff(features.offsets).max()), int(weights.max()))
        labels = pack_labels(y[samples], weights[samples], dtype)
        nodes = gather_growth.grow(criterion, features, samples, labels, n_classes, settings)
    return Tree.from_nodes(nodes, features, real_classes, criterion.weighted)


def _grow_general(criterion, features, y, n_classes, settings, weights, draws, compat, share):
    """A `Tree` whose counts are integers if the weights are."""
    quirks = compat is not None
    features = features.single() if quirks else features
    weights = np.ones(len(y), np.int64) if weights is None else weights
    counts = weights.dtype.kind in "iu"
    if counts:
        draws = weights
    elif draws is None:
        draws = np.ones(len(y), np.int64)
    classes = max(2, n_classes)
    nodes = general_growth.grow(criterion, features, y, weights.astype(float), draws, classes, settings, quirks, share)
    tree = Tree.from_nodes(nodes, features, n_classes, criterion.weighted)
    return replace(
        tree,
        threshold=_thresholds(tree, nodes.records, features, quirks),
        counts=compact(np.rint(tree.counts).astype(np.int64)) if counts else tree.counts,
        directions=nodes.records[:, TO_LEFT].astype(np.uint8),
        sizes=None if counts else nodes.records[:, SIZE].copy(),
    )


def _thresholds(tree, records, features, quirks):
    """Infinity where only missing values go right, and midpoints in float32 with `quirks`."""
    inner = tree.children_left != LEAF
    start = features.offsets[np.where(inner, tree.feature, 0)]
    low = features.levels[np.where(inner, start + records[:, LOW], 0)]
    high = features.levels[np.where(inner, start + records[:, HIGH], 0)]
    middle = np.float32(0.5 * low + 0.5 * high).astype(np.float64) if quirks else tree.threshold
    return np.where(inner, np.where(np.isnan(high), np.inf, middle), tree.threshold)
