from pathlib import Path

import jsonschema
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.data import SOURCES, addresses, catalog

ROOT = Path(__file__).parents[3]
SHA = "0" * 64


@pytest.fixture(scope="module")
def schema():
    return yaml.safe_load((ROOT / "workflow/schemas/datasets.schema.yaml").read_text(encoding="utf-8"))


def test_the_catalogue_of_the_project_is_valid(schema):
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


def test_schema_and_code_have_the_same_fields_and_defaults(schema):
    fields = {name for source in SOURCES.values() for name in (*source.required, *source.either, *source.optional)}
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
    assert validator.is_valid({"a-1": entry})
    assert not validator.is_valid({"a-1": {**entry, **change}})


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
    "in_mirror": {
        **{"labels": {"a": 1}, "missing": "keep", "positive": [1], "deviations": ["B."]},
        "expect": {"n": 3, "counts": {1: 2, 0: 1}},
    },
}


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
