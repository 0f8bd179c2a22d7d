import numpy as np
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.tables import pairwise as bayes

pytest.importorskip("baycomp", reason="needs the package baycomp")


def by_sampling(first, second, rope, draws=20_000):
    """The definition: Dirichlet weights on the differences and on a pseudo-difference 0 of weight 1/2."""
    rng = np.random.default_rng(1)
    difference = np.concatenate([[0.0], np.asarray(first) - np.asarray(second)])
    wins = np.zeros(3)
    for weights in rng.dirichlet([0.5, *np.ones(len(difference) - 1)], draws):
        share = np.zeros(3)
        for a, wa in zip(difference, weights, strict=True):
            for b, wb in zip(difference, weights, strict=True):
                mean = (a + b) / 2
                share[0 if mean > rope else 2 if mean < -rope else 1] += wa * wb
        wins[share.argmax()] += 1
    return wins / draws


def test_against_the_definition():
    first, second = [0.90, 0.80, 0.73, 0.65], [0.88, 0.81, 0.70, 0.66]
    found = bayes.probabilities(first, second, 0.0101)
    assert found == pytest.approx(by_sampling(first, second, 0.0101, 4000), abs=0.03)
    assert sum(found) == pytest.approx(1) and found == bayes.probabilities(first, second, 0.0101)
    first = np.linspace(0.8, 0.9, 10)
    for side, shift in enumerate((0.1, -0.001, -0.1)):
        assert bayes.probabilities(first, first - shift)[side] > 0.99


def rows(metric="accuracy", datasets=6):
    level = {"x": 0.9, "y": 0.8, "z": 0.895}
    return records.frame(
        {"dataset": f"d{i}", "task": "binary", "method": m, "noise": "clean", "rate": "0", "noise_id": n, "repeat": 0}
        | {"fold": 0, "status": "ok", metric: value - i / 100 if metric == "accuracy" else 1 - value + i / 100}
        for i in range(datasets)
        for n in ("p", "q")
        for m, value in level.items()
    )


@pytest.mark.parametrize("metric", ["accuracy", "error"])
def test_the_table_sets_all_against_the_best(metric):
    table = tables.build(rows(metric), {"kind": "bayes", "id": "t", "metric": metric}, {"x": "X"})
    assert list(table.frame.index) == ["z", "y"] and table.frame.columns[0] == "X is better"
    assert table.bold.loc["y"].tolist() == [True, False, False] and table.bold.loc["z"].tolist() == [False, True, False]
    assert table.values["datasets"].unique().tolist() == [6] and "1 percentage points" in table.caption
