"""Data sets: those of published tables, those that a run can have, servers, and sizes of classes."""

import json
import os
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.data import labels
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.config.dataset_checks import smallest_class
from ironbark.pipeline.plan.specs import Plan


@pytest.fixture
def catalogue(config):
    """The small configuration with data sets of two papers."""
    config["datasets"]["two"]["papers"] = {"pg": "Zwei", "rgbdt-binary": "II"}
    config["datasets"]["own"]["papers"] = {"pg": "Own"}
    config["datasets"]["far"] = {"title": "Far", "source": "openml", "openml_id": 1, "papers": {"pg": "Far"}}
    config["datasets"]["text"] = {"title": "Text", "source": "sklearn", "loader": "20newsgroups"}
    config["datasets"]["svd"] = {"title": "S", "source": "text-svd", "texts": "text", "papers": {"pg": "News"}}
    vectors = {"source": "glove", "texts": "text", "vectors": "https://example.org/v.zip"}
    config["datasets"]["means"] = {"title": "M", **vectors, "papers": {"pg": "News"}}
    return config


def prepared(plan):
    return [path.split("/")[2] for path in dataset_specs.dataset_table_inputs(plan, "pg")["prepared"]]


def test_a_mirror_has_its_tables_and_what_is_made_of_them(catalogue, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert prepared(Plan(catalogue)) == ["two", "own", "far", "svd", "means"]
    catalogue["settings"]["mirror"] = str(tmp_path)
    assert prepared(Plan(catalogue)) == ["two"]
    for name in ("far.parquet", "text.parquet", "own.csv"):
        (tmp_path / name).touch()
    plan = Plan(catalogue)
    assert prepared(plan) == ["two", "own", "far", "svd"]
    spec = json.loads(dataset_specs.dataset_table(plan, "pg"))
    assert [id for id, _ in spec["facts"]["members"]] == ["two", "own", "far", "svd", "means"]


def test_an_entry_is_planned_as_the_mirror_has_it(catalogue, tmp_path):
    catalogue["datasets"]["far"] |= {"expect": {"k": 3}, "in_mirror": {"expect": {"k": 2}, "missing": "keep"}}
    catalogue["datasets"]["two"]["in_mirror"] = {"missing": "keep"}  # comes with scikit-learn, whatever the mirror
    plain = json.loads(dataset_specs.prepare(Plan(catalogue | {"datasets": dict(catalogue["datasets"])}), "far"))[
        "entry"
    ]
    assert plain["expect"] == {"k": 3} and plain["missing"] == "error" and "in_mirror" not in plain
    plan = Plan(catalogue | {"settings": catalogue["settings"] | {"mirror": str(tmp_path)}})
    entry = json.loads(dataset_specs.prepare(plan, "far"))["entry"]
    assert entry["expect"] == {"k": 2} and entry["missing"] == "keep"
    assert json.loads(dataset_specs.prepare(plan, "two"))["entry"]["missing"] == "error"


def test_a_table_in_place_of_another_plans_a_fetch_job_however_old_it_is(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config["datasets"]["far"] = {"title": "Far", "source": "openml", "openml_id": 1}
    for name, table, settings in (("own", "own.csv", {}), ("far", "far.parquet", {"mirror": str(tmp_path)})):
        plan = Plan(config | {"settings": config["settings"] | settings})
        absent = dataset_specs.fetch(plan, name)
        (tmp_path / table).write_text("a,target\n1,2\n", encoding="utf-8")
        first = dataset_specs.fetch(plan, name)
        assert dataset_specs.fetch(plan, name) == first != absent
        (tmp_path / table).write_text("a,target\n2,1\n", encoding="utf-8")
        os.utime(tmp_path / table, (0, 0))
        assert dataset_specs.fetch(plan, name) != first
    assert "files" not in json.loads(dataset_specs.fetch(Plan(config), "two"))


@pytest.mark.parametrize("path", ["own{dataset}.csv", "a{b.csv", "far/}/own.csv"])
def test_paths_with_braces_are_refused(catalogue, path):
    """Snakemake would read another file in their place."""
    catalogue["datasets"]["own"]["path"] = path
    with pytest.raises(InputError, match="data set 'own': the path .* has braces, which Snakemake would fill in"):
        dataset_specs.fetch_inputs(Plan(catalogue), "own")
    catalogue["settings"]["mirror"] = "m{dataset}"
    with pytest.raises(InputError, match="data set 'far': the path m{dataset}/far.parquet has braces"):
        dataset_specs.fetch_inputs(Plan(catalogue), "far")


FILES = {f"f{i}": {"title": "T", "source": "libsvm", "files": [f"binary/{i}"]} for i in range(3)}
OPENML = {f"o{i}": {"title": "T", "source": "openml", "openml_id": 61} for i in range(2)}


def test_servers_are_busy_where_more_jobs_could_use_them_than_they_may(tmp_path):
    config = {"datasets": FILES | OPENML}
    plan, mirrored = (SimpleNamespace(settings={"mirror": folder}, config=config) for folder in (None, tmp_path))
    assert dataset_specs.servers(plan, "f0") == ["www.csie.ntu.edu.tw"] and dataset_specs.servers(mirrored, "f0") == []
    assert dataset_specs.busy_servers(plan, 2) == ["www.csie.ntu.edu.tw"]
    assert dataset_specs.busy_servers(plan, 1) == ["www.csie.ntu.edu.tw", "www.openml.org"]
    assert dataset_specs.busy_servers(mirrored, 0) == []


COUNTS = {"0": 40, "1": 30, "2": 30, "10": 7, "3": 5}


def sizes_of(entry, task):
    column = np.repeat(list(COUNTS), list(COUNTS.values()))
    found = labels.encode("d", pd.DataFrame({"target": column}), "target")
    if task == "binary":
        found = labels.binary("d", found, entry.get("positive"), "binary" in entry)
    return dict(zip(found.classes, found.counts, strict=True))


@pytest.mark.parametrize(
    ("entry", "task"),
    [({}, "multiclass"), ({"positive": [10, "2"]}, "binary"), ({"binary": "grouped"}, "binary")],
)
def test_as_prepared(entry, task):
    sizes = sizes_of(entry, task)
    name, size = smallest_class({**entry, "expect": {"counts": COUNTS}}, task)
    assert size == min(sizes.values())
    assert set(name.split("|")) in [set(other.split("|")) for other, n in sizes.items() if n == size]


def test_smallest_classes_that_are_unknown():
    assert smallest_class({"expect": {"n": 5}, "positive": ["a"]}, "multiclass") is None
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1, "c": 1}}}, "binary") is None  # no binary task
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1}}}, "binary") == ("b", 1)
