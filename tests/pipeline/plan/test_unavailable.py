"""Packages, methods and data sets that a run cannot have: refused, left out or replaced."""

import pytest
from pipeline.plan.small import caption, check, try_tables

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.unavailable import without


@pytest.fixture
def far(config, study, tmp_path, monkeypatch):
    """The small configuration with OpenML data sets in its study."""
    monkeypatch.chdir(tmp_path)
    split = config["datasets"]["two"]["split"]
    for number, name in enumerate(["far", "further"]):
        config["datasets"][name] = {"title": "F", "source": "openml", "openml_id": number, "split": split}
        study["grids"][0]["datasets"].append(name)
    return config


LOCK = "run `.venv/bin/pip install -r envs/run.lock`"


def test_one_sentence_names_data_sets_package_and_command(far, lacking, tmp_path):
    """Nothing is said where the package, the data or a mirror is there, or jobs have an environment of their own."""
    lacking()
    check(far)
    lacking("openml")
    with pytest.raises(InputError) as caught:
        check(far)
    assert str(caught.value) == (
        f"study 'small': openml must be installed for the data sets far, further; {LOCK}, or give the folder of a "
        "mirror with --config mirror=DIR"
    )
    check(far, shares_packages=False)
    far["settings"]["mirror"] = str(tmp_path)
    check(far)
    del far["settings"]["mirror"]
    for name in ("far", "further"):
        (tmp_path / "data/raw" / name).mkdir(parents=True)
        (tmp_path / "data/raw" / name / "table.parquet").touch()
    check(far)


