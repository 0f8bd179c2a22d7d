"""Damaged and hostile files: an error in one sentence, or the model that was saved."""

import json
import zipfile

import numpy as np
import pytest

import ironbark
from ironbark import InputError
from ironbark.persistence import archive

CASES = 300


@pytest.fixture
def path(forest, tmp_path):
    ironbark.save(forest, tmp_path / "model")
    return tmp_path / "model"


def outcome(path, X):
    """Probabilities of the model in a file, or None if it is refused by one line."""
    try:
        return ironbark.load(path).predict_proba(X)
    except InputError as error:
        assert "\n" not in str(error) and str(path) in str(error)
        return None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("part", ["file", "directory"])
def test_flipped_bytes(path, forest, problem, part):
    """The directory has names, sizes and offsets of the members; the rest is guarded by checksums."""
    content, expected = path.read_bytes(), forest.predict_proba(problem[0])
    start = content.index(b"PK\x01\x02") if part == "directory" else 0
    rng, refused = np.random.default_rng(0), 0
    for _ in range(CASES):
        damaged = bytearray(content)
        for place in rng.integers(start, len(content), rng.integers(1, 4)):
            damaged[place] ^= rng.integers(1, 256)
        path.write_bytes(damaged)
        found = outcome(path, problem[0])
        refused += found is None
        assert found is None or np.array_equal(found, expected)
    assert refused > 0.9 * CASES or part == "directory"


def test_cut_files(path, problem):
    content = path.read_bytes()
    for end in (0, 1, 30, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        assert outcome(path, problem[0]) is None
    path.write_bytes(content + content)  # a zip file may have any beginning, as self-extracting ones do
    outcome(path, problem[0])


def test_no_member_is_unpacked_or_larger_than_the_file(path):
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
        packed.writestr("bomb.npy", bytes(10**6))
    with pytest.raises(InputError, match="compressed or overlap"):
        ironbark.load(path)


def npy(header, content=b""):
    text = repr(header).encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


@pytest.mark.parametrize(
    "member",
    [
        b"",
        b"\x93NUMPY",
        npy({"descr": "|O", "fortran_order": False, "shape": (1,)}, bytes(8)),
        npy({"descr": "<f8", "fortran_order": False, "shape": (10**15,)}, bytes(8)),
        npy({"descr": "<f8", "fortran_order": False, "shape": (-1, -1)}, bytes(8)),
        npy({"descr": "<f8", "fortran_order": True, "shape": (1,)}, bytes(8)),
        npy({"descr": [("a", "<i4"), ("b", "<i4")], "fortran_order": False, "shape": (1,)}, bytes(8)),
        npy({"descr": "<U1000000000", "fortran_order": False, "shape": (1,)}, bytes(8)),
        npy({"descr": "<U0", "fortran_order": False, "shape": (10**15,)}),
        b"\x93NUMPY\x01\x00\x76\x00" + b"(" * 117 + b"\n",
        b"\x93NUMPY\x03\x00\xff\xff\xff\xff",
    ],
    ids=range(11),
)
def test_hostile_arrays(path, member, forest, problem):
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    for name in ("seeds_.npy", "classes_.npy"):
        with zipfile.ZipFile(path, "w") as changed:
            for key, content in members.items():
                changed.writestr(key, member if key == name else content)
        assert outcome(path, problem[0]) is None


@pytest.mark.parametrize("text", ["[" * 10**5, "[]", "{}", b"\xff\xfe\xd8", '{"format": "ironbark-model"}', "1" * 9999])
def test_hostile_texts(path, text):
    with zipfile.ZipFile(path, "w") as changed:
        changed.writestr(archive.HEADER, text)
    with pytest.raises(InputError, match="is damaged or no model of ironbark"):
        ironbark.load(path)


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        ironbark.load(tmp_path)
    (tmp_path / "a.txt").write_text("a model")
    with pytest.raises(InputError, match=r"a.txt is damaged or no model of ironbark \(File is not a zip file\)"):
        ironbark.load(tmp_path / "a.txt")
    np.savez(tmp_path / "b.npz", a=np.arange(3))
    with pytest.raises(InputError, match=r"needs one model.json"):
        ironbark.load(tmp_path / "b.npz")


def test_a_later_version_is_named(path):
    header, arrays = archive.read(path)
    archive.write(path, header | {"version": 2}, arrays)
    with pytest.raises(InputError, match="has version 2 of the format, but this ironbark reads up to 1; install"):
        ironbark.load(path)
    assert json.loads(zipfile.ZipFile(path).read(archive.HEADER))["format"] == "ironbark-model"
