"""Every source at its true address: `pytest -m network`. Left out by default; some of these are large."""

import pandas as pd
import pytest

from ironbark.pipeline.data.fetch import fetch

pytestmark = pytest.mark.network

FOURCLASS = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/fourclass"

#: Entry and the shape of its table.
ENTRIES = [
    ({"source": "url", "url": FOURCLASS, "format": "libsvm"}, (862, 3)),
    ({"source": "libsvm", "files": ["binary/a9a", "binary/a9a.t"], "parts": ["train", "test"]}, (48842, 125)),
    ({"source": "imbalanced-learn", "name": "abalone_19"}, (4177, 11)),
    ({"source": "keel", "archive": "balance.zip"}, (625, 5)),
    ({"source": "uci", "archive": "53/iris.zip", "members": ["iris.data"], "columns": [*"abcd", "target"]}, (150, 5)),
    ({"source": "uci", "files": ["iris/iris.data"], "columns": [*"abcd", "target"]}, (150, 5)),
    ({"source": "torchvision", "loader": "MNIST"}, (70000, 786)),
    ({"source": "torchvision", "loader": "CIFAR10"}, (60000, 3074)),
    ({"source": "openml", "openml_id": 61}, (150, 5)),
    ({"source": "sklearn", "loader": "20newsgroups"}, (18846, 3)),
    ({"source": "sklearn", "loader": "covtype"}, (581012, 55)),
]


@pytest.mark.parametrize(("entry", "shape"), ENTRIES)
def test_the_true_address(tmp_path, monkeypatch, entry, shape):
    monkeypatch.chdir(tmp_path)
    table = pd.read_parquet(fetch("a", {"title": "T", **entry}, tmp_path / "raw" / "a"))
    assert table.shape == shape
