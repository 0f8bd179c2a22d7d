"""The table of noise models, and that asking it is cheap."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ironbark.errors
from ironbark.errors import InputError
from ironbark.noise import NOISE_MODELS, check_classes, resolve


@pytest.mark.parametrize("name", NOISE_MODELS)
def test_every_entry_has_its_function_limits_and_parameter_tests(name):
    model = NOISE_MODELS[name]
    function = getattr(importlib.import_module(model.module), name)
    assert (function.__kwdefaults__ or {}) == {key: option.default for key, option in model.params.items()}
    assert (model.limit is not None) == (model.rates > 0)
    assert all(option.allows(option.default) and option.wanted for option in model.params.values())
    assert model.description and (model.citation or name == "clean") and set(model.tasks) <= {"binary", "multiclass"}


@pytest.mark.parametrize("name", ["pair_flip", "pair-flip", "Pair-Flip", " PAIR_FLIP "])
def test_resolve_takes_hyphens_and_any_case(name):
    assert resolve(name) == ("pair_flip", NOISE_MODELS["pair_flip"])


def test_resolve_suggests_the_nearest_name_or_lists_all():
    with pytest.raises(InputError, match=r"unknown noise 'unifrom'; did you mean 'uniform'\?$"):
        resolve("unifrom")
    with pytest.raises(InputError, match=r"unknown noise None; choose one of clean, .*l"):
        resolve(None)


@pytest.mark.parametrize(
    ("name", "n_classes", "sentence"),
    [
        ("balanced", 3, "noise 'balanced' needs exactly 2 classes, but there are 3; choose one of clean, uniform, mah"),
        ("adversarial", 10, "needs exactly 2 classes, but there are 10"),
        ("class_conditional", 4, "needs exactly 2 classes, but there are 4"),
        ("mahalanobis", 2, "needs 3 or more classes, but there are 2; choose one of clean, uniform, class_conditional"),
        ("uniform", 1, "needs labels of at least 2 classes, but there is only 1"),
    ],
)
def test_check_classes_refuses(name, n_classes, sentence):
    with pytest.raises(InputError, match=sentence):
        check_classes(name, n_classes)


def test_the_checks_load_no_numpy():
    code = (
        "import sys; from ironbark import noise; noise.check_rate('uniform', 0.2, 3); noise.check_params('clean', {});"
        "sys.exit('numpy' in sys.modules)"
    )
    source = str(Path(ironbark.errors.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": source}, check=False)
    assert done.returncode == 0
