"""Parts of studies, what `--config only=[...]` keeps, and what other settings add."""

import copy
from pathlib import Path

import pytest
from pipeline.jobs.rerun import planned_with
from pipeline.plan.small import caption

from ironbark.errors import InputError
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan import artefact_specs, fit_specs, stale
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study.parts import built
from ironbark.pipeline.tables import TABLES
from ironbark.pipeline.tables.kinds import SUFFIXES


@pytest.fixture
def two(config, study):
    """A plan of a study whose part is on another data set."""
    config["studies"]["other"] = copy.deepcopy(study) | {"grids": [study["grids"][1]], "if_absent": {"three": None}}
    study["parts"] = ["other"]
    config["studies"]["other"]["scales"] = {"smoke": {"datasets": ["three"]}}
    config["studies"]["other"]["grids"][0]["datasets"] = ["three", "iris"]
    config["datasets"]["iris"] = config["datasets"]["three"]
    return Plan(config)


def test_a_run_makes_the_parts_of_which_something_is_kept(two):
    two.config["studies"]["other"] |= {"tables": {}, "figures": {}}
    assert built(two, ["small", "other"]) == (["small", "other"], [])
    assert built(two, ["other", "small"]) == (["other", "small"], [])
    two.settings["only"] = ["two"]
    assert built(two, [two.part("small")]) == (["only/two/small"], [])
    two.config["absent"] = ["three"]
    two.config["studies"]["other"] |= {"tables": {}, "figures": {}}
    assert built(two, ["small"]) == (["small", "other"], [])
    two.settings["scale"] = "smoke"
    assert built(two, ["small"]) == (["small"], ["other"])
    sentence = "study 'other' is empty at scale 'smoke': this run lacks three; add them to the mirror, or take a larger"
    with pytest.raises(InputError, match=sentence):
        two.study("other", "smoke")


def test_mistakes(two, study):
    study["parts"] = ["othr"]
    with pytest.raises(InputError, match=r"unknown study \(part of 'small'\) 'othr'; did you mean 'other'"):
        built(two, ["small"])
    study["parts"] = ["other"]
    two.config["studies"]["other"]["parts"] = ["small"]
    with pytest.raises(InputError, match="its part 'other' has parts of its own; list them all in 'small'"):
        built(two, ["small"])


def narrowed(config, *items):
    config["settings"]["only"] = list(items)
    plan = Plan(config)
    return plan, plan.study(plan.part("small"), "full")


@pytest.mark.parametrize(
    ("items", "blocks"),
    [
        (["two", "dt-gini", "clean"], [("two", "binary", ["clean"], ["dt-gini"])]),
        (["three"], [("three", "multiclass", ["clean", "uniform-0.6"], ["dt-gini"])]),
        (["trees", "uniform-*"],
         [("two", "binary", ["uniform-0.2"], ["dt-gini", "dt-entropy"]), ("three", "multiclass", ["uniform-0.6"],
                                                                         ["dt-gini"])]),
        (["binary"], [("two", "binary", ["clean", "uniform-0.2"], ["dt-gini", "dt-entropy", "rf-gini"])]),
        (["curves", "rf-*"], [("two", "binary", ["clean", "uniform-0.2"], ["rf-gini"])]),
    ],
)  # fmt: skip
def test_ids_groups_patterns_and_tables_keep_their_fits(config, items, blocks):
    config["groups"] = {"methods": {"trees": ["dt-gini", "dt-entropy"]}, "noises": {}}
    _, study = narrowed(config, *items)
    assert study.blocks == blocks
    assert {part.dataset for parts in study.batches.values() for part in parts} == {block[0] for block in blocks}
    assert set(study.methods) == {name for block in blocks for name in block[3]}


def test_results_have_a_folder_of_their_own_and_captions_say_what_is_left(config):
    plan, study = narrowed(config, "two", "dt-gini", "dt-entropy")
    whole = plan.study("small", "full")
    assert study.folder == "results/only/dt-entropy+dt-gini+two/small/full" and whole.folder == "results/small/full"
    assert study.title.endswith("(only two, dt-gini, dt-entropy)")
    note = caption(plan, study_id=study.id)
    assert note.endswith("Study small, scale full: only two, dt-gini, dt-entropy.")
    assert "only" not in caption(plan) and "sizes" not in caption(plan)
    config["studies"]["small"]["protocol"] = {"kind": "training-sizes", "repeats": 1, "sizes": [50, 100]}
    assert "full. Means are over all training sizes, unless sizes are shown." in caption(Plan(config))
    assert all(path.startswith(study.folder) for path in artefact_specs.paths(study))
    files = fit_specs.shard_inputs(study, next(iter(study.batches)))
    assert files["labels"] == [f"{study.folder}/labels/two/binary.npz"]


def test_tables_of_which_a_file_is_gone_are_made_again(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = Plan(config)
    study = plan.study("small", "full")
    paths = [Path(study.folder, "tables", name + end) for name in study.shown["table"] for end in SUFFIXES["tables"]]
    paths[0].parent.mkdir(parents=True)
    list(map(Path.touch, paths))
    stale.remove(plan, study)
    assert paths[0].exists()
    paths[1].unlink()
    stale.remove(plan, study)
    assert not paths[0].exists()


BINARY, MULTICLASS = ("two", "binary"), ("three", "multiclass")
THREE = ["dt-gini", "dt-entropy", "rf-gini"]


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
def test_what_is_added_joins_the_grids_that_can_have_it(config, settings, scale, binary, multiclass):
    config["groups"] = {"methods": {"both": ["dt-ane", "sk"]}, "noises": {}}
    config["settings"] |= settings
    cells = Plan(config).study("small", scale).cells
    place = "methods" in settings
    assert (cells[BINARY][place], cells[MULTICLASS][place]) == (binary, multiclass)


def test_a_data_set_joins_grids_and_scales(config, study):
    config["datasets"]["own"] |= {"expect": {"k": 3}, "split": config["datasets"]["three"]["split"]}
    study["scales"]["smoke"]["datasets"] = ["two"]
    config["settings"]["datasets"] = ["own"]
    plan = Plan(config)
    assert set(plan.study("small", "full").cells) == {BINARY, MULTICLASS, ("own", "multiclass")}
    assert set(plan.study("small", "smoke").cells) == {BINARY, ("own", "multiclass")}
    config["datasets"]["own"]["positive"] = ["a"]
    assert ("own", "binary") in Plan(config).study("small", "full").cells


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
        for name, spec in study.shown[word].items():
            if kinds[spec["kind"]].data != "rows":
                continue
            assert "Added by --config: My forest." in captions[name]
            for part in spec.get("panels", [spec]):
                seen = {task for _, task in study.cells} if "task" not in part else {part["task"]}
                expected = "methods" in part and bool(seen & set(tasks))
                assert ("mine" in part.get("methods", ())) == expected, (word, name)
                assert not expected or part["methods"].count("mine") == 1
    assert all("mine" in plan.study("arena", "full").shown["figure"][f"gains-{task}"]["methods"] for task in tasks)
