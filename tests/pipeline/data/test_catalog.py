"""The catalogue: what it refuses, and its data sets in a mirror of the papers' tables and at their true addresses."""

from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml
from mirror_tables import catalogue, manifest, meta_of, mirrored_ids, prepared, table_of

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES, addresses, bundle, catalog
from ironbark.pipeline.data.fetch import fetch

ROOT = Path(__file__).parents[3]
SHA = "0" * 64


@pytest.fixture(scope="module")
def schema():
    return yaml.safe_load((ROOT / "workflow/schemas/datasets.schema.yaml").read_text(encoding="utf-8"))


def test_the_catalogue_is_valid_and_schema_and_code_agree(schema):
    files = [ROOT / "config/datasets.yaml", *(ROOT / "config/datasets").glob("*.yaml")]
    read = {name: entry for file in files for name, entry in yaml.safe_load(file.read_text("utf-8")).items()}
    entries = {name: catalog.complete(entry) for name, entry in read.items()}
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(entries)
    catalog.check(entries)
    assert {"breast-cancer", "digits", "wine", "iris", "mushrooms", "mnist"} <= set(entries)
    urls = [url for entry in entries.values() for file in addresses.files(entry) for url in file.urls]
    assert all(url.startswith("https://") for url in urls)
    assert not [url for url in urls if "/master/" in url or "/main/" in url], "addresses of a branch change"
    fields = set().union(*(source.fields for source in SOURCES.values()))
    properties = schema["$defs"]["entry"]["properties"]
    assert fields <= set(properties)
    assert {name: field["default"] for name, field in properties.items() if "default" in field} == catalog.DEFAULTS


UNFIT = [{"titel": "x"}, {"sha256": "ABC"}, {"url": []}, {"files": [["a", "a"]]}, {"separator": ", "}]
UNFIT += [{"encode": "hash"}, {"positive": [True]}, {"openml_id": 0}]
UNFIT += [{"split": {"train_size": 1.0}}, {"split": {"column": "part", "train_size": 0.5}}]


@pytest.mark.parametrize("change", UNFIT)
def test_the_schema_refuses(schema, change):
    entry = {"title": "T", "source": "mirror"}
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"a-1": entry}) and not validator.is_valid({"a-1": {**entry, **change}})


def file_of(**fields):
    return {"source": "libsvm", "files": ["a"], **fields}


def mirrored(**fields):
    return {"source": "mirror", **fields}


#: Entry, words of the sentence.
REFUSED = [
    ({"source": "sklaern"}, "unknown source 'sklaern'; did you mean 'sklearn'"),
    ({"source": "sklearn"}, "source 'sklearn' needs the field 'loader'"),
    ({"source": "sklearn", "loader": "winee"}, "unknown loader 'winee'; did you mean 'wine'"),
    ({"source": "sklearn", "loader": "wine", "sha256": SHA}, "'sha256' means nothing to source 'sklearn'"),
    ({"source": "file", "path": "a.x", "format": "xls"}, "unknown format 'xls'; choose one of csv, parquet"),
    ({"source": "url", "url": "ftp://a/b", "format": "csv"}, "'ftp://a/b' is not http or https"),
    ({"source": "keel", "archive": "file:///a/b"}, "'file:///a/b' is not http or https"),
    ({"source": "url", "url": "http://a/b", "format": "csv"}, "'http://a/b' is plain http; give its `sha256`"),
    ({"source": "url", "url": "https:///b", "format": "csv"}, "'https:///b' names no server"),
    ({"source": "uci"}, "source 'uci' needs exactly one of the fields archive and files"),
    ({"source": "uci", "archive": "a.zip", "files": ["a"]}, "needs exactly one of the fields archive and files"),
    ({"source": "uci", "files": ["a"], "members": ["b"]}, "`members` are files in an `archive`"),
    (file_of(files=[["a", "http://a/b"]]), "'http://a/b' is plain http"),
    (file_of(files=["a", "b"], parts=["train"]), "1 `parts` for 2 `files` or `members`"),
    (file_of(files=["a", "b"], sha256=SHA), "one `sha256` for 2 `files`; give one for each"),
    (file_of(files=[["a", "b"]], sha256={"b": SHA}), "`sha256` names 'b', which is not in `files`"),
    (mirrored(drop=["target"]), "the target 'target' is also in `drop`"),
    (mirrored(split={"column": "target"}), "the column 'target' of `split` has another role"),
    (mirrored(split={"column": "s"}, drop=["s"]), "the column 's' of `split` has another role"),
    (mirrored(positive=[1], binary="grouped"), "`positive` and `binary` both define"),
    (mirrored(missing="drop", split={"train_rows": 3}), "changes the rows that `split.train_rows` counts"),
    (mirrored(expect={"n": 4, "counts": {"0": 1, "1": 2}}), "add up to 3, not to n = 4"),
    (mirrored(expect={"k": 3, "counts": {"0": 1, "1": 2}}), "names 2 labels, not k = 3"),
    (mirrored(in_mirror={"expect": {"k": 3, "counts": {"0": 1}}}), "in_mirror: .* names 1 labels, not k = 3"),
]


