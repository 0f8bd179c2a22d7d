"""Data sets and methods whose packages are not installed are reported while planning, with the command."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.specs import Plan


@pytest.fixture
def lacking(monkeypatch):
    """Function that makes some packages look as if they were not installed, and all others as if they were."""

    def lack(*names):
        monkeypatch.setattr(packages, "find_spec", lambda name: None if name in names else object())

    return lack


@pytest.fixture
def far(config, study, tmp_path, monkeypatch):
    """The small configuration with OpenML data sets in its study."""
    monkeypatch.chdir(tmp_path)
    split = config["datasets"]["two"]["split"]
    for number, name in enumerate(["far", "further"]):
        config["datasets"][name] = {"title": "F", "source": "openml", "openml_id": number, "split": split}
        study["grids"][0]["datasets"].append(name)
    return config


RUN = "run `.venv/bin/pip install -r envs/run.lock`"


def test_one_sentence_names_data_sets_package_and_command(far, lacking, tmp_path):
    """Nothing is said where the package, the data or a mirror is there, or jobs have an environment of their own."""
    lacking()
    Plan(far).check("small")
    lacking("openml")
    with pytest.raises(InputError) as caught:
        Plan(far).check("small")
    assert str(caught.value) == (
        f"study 'small': openml must be installed for the data sets far, further; {RUN}, or give the folder of a "
        "mirror with --config mirror=DIR"
    )
    Plan(far, shares_packages=False).check("small")
    far["settings"]["mirror"] = str(tmp_path)
    Plan(far).check("small")
    del far["settings"]["mirror"]
    for name in ("far", "further"):
        (tmp_path / "data/raw" / name).mkdir(parents=True)
        (tmp_path / "data/raw" / name / "table.parquet").touch()
    Plan(far).check("small")


def test_what_a_data_set_is_computed_from_counts(far, study, lacking, tmp_path):
    lacking("openml")
    split = far["datasets"]["two"]["split"]
    far["datasets"]["svd"] = {"title": "S", "source": "text-svd", "texts": "far", "split": split}
    study["grids"][0]["datasets"] = ["svd"]
    with pytest.raises(InputError, match="openml must be installed for the data sets far"):
        Plan(far).check("small")
    far["settings"]["mirror"] = str(tmp_path)
    sentence = "data set 'svd' is computed from 'far': the mirror folder .* has no table far.parquet; add it there"
    with pytest.raises(InputError, match=sentence):
        Plan(far).try_tables("small")
    (tmp_path / "far.parquet").touch()
    assert Plan(far).try_tables("small") == []


def test_a_study_that_can_do_without_an_optional_package_says_so(config, study, lacking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config["datasets"]["net"] = {"title": "N", "source": "vgg11", "images": "two", "split": {"train_size": 0.5}}
    study["grids"][0]["datasets"].append("net")
    lacking("torch", "torchvision")
    images = "`.venv/bin/pip install -r envs/images.lock`"
    with pytest.raises(InputError, match=f"torch and torchvision must be .* data sets net; run {images}"):
        Plan(config).check("small")
    study["if_absent"] = {"net": None}
    lacking("torch")
    plan = Plan(config)
    plan.check("small")
    assert plan.study("small", "full").datasets == ["two", "three"]
    assert plan.try_tables("small") == [f"study 'small' does without the data set 'net', which needs torch: {images}"]
    lacking()
    assert Plan(config).try_tables("small") == []


def test_methods(config, study, lacking):
    config["methods"]["light"] = {"estimator": "lightgbm.LGBMClassifier"}
    study["grids"][0]["methods"].append("light")
    lacking("lightgbm")
    with pytest.raises(InputError) as caught:
        Plan(config).check("small")
    assert str(caught.value) == (
        f"study 'small': method 'light': it needs the package lightgbm, which is not installed; {RUN}"
    )


def test_every_package_of_a_source_has_a_command():
    from ironbark.pipeline.data import SOURCES

    assert {package for source in SOURCES.values() for package in source.packages} <= set(packages.LOCKS)
