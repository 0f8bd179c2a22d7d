"""A column of given labels beside corrected ones: from the table to the noise."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.plan.config.dataset_checks import check_given
from ironbark.pipeline.results import noisy_labels

RIGHT = np.resize(["a", "b", "c"], 60)
WRONG = np.where(np.arange(60) % 7 == 0, "a", RIGHT)
ENTRY = {"title": "Audited", "source": "file", "target": "audited", "given": "booked", "positive": ["c"]}


@pytest.fixture
def made(tmp_path):
    """Function that prepares a table of two features and gives its folder; None leaves out a field of the entry."""

    def made_(columns=(), **changes):
        table = pd.DataFrame({"x": np.arange(60.0), "booked": WRONG, "audited": RIGHT, **dict(columns)})
        table.to_parquet(tmp_path / "claims.parquet", index=False)
        entry = {**ENTRY, "path": str(tmp_path / "claims.parquet"), **changes}
        entry = {name: value for name, value in entry.items() if value is not None}
        return prepare("claims", entry, fetch("claims", entry, tmp_path / "raw"), tmp_path / "prepared")

    return made_


def test_given_labels_are_prepared_and_no_feature(made):
    data = bundle.load(made(), verify=True)
    assert data.meta["features"] == ["x"]
    names = np.array(data.classes("multiclass"))
    assert names[data.y("multiclass")].tolist() == RIGHT.tolist()
    assert names[data.given_y("multiclass")].tolist() == WRONG.tolist()
    assert data.given_y("binary").tolist() == (WRONG == "c").astype(int).tolist()
    two = bundle.load(made({"booked": list("nnyn") * 15, "audited": list("nyyn") * 15}, positive=["n"]))
    assert two.y("binary")[:4].tolist() == [1, 0, 0, 1] and two.given_y("binary")[:4].tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_training_parts_get_the_given_labels(made, tmp_path, task):
    prepared, out = made(), tmp_path / "labels.npz"
    protocol = {"kind": "repeated-cv", "repeats": 2, "options": {"folds": 3}}
    noise = {"model": "observed", "rate": None, "params": {}}
    spec = {"dataset": "claims", "task": task, "noises": {"observed": noise}, "protocol": protocol}
    corrupt.run(Labels(**spec), prepared, out)
    given, found = bundle.load(prepared).given_y(task), noisy_labels.read(out, "observed")
    for split, labels in zip(found.splits, found.noisy, strict=True):
        assert labels.tolist() == given[split.train].tolist()


def test_data_without_given_labels_say_so(made):
    data = bundle.load(made(given=None))
    with pytest.raises(InputError, match="data set 'claims' has no given labels; name their column by `given`"):
        data.given_y("binary")
    config = {"datasets": {"claims": ENTRY, "iris": {"title": "Iris"}}}
    check_given(config, "claims", {"model": "observed"})
    check_given(config, "iris", {"model": "uniform"})
    with pytest.raises(InputError, match="'observed' takes the given labels of data set 'iris', which names none"):
        check_given(config, "iris", {"model": "observed"})


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        ({}, {"given": "billed"}, "there is no given column 'billed'; set `given` to one of x, booked, audited"),
        ({"booked": np.where(RIGHT == "a", None, RIGHT)}, {}, "20 of 60 labels in column 'booked' are missing"),
        ({"booked": ["z", *RIGHT[1:]]}, {}, "column 'booked' has the label 'z', which the target does not have"),
        ({}, {"drop": ["booked"]}, "column 'booked' of `given` has another role or is in `drop`"),
    ],
)
def test_bad_given_labels_are_named(made, columns, changes, words):
    with pytest.raises(InputError, match=words):
        made(columns, **changes)
