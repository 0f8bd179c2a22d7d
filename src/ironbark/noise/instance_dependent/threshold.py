"""Noise of samples whose value in one column is large."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.features import column_of, n_columns
from ironbark.noise.selection import flip, others, reaching


def threshold(X, y: np.ndarray, n_classes: int, rate, rng, *, column=None, quantile=0.5, exact: bool = False):
    """Change labels of samples above a quantile of one column to one of the other classes, all equally likely.

    Parameters
    ----------
    rate : float in [0, (K - 1) / K)
        Fraction of all samples; those above the quantile change with the probability `rate` divided by their share.
    column : int, str or None
        Position or name. None draws one of those of which some values are above the quantile.
    quantile : float in [0, 1)
        Of the values of the column.
    exact : bool
        False: each label changes independently. True: round(rate * n) labels change.

    Raises
    ------
    InputError
        If there is no such column, it does not hold numbers, or fewer samples than the rate asks for are above the
        quantile.
    """
    drawn = rng.permutation(n_columns(X)) if column is None else [column]
    above = next((above for above in (_above(X, j, quantile) for j in drawn) if above.mean() >= rate), None)
    if above is None:
        where = "no column has" if column is None else f"column {column!r} does not have"
        raise InputError(
            f"noise 'threshold': {where} a fraction {rate:g} of the samples above its quantile {quantile:g}; "
            "give a lower quantile or rate."
        )
    probabilities = reaching("threshold", above.astype(np.float64), rate, exact)
    return flip(y, probabilities, others(y, n_classes), n_classes, rng, exact)


def _above(X, column, quantile):
    """Whether the value of each sample is above the quantile of its column."""
    values = column_of("threshold", X, column)
    try:
        values = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise 'threshold' compares numbers, but column {column!r} holds others: {error}.") from error
    known = values[~np.isnan(values)]
    return values > np.quantile(known, quantile) if len(known) else np.zeros(len(values), bool)
