"""Sweeps in YAML, against the entries that they spare, and groups."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.expansion import expanded, group_of, members

TREE = "ironbark.RobustDecisionTreeClassifier"


LOW_HIGH = {"low": [0.1, 0.3], "high": [0.3, 0.5]}


@pytest.mark.parametrize(
    ("name", "entry", "labels"),
    [
        ("u", {"rate": {"sweep": [0.1, 0.2]}}, {"u-0.1": "u 0.1", "u-0.2": "u 0.2"}),
        ("u", {"label": "Flips", "rate": {"sweep": [0.1]}}, {"u-0.1": "Flips 0.1"}),
        ("cc", {"label": "CC {rate}", "rate": {"sweep": LOW_HIGH}}, {"cc-low": "CC low", "cc-high": "CC high"}),
        (
            "rf-t{n}-deep",
            {"label": "{n} trees", "n": {"sweep": [1, 20]}},
            {"rf-t1-deep": "1 trees", "rf-t20-deep": "20 trees"},
        ),
        ("x", {"label": "{not a field}"}, {"x": "{not a field}"}),
    ],
)
def test_ids_and_labels(name, entry, labels):
    assert {id: made["label"] for id, made in expanded(name, entry).items()} == labels
    assert (group_of("rf-t{n}"), group_of("rf-{n}"), group_of("rf")) == ("rf-t", "rf", "rf")


def test_one_entry_for_each_value():
    entry = {"estimator": TREE, "label": "NE {lam}", "params": {"criterion": "ne", "lam": {"sweep": [0, 0.25, 1e-5]}}}
    assert expanded("ne", entry) == {
        f"ne-{suffix}": {"estimator": TREE, "label": f"NE {suffix}", "params": {"criterion": "ne", "lam": value}}
        for suffix, value in (("0", 0), ("0.25", 0.25), ("1e-05", 1e-5))
    }
    assert entry["params"]["lam"] == {"sweep": [0, 0.25, 1e-5]}, "the entry itself is left as it was"


def test_two_sweeps_are_combined_also_within_lists_and_inner_estimators():
    inner = {"estimator": TREE, "params": {"max_depth": {"sweep": [1, None]}}}
    entry = {"estimator": "a.B", "params": {"steps": [["tree", inner]]}, "tune": {"grid": {"C": [{"sweep": [1, 2]}]}}}
    made = expanded("x", entry)
    assert list(made) == ["x-1-1", "x-1-2", "x-none-1", "x-none-2"]
    assert made["x-none-2"]["params"]["steps"][0][1]["params"] == {"max_depth": None}
    assert made["x-none-2"]["tune"] == {"grid": {"C": [2]}}
    assert "sweep" in str(entry) and "sweep" not in str(made)


MISTAKES = [
    ("x", {"rate": {"sweeep": [1, 2]}}, "unknown key 'sweeep' at 'rate'; did you mean 'sweep'?"),
    ("x", {"rate": {"sweep": [0.1], "label": "x"}}, "the sweep of 'rate' has another key 'label'"),
    ("x", {"rate": {"sweep": []}}, "the sweep of 'rate' must be a list of values"),
    ("x", {"rate": {"sweep": 0.5}}, "the sweep of 'rate' must be a list of values"),
    ("x", {"rate": {"sweep": [0.1]}, "label": "{rat}"}, "'{rat}' names {rat}, which is not swept; there is rate"),
    ("x", {"rate": {"sweep": [[0.1, 0.3]]}}, "'rate' has the value [0.1, 0.3]; write it as `suffix: value`"),
    ("x-{a}", {"a": {"sweep": [1]}, "b": {"sweep": [1, 2]}}, "make the id 'x-1'; name each swept key"),
]


@pytest.mark.parametrize(("name", "entry", "sentence"), MISTAKES)
def test_mistakes(name, entry, sentence):
    with pytest.raises(InputError) as caught:
        expanded(name, entry)
    assert sentence in str(caught.value)


IDS = ["dt-a", "dt-b", "rf-a", "rf-b"]


def test_members_are_ids_groups_and_patterns_each_once_in_their_order():
    groups = {"trees": ["dt-*"], "some": ["rf-b", "trees", "dt-b"], "all": ["some", "*-a"]}
    assert members("trees", groups, IDS) == ["dt-a", "dt-b"]
    assert members("some", groups, IDS) == ["rf-b", "dt-a", "dt-b"]
    assert members("all", groups, IDS) == ["rf-b", "dt-a", "dt-b", "rf-a"]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"g": ["dt-aa"]}, "group 'g': 'dt-aa' is no id, no group, and no pattern of ids; did you mean 'dt-a'?"),
        ({"g": ["trese"], "trees": ["dt-a"]}, "did you mean 'trees'?"),
        ({"g": ["xx-*"]}, "'xx-*' is no id, no group"),
        ({"g": ["h"], "h": ["g"]}, "group 'g' contains itself, by g > h > g; take it out"),
    ],
)
def test_mistakes_in_groups(groups, sentence):
    with pytest.raises(InputError) as caught:
        members("g", groups, IDS)
    assert sentence in str(caught.value)
