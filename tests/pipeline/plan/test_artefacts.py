"""Tables and figures of a study: what a scale leaves empty is dropped, and names of methods."""

import pytest

from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.study import artefacts
from ironbark.pipeline.tables import TABLES

NOISES = {
    "clean": {"model": "clean"},
    "uniform-0.2": {"model": "uniform", "rate": 0.2},
    "uniform-0.3": {"model": "Uniform", "rate": 0.3},
    "far": {"model": "mahalanobis"},
    "cc": {"model": "class_conditional", "rate": [0.1, 0.3]},
}
GRIDS = {
    ("two", "binary"): (["clean", "uniform-0.2"], ["a", "b"]),
    ("three", "multiclass"): (["clean", "far"], ["a", "c"]),
}
CLEAN, ONE = {("two", "binary"): (["clean"], ["a", "b"])}, {("two", "binary"): (["clean"], ["a"])}
ACCURACY, BINARY = {"kind": "accuracy"}, {"kind": "accuracy", "task": "binary"}


PAIRS = {"kind": "pairs", "task": "binary", "pairs": [["a", "b"], ["a", "a"]]}
SLOPES = {"kind": "slopes", "task": "binary"}
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
        (SLOPES, CLEAN, None),
        ({"kind": "ranks", "task": "binary"}, ONE, None),
    ],
)
def test_a_scale_drops_what_it_leaves_empty_or_too_small(spec, cells, changes):
    entry = {"tables": {"one": spec}}
    artefacts.check("s", entry, GRIDS, NOISES)
    assert artefacts.kept("s", "table", entry, GRIDS, NOISES) == entry["tables"]
    assert artefacts.kept("s", "table", entry, cells, NOISES).get("one") == (changes and spec | changes)


def test_panels_that_a_scale_leaves_empty_are_dropped():
    cells = CLEAN | {("two", "multiclass"): (["far"], ["a"])}
    both = PANELS | {"panels": [*PANELS["panels"], {"title": "C", "task": "multiclass", "methods": ["a"]}]}
    entry = {"figures": {"f": both}}
    for own, titles in ((cells, "ABC"), (CLEAN, "AB")):
        kept = artefacts.kept("s", "figure", entry, own, NOISES)
        assert [panel["title"] for panel in kept["f"]["panels"]] == list(titles)
    assert artefacts.kept("s", "figure", entry, {("three", "multiclass"): (["far"], ["a"])}, NOISES) == {}


NAMES = {"labels": {"dt-gini": "MSE", "rf-gini": "MSE", "dt-ane": "ANE"}, "noise_labels": {}}


def test_shared_labels_get_their_ids_if_both_are_shown():
    found = artefacts.told_apart(NAMES, {"methods": ["dt-gini", "rf-gini", "dt-ane"]}, TABLES["accuracy"])
    assert found["labels"] == {"dt-gini": "MSE (dt-gini)", "rf-gini": "MSE (rf-gini)", "dt-ane": "ANE"}
    assert artefacts.told_apart(NAMES, {"methods": ["dt-gini", "dt-ane"]}, TABLES["accuracy"]) == NAMES
    panels = {"methods": ["dt-gini", "rf-gini"], "panels": []}
    assert artefacts.told_apart(NAMES, panels, FIGURES["noise-panels"]) == NAMES


def test_only_the_papers_own_tables_have_its_names():
    names = {"labels": {"dt-gini": "Gini", "dt-ane": "ANE"}}
    found = artefacts.as_published(names, {"artefact": "ANE Table 2"})
    assert found["labels"] == {"dt-gini": "MSE", "dt-ane": "ANE"}
    assert artefacts.as_published(names, {"artefact": "PG Table III"}) == artefacts.as_published(names, {}) == names
