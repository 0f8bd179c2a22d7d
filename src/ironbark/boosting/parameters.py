"""Checks of the parameters of boosters."""

from numbers import Integral, Real

import numpy as np

from ironbark.errors import InputError


def integer(name, value, low):
    """InputError unless `value` is an integer of at least `low`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < low:
        raise InputError(f"{name}={value!r} must be an integer >= {low}.")


def number(name, value, low, high=np.inf, *, closed=False):
    """InputError unless `value` is a finite number above `low` (or, if closed, equal to it) and below `high`."""
    wanted = f"a finite number {'>=' if closed else '>'} {low}" + (f" and < {high}" if high < np.inf else "")
    fits = isinstance(value, Real) and not isinstance(value, bool)
    if not fits or not (low <= value if closed else low < value) or not value < high:
        raise InputError(f"{name}={value!r} must be {wanted}.")


def tree(max_leaf_nodes, min_samples_split):
    """InputError unless the parameters of the trees are integers of at least 2, or None for any number of leaves."""
    if max_leaf_nodes is not None:
        integer("max_leaf_nodes", max_leaf_nodes, 2)
    integer("min_samples_split", min_samples_split, 2)
