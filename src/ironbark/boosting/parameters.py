"""Checks of the parameters of boosters."""

from numbers import Integral, Real

import numpy as np

from ironbark.errors import InputError


def integer(name, value, low):
    """InputError unless `value` is an integer of at least `low`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < low:
        raise InputError(f"{name}={value!r} must be an integer >= {low}.")


def number(name, value, low, high=np.inf, *, closed="neither", besides=""):
    """InputError unless `value` is a finite number between two ends.

    Parameters
    ----------
    name : str
        Of the parameter.
    value : object
    low, high : float
    closed : {"neither", "low", "high", "both"}
        Ends that are allowed themselves.
    besides : str
        What else the parameter may be, as the message begins; not checked.
    """
    least, most = closed in ("low", "both"), closed in ("high", "both")
    fits = isinstance(value, Real) and not isinstance(value, bool)
    if not fits or not (low <= value if least else low < value) or not (value <= high if most else value < high):
        wanted = f"{besides}a finite number"
        wanted += f" {'>=' if least else '>'} {low}" + (f" and {'<=' if most else '<'} {high}" if high < np.inf else "")
        raise InputError(f"{name}={value!r} must be {wanted}.")


def choice(name, value, allowed):
    """InputError unless `value` is one of those allowed."""
    if value not in list(allowed):
        raise InputError(f"{name}={value!r} must be one of {', '.join(map(repr, allowed))}.")


def tree(max_leaf_nodes, min_samples_split):
    """InputError unless the parameters of the trees are integers of at least 2, or None for any number of leaves."""
    if max_leaf_nodes is not None:
        integer("max_leaf_nodes", max_leaf_nodes, 2)
    integer("min_samples_split", min_samples_split, 2)
