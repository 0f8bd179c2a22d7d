"""Tables of a mirror prepare and are what its list and the catalogue say; sources at their true addresses."""

import numpy as np
import pandas as pd
import pytest
from mirror_tables import catalogue, manifest, meta_of, mirrored_ids, prepared, table_of

from ironbark.pipeline.data import bundle, catalog
from ironbark.pipeline.data.fetch import fetch

#: Table with 0/1 columns -> the same data set before, and what makes the one from the other.
TWINS = {
    "abalone-19": ("abalone-raw", {"encode": "one-hot", "positive": [19]}),
    "car": ("car-raw", {"encode": "one-hot"}),
    "car-eval-4": ("car-raw", {"encode": "one-hot", "positive": ["vgood"]}),
    "connect4": ("connect4-raw", {"encode": "one-hot"}),
    "flare": ("flare-raw", {"one_hot": ["LargestSpotSize", "SpotDistribution"]}),
    "mushrooms": ("mushrooms-raw", {"encode": "one-hot", "drop": ["stalk-root"], "positive": ["e"]}),
    "sick-euthyroid": ("sick-euthyroid-raw", {"encode": "one-hot", "drop": ["TBG"]}),
    "solar-flare-m0": ("solar-flare-raw", {"encode": "one-hot", "positive": ["1", "2", "3", "4", "5"]}),
    "thyroid-sick": ("thyroid-sick-raw", {"encode": "one-hot", "drop": ["TBG"]}),
    "libras-move": ("libras-move-raw", {"positive": [1]}),
    "yeast-me2": ("yeast-raw", {"positive": ["ME2"]}),
    "cleveland": ("cleveland-raw", {"missing": "drop"}),
}


def counts_of(row, labels):
    """Class counts of a row of the mirror's list, with the names that the labels get."""
    pairs = [part.rsplit(":", 1) for part in row["class_counts"].split(";")]
    names = {str(old): str(new) for old, new in labels.items()}
    return {names.get(label, label): int(count) for label, count in pairs}


@pytest.mark.parametrize("name", mirrored_ids())
def test_every_table_prepares_and_is_as_the_lists_say(name, tmp_path):
    meta = meta_of(prepared(name, tmp_path))
    entry = catalog.as_mirrored(catalog.complete(catalogue()[name]))
    found = {key: meta[key] for key in "ndk"} | {"counts": dict(zip(meta["classes"], meta["counts"], strict=True))}
    assert {key: found[key] for key in entry["expect"]} == entry["expect"]
    row = manifest().get(table_of(name).stem)
    if row is None:
        pytest.skip("the mirror's own list does not name this table")
    if entry["missing"] != "drop":
        assert found["n"] == int(row["rows"]) and found["k"] == int(row["classes"])
        assert found["counts"] == counts_of(row, entry.get("labels", {}))
    if "encode" not in catalogue()[name] and "one_hot" not in entry:
        assert found["d"] == int(row["features"])


def columns_of(folder):
    """Feature columns as a sorted list of bytes, and the labels of both tasks."""
    data = bundle.load(folder, verify=True)
    columns = sorted(np.ascontiguousarray(column).tobytes() for column in data.features.decode().T)
    return columns, data.binary if data.binary is not None else data.target


@pytest.mark.parametrize("plain", TWINS)
def test_zero_one_versions_follow_from_the_originals(plain, tmp_path):
    """The columns may stand in another order; missing values are a level of their own in both."""
    raw, changes = TWINS[plain]
    table = {"title": plain, "source": "mirror", "mirror": plain, "missing": "keep"}
    made = catalogue()[raw] | {"mirror": raw} | changes
    made.pop("expect")
    made.get("in_mirror", {}).pop("expect", None)
    ours, our_labels = columns_of(prepared(f"{plain}-made", tmp_path, {"missing": "keep"} | made))
    theirs, their_labels = columns_of(prepared(plain, tmp_path, table))
    assert ours == theirs
    np.testing.assert_array_equal(our_labels, their_labels)


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


@pytest.mark.network
@pytest.mark.parametrize(("entry", "shape"), ENTRIES)
def test_the_true_address(tmp_path, monkeypatch, entry, shape):
    monkeypatch.chdir(tmp_path)
    table = pd.read_parquet(fetch("a", {"title": "T", **entry}, tmp_path / "raw" / "a"))
    assert table.shape == shape
