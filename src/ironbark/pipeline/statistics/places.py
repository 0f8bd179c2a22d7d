"""Place of a mean among rivals, with the chance of drawing other samples on both sides."""

import numpy as np
import pandas as pd
from scipy import stats

LEVEL = 0.95


def half_width(values):
    """Half the width of the t-interval of a mean; NaN for one value."""
    n = len(values)
    return stats.t.ppf((1 + LEVEL) / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n) if n > 1 else np.nan


def place(values: np.ndarray, rivals: pd.DataFrame) -> tuple[int, int, int]:
    """Place of the mean of some values, the larger the better, and the first and last that chance leaves open.

    `rivals` have a mean, the variance of that mean and the n behind it. A rival is better, or worse, beyond chance if
    Welch's t-interval of the difference leaves out 0; each difference is tested alone. With one value, chance leaves
    all places open.
    """
    values = np.asarray(values, np.float64)
    n, gap = np.float64(len(values)), (rivals["mean"] - values.mean()).to_numpy()
    own = values.var(ddof=1) / n if n > 1 else np.nan
    theirs, runs = rivals["variance"].to_numpy(np.float64), rivals["n"].to_numpy(np.float64)
    total = own + theirs
    with np.errstate(divide="ignore", invalid="ignore"):
        df = total**2 / (own**2 / (n - 1) + theirs**2 / (runs - 1))
        half = np.where(total == 0, 0.0, stats.t.ppf((1 + LEVEL) / 2, df) * np.sqrt(total))
    better, worse = int((gap > half).sum()), int((gap < -half).sum())
    return 1 + int((gap > 0).sum()), 1 + better, 1 + len(rivals) - worse
