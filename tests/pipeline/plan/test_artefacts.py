"""Tables and figures of a study, its description for the site, and jobs that write and import packs."""

import json

import pack_files
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan import fit_specs, packs, pages
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study import artefacts
from ironbark.pipeline.tables import TABLES

GRIDS = {
    ("two", "binary"): (["clean", "uniform-0.2"], ["a", "b"]),
    ("three", "multiclass"): (["clean", "far"], ["a", "c"]),
}
CLEAN, ONE = {("two", "binary"): (["clean"], ["a", "b"])}, {("two", "binary"): (["clean"], ["a"])}
ACCURACY, BINARY = {"kind": "accuracy"}, {"kind": "accuracy", "task": "binary"}
PAIRS = {"kind": "pairs", "task": "binary", "pairs": [["a", "b"], ["a", "a"]]}
PANEL = {"title": "A", "task": "binary", "methods": ["a", "b"]}
PANELS = {"kind": "noise-panels", "dataset": "two", "panels": [PANEL, PANEL | {"title": "B", "methods": ["b"]}]}


@pytest.mark.parametrize(
    ("spec", "cells", "changes"),
    [
        (ACCURACY | {"task": "multiclass"}, CLEAN, None),
        (ACCURACY | {"datasets": ["three"]}, CLEAN, None),
        (BINARY | {"noises": ["uniform-0.2"]}, CLEAN, None),
        (BINARY | {"noises": ["uniform-0.2", "clean"]}, CLEAN, {"noises": ["clean"]}),
        (BINARY | {"methods": ["b", "a"]}, ONE, {"methods": ["a"]}),
        (BINARY | {"methods": ["b"]}, ONE, None),
        (PAIRS, ONE, {"pairs": [["a", "a"]]}),
        (PAIRS | {"pairs": [["a", "b"]]}, ONE, None),
        ({"kind": "ranks", "task": "binary"}, ONE, None),
    ],
)
def test_a_scale_drops_what_it_leaves_empty_or_too_small(spec, cells, changes):
    entry = {"tables": {"one": spec}}
    artefacts.check("s", entry, GRIDS)
    assert artefacts.kept("s", "table", entry, GRIDS) == entry["tables"]
    assert artefacts.kept("s", "table", entry, cells).get("one") == (changes and spec | changes)


def test_panels_that_a_scale_leaves_empty_are_dropped():
    cells = CLEAN | {("two", "multiclass"): (["far"], ["a"])}
    both = PANELS | {"panels": [*PANELS["panels"], {"title": "C", "task": "multiclass", "methods": ["a"]}]}
    entry = {"figures": {"f": both}}
    for own, titles in ((cells, "ABC"), (CLEAN, "AB")):
        kept = artefacts.kept("s", "figure", entry, own)
        assert [panel["title"] for panel in kept["f"]["panels"]] == list(titles)
    assert artefacts.kept("s", "figure", entry, {("three", "multiclass"): (["far"], ["a"])}) == {}


NAMES = {"labels": {"dt-gini": "MSE", "rf-gini": "MSE", "dt-ane": "ANE"}, "noise_labels": {}}


def test_labels_of_methods():
    found = artefacts.told_apart(NAMES, {"methods": ["dt-gini", "rf-gini", "dt-ane"]}, TABLES["accuracy"])
    assert found["labels"] == {"dt-gini": "MSE (dt-gini)", "rf-gini": "MSE (rf-gini)", "dt-ane": "ANE"}
    assert artefacts.told_apart(NAMES, {"methods": ["dt-gini", "dt-ane"]}, TABLES["accuracy"]) == NAMES
    panels = {"methods": ["dt-gini", "rf-gini"], "panels": []}
    assert artefacts.told_apart(NAMES, panels, FIGURES["noise-panels"]) == NAMES


def test_every_method_of_ours_is_defined(shipped):
    for name, method in shipped.config["methods"].items():
        found = pages.definitions_of_method(method)
        assert bool(found) == estimators.is_ours(method), name
        assert not found or found[0]["name"] == method["estimator"].rpartition(".")[2]
        assert all(entry["text"] and "$" not in "".join(entry.values()) for entry in found)
        assert not found or any(entry["References"] or "(" in entry["text"] for entry in found), "a paper is named"
    found = pages.definitions_of_method({"estimator": "ironbark.RMBoostClassifier"})[0]
    assert found["text"].startswith("Minimises the worst-case error") and "Parameters" not in found["text"]
    assert "R = min" in found["Notes"] and found["References"].startswith("Mazuelas")
    assert "-----" not in "".join(found.values())
    entry = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"criterion": "negative_exponential"}}
    _, criterion = pages.definitions_of_method(entry)
    assert criterion["name"] == "negative_exponential" and "phi(p) = min{" in criterion["text"]


def test_the_spec_has_all_batches_and_a_line_for_each_data_set(config):
    plan = Plan(config)
    spec, study = json.loads(packs.spec(plan, ["small"], "full")), plan.study("small", "full")
    inputs = packs.inputs(plan, ["small"], "full")
    assert {path.split("/")[2] for path in inputs["prepared"]} == set(study.datasets)
    assert sorted(inputs["labels"]) == sorted(f"results/small/full/labels/{d}/{t}.npz" for d, t in study.cells)
    assert len({packs.path([f"study-{i}" for i in range(n)], "full") for n in (29, 30)}) == 2, "short and different"
    assert spec["studies"]["small"]["protocol"] == json.loads(json.dumps(study.protocol))
    batches = [json.loads(fit_specs.shard(plan, study, name)) for name in study.batches]
    assert spec["studies"]["small"]["batches"] == batches
    assert [line.partition(":")[0] for line in spec["data"]] == sorted(study.datasets)
    assert all("licence: " in line and "source: " in line for line in spec["data"])


def test_packs_are_known_by_digests_and_earlier_imports_stay(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    pack_files.write(tmp_path / "b.pack")  # the same
    pack_files.write(tmp_path / "c.pack", 2)
    found = packs.opened([tmp_path / name for name in ("a.pack", "b.pack", "c.pack")])
    assert list(found.values()) == [tmp_path / "a.pack", tmp_path / "c.pack"]
    assert packs.opened(None) == {}
    with pytest.raises(InputError, match=r"none.pack cannot be read .*; correct --config packs"):
        packs.opened([tmp_path / "none.pack"])
    folder = tmp_path / "s" / "full" / "packs"
    assert packs.imports({}, "s", "full", tmp_path) == []
    folder.mkdir(parents=True)
    for name in ("b.json", "a.json", ".c.part"):
        (folder / name).write_text("{}")
    expected = [str(folder / f"{name}.json") for name in "abd"]
    assert packs.imports({"d": "x", "a": "y"}, "s", "full", tmp_path) == expected
