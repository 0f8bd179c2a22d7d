"""Gains as the kernels find them, for splits given by class counts."""

from types import SimpleNamespace

import numpy as np
import pytest
from python_calls import python_call

from ironbark.criteria import CRITERIA, base, build

OPERATIONS = [operation for operation in vars(base).values() if hasattr(operation, "__wrapped__")]
_operations = SimpleNamespace(**{operation.__name__: python_call(operation) for operation in OPERATIONS})


def _build(name, n_root, n_classes, parameter=None):
    return build(name, n_root, n_classes, {CRITERIA[name].parameter: parameter})


def _values(criterion, left, right, general=False, seed=0):
    """(v, v0) of a split; samples move to side A one by one in random order unless the two-class form serves."""
    total, n = left + right, int(left.sum() + right.sum())
    if len(total) == 2 and not general:
        return (
            _operations.score_two(criterion, left[1], int(left.sum()), total[1], n),
            _operations.origin_two(criterion, total[1], n),
        )
    state, moved = _operations.start(criterion, total, n), np.zeros_like(total)
    for k in np.random.default_rng(seed).permutation(np.repeat(np.arange(len(left)), left)):
        state = _operations.move(criterion, state, moved[k], total[k], 1)
        moved[k] += 1
    v, _ = _operations.score(criterion, state, moved, total, int(left.sum()), n, -np.inf)
    return v, _operations.origin(criterion, total, n)


@pytest.fixture
def operations():
    """The operations of `ironbark.criteria.base`, as kernels run them."""
    return _operations


@pytest.fixture
def built():
    """``built(name, n_root, n_classes, parameter)`` is what the kernels run."""
    return _build


@pytest.fixture
def values():
    """``values(criterion, left, right)`` is (value of the split, value of the node)."""
    return _values


@pytest.fixture
def gain():
    """``gain(name, left, right, parameter=None, n_root=None, general=False)`` of one split."""

    def find(name, left, right, parameter=None, n_root=None, general=False):
        left, right = np.asarray(left), np.asarray(right)
        n = int(left.sum() + right.sum())
        n_root = n if n_root is None else n_root
        criterion = _build(name, n_root, len(left), parameter)
        v, v0 = _values(criterion, left, right, general)
        return (v - v0) / _operations.unit(criterion, n, n_root)

    return find
