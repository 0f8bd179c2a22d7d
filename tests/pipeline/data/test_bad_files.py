"""Files that are damaged, unsafe or of another form: one sentence names each, and no table is left."""

import bz2
import gzip
import lzma
from pathlib import Path

import makers
import numpy as np
import pandas as pd
import pytest
from cases import release

from ironbark.errors import InputError
from ironbark.pipeline.data import addresses
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.sources import loaders, sites

CSV = b"x,c,target\n0.1,a,1\n2,?,2\n"
MNIST, _, _ = makers.mnist(np.random.default_rng(0))
LABELS = "t10k-labels-idx1-ubyte.gz"
SHORT = makers.tarred({name: b"123" for name in loaders.CIFAR10_BATCHES})
TWO = {"a.data": b"", "b.csv": b""}


class Evil:
    """Leaves a file behind when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("evil"),)


def npz(data, label):
    return {"x1data.npz": makers.npz(data=data, label=label)}


def unsw(first, second):
    return {"a.csv": makers.unsw(first, "x"), "b.csv": makers.unsw(second, "x")}


def local(name, body):
    return {"source": "file", "path": name}, {name: body}, f"{name} (cannot be read as|is not a Parquet file)"


#: Entry, files, words of the sentence.
BAD = [
    ({"source": "file", "path": "none.csv"}, {}, "there is no file none.csv"),
    ({"source": "file", "path": "a.csv", "sha256": "0" * 64}, {"a.csv": CSV}, "but the catalogue expects 0{64}"),
    local("a.csv", b""),
    local("a.csv", b"x,y\n\xff\xfe,2\n"),
    local("a.csv.gz", gzip.compress(CSV)[:-9]),
    local("a.csv.bz2", bz2.compress(CSV)[:-5]),
    local("a.csv.xz", lzma.compress(CSV)[:-5]),
    local("a.csv.xz", CSV),
    local("a.parquet", b"PAR1 and nothing more"),
    local("a.arff", b"@relation r\n@attribute x\n@data\nabc\n"),
    local("a.libsvm", b"<html>"),
    ({"loader": "MNIST"}, {**MNIST, LABELS: makers.idx(np.zeros(4))}, "IDX .3 images, but 4 labels"),
    ({"loader": "MNIST"}, {**MNIST, LABELS: makers.idx(np.zeros((3, 1)))}, "it begins with 0x00000802"),
    ({"loader": "MNIST"}, {**MNIST, LABELS: makers.idx(np.zeros(3))[:-9]}, "cannot be read as IDX"),
    ({"loader": "CIFAR10"}, {"c.tar.gz": SHORT}, "cannot be read as CIFAR-10 binary"),
    ({"loader": "CIFAR10"}, {"c.tar.gz": makers.tarred({"../evil": b""})}, "cannot be read as CIFAR-10 binary"),
    ({"loader": "covtype"}, {"file": gzip.compress(b"1,2\n")}, "cannot be read as"),
    ({"loader": "20newsgroups"}, {"file": makers.tarred({"elsewhere/rec.autos/0": b""})}, "cannot be read as"),
    ({"name": "ecoli"}, npz(np.array([[Evil()]], dtype=object), np.array([1])), "Object arrays cannot be loaded"),
    ({"name": "ecoli"}, npz(np.ones((2, 1)), np.ones(3)), "shapes .* do not fit"),
    ({"name": "ecoli"}, {"x1data.npz": b"rubbish"}, "cannot be read as npz"),
    ({"archive": "toy.zip"}, TWO, "has 2 files that end in '.data' or .*; it has a.data, b.csv"),
    ({"archive": "toy.zip", "columns": ["a"]}, {"a.data": b"1,2\n"}, "has 2 columns, but `columns` names 1"),
    ({"archive": "toy.zip", "columns": ["a", "b"]}, {"a.data": b"1,2\n1,2,3\n"}, "csv .*Expected 2 fields"),
    ({"archive": "toy.zip", "separator": "whitespace"}, {"a.data": b"x x\n1 2\n"}, "the column 'x' occurs twice"),
    ({"archive": "toy.zip", "separator": ";"}, {"a.data": b"x;y\n1;2;3\n"}, "rows have more fields than the header"),
    ({"archive": "toy.zip", "members": ["a", "b"]}, {"a": b"x,y\n1,2\n", "b": b"x,z\n1,2\n"}, "b has the columns"),
    ({"archive": "toy.zip", "members": ["a"], "parts": ["train"]}, {"a": b"split\n1\n"}, "has a column 'split' al"),
    ({"files": ["a.csv", "b.csv"]}, {}, "there is no file a.csv"),
    ({"files": ["a.csv", "b.csv"]}, unsw(3, 2), "has 4 rows, but `files` have 3 and 2"),
    ({"files": ["a.csv", "b.csv"]}, {"a.csv": b"x\n1\n", "b.csv": b"x\n1\n"}, "a.csv has no column 'id'"),
    ({"files": ["a.csv"]}, unsw(4, 2), "has 1 entries; name the two CSV files"),
    ({"files": ["a.csv", "b.csv"], "sha256": {"b.csv": "0" * 64}}, unsw(4, 2), "but the catalogue expects 0{64}"),
    ({"vectors": "v.txt"}, {"v.txt": b"other 1 2\n"}, "has a vector for none of the 1 words"),
    ({"vectors": "v.txt"}, {"v.txt": b"cat 1 x\n"}, "v.txt cannot be read as word vectors"),
    ({"dimensions": 8}, {}, "2 training texts with 1 words give no 8 features; lower `dimensions`"),
]


def offered(site, monkeypatch, entry, files):
    """The whole entry; its files lie in the working folder or on the server."""
    if "loader" in entry:
        release(site, monkeypatch, entry["loader"], files)
        return {"source": "sklearn" if entry["loader"][-1].islower() else "torchvision"}
    if "name" in entry:
        monkeypatch.setattr(addresses, "IMBALANCED", site.put("benchmark.tar.gz", makers.tarred(files)))
        return {"source": "imbalanced-learn"}
    if "archive" in entry:
        monkeypatch.setattr(addresses, "UCI_ARCHIVES", f"{site.address}/")
        site.put("toy.zip", makers.zipped(files))
        return {"source": "uci"}
    for name, body in files.items():
        Path(name).write_bytes(body)
    if "path" in entry:
        return {}
    if "files" in entry:
        return {"source": "unsw-nb15", "target": "attack_cat"}
    Path("raw/news").mkdir(parents=True)
    table = pd.DataFrame({"text": ["cat", "cat cat"], "split": "train", "target": ["a", "b"]})
    table.to_parquet("raw/news/table.parquet", index=False)
    return {"source": "glove" if "vectors" in entry else "text-svd", "texts": "news"}


@pytest.mark.parametrize(("entry", "files", "sentence"), BAD, ids=[f"case-{i}" for i in range(len(BAD))])
def test_bad_files_are_named_and_leave_no_table(site, monkeypatch, entry, files, sentence):
    monkeypatch.setattr(sites, "UNSW_TRAIN_ROWS", 4)
    whole = {"title": "T", **offered(site, monkeypatch, entry, files), **entry}
    with pytest.raises(InputError, match=sentence) as error:
        fetch("toy", whole, Path("raw/toy"))
    assert "\n" not in str(error.value)
    assert not Path("raw/toy/table.parquet").exists() and not Path("evil").exists()
