"""Sweeps in YAML, against the entries that they spare, and groups."""

from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.expansion import expanded, group_of, members, spelled_out
from ironbark.pipeline.plan.config.reading import read

ROOT = Path(__file__).parents[3]
TREE = "ironbark.RobustDecisionTreeClassifier"


def test_an_entry_without_a_sweep_is_itself():
    entry = {"estimator": TREE, "params": {"lam": 1}, "label": "{not a field}"}
    assert expanded("x", entry) == {"x": entry}


def test_one_entry_for_each_value():
    entry = {"estimator": TREE, "label": "NE {lam}", "params": {"criterion": "ne", "lam": {"sweep": [0, 0.25, 1e-5]}}}
    assert expanded("ne", entry) == {
        f"ne-{suffix}": {"estimator": TREE, "label": f"NE {suffix}", "params": {"criterion": "ne", "lam": value}}
        for suffix, value in (("0", 0), ("0.25", 0.25), ("1e-05", 1e-5))
    }
    assert entry["params"]["lam"] == {"sweep": [0, 0.25, 1e-5]}, "the entry itself is left as it was"


def test_labels_without_a_field_end_with_the_value():
    made = expanded("u", {"model": "uniform", "rate": {"sweep": [0.1, 0.2]}})
    assert [entry["label"] for entry in made.values()] == ["u 0.1", "u 0.2"]
    made = expanded("u", {"model": "uniform", "label": "Flips", "rate": {"sweep": [0.1]}})
    assert made == {"u-0.1": {"model": "uniform", "label": "Flips 0.1", "rate": 0.1}}


def test_suffixes_for_what_cannot_be_part_of_an_id():
    rates = {"low": [0.1, 0.3], "high": [0.3, 0.5]}
    made = expanded("cc", {"model": "class_conditional", "label": "CC {rate}", "rate": {"sweep": rates}})
    assert {name: (entry["rate"], entry["label"]) for name, entry in made.items()} == {
        "cc-low": ([0.1, 0.3], "CC low"),
        "cc-high": ([0.3, 0.5], "CC high"),
    }
    with pytest.raises(InputError, match=r"sweep of 'rate' has the value \[0.1, 0.3\]; write it as `suffix: value`"):
        expanded("cc", {"rate": {"sweep": [[0.1, 0.3]]}})


def test_two_sweeps_are_combined_also_within_lists_and_inner_estimators():
    inner = {"estimator": TREE, "params": {"max_depth": {"sweep": [1, None]}}}
    entry = {"estimator": "a.B", "params": {"steps": [["tree", inner]]}, "tune": {"grid": {"C": [{"sweep": [1, 2]}]}}}
    made = expanded("x", entry)
    assert list(made) == ["x-1-1", "x-1-2", "x-none-1", "x-none-2"]
    assert made["x-none-2"]["params"]["steps"][0][1]["params"] == {"max_depth": None}
    assert made["x-none-2"]["tune"] == {"grid": {"C": [2]}}
    assert "sweep" in str(entry) and "sweep" not in str(made)


def test_ids_may_hold_the_value():
    made = expanded("rf-t{n}-deep", {"params": {"n": {"sweep": [1, 20]}}, "label": "{n} trees"})
    assert {name: entry["label"] for name, entry in made.items()} == {
        "rf-t1-deep": "1 trees",
        "rf-t20-deep": "20 trees",
    }
    assert (group_of("rf-t{n}"), group_of("rf-{n}"), group_of("rf")) == ("rf-t", "rf", "rf")
    with pytest.raises(InputError, match="two values of its sweeps make the id 'x-1'; name each swept key"):
        expanded("x-{a}", {"params": {"a": {"sweep": [1]}, "b": {"sweep": [1, 2]}}})


MISTAKES = [
    ({"rate": {"sweeep": [1, 2]}}, "unknown key 'sweeep' at 'rate'; did you mean 'sweep'?"),
    ({"params": {"lam": {"sweeps": [1]}}}, "unknown key 'sweeps' at 'lam'; did you mean 'sweep'?"),
    ({"rate": {"sweep": [0.1], "label": "x"}}, "the sweep of 'rate' has another key 'label'"),
    ({"rate": {"sweep": []}}, "the sweep of 'rate' must be a list of values"),
    ({"rate": {"sweep": 0.5}}, "the sweep of 'rate' must be a list of values"),
    ({"rate": {"sweep": [0.1]}, "label": "{rat}"}, "'{rat}' names {rat}, which is not swept; there is rate"),
]


@pytest.mark.parametrize(("entry", "sentence"), MISTAKES)
def test_mistakes(entry, sentence):
    with pytest.raises(InputError) as caught:
        expanded("x", entry)
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


def test_a_study_is_spelled_out_wherever_it_lists_methods_or_noises():
    groups = {"methods": {"g": ["a", "b"]}, "noises": {"g": ["n1", "n2"]}}
    study = {
        "grids": [{"methods": ["b", "g"], "noises": ["g"], "datasets": ["g"]}],
        "figures": {"f": {"panels": [{"methods": ["g"]}], "series": [{"methods": ["g"], "noises": ["n1"]}]}},
        "compare": {"methods": {"DT": {"Gini": "g"}}},
        "scales": {"smoke": {"noises": ["g"]}},
    }
    assert spelled_out(study, groups) == {
        "grids": [{"methods": ["b", "a"], "noises": ["n1", "n2"], "datasets": ["g"]}],
        "figures": {"f": {"panels": [{"methods": ["a", "b"]}], "series": [{"methods": ["a", "b"], "noises": ["n1"]}]}},
        "compare": {"methods": {"DT": {"Gini": "g"}}},
        "scales": {"smoke": {"noises": ["n1", "n2"]}},
    }


def config():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)


def test_the_shipped_sweeps_are_the_entries_that_studies_have_run():
    """Labels are those of tables; the other keys are what stored fits depend on."""
    methods = config()["methods"]
    expected = {}
    for lam in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1):
        expected[f"dt-lambda-{lam}"] = {
            "label": str(lam),
            "estimator": TREE,
            "params": {"criterion": "negative_exponential", "ccp_alpha": 0.0},
            "tune": {"test_size": 0.2, "refit": False, "grid": {"lam": [lam]}},
        }
    boosting = {"estimator": "ironbark.RMBoostClassifier", "tasks": ["binary"]}
    for lam in (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32):
        params = {"n_estimators": 100, "lam": lam, "max_leaf_nodes": 11}
        expected[f"rmboost-lambda-{lam}"] = boosting | {"label": str(lam), "params": params}
    for kind in ("central", "vertex"):
        for n in (1, 2, 5, 10, 20, 50, 100, 200):
            params = {"n_estimators": n, "lp_solution": kind, "max_leaf_nodes": 11}
            expected[f"rmboost-{kind}-t{n}"] = boosting | {"label": f"{kind.title()} {n}", "params": params}
    for name, entry in expected.items():
        assert {key: value for key, value in methods[name].items() if key not in ("about", "paper")} == entry
        assert all(type(a) is type(b) for a, b in zip(*(_leaves(one) for one in (methods[name], entry)), strict=False))
    series = ("dt-lambda-", "rmboost-lambda-", "rmboost-central-t", "rmboost-vertex-t")
    assert {name for name in methods if name.startswith(series)} == set(expected)


def _leaves(entry):
    return [*entry["params"].values(), *entry.get("tune", {"grid": {"lam": []}})["grid"]["lam"]]
