"""Best threshold of a node by one feature: from class counts of its codes where they are few, else from sorted keys."""

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing.thresholds.radix_sort import count_codes, gather, sort, without
from ironbark.tree.growing.thresholds.scan import CONSTANT, NONE, TIE, VARIES, codes_beside, scan, scan_counts

BY_ROW = 2048  # nodes with fewer samples read row-major codes: their rows stay in cache


@inlined_kernel
def codes_of(task, node, feature):
    """Codes of a feature in the layout that suits the node: that of a sample is ``codes[sample * step + start]``."""
    n_features = np.int64(task.n_levels.shape[0])
    if node.last - node.first >= BY_ROW:
        return task.columns, np.int64(1), np.int64(feature * (task.columns.shape[0] // n_features))
    return task.rows, n_features, np.int64(feature)


@inlined_kernel
def best_of_codes(task, criterion, classes, node, settings, feature, empty, total, moved, base, best):
    """`best_threshold` from the class counts of each code."""
    counts, n_levels, missing = task.counts, task.n_levels[feature], task.missing[feature]
    codes, step, start = codes_of(task, node, feature)
    count_codes(codes, step, start, task.samples, task.labels, node.first, node.last, total.shape[0], n_levels, counts)
    return best_of_counts(
        criterion, classes, node, settings, counts, n_levels, missing, empty, total, moved, base, best
    )


@inlined_kernel
def best_of_counts(criterion, classes, node, settings, counts, n_levels, missing, empty, total, moved, base, best):
    """`best_threshold` from class counts; the code of missing values is the largest one, or -1."""
    n, leaf, n_classes, to_left = node.n, settings.min_samples_leaf, total.shape[0], np.int64(-1)
    v, low, high, found = scan_counts(classes, criterion, empty, counts, n_levels, total, n, leaf, moved, base, best)
    if missing >= 0 and found > 1 and bring_forward(counts, missing, n_classes, moved):
        best, to_left = raised(v, low, base, best), np.int64(0)
        value, below, above, _ = scan_counts(
            classes, criterion, empty, counts, n_levels, total, n, leaf, moved, base, best
        )
        if below > 0:  # else missing values are alone, as in the first scan
            v, low, high, to_left = value, below - 1, above - 1, np.int64(1)
    return v, low, high, to_left, np.int64(found > 1)


@inlined_kernel
def best_of_keys(task, criterion, classes, node, settings, feature, empty, total, moved, base, best):
    """`best_threshold` from sorted keys; downwards where code 0 was left out, or missing values go left."""
    n, first, last, leaf = node.n, node.first, node.last, settings.min_samples_leaf
    codes, step, start = codes_of(task, node, feature)
    skip, missing = task.many_zeros[feature] != 0, task.missing[feature]
    count, lowest, highest = gather(
        codes, step, start, task.samples, task.labels, first, last, task.bits, skip, task.keys
    )
    if count == 0 or (lowest == highest and count == last - first):
        return best, np.int64(NONE), np.int64(0), np.int64(-1), np.int64(CONSTANT)
    in_spare = sort(task.keys, task.spare, task.counts, count, task.bits, lowest, highest)
    keys = task.spare if in_spare else task.keys
    shift = keys.dtype.type(task.bits)
    mask = (keys.dtype.type(1) << shift) - keys.dtype.type(1)
    value, low, high, to_left = best, np.int64(NONE), np.int64(0), np.int64(-1)
    run, rounds = (np.int64(0), count, np.int64(1)), 1
    if skip:
        run = count - 1, np.int64(-1), np.int64(-1)
    if missing >= 0 and highest == missing:
        rounds, to_left = 2, np.int64(0)
    for missing_left in range(rounds):
        if missing_left:
            best = raised(value, low, base, best)
            count = without(keys, count, shift, missing)
            run = count - 1, np.int64(-1), np.int64(-1)
            if count == 0:
                break
        v, at = scan(classes, criterion, empty, keys, run, None, mask, shift, total, n, leaf, moved, base, best)
        if at != NONE:
            value, to_left = v, np.int64(missing_left) if rounds == 2 else np.int64(-1)
            low, high = codes_beside(keys, run, at, shift, np.int64(0))
    return value, low, high, to_left, np.int64(VARIES)


@inner_kernel
def bring_forward(counts, missing, n_classes, spare):
    """Move the class counts of missing values in front of all codes, which then are one larger; False if all are 0."""
    size, first = np.int64(0), missing * n_classes
    for k in range(n_classes):
        spare[k] = counts[first + k]
        size += spare[k]
    if size == 0:
        return False
    for i in range(first - 1, -1, -1):
        counts[i + n_classes] = counts[i]
    for k in range(n_classes):
        counts[k] = spare[k]
    return True


@inner_kernel
def raised(value, low, base, best):
    """The value to exceed after a scan that began with `best`."""
    return best if low == NONE else base + (value - base) * (1.0 + TIE)
