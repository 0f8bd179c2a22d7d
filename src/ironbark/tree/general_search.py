"""Best split of a node on float class weights: every threshold in ascending order, missing values on either side.

This serves what the two fast ways to grow can't: weights that are no integers, missing values, and the quirks of
`compat`. Features are visited in the order of the fast searches, and ties fall as there.
"""

from typing import NamedTuple

import numpy as np

from ironbark.criteria.base import EPS
from ironbark.jit import inner_kernel
from ironbark.tree.candidates import SMALL
from ironbark.tree.early_exit import relative_risk
from ironbark.tree.general_keys import Run, code_of, end_of_code, move, sample_of, sorted_keys
from ironbark.tree.general_nodes import FEATURE, HIGH, LOW, MISSING_LEFT, ODD, ROSE
from ironbark.tree.nodes import draw
from ironbark.tree.scan import TIE


class Rules(NamedTuple):
    """How to search, beside `Settings`."""

    all_features: bool
    quirks: bool  # smallest children and thresholds as in the code of Wilton and Ye (2024)
    early_exit: bool
    absolute: float  # gains that count as none, see `Criterion.floors`
    per_weight: float
    per_bound: float
    scale: float  # what gains are divided by to be those of the definition
    lightest: float  # weight that a child must have


class GeneralNode(NamedTuple):
    """A node while it is searched for a split."""

    first: int  # range of its samples
    last: int
    size: int  # how many samples that is
    weight: float
    root: float  # weight of the root
    n_constant: int  # features known to be constant, in front of the permutation
    key: np.uint64
    whole: float  # impurity
    bound: float  # of gains


@inner_kernel
def search(gain, criterion, task, rules, settings, node, sides, permutation, found):
    """Best split of a node, written to `found`.

    Parameters
    ----------
    gain : function
        Takes criterion, impurity of the node, class weights of the children and their sums.
    criterion : Criterion
    task : GeneralTask
    rules : Rules
    settings : Settings
    node : GeneralNode
    sides : Sides
    permutation : ndarray of shape (n_features,), int32
        Rearranged.
    found : ndarray of shape (6,), int64

    Returns
    -------
    value : float
        Gain times ``rules.scale``; 0.0 if there is none.
    n_constant : int
    """
    n_features, n_constant = permutation.shape[0], np.int64(node.n_constant)
    if rules.all_features:
        n_constant = hide_constants(task, node, permutation)
    elif node.size < SMALL:
        n_constant = list_varying(task, node, permutation)
    offset = n_constant if rules.all_features else np.int64(0)
    hidden = n_constant if settings.constants_count and not rules.all_features else np.int64(0)
    risk = relative_risk(sides.total, node.weight, node.root) if rules.early_exit else np.inf
    position, drawn, varying, value, found[FEATURE] = n_constant, 0, 0, 0.0, -1
    while position < n_features:
        if varying > 0 and (drawn if settings.constants_count else varying) >= settings.max_features:
            break
        number = draw(node.key, position - offset - hidden, hidden + n_features - position)
        drawn += 1
        if number < hidden:
            hidden -= 1
            continue
        other = position + number - hidden
        feature = np.int64(permutation[other])
        permutation[other] = permutation[position]
        permutation[position] = feature
        position += 1
        if not varies(task, node, feature):
            permutation[position - 1] = permutation[n_constant]
            permutation[n_constant] = feature
            n_constant += 1
            continue
        varying += 1
        value = try_feature(gain, criterion, task, rules, settings, node, feature, sides, value, risk, found)
        if found[FEATURE] >= 0 and (value >= node.bound * (1.0 - TIE) or value + EPS >= risk):
            break
    return value, n_constant


@inner_kernel
def hide_constants(task, node, permutation):
    """Move features that are constant in the node to the front; returns their number. The others keep their order."""
    write = permutation.shape[0] - 1
    for position in range(permutation.shape[0] - 1, node.n_constant - 1, -1):
        feature = permutation[position]
        permutation[write] = feature
        write -= np.int64(varies(task, node, feature))
    return np.int64(write + 1)


