import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ironbark.pipeline.statistics import ranks

# Demsar 2006, Table 5(a): critical values of the two-tailed Nemenyi test
DEMSAR_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
DEMSAR_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


@pytest.mark.parametrize(("alpha", "printed"), [(0.05, DEMSAR_05), (0.10, DEMSAR_10)])
def test_critical_values_are_the_printed_ones(alpha, printed):
    # the paper rounds q before and after the division by sqrt(2): half a unit each way
    assert [ranks.critical_value(k, alpha) for k in range(2, 11)] == pytest.approx(printed, abs=1.1e-3)


def test_critical_difference_of_demsars_example():
    assert ranks.critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)  # his section 3.2.2 prints 1.25
    assert ranks.critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


def table(values):
    return pd.DataFrame(values, columns=list("abcdefgh")[: np.shape(values)[1]])


def test_average_ranks_equal_a_naive_count():
    values = np.random.default_rng(0).integers(0, 5, (12, 4)) / 4
    averaged = ranks.average_ranks(table(values))
    for j, name in enumerate("abcd"):
        better = (values > values[:, [j]]).sum(axis=1)
        tied = (values == values[:, [j]]).sum(axis=1)
        assert averaged[name] == pytest.approx(np.mean(better + (tied + 1) / 2))
    assert averaged.is_monotonic_increasing


def test_friedman_is_scipys_and_without_ties_the_textbook_formula():
    values = np.random.default_rng(1).random((9, 4))
    statistic, p = ranks.friedman(table(values))
    assert (statistic, p) == pytest.approx(tuple(stats.friedmanchisquare(*values.T)))
    assert ranks.friedman(table(np.ones((4, 3)))) == (0.0, 1.0)
    average, n, k = ranks.average_ranks(table(values)), 9, 4
    assert statistic == pytest.approx(12 * n / (k * (k + 1)) * ((average**2).sum() - k * (k + 1) ** 2 / 4))


def test_scores_drop_incomplete_settings_and_methods_that_finished_nowhere():
    means = {"a": [0.1, 0.3], "b": [0.2, np.nan], "c": [np.nan, np.nan]}
    cells = pd.DataFrame(means, ["d1", "d2"]).melt(ignore_index=False, var_name="method", value_name="mean")
    cells = cells.rename_axis("dataset").reset_index().assign(task="binary", noise_id="clean")
    complete, dropped = ranks.scores(cells)
    assert dropped == 1 and complete.to_dict("list") == {"a": [0.1], "b": [0.2]}
