"""Seconds of common choices, against fits measured once on a busy machine of two cores."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.cost import fits

ENTRIES = yaml.safe_load((Path(__file__).parents[3] / "config/methods/arena.yaml").read_text("utf-8"))
MEASURED = {  # (n, d, k) -> method -> CPU seconds
    (600, 40, 2): {"catboost": 4.35, "ebm": 1.75, "clean-learning-forest": 2.09, "enn-forest": 0.3}
    | {"sklearn-hist-gradient-boosting": 0.24, "sklearn-logistic": 0.01, "sklearn-knn": 0.009, "sklearn-mlp": 0.05},
    (600, 10, 5): {"catboost": 4.64, "ebm": 0.85, "clean-learning-forest": 1.61, "enn-forest": 0.19}
    | {"sklearn-hist-gradient-boosting": 0.77, "sklearn-logistic": 0.015, "sklearn-knn": 0.016, "sklearn-mlp": 0.14},
}


@pytest.mark.parametrize(("size", "name"), [(size, name) for size, found in MEASURED.items() for name in found])
def test_within_a_factor_of_three(size, name):
    n, d, k = size
    about = {"n": 2 * n, "d": d, "k": k}
    protocol = {"kind": "random-partitions", "repeats": 1, "options": {"test_size": 0.5}}
    method = {"params": {}, "tune": {}, **ENTRIES[name]}
    task = "binary" if k == 2 else "multiclass"
    planned = fits.seconds(method, about, task, protocol, {"model": "uniform", "rate": 0.2})
    assert 1 / 3 < planned / MEASURED[size][name] < 3