def test_a_study_that_can_do_without_an_optional_package_says_so(config, study, lacking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config["datasets"]["net"] = {"title": "N", "source": "vgg11", "images": "two", "split": {"train_size": 0.5}}
    study["grids"][0]["datasets"].append("net")
    lacking("torch", "torchvision")
    images = "`.venv/bin/pip install -r envs/images.lock`"
    with pytest.raises(InputError, match=f"torch and torchvision must be .* data sets net; run {images}"):
        check(config)
    study["if_absent"] = {"net": None}
    lacking("torch")
    plan = Plan(config)
    check(config)
    assert plan.study("small", "full").datasets == ["two", "three"]
    assert try_tables(config) == [f"study 'small' does without net for lack of torch: {images}"]
    lacking()
    assert try_tables(config) == []
    assert {package for source in SOURCES.values() for package in source.packages} <= set(packages.LOCKS)


ARENA = "pip install -r envs/arena.lock"


@pytest.fixture
def optional(config, study):
    """The small configuration with methods of optional packages in its binary grid, and a table that shows one."""
    config["methods"] |= {
        "cat": {"estimator": "catboost.CatBoostClassifier", "label": "CatBoost", "needs": ["catboost"]},
        "cat-2": {"estimator": "catboost.CatBoostClassifier", "needs": ["catboost"]},
        "ebm": {"estimator": "interpret.glassbox.EBM", "label": "EBM", "needs": ["interpret", "numpy"]},
        "sk-2": {"estimator": "sklearn.tree.DecisionTreeClassifier", "needs": ["sklearn"]},
    }
    study["grids"][0]["methods"] += ["cat", "ebm", "cat-2", "sk-2"]
    study["tables"]["pair"] = {"kind": "accuracy", "task": "binary", "methods": ["dt-gini", "cat"]}
    study["tables"]["cats"] = {"kind": "accuracy", "task": "binary", "methods": ["cat", "cat-2"]}
    return config


def test_they_are_left_out_of_cells_tables_and_captions(optional, study, lacking):
    lacking("catboost", "interpret")
    assert try_tables(optional) == [
        f"study 'small' does without CatBoost, cat-2 for lack of catboost: `.venv/bin/{ARENA}`",
        f"study 'small' does without EBM for lack of interpret: `.venv/bin/{ARENA}`",
        "study 'small' makes no table 'cats' in this run, which has too few data sets, noises or methods",
    ]
    optional["methods"]["own"] = {"estimator": "mine.Net", "needs": ["nets", "catboost"]}
    study["grids"][0]["methods"].append("own")
    study["grids"].append(study["grids"][0] | {"datasets": ["own"], "methods": ["cat"]})
    lacking("catboost", "interpret", "nets")
    plan = Plan(optional)
    found = plan.study("small", "full")
    assert found.datasets == ["two", "three"], "a grid of nothing else disappears"
    assert found.cells["two", "binary"][1] == ["dt-gini", "dt-entropy", "rf-gini", "sk-2"]
    assert "cats" not in found.tables and found.tables["pair"]["methods"] == ["dt-gini"]
    assert caption(plan).endswith(f"Left out, not installed: CatBoost, EBM, cat-2, own ({ARENA} nets).")
    assert found.caps == ""  # the other fits are those of the full study


@pytest.mark.parametrize(
    ("needs", "methods", "words"),
    [
        ([], ["dt-gini", "cat"], f"method 'cat': it needs the package catboost, .*`.venv/bin/{ARENA}`"),
        (["catbost"], ["dt-gini", "cat"], "method 'cat': `needs` names the unknown package 'catbost'.*'catboost'"),
        (["catboost"], ["cat", "ebm"], f"study 'small': all of its methods need packages .*; run `.venv/bin/{ARENA}`"),
    ],
)
def test_what_cannot_be_planned_without_them_is_refused(optional, study, lacking, needs, methods, words):
    optional["methods"]["cat"]["needs"] = needs
    study["grids"] = [study["grids"][0] | {"methods": methods}]
    study["tables"] = study["figures"] = {}
    lacking("catboost", "catbost", "interpret")
    with pytest.raises(InputError, match=words):
        Plan(optional).study("small", "full")


GRID = {"tasks": ["binary"], "noises": ["clean"], "methods": ["m"]}
KNOWN = dict.fromkeys(("a", "b", "b2", "c"), {})


ENTRY = {
    "grids": [{**GRID, "datasets": ["a", "b"]}, {**GRID, "datasets": ["c"]}],
    "tables": {"all": {"kind": "accuracy", "datasets": ["b", "a"]}, "c": {"kind": "accuracy", "datasets": ["c"]}},
    "figures": {"b": {"kind": "transition-matrix", "dataset": "b"}, "c": {"kind": "x", "dataset": "c"}},
    "scales": {"smoke": {"datasets": ["b"]}, "lite": {"repeats": 1}, "full": {}},
    "if_absent": {"b": "b2", "c": None},
}


@pytest.mark.parametrize(
    ("absent", "unusable", "grids", "table", "figures", "smoke", "words"),
    [
        (["a", "b2"], [], [["a", "b"], ["c"]], ["b", "a"], "bc", ["b"], ""),  # a is not listed: its fetch says so
        (["b"], [], [["a", "b2"], ["c"]], ["b2", "a"], "bc", ["b2"], "b2 stands in for b"),
        (["b", "b2", "c"], [], [["a"]], ["a"], "", [], "Cannot be had in this run and left out: b, c"),
        ([], ["a", "b"], [["b2"], ["c"]], ["b2"], "bc", ["b2"],
         "Left out, since the data are not what the catalogue expects: a; b2 stands in for b"),
    ],
)  # fmt: skip
def test_stand_ins_take_the_place_everywhere_or_it_is_left_out(absent, unusable, grids, table, figures, smoke, words):
    result, said = without("s", ENTRY, KNOWN, tuple(absent), tuple(unusable))
    assert [grid["datasets"] for grid in result["grids"]] == grids and said == words
    assert result["tables"]["all"]["datasets"] == table and set(result["figures"]) == set(figures)
    assert result["scales"]["smoke"] == {"datasets": smoke}  # empty, which is refused, and not without a cap
    with pytest.raises(InputError, match="study 's': none of its data sets can be had; give a mirror"):
        without("s", ENTRY | {"if_absent": dict.fromkeys("abc")}, KNOWN, KNOWN)
