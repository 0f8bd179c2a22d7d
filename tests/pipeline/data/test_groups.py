"""A column of groups: from the table to splits."""

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
from ironbark.pipeline.results import noisy_labels

PATIENTS = np.array([f"p{i}" for i in np.random.default_rng(0).integers(0, 25, 60)])
PROTOCOL = {"kind": "grouped", "repeats": 2, "options": {"test_size": 0.3}}


@pytest.fixture
def entry(tmp_path):
    """Function that writes a table with these groups and gives its entry."""

    def entry_(patients=PATIENTS, **changes):
        y = np.resize(["a", "b"], 60)
        table = pd.DataFrame({"x": np.arange(60.0), "patient": patients, "y": y})
        table.to_parquet(tmp_path / "visits.parquet", index=False)
        path = str(tmp_path / "visits.parquet")
        return {"title": "Visits", "source": "file", "path": path, "target": "y", "groups": "patient", **changes}

    return entry_


def test_groups_are_prepared_and_are_in_one_part_each(entry, tmp_path):
    about, out = entry(), tmp_path / "labels.npz"
    prepared = prepare("visits", about, fetch("visits", about, tmp_path / "raw"), tmp_path / "prepared")
    data = bundle.load(prepared, verify=True)
    assert data.meta["features"] == ["x"] and (pd.factorize(PATIENTS)[0] == data.groups).all()
    noises = {"clean": {"model": "clean", "rate": None, "params": {}}}
    corrupt.run(Labels(dataset="visits", task="binary", noises=noises, protocol=PROTOCOL), prepared, out)
    for split in noisy_labels.read(out, "clean").splits:
        assert not set(PATIENTS[split.train]) & set(PATIENTS[split.test]) and len(split.test) > 9


@pytest.mark.parametrize(
    ("patients", "changes", "sentence"),
    [
        (np.where(PATIENTS == "p1", None, PATIENTS), {}, "groups in column 'patient' are missing; fill them in"),
        (np.repeat("p", 60), {}, "'visits': column 'patient' has a single group; name another"),
        (PATIENTS, {"groups": "patients"}, "no groups column 'patients'; set `groups` to one of x, patient, y"),
        (np.resize(["p", "q"], 60), {}, "found no partition of the 2 groups of 'visits'"),
    ],
)
def test_groups_that_cannot_be_are_refused_while_planning(entry, patients, changes, sentence):
    about = catalog.complete(entry(patients, **changes))
    fault, _ = preflight._tried("visits", about, None, ["binary"], PROTOCOL)
    assert sentence in fault


@pytest.mark.parametrize("other", [{"target": "patient"}, {"drop": ["patient"]}])
def test_a_column_has_one_role(entry, other):
    with pytest.raises(InputError, match="'patient' of `groups` has another role or is in `drop`"):
        catalog.check({"visits": entry(**other)})
