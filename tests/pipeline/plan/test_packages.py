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


def test_one_sentence_names_data_sets_package_and_command(far, lacking):
    lacking("openml")
    with pytest.raises(InputError) as caught:
        Plan(far).check("small")
    assert str(caught.value) == (
        f"study 'small': the data sets far, further need openml, which is not installed; {RUN}, "
        "or give the folder of a mirror with --config mirror=DIR"
    )


def test_nothing_is_said_where_the_package_is_there(far, lacking):
    lacking()
    Plan(far).check("small")


def test_jobs_in_an_environment_of_their_own_need_nothing_here(far, lacking):
    lacking("openml")
    Plan(far, shares_packages=False).check("small")


def test_data_sets_that_are_fetched_already_need_no_package(far, lacking, tmp_path):
    lacking("openml")
    for name in ("far", "further"):
        (tmp_path / "data/raw" / name).mkdir(parents=True)
        (tmp_path / "data/raw" / name / "table.parquet").touch()
    Plan(far).check("small")


def test_a_mirror_needs_no_package(far, lacking, tmp_path):
    lacking("openml")
    far["settings"]["mirror"] = str(tmp_path)
    Plan(far).check("small")


def test_what_a_data_set_is_computed_from_counts(far, study, lacking):
    lacking("openml")
    far["datasets"]["far"] |= {"title": "Texts"}
    split = far["datasets"]["two"]["split"]
    far["datasets"]["svd"] = {"title": "S", "source": "text-svd", "texts": "far", "split": split}
    study["grids"][0]["datasets"] = ["svd"]
    with pytest.raises(InputError, match="the data set far needs openml"):
        Plan(far).check("small")


def test_a_mirror_lacks_what_a_data_set_is_computed_from(far, study, tmp_path):
    far["settings"]["mirror"] = str(tmp_path)
    split = far["datasets"]["two"]["split"]
    far["datasets"]["svd"] = {"title": "S", "source": "text-svd", "texts": "far", "split": split}
    study["grids"][0]["datasets"] = ["svd"]
    sentence = "data set 'svd' is computed from 'far': the mirror folder .* has no table far.parquet; add it there"
    with pytest.raises(InputError, match=sentence):
        Plan(far).try_tables("small")
    (tmp_path / "far.parquet").touch()
    assert Plan(far).try_tables("small") == []


@pytest.fixture
def embedded(config, study, tmp_path, monkeypatch):
    """The small configuration with a network's embedding in its study."""
    monkeypatch.chdir(tmp_path)
    config["datasets"]["net"] = {"title": "N", "source": "vgg11", "images": "two", "split": {"train_size": 0.5}}
    study["grids"][0]["datasets"].append("net")
    return config


IMAGES = "`.venv/bin/pip install -r envs/images.lock`"


@pytest.mark.parametrize("names", [("torch",), ("torchvision",), ("torch", "torchvision")])
def test_an_optional_package_stops_a_study_that_cannot_do_without(embedded, lacking, names):
    lacking(*names)
    with pytest.raises(InputError) as caught:
        Plan(embedded).check("small")
    verb = "is" if len(names) == 1 else "are"
    sentence = f"the data set net needs {' and '.join(names)}, which {verb} not installed; run {IMAGES}"
    assert str(caught.value) == f"study 'small': {sentence}"


def test_a_study_that_can_do_without_says_so(embedded, study, lacking):
    study["if_absent"] = {"net": None}
    lacking("torch")
    plan = Plan(embedded)
    plan.check("small")
    assert plan.study("small", "full").datasets == ["two", "three"]
    assert plan.try_tables("small") == [f"study 'small' does without the data set 'net', which needs torch: {IMAGES}"]
    lacking()
    assert Plan(embedded).try_tables("small") == []


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
