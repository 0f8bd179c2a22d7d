import hashlib
import json

import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

from ironbark.errors import InputError
from ironbark.pipeline.data.fetch import fetch

CSV = "x,target\n0.5,a\n2,b\n"
MIRROR = {"title": "T", "source": "mirror"}
OPENML = {"title": "T", "source": "openml", "openml_id": 554, "target": "class"}


def facts(folder):
    return json.loads((folder / "fetch.json").read_text(encoding="utf-8"))


@pytest.fixture
def csv(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(CSV, encoding="utf-8")
    return hashlib.sha256(CSV.encode()).hexdigest()


def test_scikit_learn_tables_are_whole_and_always_the_same(tmp_path):
    entry = {"title": "T", "source": "sklearn", "loader": "wine"}
    one, two = (fetch("wine", entry, tmp_path / name, mirror=tmp_path / "none") for name in "ab")
    X, y = load_wine(return_X_y=True)
    table = pd.read_parquet(one).to_numpy()
    assert (table[:, :-1] == X).all()
    assert (table[:, -1] == y).all()
    assert one.read_bytes() == two.read_bytes()


def test_a_local_file_is_copied_and_described(csv, tmp_path):
    raw = tmp_path / "raw"
    path = fetch("mine", {"title": "T", "source": "file", "path": "mine.csv", "sha256": csv}, raw)
    assert path == raw / "table.parquet"
    assert (raw / "original.csv").read_text(encoding="utf-8") == CSV
    assert pd.read_parquet(path).to_numpy().tolist() == [[0.5, "a"], [2.0, "b"]]
    assert facts(raw) == {"source": "file", "path": "mine.csv", "sha256": csv, "bytes": len(CSV)}


def test_a_local_parquet_file_is_the_table_itself(tmp_path):
    load_iris(as_frame=True).frame.to_parquet(tmp_path / "mine.parquet")
    path = fetch("mine", {"title": "T", "source": "file", "path": str(tmp_path / "mine.parquet")}, tmp_path / "raw")
    assert path.read_bytes() == (tmp_path / "mine.parquet").read_bytes()
    assert sorted(file.name for file in path.parent.iterdir()) == ["fetch.json", "table.parquet"]


@pytest.fixture
def mirror(tmp_path, table):
    folder = tmp_path / "mirror"
    folder.mkdir()
    table.to_parquet(folder / "tiny.parquet", index=False)
    table.drop(columns="target").to_parquet(folder / "headless.parquet", index=False)
    (folder / "broken.parquet").write_bytes(b"PAR1")
    return folder


@pytest.mark.parametrize("entry", [OPENML, {"title": "T", "source": "url", "url": "https://a/b", "format": "csv"}])
def test_a_mirror_takes_the_place_of_remote_sources(tmp_path, mirror, entry):
    path = fetch("other", {**entry, "mirror": "tiny"}, tmp_path / "raw", mirror)
    content = (mirror / "tiny.parquet").read_bytes()
    assert path.read_bytes() == content
    said = facts(tmp_path / "raw")
    assert (said["source"], said["mirror"], said["bytes"]) == ("mirror", "tiny", len(content))
    assert said["sha256"] == hashlib.sha256(content).hexdigest()
    assert str(tmp_path) not in json.dumps(said)


@pytest.mark.parametrize(
    ("id", "folder", "sentence"),
    [
        ("tiny", None, "data set 'tiny' is only in the mirror; give its folder with --config mirror=DIR"),
        ("absent", "mirror", "data set 'absent': the mirror folder .*mirror has no table absent.parquet"),
        ("headless", "mirror", "headless.parquet has no column 'target'"),
        ("broken", "mirror", "broken.parquet is not a Parquet file or is damaged"),
    ],
)
def test_mirror_faults_are_named(tmp_path, mirror, id, folder, sentence):
    with pytest.raises(InputError, match=sentence):
        fetch(id, MIRROR, tmp_path / "raw", folder and tmp_path / folder)
    assert not list((tmp_path / "raw").iterdir())
