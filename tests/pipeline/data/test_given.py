"""A column of given labels beside corrected ones: from the table to the noise."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle, catalog
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.plan.config.dataset_checks import check_given
from ironbark.pipeline.results import noisy_labels

RIGHT = np.resize(["a", "b", "c"], 60)
WRONG = np.where(np.arange(60) % 7 == 0, "a", RIGHT)
ENTRY = {"title": "Audited", "source": "file", "target": "audited", "given": "booked", "positive": ["c"]}


def made(folder, table=None, **changes):
    table = pd.DataFrame({"x": np.arange(60.0), "booked": WRONG, "audited": RIGHT}) if table is None else table
    table.to_parquet(folder / "claims.parquet", index=False)
    entry = {**ENTRY, "path": str(folder / "claims.parquet"), **changes}
    catalog.check({"claims": catalog.complete(entry)})
    return prepare("claims", entry, fetch("claims", entry, folder / "raw"), folder / "prepared")


def test_given_labels_are_prepared_and_no_feature(tmp_path):
    data = bundle.load(made(tmp_path), verify=True)
    assert data.meta["features"] == ["x"]
    names = np.array(data.classes("multiclass"))
    assert names[data.y("multiclass")].tolist() == RIGHT.tolist()
    assert names[data.given_y("multiclass")].tolist() == WRONG.tolist()
    assert data.given_y("binary").tolist() == (WRONG == "c").astype(int).tolist()
    assert data.given_y("binary").dtype == np.int64


def test_positive_decides_the_side_of_two_classes(tmp_path):
    table = pd.DataFrame({"x": np.arange(4.0), "booked": list("nnyn"), "audited": list("nyyn")})
    data = bundle.load(made(tmp_path, table, positive=["n"]))
    assert data.y("binary").tolist() == [1, 0, 0, 1] and data.given_y("binary").tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_training_parts_get_the_given_labels(tmp_path, task):
    prepared, out = made(tmp_path), tmp_path / "labels.npz"
    protocol = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 3}}
    noise = {"model": "observed", "rate": None, "params": {}}
    spec = {"dataset": "claims", "task": task, "noises": {"observed": noise}, "protocol": protocol}
    corrupt.run(Labels(**spec), prepared, out)
    given, found = bundle.load(prepared).given_y(task), noisy_labels.read(out, "observed")
    for split, labels in zip(found.splits, found.noisy, strict=True):
        assert labels.tolist() == given[split.train].tolist()


def test_data_without_given_labels_say_so(tmp_path):
    table = pd.DataFrame({"x": np.arange(60.0), "audited": RIGHT})
    entry = {name: value for name, value in ENTRY.items() if name != "given"}
    table.to_parquet(tmp_path / "claims.parquet", index=False)
    entry["path"] = str(tmp_path / "claims.parquet")
    prepared = prepare("claims", entry, fetch("claims", entry, tmp_path / "raw"), tmp_path / "prepared")
    data = bundle.load(prepared)
    assert data.given is None and not (prepared / "given.npy").exists()
    with pytest.raises(InputError, match="data set 'claims' has no given labels; name their column by `given`"):
        data.given_y("binary")


@pytest.mark.parametrize(
    ("table", "changes", "sentence"),
    [
        (
            {"booked": RIGHT},
            {"given": "billed"},
            "there is no given column 'billed'; set `given` to one of x, booked, audited",
        ),
        ({"booked": np.where(RIGHT == "a", None, RIGHT)}, {}, "20 of 60 labels in column 'booked' are missing"),
        ({"booked": ["z", *RIGHT[1:]]}, {}, "column 'booked' has the label 'z', which the target does not have"),
        ({"booked": RIGHT}, {"drop": ["booked"]}, "column 'booked' of `given` has another role or is in `drop`"),
    ],
)
def test_refused(tmp_path, table, changes, sentence):
    with pytest.raises(InputError, match=sentence):
        made(tmp_path, pd.DataFrame({"x": np.arange(60.0), **table, "audited": RIGHT}), **changes)


def test_a_study_is_told_while_planning():
    config = {"datasets": {"claims": ENTRY, "iris": {"title": "Iris"}}}
    check_given(config, "claims", {"model": "observed"})
    check_given(config, "iris", {"model": "uniform"})
    with pytest.raises(
        InputError, match="'observed' takes the given labels of data set 'iris', which names none; set `g"
    ):
        check_given(config, "iris", {"model": "observed"})
