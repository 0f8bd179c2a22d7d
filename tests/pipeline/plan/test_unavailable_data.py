"""Data sets that cannot be had: a stand-in takes the place, or grids, tables, figures and caps do without."""

import json

import pytest
from pipeline.jobs.rerun import planned_with

from ironbark.errors import InputError
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.unavailable_data import remaining, without

GRID = {"tasks": ["binary"], "noises": ["clean"], "methods": ["m"]}
KNOWN = dict.fromkeys(("a", "b", "b2", "c"), {})


def entry(**changes):
    return {
        "grids": [{**GRID, "datasets": ["a", "b"]}, {**GRID, "datasets": ["c"]}],
        "tables": {"all": {"kind": "accuracy", "datasets": ["b", "a"]}, "c": {"kind": "accuracy", "datasets": ["c"]}},
        "figures": {"b": {"kind": "transition-matrix", "dataset": "b"}, "c": {"kind": "x", "dataset": "c"}},
        "scales": {"smoke": {"datasets": ["b"]}, "lite": {"repeats": 1}, "full": {}},
        "if_absent": {"b": "b2", "c": None},
    } | changes


def test_nothing_changes_where_all_can_be_had():
    assert without("s", entry(), KNOWN, ()) == (entry(), "")
    assert without("s", entry(), KNOWN, ("a", "b2"))[1] == ""  # a is not listed: its fetch says what is wrong


def test_a_stand_in_takes_the_place_everywhere():
    result, words = without("s", entry(), KNOWN, ("b",))
    assert [grid["datasets"] for grid in result["grids"]] == [["a", "b2"], ["c"]]
    assert result["tables"]["all"]["datasets"] == ["b2", "a"]
    assert result["figures"]["b"]["dataset"] == "b2"
    assert result["scales"] == {"smoke": {"datasets": ["b2"]}, "lite": {"repeats": 1}, "full": {}}
    assert words == "b2 stands in for b"


def test_what_has_no_stand_in_is_left_out_everywhere():
    result, words = without("s", entry(), KNOWN, ("b", "b2", "c"))
    assert [grid["datasets"] for grid in result["grids"]] == [["a"]]
    assert set(result["tables"]) == {"all"} and result["figures"] == {}
    assert result["scales"]["smoke"] == {"datasets": []}  # empty, which is refused, and not without a cap
    assert words == "Cannot be had in this run and left out: b, c"


def test_unusable_tables_are_left_out_of_any_study_and_named_apart():
    result, words = without("s", entry(), KNOWN, (), ("a", "b"))  # a is not in `if_absent`
    assert [grid["datasets"] for grid in result["grids"]] == [["b2"], ["c"]]
    assert words == "Left out, since the data are not what the catalogue expects: a; b2 stands in for b"


def test_what_remains_at_a_scale():
    assert remaining(entry(), {}, ("b", "b2", "c")) == ["a"]
    assert remaining(entry(), {}, ("a", "b")) == ["a", "b", "c"]  # a is not listed, and b has a stand-in
    assert remaining(entry(), {"datasets": ["b"]}, ("b", "b2")) == []
    assert remaining(entry(), {"datasets": ["a"]}, (), ("a",)) == []


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"if_absent": {"z": None}}, "`if_absent` names 'z', which no grid has; take it out"),
        ({"if_absent": {"b": "bb"}}, "did you mean 'b'?"),
        ({"if_absent": {"a": None, "b": None, "c": None}}, "none of its data sets can be had"),
    ],
)
def test_mistakes(changes, part):
    with pytest.raises(InputError, match="study 's'") as caught:
        without("s", entry(**changes), KNOWN, KNOWN)
    assert part in str(caught.value)


def test_captions_say_what_is_missing_and_comparisons_go_on(config, study):
    study["grids"][0]["datasets"].append("gone")
    study["if_absent"] = {"gone": None}
    study["dataset_labels"] = {"two": "Two"}
    split = config["datasets"]["two"]["split"]
    config["datasets"]["gone"] = {"title": "Gone", "source": "libsvm", "files": ["nowhere"], "split": split}
    config["settings"]["mirror"] = "no-such-folder"
    plan = Plan(config)
    assert plan.study("small", "full").datasets == ["two", "three"]
    assert plan.caption("small", "full", "tables", "binary").endswith("left out: gone.")
    assert plan.study("small", "full").caps == ""  # else the other data sets could not be compared
    assert json.loads(plan.table("small", "full", "binary"))["names"]["dataset_labels"] == {"two": "Two"}
    config["settings"]["mirror"] = None
    assert Plan(config).study("small", "full").datasets == ["two", "gone", "three"]


def test_pairs_of_methods_that_only_absent_data_meet_are_left_out():
    """Of the ANE paper, Covertype alone: most of the audit of the authors' code needs MNIST or 20 Newsgroups."""
    plan = planned_with()
    names = {name for grid in plan.config["studies"]["ane"]["grids"] for name in grid["datasets"]}
    plan.config["absent"] = sorted(names - {"covertype"} | {"20news-svd"})
    found = plan.study("ane", "full")
    run = {method for _, methods in found.cells.values() for method in methods}
    assert found.datasets == ["covertype"] and "dt-gini-rdts" not in run
    assert all(run.issuperset(pair) for pair in found.tables["audit-binary"]["pairs"])
