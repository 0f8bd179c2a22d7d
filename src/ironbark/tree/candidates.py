"""Which features a node of a forest's tree may still draw.

A permutation of the features has those that are known to be constant in the node in front; what they are does not
matter any more, for descendants look only behind them.
"""

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.nodes import draw

SMALL = 128  # total weight below which a node looks for its constant features before it draws; part of what is drawn


@inner_kernel
def drop_constants(task, node, permutation):
    """Move the features that are constant in the node out of the candidates; the others keep their order.

    Returns
    -------
    int
        Number of constant features.
    """
    n_features, differs = permutation.shape[0], task.differs
    model = np.uint64(task.samples[np.uint64(node.first)]) * np.uint64(n_features)
    for j in range(n_features):
        differs[j] = 0
    for i in range(node.first + 1, node.last):
        row = np.uint64(task.samples[np.uint64(i)]) * np.uint64(n_features)
        for j in range(n_features):
            differs[j] |= task.rows[row + np.uint64(j)] ^ task.rows[model + np.uint64(j)]
    write = n_features - 1
    for position in range(n_features - 1, node.n_features - 1, -1):
        feature = permutation[np.uint64(position)]
        permutation[np.uint64(write)] = feature
        write -= np.int64(differs[np.uint64(feature)] != 0)
    return write + 1


@inlined_kernel
def draw_candidate(key, permutation, position, hidden):
    """Draw one of the candidates from `position` on, or one of `hidden` constant features; swapped to `position`.

    Returns
    -------
    int
        The feature, or -1 for a constant one.
    """
    drawn = draw(key, position - hidden, hidden + permutation.shape[0] - position)
    if drawn < hidden:
        return np.int64(-1)
    other = position + drawn - hidden
    feature = permutation[other]
    permutation[other] = permutation[position]
    permutation[position] = feature
    return np.int64(feature)
