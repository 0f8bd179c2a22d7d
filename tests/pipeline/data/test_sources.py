"""Every source gives its table, and bears the faults of its server; loaders are as scikit-learn reads them."""

import gzip
import hashlib
import json
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from cases import CASES, release
from server import Answer
from sklearn.datasets import _base, _covtype, _twenty_newsgroups

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES, addresses, formats
from ironbark.pipeline.data.fetch import fetch

RAW = Path("raw/toy")

#: Sources with tests of their own, or that download nothing.
ELSEWHERE = {"sklearn", "openml", "file", "mirror", "glove", "text-svd", "vgg11", "confirmed-errors"}

#: What is said of rubbish; where it could be text of the format, of its columns.
UNREADABLE = "SHA-256|cannot be read as|is no zip or tar archive|has the columns|has no column"


@pytest.fixture(params=CASES, ids=lambda case: case.__name__)
def case(request, site, monkeypatch):
    entry, columns = request.param(site, monkeypatch)
    return {"title": "Toy", **entry}, pd.DataFrame(columns)


def facts(folder):
    return json.loads((folder / "fetch.json").read_text(encoding="utf-8"))


def same(found, wanted):
    """Equal values in equal columns, in any order of these and of any type."""
    assert set(found.columns) == set(wanted.columns)
    for name in wanted.columns:
        a, b = (table[name].astype(object).where(table[name].notna(), None).tolist() for table in (found, wanted))
        assert a == b, name


def test_every_source_has_a_case(site, monkeypatch):
    assert {case(site, monkeypatch)[0]["source"] for case in CASES} == set(SOURCES) - ELSEWHERE


def test_the_table_and_its_origin(case, site):
    entry, table = case
    same(pd.read_parquet(fetch("toy", entry, RAW)), table)
    files = facts(RAW)["files"]
    assert sorted(file["url"].removeprefix(site.address + "/") for file in files) == sorted(set(site.files))
    assert all(file.get("verified", True) is ("loader" in entry) for file in files)
    asked = len(site.asked)
    fetch("toy", entry, RAW)
    assert len(site.asked) == asked, "files of this machine are not fetched again"


@pytest.mark.parametrize(
    ("answer", "words"), [(Answer(404), "answers 404"), (Answer(200, b"\x00\x01 rubbish"), UNREADABLE)]
)
def test_faults_that_stay_are_one_sentence(case, site, answer, words):
    entry, table = case
    last = site.files[list(site.files)[-1]]
    last.always = answer
    with pytest.raises(InputError, match=words) as error:
        fetch("toy", entry, RAW)
    assert "\n" not in str(error.value) and ("'toy'" in str(error.value) or "raw/toy" in str(error.value))
    left = [path.name for path in Path("raw").rglob("*") if path.is_file()]
    assert "table.parquet" not in left and not [name for name in left if name.endswith(".part")]
    last.always = None
    same(pd.read_parquet(fetch("toy", entry, RAW)), table)


TEXTS = {
    "train": {
        "rec.autos": [b"From: a\n\nThe car", b"caf\xe9\r\n", *(b"%d" % i for i in range(10))],
        "sci.space": [b"The moon"],
        "sci.space.x": [b"", b" "],
    },
    "test": {"rec.autos": [b"A wheel"], "sci.space": [b"Stars", b"Mars"], "sci.space.x": [b"\x85"]},
}
MODULES = {"covtype": _covtype, "20newsgroups": _twenty_newsgroups}


def body_of(loader):
    """A small file in the format of a fetcher."""
    if loader == "20newsgroups":
        return makers.newsgroups(TEXTS)
    rows = np.random.default_rng(0).integers(0, 999, (6, 55)) - 99
    rows[:, 10:] %= 2
    return gzip.compress("\n".join(",".join(map(str, row)) for row in rows).encode(), mtime=0)


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


