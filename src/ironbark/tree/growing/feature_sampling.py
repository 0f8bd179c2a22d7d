"""Random numbers by node path, and which features a node may draw.

A random number is a function of (tree seed, path from the root, index of the draw). A tree grown with stricter stopping
rules is therefore a pruned copy of the tree grown without them, whatever the order in which nodes are visited.

A permutation of the features has those that are known to be constant in the node in front; what they are does not
matter any more. A large node takes over its parent's, with the constants that were met by chance; a small one looks for
its constants, and its varying features follow in their own order.
"""

import numpy as np

from ironbark.jit import inner_kernel

SMALL = 128  # size below which a node looks for its constant features before it draws; part of what is drawn


@inner_kernel
def mix(z):
    """Finalizer of splitmix64: a bijection of 64 bits that looks random (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner_kernel
def draw(key, index, bound):
    """An integer in [0, bound), bound < 2**32: draw number `index` of the node of this key."""
    bits = mix(key + np.uint64(index + 1) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return np.int64((bits * np.uint64(bound)) >> np.uint64(32))


@inner_kernel
def child_key(key, side):
    """Key of the left (0) or right (1) child of the node of this key."""
    return mix(key ^ (np.uint64(side + 1) * np.uint64(0xD1342543DE82EF95)))


@inner_kernel
def hide_constants(task, node, permutation, keep_order):
    """Move the features that vary in the node to the end of its permutation, in their own order or in the present one.

    Returns the number of constant features.
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
    if keep_order:
        for position in range(n_features - 1, node.n_features - 1, -1):
            feature = permutation[position]
            permutation[write] = feature
            write -= np.int64(differs[feature] != 0)
        return write + 1
    per_word = differs.shape[0] // words.shape[0]
    for word in range(words.shape[0] - 1, -1, -1):
        if words[np.uint64(word)] == 0:
            continue
        for j in range((word + 1) * per_word - 1, word * per_word - 1, -1):
            permutation[np.uint64(write)] = j
            write -= np.int64(differs[np.uint64(j)] != 0)
    return write + 1
