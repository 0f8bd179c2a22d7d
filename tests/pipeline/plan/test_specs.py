"""Specs of the jobs: JSON text that changes exactly when their work does; which data sets a run can have."""

import copy
import json
import os

import numpy as np
import pandas as pd
import pytest
from pipeline.plan.small import files, put, small

from ironbark.errors import InputError
from ironbark.pipeline.data import labels
from ironbark.pipeline.plan import artefact_specs, dataset_specs, fit_specs
from ironbark.pipeline.plan.config.preflight import smallest_class
from ironbark.pipeline.plan.specs import Plan


def shards(config, scale="full"):
    plan = Plan(copy.deepcopy(config))
    study = plan.study("small", scale)
    return {name: fit_specs.shard(plan, study, name) for name in study.batches}


def changed(before, after):
    return {name for name in before if before[name] != after.get(name)}


def test_shard_spec_to_which_a_method_is_added(config, study):
    assert shards(config) == shards(config)
    spec = json.loads(shards(config)["two/binary/gini"])
    (part,) = spec["parts"]
    assert (part["dataset"], part["task"], part["methods"]) == ("two", "binary", ["dt-gini", "rf-gini", "dt-entropy"])
    clean, uniform = {"noise": "clean", "rate": "0"}, {"noise": "uniform", "rate": "0.2"}
    assert part["noises"] == {"clean": clean, "uniform-0.2": uniform}
    assert list(spec["methods"]) == ["dt-entropy", "dt-gini", "rf-gini"]
    assert {"estimator", "params", "tune", "preprocess", "code"} == set(spec["methods"]["dt-gini"])
    assert spec["repeats"] == 5 and spec["retry_failed"] is False
    study["grids"][0]["methods"].append("dt-pairwise")
    after = json.loads(shards(config)["two/binary/gini"])["methods"]
    assert after.pop("dt-pairwise") and after == spec["methods"]  # else the store would know none of its fits


