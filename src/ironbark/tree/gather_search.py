"""Best split of a node over a few features drawn at random: class counts of each code where codes are few, else keys
gathered for that node and sorted.

Features that are constant in the node are met by chance in large nodes and looked for in small ones; the node's
descendants skip them.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import ceiling, origin, origin_two, start, unit
from ironbark.jit import inner_kernel, pasted_kernel
from ironbark.tree.candidates import SMALL, draw_candidate, list_varying
from ironbark.tree.counts import count_codes, scan_counts, scan_counts_two
from ironbark.tree.early_exit import first_threshold, reaches, relative_risk
from ironbark.tree.keys import gather, sort
from ironbark.tree.scan import NONE, TIE, accept, scan, scan_two

BY_ROW = 1024  # nodes with fewer samples read row-major codes: their rows stay in cache


class GatherTask(NamedTuple):
    """What all nodes of a tree share."""

    columns: np.ndarray  # codes, one feature after the other
    rows: np.ndarray  # codes, one sample after the other
    n_levels: np.ndarray  # (n_features,), int64
    many_zeros: np.ndarray  # (n_features,), uint8: whether code 0 is worth leaving out
    samples: np.ndarray  # uint32
    labels: np.ndarray  # packed label of each entry of `samples`
    bits: int  # of a key that hold the packed label
    keys: np.ndarray
    spare: np.ndarray  # like keys
    digits: np.ndarray  # int32: scratch of the sort, as many as buckets
    counts: np.ndarray  # int32: scratch for class counts
    differs: np.ndarray  # like the codes, one for each feature and some: scratch
    differs_words: np.ndarray  # the same memory as uint64


def search(criterion_class, two):
    """`best_split` for one class of criteria; its cache is told apart by what this function encloses."""
    early = 1 if criterion_class.early_exit else None

    def search(criterion, task, node, settings, total, permutations, slot, moved):
        fields = criterion_class(criterion.integers, criterion.floats, criterion.a, criterion.b, criterion.c)
        return best_split(fields, two, early, task, node, settings, total, permutations, slot, moved)

    return search


@pasted_kernel
def best_split(criterion, two, early, task, node, settings, total, permutations, slot, moved):
    """Best split of a node.

    Parameters
    ----------
    criterion : Criterion
    two : None or int
        None for any number of classes, anything else for two; decided when the kernel is compiled.
    early : None or int
        None unless the search ends at the first gain that reaches the node's risk; decided likewise.
    task : GatherTask
    node : Node
    settings : Settings
    total : ndarray of shape (n_classes,), int64
        Class counts of the node.
    permutations : ndarray of shape (slots, n_features), int32
    slot : int
        The node's row in `permutations`, which is rearranged.
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
    permutation, n = permutations[slot], node.n
    limit = ceiling(criterion, total, n)
    base = origin(criterion, total, n) if two is None else origin_two(criterion, total[1], n)
    best, value = base, base
    empty = start(criterion, total, n)
    winner, low, high = np.int64(-1), np.int64(0), np.int64(0)
    n_constant = list_varying(task, node, permutation) if n < SMALL else np.int64(node.n_features)
    hidden = n_constant if settings.constants_count else np.int64(0)
    position, drawn, varying = n_constant, 0, 0
    while position < permutation.shape[0]:
        if (drawn if settings.constants_count else varying) >= settings.max_features and varying > 0:
            break
        feature = draw_candidate(node.key, permutation, position, hidden)
        drawn += 1
        if feature < 0:
            hidden -= 1
            continue
        position += 1
        found = best_threshold(criterion, two, task, node, settings, feature, empty, total, moved, base, best)
        v, below, above, varies = found
        if not varies:
            permutation[position - 1] = permutation[n_constant]
            permutation[n_constant] = feature
            n_constant += 1
            continue
        varying += 1
        if below == NONE:
            continue
        value, winner, low, high = v, feature, below, above
        if early is not None:
            whole, risk = unit(criterion, n, node.n_root), relative_risk(total, n, node.n_root)
            if reaches(value, base, whole, risk):
                run = sorted_run(task, node, feature)
                found = first_threshold(
                    criterion, two, run, -1, empty, total, n, settings.min_samples_leaf, moved, base, best, whole, risk
                )
                value, low, high = found
                if reaches(value, base, whole, risk):
                    break
        best = base + (value - base) * (1.0 + TIE)
        if value - base >= limit * (1.0 - TIE):  # both children pure
            break
    gain, winner = accept(criterion, value - base, winner, limit, node, settings)
    return gain, winner, low, high, n_constant


