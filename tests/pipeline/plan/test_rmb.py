"""What the shipped study of the RMBoost paper asks for."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.plan.study import availability

ROOT = Path(__file__).parents[3]
PARTS = [
    *("rmb-large", "rmb-curves", "rmb-times-credit", "rmb-times-qsar", "rmb-lambda"),
    *("rmb-adversarial", "rmb-trees", "rmb-vertex", "rmb-variants", "rmb-collapse"),
]


@pytest.fixture(scope="module")
def plan():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", settings))


def fits(study):
    splits = study.protocol["repeats"] * len(study.protocol["options"].get("sizes") or [0])
    return splits * sum(len(noises) * len(methods) for _, _, noises, methods in study.blocks)


def test_parts_and_counts_are_those_of_the_paper(plan):
    assert availability.expand(plan, ["rmb"]) == ["rmb", *PARTS]
    counts = {name: fits(plan.study(name, "full")) for name in ["rmb", *PARTS]}
    assert counts["rmb"] == 8 * 5 * 100 * 9
    assert counts["rmb-adversarial"] == 8 * 2 * 100 * 9
    assert counts["rmb-vertex"] == 8 * 5 * 100 * 2
    assert counts["rmb-large"] == 3 * 5 * 100 * 9
    assert counts["rmb-curves"] == 3 * 21 * 500 * 2
    assert counts["rmb-times-credit"] + counts["rmb-times-qsar"] == 16 * 100 * 3
    assert counts["rmb-lambda"] == 3 * 3 * 7 * 200


def test_every_table_and_figure_of_the_paper_is_there(plan):
    studies = [plan.study(name, "full") for name in ["rmb", *PARTS]]
    tables = {name for study in studies for name in study.tables}
    figures = {name for study in studies for name in study.figures}
    assert tables >= {f"table-{k}" for k in range(1, 6)}
    panels = ["1", "2", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "6"]
    assert figures >= {f"figure-{k}" for k in panels} | {"collapse"}


def test_protocols(plan):
    large = plan.study("rmb-large", "full").protocol
    assert large["options"] == {"test_size": 500, "max_train": 4500}
    assert plan.study("rmb", "full").protocol["options"] == {"test_size": 0.1, "max_train": None}
    assert plan.study("rmb", "lite").protocol["repeats"] == 20
    times = [plan.study(f"rmb-times-{name}", "full") for name in ("credit", "qsar")]
    assert [study.protocol["options"]["sizes"][-1] for study in times] == [600, 1000]
    assert all(study.alone for study in times) and not plan.study("rmb", "full").alone


def test_the_rmboosts_of_a_study_share_their_batches(plan):
    names = {batch.name for batch in plan.study("rmb-collapse", "smoke").batches}
    assert names == {"binary/rmboost"}


def test_one_sided_noise_is_asked_for_by_name(plan):
    study = plan.study("rmb-one-sided", "full")
    assert "rmb-one-sided" not in PARTS and fits(study) == 2 * 21 * 100 * 2
    about = {noise: plan.config["noises"][noise] for noise in study.blocks[0][2]}
    assert about["one-sided-0.3"]["rate"] == [0, 0.3]
    assert about["one-sided-adversarial-0.03"]["params"] == {"only": 1}


def test_files_beside_the_rows(plan):
    printed = {"printed": "data/published/rmb_error.csv", "tradeoff": "data/published/rmb_tradeoff.csv"}
    rows = {"rows": "results/rmb/full/rows.parquet"}
    assert plan.table_inputs("rmb", "full", "table-4") == rows | printed
    assert plan.figure_inputs("rmb", "full", "figure-1") == rows | printed
    assert plan.table_inputs("rmb", "full", "table-3") == rows
    points = {"rows": "results/rmb-curves/full/rows.parquet", "printed": printed["printed"]}
    assert plan.figure_inputs("rmb-curves", "full", "figure-2") == points
    assert '"mapping": {' in plan.figure("rmb", "full", "figure-1")
