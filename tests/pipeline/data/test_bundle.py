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


def cut(keep):
    return lambda path: path.write_bytes(path.read_bytes()[:keep])


def typed(kind):
    return lambda path: np.save(path, np.load(path).astype(kind))


@pytest.mark.parametrize(
    ("name", "damage", "sentence"),
    [
        *[(f"{name}.npy", cut(-1), "is damaged or cut short") for name in ("codes", "levels", "offsets", "target")],
        ("split.npy", cut(0), "is damaged or cut short"),
        ("codes.npy", cut(40), "is damaged or cut short"),
        ("meta.json", cut(-3), "is damaged or cut short"),
        *[("meta.json", lambda path, text=text: path.write_text(text), "is damaged") for text in ("[]", '{"id": "t"}')],
        ("target.npy", lambda path: path.unlink(), "is missing"),
        ("meta.json", lambda path: path.unlink(), "is missing"),
        ("target.npy", lambda path: np.save(path, np.zeros(11, np.uint8)), r"has shape \(11,\), not \(12,\)"),
        ("codes.npy", typed("float64"), "holds float64 numbers"),
        ("levels.npy", typed("float32"), "holds float32 numbers"),
    ],
)
def test_damage_is_named(folder, name, damage, sentence):
    damage(folder / name)
    with pytest.raises(InputError, match=f"{name} {sentence}.*; remove the folder .* and prepare"):
        load(folder)


def test_altered_arrays_are_found_by_verify_only(folder):
    target = np.load(folder / "target.npy")
    np.save(folder / "target.npy", target[::-1])
    assert load(folder).y("multiclass").tolist() == target[::-1].tolist()
    with pytest.raises(InputError, match="are not those of its meta.json; remove the folder"):
        load(folder, verify=True)