@pasted_kernel
def best_threshold(criterion, two, task, node, settings, feature, empty, total, moved, base, best):
    """Best split of a node by one feature.

    Returns
    -------
    value : float
    low, high : int
        Codes next to the threshold; `low` is NONE if no split exceeds `best`.
    varies : bool
        Whether the feature has two codes or more in the node.
    """
    n, first, last, leaf, n_classes = node.n, node.first, node.last, settings.min_samples_leaf, total.shape[0]
    samples, labels, n_levels = task.samples, task.labels, task.n_levels[feature]
    codes, step, start = task.rows, np.int64(task.n_levels.shape[0]), np.int64(feature)
    if last - first >= BY_ROW:
        codes, step, start = task.columns, np.int64(1), np.int64(feature * (codes.shape[0] // step))
    if n_levels * n_classes <= 3 * (last - first):
        count_codes(codes, step, start, samples, labels, first, last, n_classes, n_levels, task.counts)
        if two is None:
            v, low, high, found = scan_counts(
                criterion, empty, task.counts, n_levels, total, n, leaf, moved, base, best
            )
        else:
            v, low, high, found = scan_counts_two(criterion, task.counts, n_levels, total, n, leaf, base, best)
        return v, low, high, found > 1
    skip = task.many_zeros[feature] != 0
    count, lowest, highest = gather(codes, step, start, samples, labels, first, last, task.bits, skip, task.keys)
    if count == 0 or (lowest == highest and count == last - first):
        return best, np.int64(NONE), np.int64(0), False
    moved_keys = sort(task.keys, task.spare, task.digits, count, task.bits, lowest, highest)
    keys = task.spare if moved_keys else task.keys
    shift = keys.dtype.type(task.bits)
    mask = (keys.dtype.type(1) << shift) - keys.dtype.type(1)
    i, stop, step = (count - 1, np.int64(-1), -1) if skip else (np.int64(0), count, 1)
    if two is None:
        v, at = scan(criterion, empty, keys, i, stop, step, None, mask, shift, total, n, leaf, moved, base, best)
    else:
        v, at = scan_two(criterion, keys, i, stop, step, None, mask, shift, total, n, leaf, base, best)
    if at == NONE:
        return v, np.int64(NONE), np.int64(0), True
    inner = np.int64(keys[at - step] >> shift)
    outer = np.int64(0) if at == stop else np.int64(keys[at] >> shift)
    return v, (inner if step == 1 else outer), (outer if step == 1 else inner), True


@inner_kernel
def sorted_run(task, node, feature):
    """All keys of a node's samples by one feature in ascending order, as `first_threshold` takes them."""
    step, integer = np.int64(task.n_levels.shape[0]), task.keys.dtype.type
    start = np.int64(feature * (task.columns.shape[0] // step))
    count, lowest, highest = gather(
        task.columns, 1, start, task.samples, task.labels, node.first, node.last, task.bits, False, task.keys
    )
    moved_keys = sort(task.keys, task.spare, task.digits, count, task.bits, lowest, highest)
    keys = task.spare if moved_keys else task.keys
    shift = integer(task.bits)
    return keys, None, (integer(1) << shift) - integer(1), shift, np.int64(0), count, count
