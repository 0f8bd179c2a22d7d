"""Methods, noises and data sets of the settings join the grids that can have them."""

import pytest
from pipeline.jobs.rerun import planned_with

from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan import artefact_specs
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.tables import TABLES

BINARY, MULTICLASS = ("two", "binary"), ("three", "multiclass")
THREE = ["dt-gini", "dt-entropy", "rf-gini"]


@pytest.fixture
def added(config, study):
    """Function that plans the small study with settings."""

    def plan(**settings):
        config["settings"] |= settings
        return Plan(config)

    return plan


@pytest.mark.parametrize(
    ("settings", "scale", "binary", "multiclass"),
    [
        ({"methods": ["sk", "dt-gini"]}, "full", [*THREE, "sk"], ["dt-gini", "sk"]),
        ({"methods": ["dt-pairwise"]}, "full", [*THREE, "dt-pairwise"], ["dt-gini"]),
        ({"methods": ["both"]}, "full", [*THREE, "dt-ane", "sk"], ["dt-gini", "dt-ane", "sk"]),
        ({"noises": ["cc"]}, "full", ["clean", "uniform-0.2", "cc"], ["clean", "uniform-0.6"]),  # for two classes only
        ({"noises": ["cc"]}, "smoke", ["clean", "cc"], ["clean"]),
    ],
)
def test_what_is_added_joins_the_grids_that_can_have_it(config, added, settings, scale, binary, multiclass):
    config["groups"] = {"methods": {"both": ["dt-ane", "sk"]}, "noises": {}}
    cells = added(**settings).study("small", scale).cells
    place = "methods" in settings
    assert (cells[BINARY][place], cells[MULTICLASS][place]) == (binary, multiclass)


def test_a_data_set_joins_grids_and_scales(config, study, added):
    config["datasets"]["own"] |= {"expect": {"k": 3}, "split": config["datasets"]["three"]["split"]}
    study["scales"]["smoke"]["datasets"] = ["two"]
    plan = added(datasets=["own"])
    assert set(plan.study("small", "full").cells) == {BINARY, MULTICLASS, ("own", "multiclass")}
    assert set(plan.study("small", "smoke").cells) == {BINARY, ("own", "multiclass")}
    config["datasets"]["own"]["positive"] = ["a"]
    assert ("own", "binary") in added().study("small", "full").cells


@pytest.mark.parametrize(("study_id", "tasks"), [("arena", ["binary"]), ("ane", ["binary", "multiclass"])])
def test_an_added_method_is_in_each_table_and_figure_of_its_tasks(study_id, tasks):
    config = planned_with().config
    forest = "sklearn.ensemble.ExtraTreesClassifier"
    config["methods"]["mine"] = {"label": "My forest", "estimator": forest, "tasks": tasks}
    config["settings"]["methods"] = ["mine"]
    plan = Plan(config)
    study = plan.study(study_id, "full")
    for word, kinds in (("table", TABLES), ("figure", FIGURES)):
        captions = artefact_specs.captions(plan, study, word)
        for name, spec in study.shown(word).items():
            if kinds[spec["kind"]].data != "rows":
                continue
            assert "Added by --config: My forest." in captions[name]
            for part in spec.get("panels", [spec]):
                seen = {task for _, task in study.cells} if "task" not in part else {part["task"]}
                expected = "methods" in part and bool(seen & set(tasks))
                assert ("mine" in part.get("methods", ())) == expected, (word, name)
                assert not expected or part["methods"].count("mine") == 1
    assert all("mine" in plan.study("arena", "full").figures[f"gains-{task}"]["methods"] for task in tasks)


@pytest.mark.parametrize(
    ("word", "spec", "after"),
    [
        ("table", {"kind": "accuracy", "methods": ["dt-gini"]}, {"methods": ["dt-gini", "sk"]}),
        ("table", {"kind": "accuracy", "noises": ["clean"]}, {"noises": ["clean", "cc"]}),
        ("table", {"kind": "accuracy", "datasets": ["two"]}, {"datasets": ["two", "own"]}),
        ("table", {"kind": "pairs", "pairs": [["dt-gini", "dt-entropy"]]}, {}),
        ("figure", {"kind": "by-dataset", "noises": ["clean"]}, {"noises": ["clean"]}),
        ("figure", {"kind": "transition-matrix", "dataset": "two", "noises": ["clean"]}, {"noises": ["clean", "cc"]}),
    ],
)
def test_lists_of_tables_and_figures_grow(config, study, added, word, spec, after):
    config["methods"]["sk"]["tasks"] = ["binary"]
    config["datasets"]["own"] |= {"expect": {"k": 2}, "split": config["datasets"]["two"]["split"]}
    spec["task"], study["tables"], study["figures"] = "binary", {}, {}
    study[f"{word}s"] = {"one": spec}
    plan = added(methods=["sk"], noises=["cc"], datasets=["own"])
    assert plan.config["studies"]["small"][f"{word}s"]["one"] == spec | after
