"""Gains as the kernels find them, for splits given by class counts."""

from types import SimpleNamespace

import numpy as np

from ironbark.criteria import CRITERIA, base, build
from ironbark.jit import kernel


def python_call(function):
    """Compiled entry to an `inner_kernel`, or to an operation of criteria, whose methods call inner kernels."""
    return kernel(lambda *args: function(*args))


OPERATIONS = [operation for operation in vars(base).values() if hasattr(operation, "__wrapped__")]
operations = SimpleNamespace(**{operation.__name__: python_call(operation) for operation in OPERATIONS})


def built(name, n_root, n_classes, parameter=None):
    """The criterion, as kernels run it."""
    return build(name, n_root, n_classes, {CRITERIA[name].parameter: parameter})


def values(criterion, left, right, general=False, seed=0):
    """Values of a split, whose samples move one by one unless the two-class form serves, and of its node."""
    total, n = left + right, int(left.sum() + right.sum())
    if len(total) == 2 and not general:
        v = operations.score_two(criterion, left[1], int(left.sum()), total[1], n, -np.inf)
        return v, operations.origin_two(criterion, total[1], n)
    state, moved = operations.start(criterion, total, n), np.zeros_like(total)
    for k in np.random.default_rng(seed).permutation(np.repeat(np.arange(len(left)), left)):
        state = operations.move(criterion, state, moved[k], total[k], 1)
        moved[k] += 1
    v, _ = operations.score(criterion, state, moved, total, int(left.sum()), n, -np.inf)
    return v, operations.origin(criterion, total, n)


def gain(name, left, right, parameter=None, n_root=None, general=False):
    """Gain of one split."""
    left, right = np.asarray(left), np.asarray(right)
    n = int(left.sum() + right.sum())
    n_root = n if n_root is None else n_root
    criterion = built(name, n_root, len(left), parameter)
    v, v0 = values(criterion, left, right, general)
    return (v - v0) / operations.unit(criterion, n, n_root)
