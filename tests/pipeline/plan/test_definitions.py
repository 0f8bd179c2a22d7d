from pathlib import Path

import pytest
import yaml

from ironbark.noise import NOISE_MODELS
from ironbark.pipeline.plan.config.methods import definitions, estimators
from ironbark.pipeline.plan.config.reading import read

ROOT = Path(__file__).parents[3]
SETTINGS = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
METHODS = read(ROOT / "config", ROOT / "workflow/schemas", SETTINGS)["methods"]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_ours_is_defined_with_its_source(name):
    found = definitions.of_method(METHODS[name])
    if not estimators.is_ours(METHODS[name]):
        assert found == []
        return
    assert found[0]["name"] == METHODS[name]["estimator"].rpartition(".")[2]
    assert all(about["text"] for about in found)
    assert any(about["References"] or "(" in about["text"] for about in found), "a paper is named"


@pytest.mark.parametrize("model", NOISE_MODELS)
def test_every_noise_is_defined(model):
    found = definitions.of_noise(model)
    assert found["name"] == model and found["text"] and found["short"]


def test_sections_come_apart():
    found = definitions.of_method({"estimator": "ironbark.RMBoostClassifier"})[0]
    assert found["text"].startswith("Minimises the worst-case error") and "Parameters" not in found["text"]
    assert "R = min" in found["Notes"] and found["References"].startswith("Mazuelas")
    assert "-----" not in "".join(found.values())


def test_the_criterion_brings_its_formula():
    entry = {"estimator": "ironbark.RobustDecisionTreeClassifier", "params": {"criterion": "negative_exponential"}}
    _, criterion = definitions.of_method(entry)
    assert criterion["name"] == "negative_exponential" and "phi(p) = min{" in criterion["text"]
