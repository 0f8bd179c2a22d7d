"""Places of new methods among those of a pack."""

import numpy as np
import pack_files
import pandas as pd
import pytest
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline.tables import board


def fits(method, values, seconds=1.0):
    """Fits of two repeats on data sets with these accuracies, under two noises."""
    cells = [(i, noise, repeat) for i in range(len(values)) for noise in ("clean", "noisy") for repeat in (0, 1)]
    made = pd.DataFrame(cells, columns=["dataset", "noise_id", "repeat"]).assign(task="binary", method=method)
    made["accuracy"] = np.repeat(values, 4) + made["repeat"] / 100
    return made.assign(fit_seconds=seconds, tune_seconds=0.0)


def test_methods_are_placed_by_mean_accuracy_where_the_new_one_has_finished():
    rng = np.random.default_rng(0)
    good, poor, new = 0.8 + rng.normal(0, 0.02, 8), np.full(8, 0.6), 0.75 + rng.normal(0, 0.02, 8)
    known = pd.concat([fits("poor", poor), fits("good", good, seconds=4.0), fits("partial", [0.9] * 3)])
    found = board.places(known, fits("new", new), "binary")
    assert found.index.tolist() == ["good", "new", "poor"] and found["place"].tolist() == [1, 2, 3]
    assert found["accuracy"].tolist() == pytest.approx([good.mean() + 0.005, new.mean() + 0.005, 0.605])
    assert found["seconds"].tolist() == pytest.approx([4, 1, 1]) and (found["datasets"] == 8).all()
    each = [stats.wilcoxon(good - other).pvalue for other in (new, poor)]
    assert found["p"].tolist()[1:] == pytest.approx([max(2 * min(each), p) for p in each])  # Holm's rule
    few = board.places(known, fits("new", new[:2]), "binary")
    assert few.index[0] == "partial" and len(few) == 4 and few["p"].isna().all()


def test_packs_of_predictions_are_refused(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    with pytest.raises(InputError, match=r"a.pack has fits without scores; .* pack_content=scores"):
        board.rows(tmp_path / "a.pack")
