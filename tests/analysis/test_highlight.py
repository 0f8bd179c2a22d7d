import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ironbark.analysis.highlight import half_width, highlighted

#: Printed tables of the ANE paper: method, then mean/two standard deviations per noise; a star is a bold cell.
PRINTED = {
    "T2 MNIST": """
        ANE 94.00/0.48* 89.92/0.84* 87.89/1.37* 84.13/3.35* 82.03/1.39* 82.20/1.35* 77.80/1.65*
        CL 88.14/0.08 86.94/2.88 86.07/3.04* 84.76/2.42* 81.56/2.06* 82.41/1.19* 79.03/2.49*
        Twoing 90.34/0.48 82.99/1.00 75.31/1.52 66.66/0.92 57.98/1.28 75.09/0.49 67.11/0.56
        Credal 94.39/0.31* 84.23/0.24 74.86/0.51 66.52/1.30 58.18/0.54 75.56/1.80 66.70/1.35
        GCE 93.17/0.06 83.04/1.16 74.22/0.66 65.88/0.44 58.13/0.48 74.53/1.08 66.20/1.65
        MSE 94.08/0.13 83.59/0.89 74.60/0.50 66.14/1.05 57.70/1.13 75.54/0.89 66.56/1.06
        CE 94.47/0.21* 84.10/0.64 74.85/0.90 66.51/0.93 58.19/0.65 75.61/0.84 66.86/0.94
        Ranking 94.02/0.11 83.75/0.69 74.93/0.56 66.12/1.09 57.98/0.91 75.50/0.51 66.44/1.50
    """,
    "T2 Covertype": """
        ANE 94.85/0.04 89.43/0.22* 85.85/0.39* 79.62/0.58* 76.38/0.37* 81.21/0.33* 71.65/0.52*
        CL 77.22/0.01 77.19/0.22 77.13/0.30 76.90/0.41 77.01/1.19* 73.70/0.57 69.18/0.54
        Twoing 85.35/0.27 79.23/0.40 72.34/0.50 65.29/0.44 57.65/0.22 72.23/0.23 65.05/0.46
        Credal 95.26/0.06 88.37/0.34 78.32/0.19 68.30/0.53 58.87/0.26 77.28/0.05 67.81/0.32
        GCE 93.86/0.04 84.11/0.43 75.00/0.40 66.12/0.34 57.84/0.26 74.84/0.16 66.03/0.37
        MSE 95.07/0.08 84.88/0.21 75.38/0.24 66.46/0.22 58.01/0.13 75.47/0.28 66.48/0.44
        CE 95.47/0.03* 85.17/0.32 75.71/0.21 66.80/0.40 58.07/0.26 75.68/0.26 66.61/0.33
        Ranking 95.04/0.04 84.86/0.25 75.68/0.38 66.85/0.33 58.25/0.44 75.55/0.43 66.52/0.37
    """,
    "T5 20News": """
        ANE 63.15/0.51* 62.33/0.62* 61.42/1.07* 59.93/0.89* 58.12/0.51* 56.49/1.05*
        CL 62.79/0.56* 61.70/0.48 60.62/1.01 58.32/0.66 55.98/0.78 54.53/1.30
        Twoing 58.01/0.65 57.13/0.71 55.81/0.57 54.32/0.76 52.26/0.67 51.27/0.96
        Credal 63.28/0.49* 62.95/1.12* 62.00/0.51* 60.80/0.31* 58.65/0.62* 57.59/0.83*
        GCE 63.17/0.71* 61.82/0.64 60.59/0.20 58.48/0.96 55.97/1.05 54.95/0.85
        MSE 63.69/0.73* 63.02/0.59* 61.70/0.39* 60.69/0.56* 58.23/0.88* 57.25/0.70*
        CE 63.36/0.61* 62.36/0.99* 61.04/0.67 59.69/0.73 57.58/0.68 55.98/0.60
    """,
}
SLACK = 0.006  # percentage points: what the rounding of the printed values can move


def parse(text):
    rows = []
    for line in text.strip().splitlines():
        method, *entries = line.split()
        for noise, entry in enumerate(entries):
            mean, two_sd = map(float, entry.rstrip("*").split("/"))
            rows.append((method, noise, mean, two_sd / 2, 5, entry.endswith("*")))
    return pd.DataFrame(rows, columns=["method", "noise_id", "mean", "sd", "n", "star"])


@pytest.mark.parametrize("name", PRINTED)
def test_printed_bold_cells_follow_from_the_rule(name):
    cells = parse(PRINTED[name])
    marked = highlighted(cells, by=["noise_id"])
    wrong = cells[marked != cells["star"]]
    for cell in wrong.itertuples():  # only what the rounding of the print leaves open may differ
        group = cells[cells["noise_id"] == cell.noise_id]
        best = group.loc[group["mean"].idxmax()]
        assert abs(cell.mean - best["mean"] + 1.5632 * (cell.sd + best["sd"])) <= SLACK
    assert len(wrong) <= 1
    assert 0 < cells["star"].sum() < len(cells)


def test_half_width_is_that_of_scipy():
    values = np.array([0.3, 0.5, 0.4, 0.9])
    low, high = stats.t.interval(0.975, 3, loc=values.mean(), scale=stats.sem(values))
    assert half_width(values.std(ddof=1), 4) == pytest.approx((high - low) / 2)


def test_half_width_of_five_repeats():
    assert half_width(1.0, 5) == pytest.approx(1.5632, abs=1e-4)  # t(.9875, 4) / sqrt(5)


def frame(mean, sd, n, group=0):
    return pd.DataFrame({"dataset": "d", "task": "binary", "noise_id": group, "mean": mean, "sd": sd, "n": n})


def test_a_single_run_marks_the_maximum_only():
    cells = frame([0.7, 0.9, 0.9, 0.8], np.nan, 1)
    assert list(highlighted(cells)) == [False, True, True, False]


def test_missing_means_are_never_marked():
    cells = frame([0.7, np.nan, 0.6], [0.0, np.nan, 0.0], [5, 0, 5])
    assert list(highlighted(cells)) == [True, False, False]
    assert not highlighted(frame([np.nan, np.nan], np.nan, 0)).any()


def test_groups_do_not_mix_and_the_index_is_kept():
    cells = frame([0.5, 0.9, 0.4, 0.1], 0.0, 5, group=[1, 2, 1, 2]).set_index(pd.Index([7, 3, 9, 1]))
    marked = highlighted(cells)
    assert list(marked.index) == [7, 3, 9, 1]
    assert list(marked) == [True, True, False, False]


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
