"""Tables and figures of a study: what a scale leaves empty is dropped, what could never be shown is refused."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.study import artefacts
from ironbark.pipeline.tables import TABLES
from ironbark.pipeline.tables import pairwise as bayes

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


def check(study_id, entry, grids):
    artefacts.check(study_id, entry, grids, NOISES)


def kept(study_id, word, entry, cells):
    return artefacts.kept(study_id, word, entry, cells, NOISES)


def tables(spec, cells=GRIDS, **entry):
    entry |= {"tables": {"t": spec}}
    check("s", entry, GRIDS)
    return kept("s", "table", entry, cells)


def figures(spec, **entry):
    entry |= {"figures": {"f": spec}}
    check("s", entry, GRIDS)
    return kept("s", "figure", entry, GRIDS)


def test_kept_as_they_are():
    spec = {"kind": "accuracy", "task": "binary", "methods": ["b", "a"]}
    assert tables(spec) == {"t": spec}
    assert kept("s", "table", {}, GRIDS) == {}


def test_a_scale_drops_what_it_leaves_empty():
    smaller = {("two", "binary"): (["clean"], ["a", "b"])}
    assert tables({"kind": "accuracy", "task": "multiclass"}, smaller) == {}
    assert tables({"kind": "accuracy", "datasets": ["three"]}, smaller) == {}
    assert tables({"kind": "accuracy", "task": "binary", "noises": ["uniform-0.2"]}, smaller) == {}
    spec = {"kind": "accuracy", "noises": ["uniform-0.2", "clean"], "task": "binary"}
    assert tables(spec, smaller)["t"]["noises"] == ["clean"]


def test_methods_that_a_run_lacks_are_dropped():
    smaller = {("two", "binary"): (["clean"], ["a"])}
    assert tables({"kind": "accuracy", "task": "binary", "methods": ["b", "a"]}, smaller)["t"]["methods"] == ["a"]
    assert tables({"kind": "accuracy", "task": "binary", "methods": ["b"]}, smaller) == {}
    pairs = {"kind": "pairs", "task": "binary", "pairs": [["a", "b"], ["a", "a"]]}
    assert tables(pairs)["t"]["pairs"] == pairs["pairs"] and tables(pairs, smaller)["t"]["pairs"] == [["a", "a"]]
    assert tables(pairs | {"pairs": [["a", "b"]]}, smaller) == {}


MISTAKES = [
    ({"kind": "acuracy", "task": "binary"}, ["unknown kind 'acuracy'", "mean 'accuracy'"]),
    ({"kind": "zzz", "task": "binary"}, ["unknown kind 'zzz'", "choose one of accuracy, ranks"]),
    ({"kind": "accuracy"}, ["mixes both tasks", "set `task`"]),
    ({"kind": "accuracy", "task": "binary", "metric": "acuracy"}, ["metric 'acuracy' is unknown", "choose one of"]),
    ({"kind": "accuracy", "task": "binary", "methods": ["c"]}, ["method 'c' is in none of its grids"]),
    ({"kind": "accuracy", "task": "binary", "noises": ["far"]}, ["noise 'far' is in none of its grids"]),
    ({"kind": "accuracy", "datasets": ["thre"]}, ["data set 'thre' is in none of its grids", "mean 'three'"]),
    ({"kind": "accuracy", "task": "binary", "datasets": ["three"]}, ["no grid runs", "correct `task`"]),
    ({"kind": "errors", "task": "binary", "risk_of": "c"}, ["method 'c' is in none of its grids; choose one of a, b"]),
    ({"kind": "ranks", "task": "binary", "methods": ["a"]}, ["the kind 'ranks' needs two methods on a data set; add"]),
    ({"kind": "bayes", "task": "binary"}, ["the kind 'bayes' needs two methods on 3 data sets; add what is missing"]),
    ({"kind": "slopes", "task": "multiclass"}, ["the kind 'slopes' needs two rates of a noise model on a data set"]),
    ({"kind": "slopes", "task": "binary", "noises": ["clean"]}, ["needs two rates of a noise model"]),
]


@pytest.mark.parametrize(("spec", "parts"), MISTAKES)
def test_mistakes_in_tables(spec, parts):
    with pytest.raises(InputError) as caught:
        tables(spec)
    for part in ["study 's', table 't'", *parts]:
        assert part in str(caught.value)


MATRIX = {"kind": "transition-matrix", "dataset": "three", "task": "multiclass", "noises": ["far"]}


@pytest.mark.parametrize("key", ["dataset", "task", "noises"])
def test_a_transition_matrix_needs_its_keys(key):
    assert figures(MATRIX) == {"f": MATRIX}
    with pytest.raises(InputError, match=f"figure 'f': a transition-matrix needs the key '{key}'; add it"):
        figures({name: value for name, value in MATRIX.items() if name != key})


def test_a_scatter_needs_printed_numbers():
    spec = {"kind": "comparison-scatter", "task": "binary"}
    with pytest.raises(InputError, match="needs published values; add the key 'compare'"):
        figures(spec)
    assert figures(spec, compare={"published": "ane", "methods": {}}) == {"f": spec}


PANELS = {
    "kind": "noise-panels",
    "dataset": "two",
    "panels": [
        {"title": "A", "task": "binary", "methods": ["a", "b"]},
        {"title": "B", "task": "binary", "methods": ["b"]},
    ],
}


def test_panels_that_a_scale_leaves_empty_are_dropped():
    cells = {("two", "binary"): (["clean"], ["a", "b"]), ("two", "multiclass"): (["far"], ["a"])}
    both = PANELS | {"panels": [*PANELS["panels"], {"title": "C", "task": "multiclass", "methods": ["a"]}]}
    entry = {"figures": {"f": both}}
    assert [p["title"] for p in kept("s", "figure", entry, cells)["f"]["panels"]] == ["A", "B", "C"]
    smaller = {("two", "binary"): (["clean"], ["a", "b"])}
    assert [p["title"] for p in kept("s", "figure", entry, smaller)["f"]["panels"]] == ["A", "B"]
    assert kept("s", "figure", entry, {("three", "multiclass"): (["far"], ["a"])}) == {}


@pytest.mark.parametrize(
    ("panel", "part"),
    [
        ({"methods": ["c"]}, "method 'c' is in none of its grids"),
        ({"task": "multiclass"}, "no grid runs its data sets on its task"),
        ({"metric": "leafs"}, "metric 'leafs' is unknown"),
    ],
)
def test_mistakes_in_panels(panel, part):
    with pytest.raises(InputError, match=part):
        figures(PANELS | {"panels": [PANELS["panels"][0] | panel]})


def test_pictures_of_definitions_need_no_task():
    assert figures({"kind": "risk-reductions"}) == {"f": {"kind": "risk-reductions"}}


def test_a_trade_off_stands_beside_the_boosting_paper():
    spec = {"kind": "trade-off", "task": "binary"}
    with pytest.raises(InputError, match="needs published values; add the key 'compare'"):
        tables(spec)
    with pytest.raises(InputError, match="shows the published values of 'rmb'; compare the study with these"):
        tables(spec, compare={"published": "ane", "methods": {}})
    assert tables(spec, compare={"published": "rmb", "methods": {}}) == {"t": spec}


def test_series_name_what_the_grids_run():
    line = {"label": "A", "methods": ["a"], "noises": ["clean", "uniform-0.2"]}
    spec = {"kind": "series", "task": "binary", "x": [0, 0.2], "series": [line]}
    assert figures(spec) == {"f": spec}
    with pytest.raises(InputError, match="the series 'A' needs 3 methods and one noise"):
        figures(spec | {"x": [0, 0.2, 0.4]})
    with pytest.raises(InputError, match="noise 'far' is in none of its grids"):
        figures(spec | {"series": [line | {"noises": ["clean", "far"]}]})
    with pytest.raises(InputError, match="a series needs the key 'x'; add it"):
        figures({key: value for key, value in spec.items() if key != "x"})


def test_published_points_have_a_paper_and_methods():
    line = {"label": "A", "methods": ["a"], "noises": ["clean", "uniform-0.2"]}
    spec = {"kind": "series", "task": "binary", "x": [0, 0.2], "series": [line]}
    both = {"paper": "rmb", "printed_methods": {"A": "a"}}
    assert figures(spec | both) == {"f": spec | both}
    for key, value in both.items():
        with pytest.raises(InputError, match="study 's', figure 'f': `paper` and `printed_methods` .* go together"):
            figures(spec | {key: value})
    with pytest.raises(InputError, match="method 'x' is in none of its grids"):
        figures(spec | both | {"printed_methods": {"A": "x"}})


def test_a_line_and_a_reference_have_names_that_exist():
    curves, gains = {"kind": "noise-curves", "task": "binary"}, {"kind": "gains", "task": "binary"}
    assert figures(curves | {"line": "pair_flip"}) and figures(gains | {"reference": "a", "methods": ["b"]})
    with pytest.raises(InputError, match="study 's', figure 'f': unknown noise 'unifrm'; did you mean 'uniform'?"):
        figures(curves | {"line": "unifrm"})
    with pytest.raises(InputError, match="`line` names the noise model 'pair-flip'; write it as 'pair_flip'"):
        figures(curves | {"line": "pair-flip"})
    with pytest.raises(InputError, match="study 's', figure 'f': method 'dt-x' is in none of its grids"):
        figures(gains | {"reference": "dt-x"})


def test_labels_are_those_of_its_data_sets():
    entry = {"dataset_labels": {"two": "Two", "other": "Other"}, "if_absent": {"three": "other", "two": None}}
    check("s", entry, GRIDS)
    with pytest.raises(InputError, match="study 's', dataset_labels: data set 'twoo' is in none of .*mean 'two'"):
        check("s", {"dataset_labels": {"twoo": "Two"}}, GRIDS)


@pytest.mark.parametrize(
    ("protocol", "test", "allowed"),
    [
        ({"kind": "Random_Partitions", "repeats": 2}, "trial-means", "'paired' or 'corrected'"),
        ({"kind": "fixed-split", "repeats": 2}, "corrected", "'paired'"),
        ({"kind": "training-sizes", "repeats": 2, "sizes": [9]}, "paired", "'trial-means'"),
    ],
)
def test_the_protocol_decides_which_tests_there_are(protocol, test, allowed):
    spec = {"kind": "significance", "task": "binary", "test": test}
    with pytest.raises(InputError, match=f"study 's', table 't': the protocol .* test '{test}'; use {allowed}$"):
        tables(spec, protocol=protocol)
    del spec["test"]
    assert tables(spec, protocol=protocol)
    assert tables(spec, protocol={"kind": "repeated-cv", "repeats": 1})
    with pytest.raises(InputError, match="the kind 'significance' needs two methods"):
        tables(spec | {"methods": ["a"]}, protocol=protocol)


def test_a_scale_drops_what_it_leaves_too_small():
    smaller = {("two", "binary"): (["clean"], ["a", "b"])}
    assert tables({"kind": "slopes", "task": "binary"}) and tables({"kind": "slopes", "task": "binary"}, smaller) == {}
    assert tables({"kind": "ranks", "task": "binary"}, {("two", "binary"): (["clean"], ["a"])}) == {}
    assert TABLES["bayes"].least_datasets == bayes.LEAST
