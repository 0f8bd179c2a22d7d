"""Which methods of a table are as good as the best: the rule behind the bold cells of the ANE paper."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

CONFIDENCE = 0.975
TOLERANCE = 1e-12  # equal accuracies may differ in the last bits of their means


def half_width(sd, n, confidence=CONFIDENCE) -> np.ndarray:
    """Half the width of a two-sided t-interval of a mean."""
    sd, n = np.broadcast_arrays(np.asarray(sd, dtype=float), np.asarray(n, dtype=float))
    several = n >= 2
    width = np.zeros(sd.shape)
    width[several] = stats.t.ppf((1 + confidence) / 2, n[several] - 1) * sd[several] / np.sqrt(n[several])
    return width


def highlighted(cells: pd.DataFrame, by: Sequence[str] = ("dataset", "task", "noise_id")):
    """Mark in each group the methods whose t-interval reaches the interval of the best mean."""
    width = pd.Series(half_width(cells["sd"], cells["n"]), index=cells.index)
    keys = [cells[column] for column in by]
    best = cells["mean"].groupby(keys).transform("max")
    widest = width.where(cells["mean"] == best).groupby(keys).transform("max")
    return (cells["mean"] + width >= best - widest - TOLERANCE).rename("highlighted")
