"""A node's samples in the order of one feature, for the general way to grow trees, and moving them to the left side."""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inner_kernel
from ironbark.tree.keys import sort

BITS = 32  # a key is ``code << BITS | sample``


class GeneralTask(NamedTuple):
    """What all nodes of a tree share."""

    codes: np.ndarray  # (n_features, n_samples)
    missing: np.ndarray  # (n_features,), int64: code of NaN, or -1
    classes: np.ndarray  # uint8; this and the next two by row of the training set
    weights: np.ndarray  # float64
    sizes: np.ndarray  # int64: how often a sample counts for stopping rules
    samples: np.ndarray  # uint32: rows to grow on, rearranged
    keys: np.ndarray  # uint64: scratch, as long as `samples`; so are the next two
    spare: np.ndarray
    digits: np.ndarray  # (256,), int32
    rises: np.ndarray  # uint8: whether the midpoint of a level and the next one is rounded up; empty without quirks
    offsets: np.ndarray  # (n_features + 1,), int64: where each feature's levels start in `rises`


class Sides(NamedTuple):
    """Class weights and class sizes of a node and of the children of the split that is tried."""

    total: np.ndarray
    left: np.ndarray
    right: np.ndarray
    total_sizes: np.ndarray
    left_sizes: np.ndarray


class Run(NamedTuple):
    """The node's samples in the order of one feature."""

    keys: np.ndarray
    n_present: int  # behind these stand those with missing values
    n_missing: int


@inner_kernel
def sorted_keys(task, node, feature):
    """Write the keys of the node's samples to `task.keys` in ascending order, those of missing values last.

    Returns
    -------
    n_missing : int
    moved : bool
        Whether the keys stand in `task.spare` instead.
    """
    missing, n_missing = task.missing[feature], 0
    lowest, highest = np.int64(2**40), np.int64(-1)
    for i in range(node.first, node.last):
        sample = task.samples[i]
        code = np.int64(task.codes[feature, sample])
        task.keys[i - node.first] = (np.uint64(code) << np.uint64(BITS)) | np.uint64(sample)
        n_missing += code == missing
        lowest, highest = min(lowest, code), max(highest, code)
    return n_missing, sort(task.keys, task.spare, task.digits, node.last - node.first, BITS, lowest, highest)


@inner_kernel
def end_of_code(keys, start, stop):
    """Index behind the keys that share the code of the key at `start`."""
    i, code = start + 1, code_of(keys[start])
    while i < stop and code_of(keys[i]) == code:
        i += 1
    return i


@inner_kernel
def move(task, keys, start, stop, sides):
    """Add the samples of some keys to the left side; returns how many samples they count for."""
    moved = np.int64(0)
    for i in range(start, stop):
        sample = sample_of(keys[i])
        k = task.classes[sample]
        sides.left[k] += task.weights[sample]
        sides.left_sizes[k] += task.sizes[sample]
        moved += task.sizes[sample]
    return moved


@inner_kernel
def code_of(key):
    """Code of a key."""
    return np.int64(key >> np.uint64(BITS))


@inner_kernel
def sample_of(key):
    """Sample of a key."""
    return np.int64(key & np.uint64(2**BITS - 1))
