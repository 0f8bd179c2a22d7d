"""What the shipped configuration names exists, and every study of it plans at every scale."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

from ironbark import criteria
from ironbark.pipeline.plan import artefact_specs, specs
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.config.estimators import criteria_of, is_ours
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study import artefacts as display_names
from ironbark.pipeline.plan.study.scale_caps import method
from ironbark.pipeline.protocols.methods import make
from ironbark.pipeline.tables import TABLES

ROOT = Path(__file__).parents[2]
STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))
SCHEMAS = sorted((ROOT / "workflow/schemas").glob("*.yaml"))


@cache
def config(**changes):
    """Only to be read."""
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8")) | changes
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)


@cache
def plan_at(scale):
    return Plan(config(scale=scale), shares_packages=False)


@pytest.mark.parametrize("scale", ["smoke", "lite", "full"])
@pytest.mark.parametrize("study", STUDIES)
def test_every_study_plans_at_every_scale(study, scale):
    plan = plan_at(scale)
    planned = plan.study(study, scale)
    specs.check(plan, planned)
    assert planned.batches and artefact_specs.paths(planned)
    for word in ("table", "figure"):
        assert artefact_specs.all_of(plan, planned, word)
        assert bool(artefact_specs.files_of_all(plan, planned, word)) <= bool(planned.shown[word])


@pytest.mark.parametrize("study", STUDIES)
def test_no_table_or_figure_is_lost_at_full_scale(study):
    plan = plan_at("full")
    found = plan.config
    entry = found["studies"][study]
    absent = [name for name in entry.get("if_absent", {}) if name in found["absent"]]
    assert set(absent) <= {"cifar-10-vgg11", "unsw-nb15"}  # which need PyTorch and two files brought by hand
    left = {task for grid in entry["grids"] if set(grid["datasets"]) - set(absent) for task in grid["tasks"]}
    left.add(None)  # of what shows both tasks
    for word in ("table", "figure"):
        specs = entry.get(f"{word}s", {}).items()
        about = {name for name, spec in specs if spec.get("dataset") not in absent and spec.get("task") in left}
        assert set(plan.study(study, "full").shown[word]) == about


def test_methods_use_all_criteria():
    ours = [entry for entry in config()["methods"].values() if is_ours(entry)]
    assert {name for entry in ours for name in criteria_of(entry)} == set(criteria.CRITERIA)


@pytest.mark.parametrize("name", sorted(config()["methods"]))
def test_every_method_can_be_made(name):
    entry = config()["methods"][name]
    if absent := packages.missing(entry.get("needs", ())):
        pytest.skip(f"{' and '.join(absent)} not installed; envs/arena.lock has it")
    method = {"params": {}, **entry}
    grid = entry.get("tune", {}).get("grid", {})
    estimator = make(method, 0, **{key: values[0] for key, values in grid.items()})
    seeds = [value for key, value in estimator.get_params().items() if key.rpartition("__")[2] == "random_state"]
    assert seeds and 0 in seeds or name == "sklearn-knn"  # which draws nothing


def test_a_noise_matrix_is_that_of_the_noise_in_the_id():
    found = config()
    given = {name: entry.get("params", {}).get("noise_matrix") for name, entry in found["methods"].items()}
    given = {name: matrix for name, matrix in given.items() if matrix not in (None, "estimate")}
    assert len(given) >= 24
    for name, matrix in given.items():
        up, down = found["noises"]["class-conditional-" + "-".join(name.split("-")[-2:])]["rate"]
        assert matrix == pytest.approx(np.array([[1 - up, up], [down, 1 - down]])), name


def test_scales_can_cap_the_size_of_every_ensemble():
    for name, entry in config()["methods"].items():
        if name.startswith("sklearn-hist-gradient-boosting"):
            continue  # its rounds are `max_iter`
        if any(part in entry["estimator"] for part in ("xgboost", "lightgbm", "XGB", "LGBM", "sklearn.ensemble")):
            capped = method(entry, name, {"n_estimators": 3})
            sizes = [capped["params"].get("n_estimators"), capped["tune"].get("space", {}).get("n_estimators")]
            assert sizes[0] == 3 or (sizes[1] and sizes[1]["high"] == 3), name


def test_every_entry_is_used_or_harmless():
    """Labels are unique within the methods of a table, or two rows would look alike."""
    found = config()
    for study in found["studies"].values():
        for table, spec in study.get("tables", {}).items():
            shown = spec.get("methods", [])
            labels = {"labels": {name: found["methods"][name].get("label", name) for name in shown}}
            apart = display_names.told_apart(labels, spec, TABLES[spec["kind"]])["labels"]
            assert len({apart[name] for name in shown}) == len(shown), table


def parts(schema, place=""):
    """(place, part) of everything in a schema."""
    yield place, schema
    items = enumerate(schema) if isinstance(schema, list) else ()
    for key, value in schema.items() if isinstance(schema, dict) else items:
        yield from parts(value, f"{place}/{key}")


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_schemas_describe_every_key_and_reject_others(path):
    schema = yaml.safe_load(path.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    objects = [(place, part) for place, part in parts(schema) if isinstance(part, dict) and "properties" in part]
    opened = {place for place, part in objects if part.get("additionalProperties") is not False}
    assert opened <= {"/properties/protocol"}  # whose keys ironbark.pipeline.protocols checks
    keys = [(f"{place}/{key}", value) for place, part in objects for key, value in part["properties"].items()]
    assert not [key for key, value in keys if isinstance(value, dict) and "description" not in value]


COMPARED = [study for study in STUDIES if "compare" in config()["studies"][study]]


@pytest.mark.parametrize("study", COMPARED)
def test_tables_show_what_is_compared(study):
    """Each method of ours that is compared with a published one has a row in a table of the study."""
    found = Plan(config()).study(study, "full")
    shown = [id for id, spec in found.shown["table"].items() if spec["kind"] in ("accuracy", "errors", "significance")]
    rows = {m for name in shown for m in found.selection("table", name)["methods"]}
    models = {model: names for model, names in found.compare["methods"].items() if model != "lambda"}  # Figure 6
    assert {m for names in models.values() for m in names.values()} <= rows


def test_a_published_method_is_compared_with_the_same_one_of_ours_everywhere():
    """But for ane-switches, which compares what the quirks of the authors' code change."""
    mapped = {}
    for study in set(COMPARED) - {"ane-switches"}:
        compare = config()["studies"][study]["compare"]
        for model, names in compare["methods"].items():
            for published, own in names.items():
                mapped.setdefault((compare["published"], model, published), set()).add(own)
    assert not {key: own for key, own in mapped.items() if len(own) > 1}