def test_a_file_that_a_method_needs_counts_by_its_content(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain, weights = shards(config), tmp_path / "own/w.ckpt"
    weights.parent.mkdir()
    weights.write_text("1", encoding="utf-8")
    config["methods"]["dt-entropy"]["needs"] = ["sklearn"]
    assert shards(config) == plain
    config["methods"]["dt-entropy"]["needs"] = ["sklearn", "own/w.ckpt"]
    first = shards(config)
    assert changed(plain, first) == {"two/binary/gini"}
    os.utime(weights, (1, 1))
    assert shards(config) == first
    weights.write_text("2", encoding="utf-8")
    os.utime(weights, (0, 0))
    assert changed(first, shards(config)) == {"two/binary/gini"}


TWO, THREE = "two/binary/gini", "three/multiclass/gini"


@pytest.mark.parametrize(
    ("place", "value", "batches", "labels"),
    [
        ("methods/dt-entropy/params/max_depth", 3, {TWO}, False),
        ("noises/uniform-0.2/label", "other", set(), False),
        ("noises/uniform-0.2/rate", 0.25, {TWO}, True),
        ("studies/small/grids/1/noises/+", "uniform-0.2", {THREE}, False),
        ("studies/small/protocol/repeats", 6, {TWO, THREE}, True),
    ],
)
def test_an_edit_touches_the_jobs_that_depend_on_it(config, place, value, batches, labels):
    def labels_of_two():
        plan = Plan(copy.deepcopy(config))
        return fit_specs.corrupt(plan, small(plan), "two", "binary")

    before, drawn = shards(config), labels_of_two()
    put(config, place, value)
    assert changed(before, shards(config)) == batches and (labels_of_two() != drawn) == labels


def test_jobs_of_texts_read_the_table_of_their_texts_and_files_of_this_machine(config):
    sets = config["datasets"]
    sets["news"] = {"title": "N", "source": "sklearn", "loader": "20newsgroups"}
    sets["svd"] = {"title": "S", "source": "text-svd", "texts": "news"}
    sets["means"] = {"title": "M", "source": "glove", "texts": "news", "vectors": "v.txt"}
    sets["web-means"] = {"title": "M", "source": "glove", "texts": "news", "vectors": "https://example.org/v.zip"}
    sets["flows"] = {"title": "F", "source": "unsw-nb15", "files": ["a.csv", "b.csv"]}
    sets["web"] = {"title": "W", "source": "url", "url": "https://example.org/w.csv", "format": "csv"}
    news = "data/raw/news/table.parquet"
    wanted = {"svd": [news], "means": [news, "v.txt"], "web-means": [news], "flows": ["a.csv", "b.csv"]}
    wanted |= {"own": ["own.csv"], "two": [], "news": [], "web": []}
    plan = Plan(copy.deepcopy(config))
    assert {name: dataset_specs.fetch_inputs(plan, name) for name in wanted} == wanted
    config["settings"]["mirror"] = "m"
    plan = Plan(config)
    assert dataset_specs.mirror(plan, "web") == "m" and dataset_specs.mirror(plan, "two") is None
    wanted |= {"news": ["m/news.parquet"], "flows": ["m/flows.parquet"], "web": ["m/web.parquet"]}
    assert {name: dataset_specs.fetch_inputs(plan, name) for name in wanted} == wanted


def test_inputs_of_figures(config, study):
    line = {"label": "A", "methods": ["dt-gini"], "noises": study["grids"][0]["noises"][:2]}
    spec = {"kind": "series", "task": "binary", "x": [0, 1], "series": [line]}
    study["figures"] |= {"own": spec, "both": spec | {"paper": "rmb", "printed_methods": {"AdaBoost": "dt-gini"}}}
    matrix = {"kind": "transition-matrix", "dataset": "three", "task": "multiclass", "noises": ["uniform-0.6"]}
    study["figures"]["matrix"] = matrix
    plan = Plan(config)
    rows = {"rows": "results/small/full/rows.parquet"}
    assert files(plan, "own") == rows
    assert files(plan, "both") == rows | {"printed": "data/published/rmb_error.csv"}
    labels = "results/small/full/labels/three/multiclass.npz"
    assert files(plan, "matrix") == {"prepared": "data/prepared/three", "labels": labels}


SMALL = "study 'small' at scale 'full'"
MISSING = [
    (lambda plan: fit_specs.shard_inputs(small(plan), "binary/x"), f"{SMALL} has no batch of fits 'binary/x'"),
    (lambda plan: fit_specs.corrupt(plan, small(plan), "two", "multiclass"), f"{SMALL} has no labels two/multiclass"),
    (lambda plan: artefact_specs.published(small(plan)), f"{SMALL} is not compared with"),
    (lambda plan: dataset_specs.fetch_inputs(plan, "tow"), "unknown data set 'tow'; did you mean 'two'"),
    (lambda plan: dataset_specs.dataset_table_inputs(plan, "pgg"), "unknown published table of .*mean 'pg'"),
]


@pytest.mark.parametrize(("ask", "sentence"), MISSING)
def test_files_of_what_a_study_does_not_have(config, ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask(Plan(config))


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
    plain = json.loads(dataset_specs.prepare(Plan(copy.deepcopy(catalogue)), "far"))["entry"]
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
    with pytest.raises(InputError, match="data set 'own': the path .* has braces, which Snakemake fills in"):
        dataset_specs.fetch_inputs(Plan(catalogue), "own")
    catalogue["settings"]["mirror"] = "m{dataset}"
    with pytest.raises(InputError, match="data set 'far': the path m{dataset}/far.parquet has braces"):
        dataset_specs.fetch_inputs(Plan(catalogue), "far")


COUNTS = {"0": 40, "1": 30, "2": 30, "10": 7, "3": 5}


@pytest.mark.parametrize(
    ("entry", "task"), [({}, "multiclass"), ({"positive": [10, "2"]}, "binary"), ({"binary": "grouped"}, "binary")]
)
def test_smallest_classes_are_as_prepared(entry, task):
    column = np.repeat(list(COUNTS), list(COUNTS.values()))
    found = labels.encode("d", pd.DataFrame({"target": column}), "target")
    if task == "binary":
        found = labels.binary("d", found, entry.get("positive"), "binary" in entry)
    sizes = dict(zip(found.classes, found.counts, strict=True))
    name, size = smallest_class({**entry, "expect": {"counts": COUNTS}}, task)
    assert size == min(sizes.values())
    assert set(name.split("|")) in [set(other.split("|")) for other, n in sizes.items() if n == size]


def test_smallest_classes_that_are_unknown():
    assert smallest_class({"expect": {"n": 5}, "positive": ["a"]}, "multiclass") is None
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1, "c": 1}}}, "binary") is None  # no binary task
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1}}}, "binary") == ("b", 1)
