"""Noise of one subgroup of the samples."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.features import column_of, n_columns
from ironbark.noise.selection import flip, others, reaching

FEW = 20  # distinct values of a column whose values are groups


def group(X, y: np.ndarray, n_classes: int, rate, rng, *, column=None, value=None, exact: bool = False):
    """Change labels of one group of samples to one of the other classes, all equally likely.

    Parameters
    ----------
    rate : float in [0, 1]
        Fraction of the labels of the group.
    column : int, str or None
        Position or name; None draws one of those that vary.
    value : number, str or None
        The group has this value in the column. None takes the group of a sample that is drawn among all.
    exact : bool
        False: each label of the group changes independently. True: round(rate * size of the group) labels change.

    Raises
    ------
    InputError
        If there is no such column, no sample has the value, or no column varies.

    Notes
    -----
    A group that is drawn in a column of more than 20 distinct numbers is one of the four between its quartiles, each
    with its upper end; elsewhere it is all samples of one value. Samples whose value is missing are in no group.
    """
    if column is None:
        varying = [j for j in range(n_columns(X)) if len(_distinct(column_of("group", X, j))) > 1]
        if not varying:
            raise InputError("noise 'group' draws a column that varies, but every column of X is constant.")
        column = int(rng.choice(varying))
    values = column_of("group", X, column)
    inside = _drawn(values, column, rng) if value is None else _having(values, value)
    if not np.any(inside):
        raise InputError(
            f"noise 'group': no sample has the value {value!r} in column {column!r}; give one that occurs."
        )
    probabilities = np.zeros(len(y))
    probabilities[inside] = reaching("group", np.ones(np.count_nonzero(inside)), rate, exact)
    return flip(y, probabilities, others(y, n_classes), n_classes, rng, exact)


def _known(values):
    """Whether each value is not missing: None, NaN, NaT, or pandas' NA, which is equal to nothing and not unequal."""
    same = [value == value for value in values.tolist()]  # noqa: PLR0124
    there = [isinstance(one, (bool, np.bool_)) and bool(one) for one in same]
    return np.array(there) & np.array([value is not None for value in values.tolist()])


def _having(values, value):
    """Samples of one value."""
    inside, known = np.zeros(len(values), bool), np.flatnonzero(_known(values))
    inside[known] = values[known] == value
    return inside


def _as_numbers(values):
    """Numbers that are held as objects, and dates, as an array of numbers; other values as they are."""
    if values.dtype.kind in "mM":
        return values.astype(np.int64)
    if values.dtype.kind == "O" and all(isinstance(value, (int, float, np.number)) for value in values):
        return values.astype(np.float64)
    return values


def _distinct(values):
    return set(values[_known(values)].tolist())


def _drawn(values, column, rng):
    """Samples of the group of a sample that is drawn."""
    known = np.flatnonzero(_known(values))
    if len(known) == 0:
        raise InputError(f"noise 'group': all values of column {column!r} are missing; give another one.")
    at, there, inside = rng.choice(len(known)), _as_numbers(values[known]), np.zeros(len(values), bool)
    if len(_distinct(values)) > FEW and there.dtype.kind in "iuf":
        cuts = np.quantile(there, [0.25, 0.5, 0.75])
        inside[known] = np.searchsorted(cuts, there) == np.searchsorted(cuts, there[at])
    else:
        inside[known] = there == there[at]
    return inside
