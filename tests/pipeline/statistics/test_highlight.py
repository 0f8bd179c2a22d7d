from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from ironbark.pipeline.statistics.significance import highlighted

FILE = Path(__file__).parents[3] / "data/published/ane_accuracy.csv"
BY = ["table", "dataset", "noise_kind", "noise_rate"]
SLACK = 0.006  # percentage points: what the rounding of the printed values can move


def test_printed_bold_cells_follow_from_the_rule():
    cells = pd.read_csv(FILE, dtype={"noise_rate": "str"}, keep_default_na=False)
    cells["sd"], cells["n"] = cells["two_sd"] / 2, 5
    printed = cells["highlighted"] == "yes"
    marked = highlighted(cells, by=BY)
    wrong = cells[marked != printed]
    assert (len(cells), len(wrong), printed.sum()) == (1092, 5, 403)
    best = cells.loc[cells.groupby(BY)["mean"].transform("idxmax")].set_index(cells.index)
    distance = cells["mean"] - best["mean"] + 1.5632 * (cells["sd"] + best["sd"])
    assert distance[wrong.index].abs().max() <= SLACK  # only what the rounding of the published values leaves open


def frame(mean, sd, n, group=0):
    return pd.DataFrame({"dataset": "d", "task": "binary", "noise_id": group, "mean": mean, "sd": sd, "n": n})


def test_groups_do_not_mix_and_the_index_is_kept():
    cells = frame([0.5, 0.9, 0.4, 0.1], 0.0, 5, group=[1, 2, 1, 2]).set_index(pd.Index([7, 3, 9, 1]))
    marked = highlighted(cells)
    assert list(marked.index) == [7, 3, 9, 1]
    assert list(marked) == [True, True, False, False]
    assert list(highlighted(frame([0.7, np.nan, 0.6], [0.0, np.nan, 0.0], [5, 0, 5]))) == [True, False, False]
    assert not highlighted(frame([np.nan, np.nan], np.nan, 0)).any()


def test_equal_to_a_naive_loop_on_random_cells():
    rng = np.random.default_rng(0)
    cells = frame(rng.normal(0.8, 0.02, 60), rng.uniform(0, 0.03, 60), rng.integers(2, 9, 60), np.arange(60) % 6)
    naive = []
    for cell in cells.itertuples():
        group = cells[cells["noise_id"] == cell.noise_id]
        best = group.loc[group["mean"].idxmax()]
        widths = [stats.t.ppf(0.9875, c.n - 1) * c.sd / c.n**0.5 for c in (cell, best)]
        naive.append(cell.mean + widths[0] >= best["mean"] - widths[1])
    assert list(highlighted(cells)) == naive
    assert 0 < sum(naive) < 60
