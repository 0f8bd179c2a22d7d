"""Which methods of a table are as good as the best: the rule behind the bold cells of the ANE paper."""

import numpy as np
import pandas as pd
from scipy import stats

CONFIDENCE = 0.975
TOLERANCE = 1e-12  # equal accuracies may differ in the last bits of their means


def half_width(sd, n, confidence=CONFIDENCE):
    """Half the width of a two-sided t-interval of a mean.

    Parameters
    ----------
    sd : array-like of float
        Standard deviations with divisor n - 1.
    n : array-like of int
        Numbers of observations.

    Returns
    -------
    ndarray of float64
        ``t((1 + confidence) / 2, n - 1) * sd / sqrt(n)``; zero where n < 2, since one run tells no spread.
    """
    sd, n = np.broadcast_arrays(np.asarray(sd, dtype=float), np.asarray(n, dtype=float))
    several = n >= 2
    width = np.zeros(sd.shape)
    width[several] = stats.t.ppf((1 + confidence) / 2, n[several] - 1) * sd[several] / np.sqrt(n[several])
    return width


def highlighted(cells, by=("dataset", "task", "noise_id")):
    """Mark in each group the methods whose t-interval reaches the interval of the best mean.

    Parameters
    ----------
    cells : DataFrame
        With the columns ``mean`` (larger is better), ``sd``, ``n`` and those of `by`.
    by : sequence of str
        What makes a group.

    Returns
    -------
    Series of bool
        With the index of `cells`. NaN means are never marked. Of equal best means the widest interval counts.

    Notes
    -----
    ``mean_i + h_i >= mean_best - h_best`` with `half_width` h. The paper does not state a rule; this one gives back
    1087 of the 1092 bold and plain cells of its Tables 2 to 5 (two-sided 97.5 % intervals, n = 5), and misses the
    other five by no more than the rounding of the published values.
    """
    width = pd.Series(half_width(cells["sd"], cells["n"]), index=cells.index)
    keys = [cells[column] for column in by]
    best = cells["mean"].groupby(keys).transform("max")
    widest = width.where(cells["mean"] == best).groupby(keys).transform("max")
    return (cells["mean"] + width >= best - widest - TOLERANCE).rename("highlighted")