@pytest.mark.parametrize("loader", MODULES)
def test_tables_addresses_and_checksums_are_those_of_scikit_learn(site, monkeypatch, loader):
    (file,), archive = addresses.RELEASES[loader], MODULES[loader].ARCHIVE
    assert (file.name, file.checksum) == (archive.filename, archive.checksum)
    assert archive.url in file.urls and len(file.urls) == 2
    release(site, monkeypatch, loader, {file.name: body_of(loader)})
    table = pd.read_parquet(fetch("a", {"title": "T", "source": "sklearn", "loader": loader}, RAW))
    (about,) = addresses.RELEASES[loader]
    remote = _base.RemoteFileMetadata(file.name, about.urls[0], about.checksum)
    monkeypatch.setattr(MODULES[loader], "ARCHIVE", remote)
    pd.testing.assert_frame_equal(table, fetchers(loader, str(Path("home").absolute())))


@pytest.mark.parametrize("name", ["breast_cancer", "digits", "iris", "wine"])
def test_shipped_tables_are_whole_and_always_the_same(tmp_path, name):
    entry = {"title": "T", "source": "sklearn", "loader": name}
    one, two = (fetch(name.replace("_", "-"), entry, tmp_path / folder, mirror=tmp_path / "none") for folder in "ab")
    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    np.testing.assert_array_equal(pd.read_parquet(one).to_numpy(), np.column_stack([X, y]))
    assert one.read_bytes() == two.read_bytes()


CSV = b"x,target\n0.5,a\n2,b\n"


def test_local_files_are_read_and_described(tmp_path, monkeypatch, table):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_bytes(CSV)
    sum_ = hashlib.sha256(CSV).hexdigest()
    path = fetch("mine", {"title": "T", "source": "file", "path": "mine.csv", "sha256": sum_}, RAW)
    assert pd.read_parquet(path).to_numpy().tolist() == [[0.5, "a"], [2.0, "b"]]
    assert facts(RAW) == {"source": "file", "path": "mine.csv", "sha256": sum_, "bytes": len(CSV)}
    table.to_parquet("mine.parquet")
    path = fetch("mine", {"title": "T", "source": "file", "path": "mine.parquet"}, Path("raw/other"))
    assert path.read_bytes() == Path("mine.parquet").read_bytes(), "it is the table itself"


@pytest.fixture
def mirror(tmp_path, table):
    (folder := tmp_path / "mirror").mkdir()
    table.to_parquet(folder / "tiny.parquet", index=False)
    table.drop(columns="target").to_parquet(folder / "headless.parquet", index=False)
    (folder / "broken.parquet").write_bytes(b"PAR1")
    return folder


def test_a_mirror_takes_the_place_of_remote_sources(tmp_path, mirror):
    entry = {"title": "T", "source": "openml", "openml_id": 554, "target": "class", "mirror": "tiny"}
    content = (mirror / "tiny.parquet").read_bytes()
    assert fetch("other", entry, tmp_path / "raw", mirror).read_bytes() == content
    sum_ = hashlib.sha256(content).hexdigest()
    wanted = {"source": "mirror", "mirror": "tiny", "sha256": sum_, "bytes": len(content), "openml_id": 554}
    assert facts(tmp_path / "raw") == wanted, "nothing names the folder of the mirror"


@pytest.mark.parametrize(
    ("id", "folder", "words"),
    [
        ("tiny", None, "data set 'tiny' is only in the mirror; give its folder with --config mirror=DIR"),
        ("absent", "mirror", "data set 'absent': the mirror folder .*mirror has no table absent.parquet"),
        ("headless", "mirror", "headless.parquet has no column 'target'"),
        ("broken", "mirror", "broken.parquet is not a Parquet file or is damaged"),
    ],
)
def test_mirror_faults_are_named(tmp_path, mirror, id, folder, words):
    with pytest.raises(InputError, match=words):
        fetch(id, {"title": "T", "source": "mirror"}, tmp_path / "raw", folder and tmp_path / folder)
    assert not list((tmp_path / "raw").iterdir())
