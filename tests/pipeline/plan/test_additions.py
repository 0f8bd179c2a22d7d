"""Methods, noises and data sets of the settings join the grids that can have them."""

from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.tables import TABLES

ROOT = Path(__file__).parents[3]
BINARY, MULTICLASS = ("two", "binary"), ("three", "multiclass")


def shipped():
    """The configuration of the repository, to be edited."""
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)


@pytest.fixture
def added(config, study):
    """Function that plans the small study with settings."""

    def plan(**settings):
        config["settings"] |= settings
        return Plan(config)

    return plan


def test_without_settings_nothing_changes(config, added):
    before = config["studies"]
    assert added(methods=None, noises=[]).config["studies"] is before


def test_a_method_joins_every_grid_once(added):
    cells = added(methods=["sk", "dt-gini"]).study("small", "full").cells
    assert cells[BINARY][1] == ["dt-gini", "dt-entropy", "rf-gini", "sk"]
    assert cells[MULTICLASS][1] == ["dt-gini", "sk"]


def test_a_method_joins_only_grids_of_its_tasks(config, added):
    config["methods"]["only"] = {"estimator": "sklearn.svm.SVC", "tasks": ["binary"]}
    cells = added(methods=["dt-pairwise", "only"]).study("small", "full").cells
    assert cells[BINARY][1][-2:] == ["dt-pairwise", "only"]
    assert cells[MULTICLASS][1] == ["dt-gini"]


def test_a_group_joins(config, added):
    config["groups"] = {"methods": {"both": ["dt-ane", "sk"]}, "noises": {}}
    assert added(methods=["both"]).study("small", "full").cells[MULTICLASS][1] == ["dt-gini", "dt-ane", "sk"]


def test_a_noise_joins_grids_and_scales(added):
    plan = added(noises=["cc"])  # for two classes only
    assert plan.study("small", "full").cells[BINARY][0] == ["clean", "uniform-0.2", "cc"]
    assert plan.study("small", "full").cells[MULTICLASS][0] == ["clean", "uniform-0.6"]
    assert plan.study("small", "smoke").cells[BINARY][0] == ["clean", "cc"]


def test_a_data_set_joins_grids_and_scales(config, study, added):
    config["datasets"]["own"] |= {"expect": {"k": 3}, "split": config["datasets"]["three"]["split"]}
    study["scales"]["smoke"]["datasets"] = ["two"]
    plan = added(datasets=["own"])
    assert set(plan.study("small", "full").cells) == {BINARY, MULTICLASS, ("own", "multiclass")}
    assert set(plan.study("small", "smoke").cells) == {BINARY, ("own", "multiclass")}
    config["datasets"]["own"]["positive"] = ["a"]
    assert ("own", "binary") in added().study("small", "full").cells


MINE = {"label": "My forest", "estimator": "sklearn.ensemble.ExtraTreesClassifier"}
BINARY_ONLY = MINE | {"tasks": ["binary"]}


@pytest.mark.parametrize("entry", [MINE, BINARY_ONLY], ids=["both tasks", "binary"])
@pytest.mark.parametrize("study_id", ["arena", "ane", "label-errors"])
def test_an_added_method_is_in_each_table_and_figure_of_its_tasks(study_id, entry):
    config = shipped()
    config["methods"]["mine"] = entry
    config["settings"]["methods"] = ["mine"]
    plan = Plan(config)
    study, tasks = plan.study(study_id, "full"), entry.get("tasks", ["binary", "multiclass"])
    for word, kinds in (("table", TABLES), ("figure", FIGURES)):
        for name, spec in getattr(study, f"{word}s").items():
            if kinds[spec["kind"]].data != "rows":
                continue
            assert "Added by --config: My forest." in plan.caption(study_id, "full", f"{word}s", name)
            for part in spec.get("panels", [spec]):
                seen = {task for _, task in study.cells} if "task" not in part else {part["task"]}
                expected = "methods" in part and bool(seen & set(tasks))
                assert ("mine" in part.get("methods", ())) == expected, (word, name)
                assert not expected or part["methods"].count("mine") == 1
    assert all("mine" in plan.study("arena", "full").figures[f"gains-{task}"]["methods"] for task in tasks)


@pytest.mark.parametrize(
    ("word", "spec", "after"),
    [
        ("table", {"kind": "accuracy", "task": "binary", "methods": ["dt-gini"]}, {"methods": ["dt-gini", "sk"]}),
        ("table", {"kind": "accuracy", "task": "multiclass", "methods": ["dt-gini"]}, {"methods": ["dt-gini"]}),
        ("table", {"kind": "accuracy", "task": "binary", "noises": ["clean"]}, {"noises": ["clean", "cc"]}),
        ("table", {"kind": "accuracy", "task": "multiclass", "noises": ["clean"]}, {"noises": ["clean"]}),
        ("table", {"kind": "accuracy", "datasets": ["two"]}, {"datasets": ["two", "own"]}),
        ("table", {"kind": "accuracy", "datasets": ["three"]}, {"datasets": ["three"]}),
        ("table", {"kind": "pairs", "task": "binary", "pairs": [["dt-gini", "dt-entropy"]]}, {}),
        ("figure", {"kind": "by-dataset", "task": "binary", "noises": ["clean"]}, {"noises": ["clean"]}),
        (
            "figure",
            {"kind": "transition-matrix", "dataset": "two", "task": "binary", "noises": ["clean"]},
            {"noises": ["clean", "cc"]},
        ),
    ],
)
def test_lists_of_tables_and_figures_grow(config, study, added, word, spec, after):
    config["methods"]["sk"]["tasks"] = ["binary"]
    config["datasets"]["own"] |= {"expect": {"k": 2}, "split": config["datasets"]["two"]["split"]}
    study["tables"], study["figures"] = {}, {}
    study[f"{word}s"] = {"one": spec}
    added(methods=["sk"], noises=["cc"], datasets=["own"])
    assert config["studies"]["small"][f"{word}s"]["one"] == spec | after


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"methods": ["dt-ginni"]}, "--config methods: unknown method 'dt-ginni'; did you mean 'dt-gini'"),
        ({"noises": ["cleen"]}, "--config noises: unknown noise 'cleen'; did you mean 'clean'"),
        ({"datasets": ["too"]}, "--config datasets: unknown data set 'too'; did you mean 'two'"),
        ({"datasets": ["own"]}, "--config datasets: data set 'own': its number of classes is not known; add `expect"),
    ],
)
def test_what_cannot_join_is_refused_before_anything_is_planned(added, settings, words):
    with pytest.raises(InputError, match=words):
        added(**settings)


def test_a_wrong_parameter_names_setting_and_method(config, added):
    config["methods"]["deep"] = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_dpth": 3}}
    with pytest.raises(InputError, match="--config methods: method 'deep': .*no parameter 'max_dpth'; did you mean"):
        added(methods=["deep"])


def test_what_no_grid_can_have_is_refused(config, study, added):
    del study["grids"][0], study["tables"], study["figures"], study["scales"]
    with pytest.raises(InputError, match="no grid of study 'small' can take the method 'dt-pairwise', which can do"):
        added(methods=["dt-pairwise"]).study("small", "full")
