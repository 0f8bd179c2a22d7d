import json

import numpy as np
import pytest

import ironbark.pipeline.data
from ironbark.errors import InputError
from ironbark.pipeline.data.bundle import load
from ironbark.pipeline.data.prepare import prepare


@pytest.fixture
def folder(raw, table, tmp_path):
    entry = {"title": "T", "source": "file", "path": "t.csv", "split": {"train_rows": 6}}
    return prepare("t", entry, raw(table), tmp_path / "t")


def test_load(folder):
    bundle = load(folder, verify=True)
    assert isinstance(bundle.features.codes, np.memmap)
    assert not bundle.features.codes.flags.writeable
    assert bundle.features.shape == (12, 3)
    assert bundle.y("multiclass").dtype == np.int64
    assert bundle.classes("multiclass") == ["a", "b", "c"]
    assert bundle.split.dtype == np.uint8
    assert ironbark.pipeline.data.load is load


def test_unknown_tasks_are_named(folder):
    for call in (load(folder).y, load(folder).classes):
        with pytest.raises(InputError, match="'t' has no task 'binary', only multiclass; set `positive`"):
            call("binary")
    with pytest.raises(InputError, match="'t' has no task 'ordinal', only multiclass$"):
        load(folder).y("ordinal")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no prepared data set .*none"):
        load(tmp_path / "none")


@pytest.mark.parametrize("name", ["codes.npy", "levels.npy", "offsets.npy", "target.npy", "split.npy", "meta.json"])
@pytest.mark.parametrize("keep", [0, 40, -1])
def test_files_that_are_cut_short_are_named(folder, name, keep):
    path = folder / name
    content = path.read_bytes()
    path.write_bytes(content[: -3 if (keep, name) == (-1, "meta.json") else keep])
    with pytest.raises(InputError, match=f"{name} is damaged or cut short; remove the folder .* and prepare"):
        load(folder)


@pytest.mark.parametrize("name", ["codes.npy", "target.npy", "meta.json"])
def test_missing_files_are_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"{name} is missing; remove the folder"):
        load(folder)


def test_arrays_of_another_shape_are_named(folder):
    np.save(folder / "target.npy", np.zeros(11, np.uint8))
    with pytest.raises(InputError, match=r"target.npy has shape \(11,\), not \(12,\)"):
        load(folder)


def test_altered_arrays_are_found_by_verify_only(folder):
    target = np.load(folder / "target.npy")
    np.save(folder / "target.npy", target[::-1])
    assert load(folder).y("multiclass").tolist() == target[::-1].tolist()
    with pytest.raises(InputError, match="are not those of its meta.json; remove the folder"):
        load(folder, verify=True)


def test_an_altered_digest_is_found_by_verify(folder):
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (folder / "meta.json").write_text(json.dumps({**meta, "digest": "0"}), encoding="utf-8")
    with pytest.raises(InputError, match="are not those of its meta.json"):
        load(folder, verify=True)


@pytest.mark.parametrize("text", ["[]", "{}", '{"id": "t", "n": 12, "d": 3}', '"meta"'])
def test_a_meta_file_that_describes_no_data_set_is_named(folder, text):
    (folder / "meta.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="meta.json is damaged or cut short; remove the folder"):
        load(folder)


@pytest.mark.parametrize(("name", "kind"), [("codes", "float64"), ("levels", "float32"), ("target", "int64")])
def test_arrays_of_another_type_are_named(folder, name, kind):
    np.save(folder / f"{name}.npy", np.load(folder / f"{name}.npy").astype(kind))
    with pytest.raises(InputError, match=f"{name}.npy holds {kind} numbers; remove the folder"):
        load(folder)
