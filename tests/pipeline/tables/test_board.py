"""Places of new methods among those of a pack."""

import numpy as np
import pack_files
import pandas as pd
import pytest
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline.results import packs
from ironbark.pipeline.tables import board

DATASETS = [f"d{i}" for i in range(8)]


def fits(method, values, datasets=DATASETS, seconds=1.0):
    """Two repeats of each data set, on clean and noisy labels."""
    cells = [(name, noise, repeat) for name in datasets for noise in ("clean", "noisy") for repeat in (0, 1)]
    made = pd.DataFrame(cells, columns=["dataset", "noise_id", "repeat"]).assign(task="binary", method=method)
    made["accuracy"] = made["dataset"].map(dict(zip(datasets, values, strict=True))) + made["repeat"] / 100
    return made.assign(fit_seconds=seconds, tune_seconds=0.0)


def test_methods_are_placed_by_mean_accuracy_where_the_new_one_has_finished():
    rng = np.random.default_rng(0)
    good, poor, new = 0.8 + rng.normal(0, 0.02, 8), np.full(8, 0.6), 0.75 + rng.normal(0, 0.02, 8)
    partial = fits("partial", [0.9] * 3, DATASETS[:3])
    known = pd.concat([fits("poor", poor), fits("good", good, seconds=4.0), partial])
    found = board.places(known, fits("new", new), "binary")
    assert found.index.tolist() == ["good", "new", "poor"] and found["place"].tolist() == [1, 2, 3]
    assert found["accuracy"].tolist() == pytest.approx([good.mean() + 0.005, new.mean() + 0.005, 0.605])
    assert found["seconds"].tolist() == pytest.approx([4, 1, 1]) and (found["datasets"] == 8).all()
    each = [stats.wilcoxon(good - other).pvalue for other in (new, poor)]
    assert found["p"].tolist()[1:] == pytest.approx([max(2 * min(each), each[0]), max(2 * min(each), each[1])])
    few = board.places(known, fits("new", new[:2], DATASETS[:2]), "binary")
    assert few.index.tolist()[0] == "partial" and len(few) == 4 and few["p"].isna().all()


def test_fits_are_read_with_their_scores(tmp_path):
    record = {name: value for name, value in pack_files.RECORD.items() if name != "outputs"}
    records = [record | {"repeat": i, "scores": {"accuracy": 0.5 + i / 10}, "reasons": {}} for i in range(3)]
    lines = [("own", key, one) for key, one in zip(pack_files.keys(3), records, strict=True)]
    packs.write(tmp_path / "a.pack", pack_files.ABOUT, [(pack_files.MEMBER, lines)], pack_files.TEXTS)
    found = board.rows(tmp_path / "a.pack")
    assert found["accuracy"].tolist() == [0.5, 0.6, 0.7] and set(found["method"]) == {"own"}
    assert found.loc[0, ["dataset", "task", "noise_id"]].tolist() == ["iris", "multiclass", "uniform-0.2"]
    pack_files.write(tmp_path / "b.pack")
    with pytest.raises(InputError, match=r"b.pack has fits without scores; .* pack_content=scores"):
        board.rows(tmp_path / "b.pack")