@pytest.mark.parametrize(("entry", "words"), REFUSED)
def test_check_names_data_set_and_fault(entry, words):
    good = {"title": "G", "source": "mirror"}
    catalog.check({"good": good})
    with pytest.raises(InputError, match=f"data set 'bad': .*{words}"):
        catalog.check({"good": good, "bad": {"title": "B", **entry}})
    for id in ("Iris", "a/b", ""):
        with pytest.raises(InputError, match="use only the characters a-z, 0-9 and -"):
            catalog.check({id: good})


MIRRORED = {
    **{"title": "T", "source": "openml", "openml_id": 1, "binary": "grouped", "deviations": ["A."]},
    "expect": {"n": 9, "d": 2, "k": 3},
}
MIRRORED["in_mirror"] = {"labels": {"a": 1}, "missing": "keep", "positive": [1], "deviations": ["B."]}
MIRRORED["in_mirror"] |= {"expect": {"n": 3, "counts": {1: 2, 0: 1}}}


def test_what_differs_in_a_mirror_takes_the_place_of_the_entry():
    entry = catalog.as_mirrored(catalog.complete(MIRRORED))
    assert entry == catalog.complete(
        {
            **{"title": "T", "source": "openml", "openml_id": 1, "positive": [1], "missing": "keep"},
            **{"deviations": ["A.", "B."], "expect": {"n": 3, "d": 2, "k": 3, "counts": {"1": 2, "0": 1}}},
            "labels": {"a": 1},
        }
    )
    assert catalog.as_mirrored(entry) == entry
    assert catalog.as_fetched(MIRRORED) == {key: value for key, value in MIRRORED.items() if key != "in_mirror"}


def test_a_file_may_have_several_addresses_under_one_checksum(schema):
    entry = {"title": "T", "source": "libsvm", "files": ["a", ["binary/b", "http://c/d"]], "sha256": {"binary/b": SHA}}
    assert jsonschema.Draft202012Validator(schema).is_valid({"a": entry})
    catalog.check({"a": entry})
    one, two = addresses.files(entry)
    assert (one.urls, one.checksum) == ((f"{addresses.LIBSVM}a",), None)
    assert (two.name, two.urls, two.checksum) == ("binary/b", (f"{addresses.LIBSVM}binary/b", "http://c/d"), SHA)
    assert addresses.hosts(entry) == ["c", "www.csie.ntu.edu.tw"]


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
    return {names.get(label, label.removesuffix(".0")): int(count) for label, count in pairs}


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
        assert found["d"] == int(row["features"]) - ("groups" in entry)


def columns_of(folder):
    """Feature columns as a sorted list of bytes, and the labels of both tasks."""
    data = bundle.load(folder)
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
