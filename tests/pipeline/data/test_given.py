"""A column of given labels beside corrected ones, or of groups: from the table to noise and splits."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle, catalog
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.jobs import corrupt
from ironbark.pipeline.plan.config import preflight
from ironbark.pipeline.plan.config.dataset_checks import check_given
from ironbark.pipeline.results import noisy_labels

RIGHT = np.resize(["a", "b", "c"], 60)
WRONG = np.where(np.arange(60) % 7 == 0, "a", RIGHT)
SHOPS = np.random.default_rng(0).integers(0, 25, 60)
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
    data = bundle.load(made(given=None))
    with pytest.raises(InputError, match="data set 'claims' has no given labels; name their column by `given`"):
        data.given_y("binary")
    config = {"datasets": {"claims": ENTRY, "iris": {"title": "Iris"}}}
    check_given(config, "claims", {"model": "observed"})
    check_given(config, "iris", {"model": "uniform"})
    with pytest.raises(InputError, match="'observed' takes the given labels of data set 'iris', which names none"):
        check_given(config, "iris", {"model": "observed"})


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


def test_groups_are_in_one_part_each(made, tmp_path):
    prepared, out = made({"shop": SHOPS}, groups="shop"), tmp_path / "labels.npz"
    data, protocol = (
        bundle.load(prepared, verify=True),
        {"kind": "grouped", "repeats": 2, "options": {"test_size": 0.3}},
    )
    assert data.meta["features"] == ["x"] and (pd.factorize(SHOPS)[0] == data.groups).all()
    noises = {"clean": {"model": "clean", "rate": None, "params": {}}}
    corrupt.run(Labels(dataset="claims", task="binary", noises=noises, protocol=protocol), prepared, out)
    for split in noisy_labels.read(out, "clean").splits:
        assert not set(SHOPS[split.train]) & set(SHOPS[split.test]) and len(split.test) > 9
    entry = catalog.complete({**ENTRY, "path": str(tmp_path / "claims.parquet"), "groups": "shop"})
    assert preflight._tried("claims", entry, None, ["binary"], protocol)[0] is None
    made({"shop": RIGHT == "c"}, groups="shop")
    fault = preflight._tried("claims", entry, None, ["binary"], protocol | {"options": {"test_size": 5}})[0]
    assert "test_size=5 found no partition of the 2 groups of 'claims'" in fault


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        ({}, {"given": "billed"}, "there is no given column 'billed'; set `given` to one of x, booked, audited"),
        ({"booked": np.where(RIGHT == "a", None, RIGHT)}, {}, "20 of 60 labels in column 'booked' are missing"),
        ({"booked": ["z", *RIGHT[1:]]}, {}, "column 'booked' has the label 'z', which the target does not have"),
        ({"shop": [None, *SHOPS[1:]]}, {"groups": "shop"}, "1 of 60 groups in column 'shop' are missing; fill them in"),
        ({"shop": 1}, {"groups": "shop"}, "'claims': column 'shop' has a single group; name another column"),
        ({}, {"groups": "shop"}, "there is no groups column 'shop'; set `groups` to one of x, booked, audited"),
        ({}, {"drop": ["booked"]}, "column 'booked' of `given` has another role or is in `drop`"),
    ],
)
def test_bad_given_labels_are_named(made, columns, changes, words):
    with pytest.raises(InputError, match=words):
        made(columns, **changes)
