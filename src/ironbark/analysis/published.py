"""Numbers that papers print, in the words and units of our own cells.

Each reader returns a frame with the columns of `COLUMNS`; the means and spreads are fractions.
"""

import pandas as pd

from ironbark.errors import InputError

COLUMNS = ["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n"]
ANE_REPEATS = 5  # noisy training sets per cell


def ane(path):
    """Tables 2 to 5 of the adaptive negative exponential loss paper.

    Parameters
    ----------
    path : str or Path
        ``ane_accuracy.csv``: percent, two decimals, mean and two standard deviations over five noisy training sets.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: ``table`` (str, as printed), ``model`` (DT or RF), ``method`` (the name in the file),
        ``mean`` and ``spread`` (one standard deviation) as fractions, ``n`` (int). Noise at rate zero is called
        ``clean`` with rate ``0``, as in `ironbark.records`.

    Raises
    ------
    InputError
        If a column is missing.
    """
    printed = pd.read_csv(path, dtype={"table": "str", "noise_rate": "str"}, keep_default_na=False)
    wanted = {"table", "model", "task", "dataset", "method", "noise_kind", "noise_rate", "mean", "two_sd"}
    if not wanted <= set(printed.columns):
        absent = ", ".join(sorted(wanted - set(printed.columns)))
        raise InputError(f"{path} has no column {absent}; use the tracked file of printed numbers")
    clean = (printed["noise_kind"] == "uniform") & (printed["noise_rate"] == "0.0")
    tidy = printed.assign(
        noise=printed["noise_kind"].mask(clean, "clean"),
        rate=printed["noise_rate"].mask(clean, "0"),
        mean=printed["mean"] / 100,
        spread=printed["two_sd"] / 200,
        n=ANE_REPEATS,
    )
    return tidy[COLUMNS]


def ane_highlighted(path):
    """Whether each cell of `ane` is bold in the print: Series of bool, in the same order."""
    return (pd.read_csv(path, usecols=["highlighted"])["highlighted"] == "yes").rename("highlighted")


#: Paper -> reader(path).
PUBLISHED = {"ane": ane}
