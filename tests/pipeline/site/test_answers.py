import pytest
from scipy import stats
from site_cases import METHODS, NOISES, rows, study

from ironbark.pipeline.site.answers import answers
from ironbark.pipeline.site.data import aggregates, names


def of(frame):
    return answers(aggregates.of_task(frame), study(), names.describe(NOISES))["ducks"][0]


def test_best_next_best_and_their_test():
    frame = rows(seed=2, repeats=4)
    line = {line["noise"]: line for line in of(frame)["lines"]}["uniform-0.4"]
    wide = frame[(frame["dataset"] == "ducks") & (frame["noise_id"] == "uniform-0.4")]
    wide = wide.pivot(index="repeat", columns="method", values="accuracy")
    order = list(wide.mean().sort_values(ascending=False).index)
    assert (line["best"], line["second"]) == tuple(order[:2]) and line["label"] == METHODS[order[0]]
    assert line["mean"] == pytest.approx(100 * wide[order[0]].mean(), abs=1e-3) and line["n"] == 4
    p = [stats.ttest_rel(wide[order[0]], wide[name]).pvalue for name in order[1:]]
    expected = min(1, 2 * p[0]) if p[0] <= p[1] else max(min(1, 2 * p[1]), p[0])
    assert line["p"] == pytest.approx(expected, rel=1e-3)
    assert line["others"] == 2 and line["tied"] == 0


def test_ties_are_counted_and_one_run_has_no_p_value():
    line = of(rows(repeats=1).assign(accuracy=0.5))["lines"][0]
    assert line["tied"] == 2 and line["p"] is None and line["sd"] is None and line["beaten"] == 0


def test_a_single_method_has_no_next_best():
    frame = rows()
    line = of(frame[frame["method"] == "dt-a"])["lines"][0]
    assert line["second"] is None and line["others"] == 0
