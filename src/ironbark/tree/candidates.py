"""Which features a node of a forest's tree may draw.

A permutation of the features has those that are known to be constant in the node in front; what they are does not
matter any more. A large node takes over its parent's, with the constants that were met by chance; a small one looks for
its constants, and its varying features follow in their own order.
"""

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.nodes import draw

SMALL = 128  # total weight below which a node looks for its constant features before it draws; part of what is drawn


@inner_kernel
def list_varying(task, node, permutation):
    """Write the features that vary in the node to the end of its permutation.

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
    write, words = n_features - 1, task.differs_words
    per_word = differs.shape[0] // words.shape[0]
    for word in range(words.shape[0] - 1, -1, -1):
        if words[np.uint64(word)] == 0:
            continue
        for j in range((word + 1) * per_word - 1, word * per_word - 1, -1):
            permutation[np.uint64(write)] = j
            write -= np.int64(differs[np.uint64(j)] != 0)
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
