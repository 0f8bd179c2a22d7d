"""Tables and figures of a study: what a scale leaves empty is dropped, what could never be shown is refused."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.study.artefacts import check, kept

GRIDS = {
    ("two", "binary"): (["clean", "uniform-0.2"], ["a", "b"]),
    ("three", "multiclass"): (["clean", "far"], ["a", "c"]),
}


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
