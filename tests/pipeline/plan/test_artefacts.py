"""Tables and figures of a study: what a scale leaves empty is dropped, what could never be shown is refused."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.study import artefacts

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


def planned(word, spec, cells=GRIDS, **entry):
    """The specification that is left of `spec` in a run with these cells, or None."""
    entry |= {f"{word}s": {"one": spec}}
    artefacts.check("s", entry, GRIDS, NOISES)
    return artefacts.kept("s", word, entry, cells, NOISES).get("one")


PAIRS = {"kind": "pairs", "task": "binary", "pairs": [["a", "b"], ["a", "a"]]}
MATRIX = {"kind": "transition-matrix", "dataset": "three", "task": "multiclass", "noises": ["far"]}
SCATTER, SLOPES = {"kind": "comparison-scatter", "task": "binary"}, {"kind": "slopes", "task": "binary"}
TRADE_OFF = {"kind": "trade-off", "task": "binary"}
LINE = {"label": "A", "methods": ["a"], "noises": ["clean", "uniform-0.2"]}
SERIES = {"kind": "series", "task": "binary", "x": [0, 0.2], "series": [LINE]}
PUBLISHED = {"paper": "rmb", "printed_methods": {"A": "a"}}
CURVES, GAINS = {"kind": "noise-curves", "task": "binary"}, {"kind": "gains", "task": "binary"}
PANEL = {"title": "A", "task": "binary", "methods": ["a", "b"]}
PANELS = {"kind": "noise-panels", "dataset": "two", "panels": [PANEL, PANEL | {"title": "B", "methods": ["b"]}]}
ANE, RMB = ({"compare": {"published": paper, "methods": {}}} for paper in ("ane", "rmb"))


@pytest.mark.parametrize(
    ("word", "spec", "entry"),
    [
        ("table", BINARY | {"methods": ["b", "a"]}, {}),
        ("table", PAIRS, {}),
        ("table", SLOPES, {}),
        ("table", TRADE_OFF, RMB),
        ("figure", MATRIX, {}),
        ("figure", SCATTER, ANE),
        ("figure", PANELS, {}),
        ("figure", {"kind": "risk-reductions"}, {}),
        ("figure", SERIES, {}),
        ("figure", SERIES | PUBLISHED, {}),
        ("figure", CURVES | {"line": "pair_flip"}, {}),
        ("figure", GAINS | {"reference": "a", "methods": ["b"]}, {}),
    ],
)
def test_kept_as_they_are(word, spec, entry):
    assert planned(word, spec, **entry) == spec


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
    assert planned("table", spec, cells) == (None if changes is None else spec | changes)


def test_panels_that_a_scale_leaves_empty_are_dropped():
    cells = CLEAN | {("two", "multiclass"): (["far"], ["a"])}
    both = PANELS | {"panels": [*PANELS["panels"], {"title": "C", "task": "multiclass", "methods": ["a"]}]}
    entry = {"figures": {"f": both}}
    for own, titles in ((cells, "ABC"), (CLEAN, "AB")):
        kept = artefacts.kept("s", "figure", entry, own, NOISES)
        assert [panel["title"] for panel in kept["f"]["panels"]] == list(titles)
    assert artefacts.kept("s", "figure", entry, {("three", "multiclass"): (["far"], ["a"])}, NOISES) == {}


def without(spec, key):
    return {name: value for name, value in spec.items() if name != key}


MISTAKES = [
    ("table", {"kind": "acuracy", "task": "binary"}, ["unknown kind 'acuracy'", "mean 'accuracy'"]),
    ("table", ACCURACY, ["mixes both tasks", "set `task`"]),
    ("table", BINARY | {"metric": "acuracy"}, ["metric 'acuracy' is unknown", "choose one of"]),
    ("table", BINARY | {"methods": ["c"]}, ["method 'c' is in none of its grids"]),
    ("table", BINARY | {"noises": ["far"]}, ["noise 'far' is in none of its grids"]),
    ("table", ACCURACY | {"datasets": ["thre"]}, ["data set 'thre' is in none of its grids", "mean 'three'"]),
    ("table", BINARY | {"datasets": ["three"]}, ["no grid runs", "correct `task`"]),
    ("table", {"kind": "errors", "task": "binary", "risk_of": "c"}, ["method 'c' is in none", "choose one of a, b"]),
    ("table", {"kind": "ranks", "task": "binary", "methods": ["a"]}, ["'ranks' needs two methods on a data set; add"]),
    ("table", {"kind": "slopes", "task": "multiclass"}, ["the kind 'slopes' needs two rates of a noise model"]),
    ("table", {"kind": "significance", "task": "binary", "methods": ["a"]}, ["'significance' needs two methods"]),
    ("table", TRADE_OFF, ["needs published values; add the key 'compare'"]),
    *(("figure", without(MATRIX, key), [f"transition-matrix needs the key '{key}'; add"]) for key in list(MATRIX)[1:]),
    ("figure", SCATTER, ["needs published values; add the key 'compare'"]),
    ("figure", PANELS | {"panels": [PANEL | {"methods": ["c"]}]}, ["method 'c' is in none of its grids"]),
    ("figure", PANELS | {"panels": [PANEL | {"task": "multiclass"}]}, ["no grid runs its data sets on its task"]),
    ("figure", PANELS | {"panels": [PANEL | {"metric": "leafs"}]}, ["metric 'leafs' is unknown"]),
    ("figure", SERIES | {"x": [0, 0.2, 0.4]}, ["the series 'A' needs 3 methods and one noise"]),
    ("figure", SERIES | {"series": [LINE | {"noises": ["clean", "far"]}]}, ["noise 'far' is in none of its grids"]),
    ("figure", without(SERIES, "x"), ["a series needs the key 'x'; add it"]),
    *(
        ("figure", SERIES | without(PUBLISHED, key), ["`paper` and `printed_methods`", "go together"])
        for key in PUBLISHED
    ),
    ("figure", SERIES | PUBLISHED | {"printed_methods": {"A": "x"}}, ["method 'x' is in none of its grids"]),
    ("figure", CURVES | {"line": "unifrm"}, ["unknown noise 'unifrm'; did you mean 'uniform'?"]),
    ("figure", CURVES | {"line": "pair-flip"}, ["the noise model 'pair-flip'; write it as 'pair_flip'"]),
    ("figure", GAINS | {"reference": "dt-x"}, ["method 'dt-x' is in none of its grids"]),
]


@pytest.mark.parametrize(("word", "spec", "parts"), MISTAKES)
def test_mistakes(word, spec, parts):
    with pytest.raises(InputError) as caught:
        planned(word, spec)
    for part in [f"study 's', {word} 'one'", *parts]:
        assert part in str(caught.value)


def test_what_a_study_is_compared_with_and_labels_are_checked():
    with pytest.raises(InputError, match="shows the published values of 'rmb'; compare the study with these"):
        planned("table", TRADE_OFF, **ANE)
    entry = {"dataset_labels": {"two": "Two", "other": "Other"}, "if_absent": {"three": "other", "two": None}}
    artefacts.check("s", entry, GRIDS, NOISES)
    with pytest.raises(InputError, match="study 's', dataset_labels: data set 'twoo' is in none of .*mean 'two'"):
        artefacts.check("s", {"dataset_labels": {"twoo": "Two"}}, GRIDS, NOISES)


@pytest.mark.parametrize(
    ("protocol", "test", "allowed"),
    [
        ({"kind": "Random_Partitions", "repeats": 2}, "trial-means", "'paired' or 'corrected'"),
        ({"kind": "fixed-split", "repeats": 2}, "corrected", "'paired'"),
        ({"kind": "training-sizes", "repeats": 2, "sizes": [9]}, "paired", "'trial-means'"),
    ],
)
def test_the_protocol_decides_which_tests_there_are(protocol, test, allowed):
    spec = {"kind": "significance", "task": "binary"}
    with pytest.raises(InputError, match=f"table 'one': the protocol .* test '{test}'; use {allowed}$"):
        planned("table", spec | {"test": test}, protocol=protocol)
    assert planned("table", spec, protocol=protocol)
