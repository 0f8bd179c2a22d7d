"""Noise of samples by their value in one column: above a quantile, or of a group.

docs/noise.md defines them. With ``exact`` (false by default) the number of labels that change is rounded, not drawn.
"""

import numpy as np

from ironbark.errors import InputError
from ironbark.inputs import missing
from ironbark.noise.base import column_of, flip, n_columns, others, reaching


def threshold(X, y: np.ndarray, n_classes: int, rate, rng, *, column=None, quantile=0.5, exact: bool = False):
    """Change labels of samples above a quantile of one column to one of the other classes, all equally likely."""
    drawn = rng.permutation(n_columns(X)) if column is None else [column]
    candidates = (_above(X, j, quantile, column is None) for j in drawn)
    above = next((above for above in candidates if above.mean() >= rate), None)
    if above is None:
        where = "no column has" if column is None else f"column {column!r} does not have"
        raise InputError(
            f"noise 'threshold': {where} a fraction {rate:g} of the samples above its quantile {quantile:g}; "
            "give a lower quantile or rate."
        )
    probabilities = reaching("threshold", above.astype(np.float64), rate, exact)
    return flip(y, probabilities, others(y, n_classes), n_classes, rng, exact)


def _above(X, column, quantile, drawn):
    """Whether the value of each sample is above the quantile of its column; of none if one is drawn that is text."""
    values = column_of("threshold", X, column)
    known, above = ~missing(values), np.zeros(len(values), bool)
    try:
        numbers = values[known].astype(np.float64)
    except (TypeError, ValueError) as error:
        if drawn:
            return above
        raise InputError(f"noise 'threshold' compares numbers, but column {column!r} holds others: {error}.") from error
    if len(numbers):
        above[known] = numbers > np.quantile(numbers, quantile)
    return above


FEW = 20  # distinct values of a column whose values are groups


def group(X, y: np.ndarray, n_classes: int, rate, rng, *, column=None, value=None, exact: bool = False):
    """Change labels of one group of samples to one of the other classes; a missing value is in no group."""
    if column is None:
        varying = [j for j in range(n_columns(X)) if len(_distinct(column_of("group", X, j))) > 1]
        if not varying:
            raise InputError("noise 'group' draws a column that varies, but every column of X is constant.")
        column = int(rng.choice(varying))
    values = column_of("group", X, column)
    inside = _drawn(values, column, rng) if value is None else ~missing(values)
    if value is not None:
        inside[inside] = values[inside] == _as_date(value, values)
    if not np.any(inside):
        raise InputError(
            f"noise 'group': no sample has the value {value!r} in column {column!r}; give one that occurs."
        )
    probabilities = np.zeros(len(y))
    probabilities[inside] = reaching("group", np.ones(np.count_nonzero(inside)), rate, exact)
    return flip(y, probabilities, others(y, n_classes), n_classes, rng, exact)


def _as_date(value, values):
    """A date or a time in the type of numpy, if values are of it; any other value as it is."""
    try:
        return values.dtype.type(value) if values.dtype.kind in "mM" else value
    except (TypeError, ValueError):
        return value


def _as_numbers(values):
    """Numbers that are held as objects, and dates, as an array of numbers; other values as they are."""
    if values.dtype.kind in "mM":
        return values.astype(np.int64)
    if values.dtype.kind == "O" and all(isinstance(value, (int, float, np.number)) for value in values):
        return values.astype(np.float64)
    return values


def _distinct(values):
    return set(values[~missing(values)].tolist())


def _drawn(values, column, rng):
    """Samples of the group of a sample that is drawn."""
    known = np.flatnonzero(~missing(values))
    if len(known) == 0:
        raise InputError(f"noise 'group': all values of column {column!r} are missing; give another one.")
    at, there, inside = rng.choice(len(known)), _as_numbers(values[known]), np.zeros(len(values), bool)
    if len(_distinct(values)) > FEW and there.dtype.kind in "iuf":
        cuts = np.quantile(there, [0.25, 0.5, 0.75])
        inside[known] = np.searchsorted(cuts, there) == np.searchsorted(cuts, there[at])
    else:
        inside[known] = there == there[at]
    return inside
