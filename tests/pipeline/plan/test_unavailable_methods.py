"""Methods whose optional packages are not installed: left out of studies, in remarks and captions."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.specs import Plan

RUN = "pip install -r envs/arena.lock"


@pytest.fixture
def lacking(monkeypatch):
    """Function that makes some packages look as if they were not installed, and all others as if they were."""

    def lack(*names):
        monkeypatch.setattr(packages, "find_spec", lambda name: None if name in names else object())

    return lack


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


def test_they_are_left_out_of_cells_tables_and_captions(optional, lacking):
    lacking("catboost", "interpret")
    plan = Plan(optional)
    found = plan.study("small", "full")
    assert found.cells["two", "binary"][1] == ["dt-gini", "dt-entropy", "rf-gini", "sk-2"]
    assert "cats" not in found.tables and found.tables["pair"]["methods"] == ["dt-gini"]
    words = f"Left out, not installed: CatBoost, EBM, cat-2 ({RUN})."
    assert plan.caption("small", "full", "tables", "binary").endswith(words)
    assert found.caps == ""  # the other fits are those of the full study


def test_remarks_name_methods_packages_and_the_command(optional, lacking):
    lacking("catboost", "interpret")
    plan = Plan(optional)
    assert plan.try_tables("small") == [
        f"study 'small' does without the methods CatBoost, cat-2, which need catboost: `.venv/bin/{RUN}`",
        f"study 'small' does without the method EBM, which needs interpret: `.venv/bin/{RUN}`",
        "study 'small' makes no table 'cats' in this run, which has too few data sets, noises or methods",
    ]


def test_nothing_is_said_of_studies_without_them(config, lacking):
    config["methods"]["cat"] = {"estimator": "catboost.CatBoostClassifier", "needs": ["catboost"]}
    lacking("catboost")
    plan = Plan(config)
    assert plan.study("small", "full").absent == "" and plan.try_tables("small") == []


def test_a_package_outside_of_the_locks_is_installed_by_its_name(config, study, lacking):
    config["methods"]["own"] = {"estimator": "mine.Net", "needs": ["nets", "catboost"]}
    study["grids"][0]["methods"].append("own")
    lacking("nets", "catboost")
    assert Plan(config).study("small", "full").absent == f"Left out, not installed: own ({RUN} nets)"


def test_a_grid_of_nothing_else_disappears(optional, study, lacking):
    study["grids"][1] |= {"methods": ["cat"]}
    lacking("catboost", "interpret")
    assert Plan(optional).study("small", "full").datasets == ["two"]


def test_a_method_without_the_key_is_an_error(optional, study, lacking):
    optional["methods"]["bare"] = {"estimator": "catboost.CatBoostClassifier"}
    study["grids"][0]["methods"].append("bare")
    lacking("catboost", "interpret")
    with pytest.raises(InputError, match=f"method 'bare': it needs the package catboost, .*`.venv/bin/{RUN}`"):
        Plan(optional).study("small", "full")


def test_a_study_of_nothing_else_is_an_error(optional, study, lacking):
    study["grids"] = [study["grids"][0] | {"methods": ["cat", "ebm"]}]
    study["tables"] = study["figures"] = {}
    lacking("catboost", "interpret")
    with pytest.raises(InputError, match=f"study 'small': all of its methods need packages .*; run `.venv/bin/{RUN}`"):
        Plan(optional).study("small", "full")


def test_a_misspelt_package_is_an_error(optional, lacking):
    optional["methods"]["cat"]["needs"] = ["catbost"]
    lacking("catbost")
    with pytest.raises(InputError, match="method 'cat': `needs` names the unknown package 'catbost'.*'catboost'"):
        Plan(optional).study("small", "full")
