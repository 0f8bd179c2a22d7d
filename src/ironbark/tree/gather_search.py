"""Best split of a node over a few features drawn at random, on keys gathered for that node.

Features that are constant in the node do not use up draws. They move to the front of the node's permutation of the
features, where the node's descendants skip them.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import ceiling, origin, origin_two, tolerance, unit
from ironbark.jit import inner_kernel
from ironbark.tree.keys import gather, sort
from ironbark.tree.nodes import draw
from ironbark.tree.scan import NONE, TIE, scan, scan_two

BY_ROW = 1024  # nodes with fewer samples read row-major codes: their rows stay in cache


class GatherTask(NamedTuple):
    """What the search needs to know of a node, the codes and the settings."""

    columns: np.ndarray  # (n_features, n_samples)
    rows: np.ndarray  # (n_samples, n_features)
    many_zeros: np.ndarray  # (n_features,), uint8: whether code 0 is worth leaving out
    samples: np.ndarray  # uint32
    labels: np.ndarray  # packed label of each entry of `samples`
    keys: np.ndarray
    spare: np.ndarray  # like keys
    byte_counts: np.ndarray  # (256,), int64
    bits: int  # of a key that hold the packed label
    first: int  # range of the node's samples
    last: int
    n: int  # total weight of the node
    n_constant: int  # number of features known to be constant, at the front of the permutation
    n_root: int
    max_features: int
    min_samples_leaf: int
    min_impurity_decrease: float
    key: np.uint64


@inner_kernel
def best_split(criterion, two, task, total, permutation, moved):
    """Best split of a node.

    Parameters
    ----------
    criterion : Criterion
    two : None or int
        None for any number of classes, anything else for two; decided when the kernel is compiled.
    task : GatherTask
    total : ndarray of shape (n_classes,), int64
        Class counts of the node.
    permutation : ndarray of shape (n_features,), int64
        Rearranged.
    moved : ndarray of shape (n_classes,), int64
        Scratch.

    Returns
    -------
    gain : float
    feature : int
        The winning feature, or -1 if no split has a gain.
    low, high : int
        Largest code that goes left and smallest code that goes right.
    n_constant : int
    """
    n, first, last, leaf = task.n, task.first, task.last, task.min_samples_leaf
    n_features = permutation.shape[0]
    shift = task.keys.dtype.type(task.bits)
    mask = (task.keys.dtype.type(1) << shift) - task.keys.dtype.type(1)
    limit = ceiling(criterion, total, n)
    base = origin(criterion, total, n) if two is None else origin_two(criterion, total[1], n)
    best, value = base, base
    winner, low, high = np.int64(-1), np.int64(0), np.int64(0)
    n_constant, position, varying = task.n_constant, task.n_constant, 0
    while position < n_features and varying < task.max_features:
        other = position + draw(task.key, position, n_features - position)
        feature = permutation[other]
        permutation[other] = permutation[position]
        permutation[position] = feature
        position += 1
        skip = task.many_zeros[feature] != 0
        if last - first < BY_ROW:
            column = task.rows[:, feature]
            count, lowest, highest = gather(column, task.samples, task.labels, first, last, task.bits, skip, task.keys)
        else:
            row = task.columns[feature]
            count, lowest, highest = gather(row, task.samples, task.labels, first, last, task.bits, skip, task.keys)
        if count == 0 or (lowest == highest and count == last - first):
            permutation[position - 1] = permutation[n_constant]
            permutation[n_constant] = feature
            n_constant += 1
            continue
        varying += 1
        keys = sort(task.keys, task.spare, task.byte_counts, count, task.bits, lowest, highest)
        if skip:
            i, stop, step = count - 1, np.int64(-1), -1
        else:
            i, stop, step = np.int64(0), count, 1
        if two is None:
            v, at = scan(criterion, keys, i, stop, step, None, mask, shift, total, n, leaf, moved, base, best)
        else:
            v, at = scan_two(criterion, keys, i, stop, step, None, mask, shift, total, n, leaf, base, best)
        if at == NONE:
            continue
        value, winner = v, feature
        best = base + (v - base) * (1.0 + TIE)
        inner = np.int64(keys[at - step] >> shift)
        outer = np.int64(0) if at == stop else np.int64(keys[at] >> shift)
        low, high = (inner, outer) if step == 1 else (outer, inner)
        if value - base >= limit * (1.0 - TIE):  # both children pure
            break
    weight = unit(criterion, n, task.n_root)
    if value - base <= max(tolerance(criterion, limit, n, task.n_root), task.min_impurity_decrease * weight):
        winner = np.int64(-1)
    return (value - base) / weight, winner, low, high, n_constant
