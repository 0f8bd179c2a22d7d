"""Loaders whose files ironbark knows: as scikit-learn reads them, shapes of images, all of imbalanced-learn."""

import gzip
import threading
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from sklearn.datasets import _base, _covtype, _twenty_newsgroups

from ironbark.pipeline.data import IMBALANCED, addresses, formats
from ironbark.pipeline.data.fetch import fetch

TEXTS = {
    "train": {
        "rec.autos": [b"From: a\n\nThe car", b"caf\xe9\r\n", *(b"%d" % i for i in range(10))],
        "sci.space": [b"The moon"],
        "sci.space.x": [b"", b" "],
    },
    "test": {"rec.autos": [b"A wheel"], "sci.space": [b"Stars", b"Mars"], "sci.space.x": [b"\x85"]},
}
FILES = {"covtype": "covtype.data.gz", "20newsgroups": "20news-bydate.tar.gz"}


def body_of(loader):
    """A small file in the format of a fetcher."""
    if loader == "20newsgroups":
        return makers.newsgroups(TEXTS)
    rows = np.random.default_rng(0).integers(0, 999, (6, 55)) - 99
    rows[:, 10:] %= 2
    return gzip.compress("\n".join(",".join(map(str, row)) for row in rows).encode(), mtime=0)


@pytest.fixture(params=FILES)
def offered(request, released):
    """The entry of a loader whose file is on the server, and the name of that file."""
    name = FILES[request.param]
    return released(request.param, {name: body_of(request.param)}), name


def fetchers(loader, home):
    """The table as the fetchers of scikit-learn give it: texts in the order of their names, as they shuffle."""
    if loader == "covtype":
        found = sklearn.datasets.fetch_covtype(data_home=home, as_frame=True)
        table = found.frame.rename(columns={"Cover_Type": "target"})
        return table.assign(**{name: formats.smallest(table[name].to_numpy()) for name in table})
    tables = []
    for part in ("train", "test"):
        found = sklearn.datasets.fetch_20newsgroups(data_home=home, subset=part, shuffle=False)
        names = [found.target_names[k] for k in found.target]
        table = pd.DataFrame({"text": found.data, "split": part, "target": names})
        tables.append(table.iloc[np.argsort(found.filenames, kind="stable")])
    return pd.concat(tables, ignore_index=True)


def test_the_tables_are_those_of_scikit_learn(offered, site, monkeypatch):
    entry, file = offered
    table = pd.read_parquet(fetch("a", entry, Path("raw/a")))
    (about,) = addresses.RELEASES[entry["loader"]]
    remote = _base.RemoteFileMetadata(file, about.urls[0], about.checksum)
    monkeypatch.setattr(_covtype if file.startswith("cov") else _twenty_newsgroups, "ARCHIVE", remote)
    expected = fetchers(entry["loader"], str(Path("home").absolute()))
    pd.testing.assert_frame_equal(table, expected)
    asked = site.times(file)
    fetch("a", entry, Path("raw/a"))
    assert site.times(file) == asked, "the file is kept in the raw folder"


@pytest.mark.parametrize(("loader", "module"), [("covtype", _covtype), ("20newsgroups", _twenty_newsgroups)])
def test_addresses_and_checksums_are_those_of_scikit_learn(loader, module):
    (file,) = addresses.RELEASES[loader]
    assert (file.name, file.checksum) == (module.ARCHIVE.filename, module.ARCHIVE.checksum)
    assert module.ARCHIVE.url in file.urls and len(file.urls) == 2


def test_the_true_shapes(released):
    body, rows = makers.cifar10(np.random.default_rng(0), n=1)
    table = pd.read_parquet(fetch("c", released("CIFAR10", {"c.tar.gz": body}), Path("raw/c")))
    assert table.shape == (6, 3074)
    np.testing.assert_array_equal(table["p1025"], rows[:, 1 + 1024])  # the first green pixel


def entry(name):
    return {"title": "T", "source": "imbalanced-learn", "name": name}


def test_every_data_set_is_found_and_jobs_that_want_the_archive_together_do_not_fight(site, monkeypatch):
    """27 data sets, each with its number among them as its only value."""
    y = np.array([-1, 1])
    members = {f"x{i + 1}data.npz": makers.npz(data=np.full((2, 1), i + 0.5), label=y) for i in range(27)}
    monkeypatch.setattr(addresses, "IMBALANCED", site.put("benchmark.tar.gz", makers.tarred(members)))
    threads = [
        threading.Thread(target=fetch, args=(f"d{i}", entry(name), Path(f"raw/d{i}")))
        for i, name in enumerate(IMBALANCED)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(27):
        assert pd.read_parquet(f"raw/d{i}/table.parquet")["f1"].tolist() == [i + 0.5] * 2
    assert site.times("benchmark.tar.gz") == 1
