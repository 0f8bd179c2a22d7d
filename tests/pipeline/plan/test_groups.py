"""Groups of methods and noises in YAML, and what is said of a mistake in them."""

import shutil
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.groups import members, spelled_out
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.study.study import plan

ROOT = Path(__file__).parents[3]
SETTINGS = {"studies": ["quickstart"], "scale": "full"}
IDS = ["dt-a", "dt-b", "rf-a", "rf-b"]


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path / "config"


def config(folder):
    return read(folder, ROOT / "workflow/schemas", SETTINGS)


def add(folder, file, text):
    path = folder / file
    path.write_text((path.read_text("utf-8") if path.exists() else "") + text, encoding="utf-8")


def test_members_are_ids_groups_and_patterns_each_once_in_their_order():
    groups = {"trees": ["dt-*"], "some": ["rf-b", "trees", "dt-b"], "all": ["some", "*-a"]}
    assert members("trees", groups, IDS) == ["dt-a", "dt-b"]
    assert members("some", groups, IDS) == ["rf-b", "dt-a", "dt-b"]
    assert members("all", groups, IDS) == ["rf-b", "dt-a", "dt-b", "rf-a"]


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"g": ["dt-aa"]}, "group 'g': 'dt-aa' is no id, no group, and no pattern of ids, did you mean 'dt-a'?"),
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


def test_groups_and_sweeps_of_the_configuration(folder):
    add(folder, "noise.yaml", "\nflips-{rate}: {model: uniform, label: '{rate}', rate: {sweep: [0.11, 0.22]}}\n")
    add(folder, "noise/own.yaml", "levels: {group: [clean, flips]}\n")
    study = yaml.safe_load((folder / "studies/mushrooms.yaml").read_text("utf-8"))
    study = {key: study[key] for key in ("title", "protocol")}
    grid = {"datasets": ["iris"], "tasks": ["multiclass"], "noises": ["levels"], "methods": ["multiclass-trees"]}
    (folder / "studies/own.yaml").write_text(yaml.safe_dump({**study, "grids": [grid]}), encoding="utf-8")
    found = config(folder)
    made = found["studies"]["own"]["grids"][0]
    assert made["noises"] == ["clean", "flips-0.11", "flips-0.22"]
    assert made["methods"] == found["groups"]["methods"]["multiclass-trees"] and "dt-gini" in made["methods"]
    assert not set(found["groups"]["methods"]) & set(found["methods"])
    assert "all-trees" not in found["methods"] and found["groups"]["methods"]["dt-lambda"][1] == "dt-lambda-0.1"


MISTAKES = [
    ("methods/own.yaml", "g: {group: [dt-ginni]}\n", ["own.yaml, group 'g': 'dt-ginni'", "mean 'dt-gini'?"]),
    ("methods/own.yaml", "g: {group: dt-gini}\n", ["own.yaml, g.group: 'dt-gini' is not of type 'array'"]),
    ("methods/own.yaml", "g: {groop: [dt-gini]}\n", ["own.yaml, g", "unknown key 'groop', did you mean 'group'?"]),
    ("methods/own.yaml", "g: {group: [dt-gini], params: {}}\n", ["own.yaml, g", "unknown key 'params'"]),
    ("methods/own.yaml", "all-trees: {estimator: a.B}\n", ["'all-trees' is already defined"]),
    (
        "methods/own.yaml",
        "x: {estimator: a.B, params: {l: {sweap: [1]}}}\n",
        ["own.yaml, x: unknown key 'sweap' at 'l'"],
    ),
    (
        "noise.yaml",
        "\nx: {model: uniform, rate: {sweeep: [0.1]}}\n",
        ["noise.yaml, x", "'sweeep', did you mean 'sweep'"],
    ),
    ("noise.yaml", "\nx: {model: uniform, rate: [a]}\n", ["x.rate", "['a'] is not allowed", "Rate of the model"]),
]


@pytest.mark.parametrize(("file", "text", "parts"), MISTAKES, ids=[str(i) for i in range(len(MISTAKES))])
def test_mistakes_in_yaml(folder, file, text, parts):
    add(folder, file, text)
    with pytest.raises(InputError) as caught:
        config(folder)
    for part in parts:
        assert part in str(caught.value), caught.value


@pytest.mark.parametrize("place", ["grids", "tables"])
def test_a_misspelt_group_in_a_study(folder, place):
    path = folder / "studies/quickstart.yaml"
    head, section, rest = path.read_text("utf-8").partition(f"\n{place}:\n")
    path.write_text(head + section + rest.replace("[all-trees, ", "[al-trees, ", 1), encoding="utf-8")
    with pytest.raises(InputError, match="study 'quickstart': unknown method 'al-trees', did you mean 'all-trees'?"):
        plan(config(folder), "quickstart", "full")
