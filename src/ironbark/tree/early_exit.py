"""The end of a search at the first gain that reaches the risk of the node, see `ironbark.criteria.twoing_rdts`.

A fast scan takes its thresholds in the order that is cheapest, and knows only the best one of a feature. Where the best
does not reach the risk, none of the feature does. Where it does, the search is over with this feature, and one scan of
its thresholds in ascending order finds the one that ended it.
"""

import numpy as np

from ironbark.criteria.base import EPS, score, score_two
from ironbark.jit import inner_kernel, pasted_kernel
from ironbark.tree.nodes import label_class, label_of, label_weight
from ironbark.tree.scan import TIE


@inner_kernel
def relative_risk(total, n, n_root):
    """What Wilton and Ye's code compares twoing with: n / n_root (1 - max_k p_k) K / (K-1)."""
    most = total[0]
    for k in range(1, total.shape[0]):
        most = max(most, total[k])
    return (n - most) / n_root * total.shape[0] / (total.shape[0] - 1.0)


@pasted_kernel
def reaches(value, base, unit, risk):
    """Whether a value of a criterion, above `base` of the unsplit node, is a gain that ends the search."""
    return (value - base) / unit + EPS >= risk


@pasted_kernel
def first_threshold(criterion, two, run, mode, empty, total, n, leaf, moved, base, best, unit, risk):
    """Search one feature in ascending order up to the first value above `best` that reaches the risk.

    Parameters
    ----------
    two : None or int
        As for `best_split`.
    run : tuple
        Sorted entries, packed labels by sample or None, mask and shift as for `scan`; first entry, first entry above
        the mode, and end.
    mode : int
        Code of the samples that have no entry, -1 if all have one.
    best : float
        What earlier features reached.

    Returns
    -------
    value : float
    low, high : int
        Codes next to the threshold; of the best one if the risk is not reached.
    """
    entries, labels, mask, shift, first, middle, last = run
    for k in range(total.shape[0]):
        moved[k] = 0
    value, low, high = best, np.int64(0), np.int64(0)
    i, n_moved, waits = np.int64(first), np.int64(0), mode >= 0
    following = next_code(entries, shift, i, middle, last, mode, waits)
    while following >= 0:
        code = following
        if waits and i == middle:
            waits = False
            n_moved = take_all_but(entries, labels, mask, middle, last, total, n, moved)
        else:
            i, n_moved = take(entries, labels, mask, shift, i, last, n_moved, moved)
        following = next_code(entries, shift, i, middle, last, mode, waits)
        if following < 0 or min(n_moved, n - n_moved) < leaf:
            continue
        if two is None:
            v, _ = score(criterion, empty, moved, total, n_moved, n, best)
        else:
            v = score_two(criterion, moved[1], n_moved, total[1], n)
        if v > best:
            value, low, high = v, code, following
            best = base + (v - base) * (1.0 + TIE)
            if reaches(v, base, unit, risk):
                break
    return value, low, high


@inner_kernel
def next_code(entries, shift, i, middle, last, mode, waits):
    """Smallest code that was not taken yet, -1 if there is none; the mode, if it waits, comes before entry `middle`."""
    if waits and i == middle:
        return np.int64(mode)
    return np.int64(entries[np.uint64(i)] >> shift) if i < last else np.int64(-1)


@inner_kernel
def take(entries, labels, mask, shift, i, last, n_moved, moved):
    """Add all entries of the code of entry i to `moved`; returns the entry after them and the new sum."""
    code = entries[np.uint64(i)] >> shift
    while i < last and entries[np.uint64(i)] >> shift == code:
        label = label_of(labels, entries[np.uint64(i)] & mask)
        moved[np.uint64(label_class(label))] += label_weight(label)
        n_moved += label_weight(label)
        i += 1
    return i, n_moved


@inner_kernel
def take_all_but(entries, labels, mask, first, last, total, n, moved):
    """Write the class counts of the node without these entries to `moved`; returns their sum."""
    for k in range(total.shape[0]):
        moved[k] = total[k]
    for i in range(first, last):
        label = label_of(labels, entries[np.uint64(i)] & mask)
        moved[np.uint64(label_class(label))] -= label_weight(label)
        n -= label_weight(label)
    return n
