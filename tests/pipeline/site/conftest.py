"""The site of a small study, built once."""

import shutil

import pytest
from site_cases import fill, meta, spec, study

from ironbark.pipeline.jobs import site


@pytest.fixture(scope="session")
def pond(tmp_path_factory):
    """The site of one study; skips its tests where the libraries of the pages are not installed."""
    for name in ("altair", "itables", "vl_convert"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("pond")
    fill(folder / "results")
    site.run(spec(study()), folder / "site", folder / "results", meta(folder / "prepared"))
    return folder / "site"


@pytest.fixture
def make(tmp_path, pond):
    """Function that builds a custom site: (spec, results) -> folder. It takes the libraries of `pond`."""

    def build(told, results=None):
        shutil.copytree(pond / "assets", tmp_path / "site/assets", dirs_exist_ok=True)
        results = results or tmp_path / "results"
        site.run(told, tmp_path / "site", results, tmp_path / "prepared")
        return tmp_path / "site"

    return build