@inner_kernel
def list_varying(task, node, permutation):
    """Write the features that vary in the node to the end of its permutation; returns the number of the others."""
    write = permutation.shape[0] - 1
    for feature in range(permutation.shape[0] - 1, -1, -1):
        permutation[write] = feature
        write -= np.int64(varies(task, node, feature))
    return np.int64(write + 1)


@inner_kernel
def varies(task, node, feature):
    """Whether a feature has two codes or more in the node."""
    i, code = node.first + 1, task.codes[feature, task.samples[node.first]]
    while i < node.last and task.codes[feature, task.samples[i]] == code:
        i += 1
    return i < node.last


@inner_kernel
def try_feature(gain, criterion, task, rules, settings, node, feature, sides, value, risk, found):
    """Best split by one feature, if it beats `value`; first with missing values right, then with them left.

    Returns
    -------
    float
        The larger of `value` and the best value found, which `found` describes then.
    """
    n, before = node.last - node.first, value
    n_missing, moved = sorted_keys(task, node, feature)
    run = Run(task.spare if moved else task.keys, n - n_missing, n_missing)
    for missing_left in range(1 if n_missing == 0 else 2):
        for k in range(sides.left.shape[0]):
            sides.left[k], sides.left_sizes[k] = 0.0, 0
        n_left = move(task, run.keys, run.n_present, n, sides) if missing_left else np.int64(0)
        value = scan(
            gain, criterion, task, rules, settings, node, feature, run, missing_left, n_left, sides, value, found
        )
        if value > before and value + EPS >= risk:
            break
    return value


@inner_kernel
def scan(gain, criterion, task, rules, settings, node, feature, run, missing_left, n_left, sides, value, found):
    """`try_feature` for missing values on one side; `sides.left` and its size `n_left` hold those that go left."""
    stop, tried, i = run.n_present, False, np.int64(0)
    only_missing = run.n_missing > 0 and not missing_left  # may stand right
    while i < stop:
        code, start = code_of(run.keys[i]), i
        i = end_of_code(run.keys, i, stop)
        n_left += move(task, run.keys, start, i, sides)
        if i == stop and not only_missing:
            break
        following, odd, rose = code_of(run.keys[i]), np.int64(-1), False
        if rules.quirks:
            rose = following == code + 1 and task.rises[task.offsets[feature] + code] != 0
        if rose:
            start, i = i, end_of_code(run.keys, i, stop)
            if i == stop and not only_missing:
                i -= 1
                odd = sample_of(run.keys[i])
            n_left += move(task, run.keys, start, i, sides)
        least = settings.min_samples_leaf + np.int64(rules.quirks and tried)
        tried = True
        if min(n_left, node.size - n_left) < least:
            continue
        v = evaluate(gain, criterion, node.whole, sides, rules.lightest)
        if v > value * (1.0 + TIE):
            value = v
            found[FEATURE], found[LOW], found[HIGH], found[ROSE], found[ODD] = feature, code, following, rose, odd
            found[MISSING_LEFT] = missing_left if run.n_missing > 0 else np.int64(n_left > node.size - n_left)
            if rules.early_exit and value + EPS >= relative_risk(sides.total, node.weight, node.root):
                break
    return value


@inner_kernel
def evaluate(gain, criterion, whole, sides, lightest):
    """Gain of the split into `sides.left` and the rest, written to `sides.right`; -inf if a side is too light."""
    n_left, n_right = 0.0, 0.0
    for k in range(sides.left.shape[0]):
        none = sides.left_sizes[k] == sides.total_sizes[k]  # a difference of float sums need not be zero then
        sides.right[k] = 0.0 if none else max(sides.total[k] - sides.left[k], 0.0)
        n_left += sides.left[k]
        n_right += sides.right[k]
    if min(n_left, n_right) < lightest:
        return -np.inf
    return gain(criterion, whole, sides.left, sides.right, n_left, n_right)
