import gzip
import hashlib
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
from server import Answer
from sklearn.datasets import _base, _covtype, _twenty_newsgroups

from ironbark.datasets import mirrored
from ironbark.datasets.fetch import fetch
from ironbark.errors import InputError

TEXTS = {
    "train": {"rec.autos": [b"From: a\n\nThe car", b"caf\xe9"], "sci.space": [b"The moon"]},
    "test": {"rec.autos": [b"A wheel"], "sci.space": [b"Stars", b"Mars"]},
}


def entry(loader):
    return {"title": "T", "source": "sklearn", "loader": loader}


def offer(site, monkeypatch, module, name, body):
    """Put the archive of a fetcher on the server."""
    sum_ = hashlib.sha256(body).hexdigest()
    monkeypatch.setattr(module, "ARCHIVE", _base.RemoteFileMetadata(name, site.put(name, body), sum_))
    monkeypatch.setattr(_base.time, "sleep", lambda seconds: None)
    return name


@pytest.fixture(params=["covtype", "20newsgroups"])
def loader(request, site, monkeypatch):
    if request.param == "covtype":
        rows = np.random.default_rng(0).integers(0, 99, (6, 55))
        body = gzip.compress("\n".join(",".join(map(str, row)) for row in rows).encode())
        return request.param, offer(site, monkeypatch, _covtype, "covtype.data.gz", body), rows
    body = makers.newsgroups(TEXTS)
    return request.param, offer(site, monkeypatch, _twenty_newsgroups, "20news-bydate.tar.gz", body), None


def test_the_tables(loader, site):
    name, file, rows = loader
    path = fetch("a", entry(name), Path("raw/a"))
    table = pd.read_parquet(path)
    if name == "covtype":
        assert (table.to_numpy() == rows).all()
        assert table.columns[-1] == "target" and set(map(str, table.dtypes)) == {"uint8"}
    else:
        assert table["text"].tolist() == ["From: a\n\nThe car", "caf\xe9", "The moon", "A wheel", "Stars", "Mars"]
        assert table["split"].tolist() == ["train"] * 3 + ["test"] * 3
        assert table["target"].tolist() == [
            "rec.autos",
            "rec.autos",
            "sci.space",
            "rec.autos",
            "sci.space",
            "sci.space",
        ]
    fetch("a", entry(name), Path("raw/a"))
    assert site.times(file) == 1, "the cache of scikit-learn is in the raw folder"


def test_faults_that_pass(loader, site):
    name, file, _ = loader
    site.files[file].instead += [Answer(500), Answer(503)]
    fetch("a", entry(name), Path("raw/a"))


@pytest.mark.parametrize("answer", [Answer(404), Answer(500), Answer(200, b"<html>"), Answer(cut=30)])
def test_faults_that_stay_are_one_sentence(loader, site, answer):
    name, file, _ = loader
    site.files[file].always = answer
    with pytest.raises(
        InputError, match="data set 'a': scikit-learn cannot download it .*; check the network, or give"
    ):
        fetch("a", entry(name), Path("raw/a"))
    assert not [path for path in Path("raw").rglob("*") if path.is_file()]
    site.files[file].always = None
    fetch("a", entry(name), Path("raw/a"))


@pytest.mark.parametrize("links", [(), ("20news-bydate-train/rec.autos/0",)])
def test_an_archive_that_climbs_out_is_refused(site, monkeypatch, links):
    name = "20news-bydate-train/rec.autos/0" if links else "../../../../evil"
    offer(site, monkeypatch, _twenty_newsgroups, "20news-bydate.tar.gz", makers.tarred({name: b"/etc/passwd"}, links))
    with pytest.raises(InputError, match="scikit-learn cannot download it"):
        fetch("a", entry("20newsgroups"), Path("raw/a"))
    assert not list(Path().rglob("evil"))


def test_a_mirror_stands_in_for_downloads_only():
    assert mirrored(entry("covtype")) and mirrored(entry("20newsgroups"))
    assert not mirrored(entry("iris"))
