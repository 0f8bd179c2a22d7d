"""Best-first growth of a small regression tree on samples that are sorted by each feature.

A node is a stretch of all lists of samples, one list a feature, whose entries also hold the rank of the value. To
search it is one pass over each list with running sums; to split it parts each list in two and keeps both in order.
"""

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel, kernel

EPS = 2.220446049250313e-16  # variance up to which a node is a leaf, as in scikit-learn
RANK, SAMPLE = 32, 2**32 - 1  # an entry of a list, int64: the bits above these are the rank, these are the sample

# Columns of `nodes`.
LEFT, FEATURE, LOW, HIGH, START, SPLIT, END = range(7)
COLUMNS = 7
# Columns of `sums`: of weights, of weights times targets, of weights times squared targets, reduction by the split.
WEIGHT, FIRST, SECOND, REDUCTION = range(4)
SUMS = 4


@kernel
def grow(lists, features, pairs, target, max_leaves, min_split, nodes, sums, side, spare, leaf_of):
    """Grow a tree, write its nodes, and the leaf of each sample to `leaf_of`; returns the number of nodes."""
    # A pair of weight and weight times target, side by side, is one access to memory for each entry of a list.
    m = lists.shape[1]
    for p in range(m):
        leaf_of[lists[0, p] & SAMPLE] = 0
    _open(lists[0], pairs, target, nodes, sums, 0, 0, m)
    if max_leaves > 1:
        _search(lists, features, pairs, min_split, nodes, sums, 0)
    count, leaves = 1, 1
    while leaves < max_leaves:
        best = -1
        for row in range(count):
            if nodes[row, LEFT] == -2 and (best < 0 or sums[row, REDUCTION] > sums[best, REDUCTION]):
                best = row
        if best < 0:
            break
        last = leaves + 1 == max_leaves
        _part(lists, nodes, best, count, last, side, spare, leaf_of)
        start, split, end = nodes[best, START], nodes[best, SPLIT], nodes[best, END]
        nodes[best, LEFT] = count
        ids = lists[nodes[best, FEATURE]] if last else lists[0]  # at the last split no other list is parted
        _open(ids, pairs, target, nodes, sums, count, start, split)
        _open(ids, pairs, target, nodes, sums, count + 1, split, end)
        if not last:
            _search(lists, features, pairs, min_split, nodes, sums, count)
            _search(lists, features, pairs, min_split, nodes, sums, count + 1)
        count, leaves = count + 2, leaves + 1
    return count


@inlined_kernel
def _open(ids, pairs, target, nodes, sums, row, start, end):
    """A node that is a leaf so far."""
    total = first = second = 0.0
    for p in range(start, end):
        i = ids[p] & SAMPLE
        total += pairs[i, 0]
        first += pairs[i, 1]
        second += pairs[i, 1] * target[i]
    nodes[row, LEFT], nodes[row, START], nodes[row, END] = -1, start, end
    sums[row, WEIGHT], sums[row, FIRST], sums[row, SECOND] = total, first, second


@inner_kernel
def _search(lists, features, pairs, min_split, nodes, sums, row):
    """Find the best split of a node; LEFT becomes -2 if there is one."""
    start, end = nodes[row, START], nodes[row, END]
    total, whole = sums[row, WEIGHT], sums[row, FIRST]
    mean = whole / total
    if end - start < min_split or sums[row, SECOND] / total - mean * mean <= EPS:
        return
    best = -np.inf
    for k in range(features.shape[0]):
        feature = features[k]
        ids = lists[feature]
        before = ids[start] >> RANK
        if before == ids[end - 1] >> RANK:
            continue
        left, first = pairs[ids[start] & SAMPLE, 0], pairs[ids[start] & SAMPLE, 1]
        for p in range(start + 1, end):
            i, rank = ids[p] & SAMPLE, ids[p] >> RANK
            if rank != before:
                right, rest = total - left, whole - first
                value = (first * first * right + rest * rest * left) / (left * right)
                if value > best and right > 0:  # beside large weights, rounding leaves nothing of small ones
                    best = value
                    nodes[row, LEFT], nodes[row, FEATURE], nodes[row, SPLIT] = -2, feature, p
                    nodes[row, LOW], nodes[row, HIGH] = before, rank
                before = rank
            left += pairs[i, 0]
            first += pairs[i, 1]
    sums[row, REDUCTION] = best - whole * mean


@inner_kernel
def _part(lists, nodes, row, child, last, side, spare, leaf_of):
    """Give the samples of a node to two children, in all lists unless these are the last nodes of the tree."""
    start, split, end, feature = nodes[row, START], nodes[row, SPLIT], nodes[row, END], nodes[row, FEATURE]
    for p in range(start, end):
        i = lists[feature, p] & SAMPLE
        side[i] = p < split
        leaf_of[i] = child if p < split else child + 1
    if last:
        return
    for other in range(lists.shape[0]):
        if other == feature:
            continue
        ids = lists[other]
        left, right = start, 0
        for p in range(start, end):
            entry = ids[p]
            ids[left] = spare[right] = entry
            left += side[entry & SAMPLE]
            right += 1 - side[entry & SAMPLE]
        for p in range(right):
            ids[left + p] = spare[p]


CLASS = np.int64(255)  # mask of the bits that hold the class
BITS = np.int64(8)  # the bits above hold the weight less one, so that a bare class is a label of weight 1


def pack_labels(y, weights=None, dtype=np.uint32):
    """Labels as the kernels take them: the class is ``label & CLASS``, the weight ``(label >> BITS) + 1``."""
    # Weights are positive integers, up to 2**8 in uint16 and up to 2**24 in uint32; labels without them are uint8.
    if weights is None:
        return y.astype(np.uint8)
    return ((weights - 1).astype(dtype) << dtype(8)) | y.astype(dtype)


def class_weights(labels, n_classes, weights=None):
    """Sum of the labels' weights by class, int64, or of other weights, float64; ndarray of shape (n_classes,)."""
    classes, other = labels & labels.dtype.type(CLASS), weights is not None
    if not other and labels.itemsize > 1:
        weights = (labels >> labels.dtype.type(BITS)) + 1.0
    return np.bincount(classes, weights, n_classes).astype(np.float64 if other else np.int64)
