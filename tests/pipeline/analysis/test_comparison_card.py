"""The comparison as JSON: valid under its schema, and equal to the CSV."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from jsonschema import Draft202012Validator

from ironbark.pipeline.analysis.published import PAPERS, comparison, comparison_card, comparison_page
from ironbark.pipeline.results.records import frame

ROOT = Path(__file__).parents[3]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/comparison.schema.yaml").read_text("utf-8"))
CODE = {"ironbark": "1.0", "commit": None, "changed": None}
PUBLISHED = pd.DataFrame(
    [
        ("2", "ducks", "binary", "DT", "mse", "clean", "0", 0.905, 0.005, 5, 0.00005),
        ("2", "ducks", "binary", "DT", "mse", "uniform", "0.2", 0.805, float("nan"), 5, 0.00005),
        ("2", "ducks", "binary", "DT", "unheard", "clean", "0", 0.7, 0.005, 5, 0.00005),
    ],
    columns=["table", "dataset", "task", "model", "method", "noise", "rate", "mean", "spread", "n", "rounding"],
)
ABOUT = {
    "study": "pond",
    "scale": "lite",
    "protocol": {"kind": "fixed-split", "repeats": 2, "options": {"max_train": 100}},
    "caps": "2 repeats in place of the paper's 5",
    "absent": "",
    "compare": {"published": "ane", "methods": {"DT": {"mse": "dt-gini"}}, "despite": {"ducks": "Few are missing."}},
    "datasets": ["ducks"],
    "deviations": {"ducks": ["Two ducks are missing."]},
}


@pytest.fixture
def compared():
    ids = {"dataset": "ducks", "task": "binary", "method": "dt-gini", "status": "ok"}
    rows = [
        ids | {"noise": noise, "rate": rate, "noise_id": noise, "repeat": repeat, "accuracy": value}
        for noise, rate, values in (("clean", "0", (0.9, 0.92)), ("uniform", "0.2", (0.8, 0.8)))
        for repeat, value in enumerate(values)
    ]
    return comparison.compare(frame(rows), PUBLISHED, ABOUT["compare"]["methods"])


def test_a_card_names_paper_protocol_and_deviations(compared):
    card = comparison_card.card(compared, ABOUT, CODE)
    assert card["paper"]["title"] == PAPERS["ane"].title and card["paper"]["year"] == 2024
    assert card["protocol"] == ABOUT["protocol"] and card["deviations"] == [ABOUT["caps"]]
    assert card["datasets"] == {
        "ducks": {"deviations": ["Two ducks are missing."], "compared_despite": "Few are missing."}
    }
    first, no_spread, unknown = card["cells"]
    assert (first["model"], first["published_method"], first["method"]) == ("DT", "mse", "dt-gini")
    assert first["published"] == {"mean": 90.5, "spread": 0.5, "n": 5}
    assert first["ours"] == {"mean": 91.0, "spread": 1.414214, "n": 2}
    assert (first["metric"], first["unit"], first["verdict"]) == ("accuracy", "percent", "not rejected")
    assert no_spread["published"]["spread"] is None and no_spread["verdict"] == "not comparable"
    assert unknown["ours"] == {"mean": None, "spread": None, "n": 0} and unknown["reason"]


def test_a_card_is_valid_and_equals_the_csv(compared, tmp_path):
    comparison_card.write(compared, tmp_path / "c", ABOUT, CODE)
    comparison_page.write(compared, tmp_path / "c")
    card = json.loads((tmp_path / "c.json").read_text("utf-8"))
    Draft202012Validator(SCHEMA).validate(card)
    lines = pd.read_csv(tmp_path / "c.csv", keep_default_na=False, dtype=str)
    assert list(lines.columns) == comparison.COLUMNS
    for line, cell in zip(lines.to_dict("records"), card["cells"], strict=True):
        own = cell | {"mean": cell["ours"]["mean"], "spread": cell["ours"]["spread"], "n": cell["ours"]["n"]}
        own |= {"published_mean": cell["published"]["mean"], "published_spread": cell["published"]["spread"]}
        assert {name: text(own[name]) for name in lines.columns} == line


def text(value):
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def test_an_unknown_key_is_refused(compared):
    card = comparison_card.card(compared, ABOUT, CODE)
    assert not Draft202012Validator(SCHEMA).is_valid(card | {"extra": 1})
    assert not Draft202012Validator(SCHEMA).is_valid({key: card[key] for key in card if key != "paper"})
