import json

from ironbark.plan import pages
from ironbark.plan.specs import Plan


def told(config, tmp_path, *folders):
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
    return pages.spec(Plan(config), tmp_path)


def test_studies_on_disk_with_all_that_they_use(config, tmp_path):
    spec = told(config, tmp_path, "small/full", "site/assets", "logs/shard")
    (study,) = spec["studies"]
    assert (study["id"], study["scale"], study["repeats"], study["folds"]) == ("small", "full", 5, 1)
    used = {method for _, _, _, methods in study["blocks"] for method in methods}
    assert set(spec["methods"]) == used == set(study["methods"])
    assert set(spec["datasets"]) == {dataset for dataset, *_ in study["blocks"]}
    assert set(spec["noises"]) == {noise for _, _, noises, _ in study["blocks"] for noise in noises}
    assert spec["problems"] == [] and len(json.loads(json.dumps(spec))["studies"]) == 1


def test_figures_of_rows_have_an_interactive_view(config, tmp_path):
    (study,) = told(config, tmp_path, "small/full")["studies"]
    figure = next(item for item in study["figures"] if item["kind"] == "noise-curves")
    assert figure["view"]["view"] == "curves"


def test_the_larger_scale_comes_first(config, tmp_path):
    found = told(config, tmp_path, "small/smoke", "small/full")["studies"]
    assert [study["scale"] for study in found] == ["full", "smoke"]


def test_studies_that_cannot_be_planned_are_told(config, tmp_path):
    config["studies"]["broken"] = config["studies"]["small"] | {"grids": []}
    spec = told(config, tmp_path, "gone/full", "broken/full")
    assert spec["studies"] == [] and spec["datasets"] == {}
    assert "gone (full) is left out: config/studies has no such study" in spec["problems"][1]
    assert spec["problems"][0].startswith("broken (full) is left out: study 'broken' is empty")


def test_without_results_there_is_nothing_to_tell(config, tmp_path):
    assert pages.spec(Plan(config), tmp_path / "none")["studies"] == []
