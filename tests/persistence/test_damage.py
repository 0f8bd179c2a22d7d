"""Damaged and hostile files: an error in one sentence, the model that was saved, or at least one that works."""

import copy
import zipfile

import numpy as np
import pytest

import ironbark
from ironbark import InputError, persistence

pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")
CASES = 120
EXTREMES = [-(2**31), -3, -2, -1, 0, 1, 2, 7, 255, 2**31 - 1]
HEADER = persistence.HEADER


def loaded(path):
    """The model in a file, or None if it is refused by one line."""
    try:
        return ironbark.load(path)
    except InputError as error:
        assert "\n" not in str(error)
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
        found = loaded(path)
        refused += found is None
        assert found is None or np.array_equal(found.predict_proba(problem[0]), expected)
    assert refused > 0.9 * CASES or part == "directory"


def test_cut_files(path):
    content = path.read_bytes()
    for end in (0, 1, 30, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        assert loaded(path) is None
    path.write_bytes(content + content)  # a zip file may have any beginning, as self-extracting ones do
    loaded(path)


def rewritten(path, compression=zipfile.ZIP_STORED, **members):
    """The same archive with some members replaced or added."""
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()} | members
    with zipfile.ZipFile(path, "w", compression) as changed:
        for name, content in members.items():
            changed.writestr(name, content)


def test_no_member_is_unpacked_or_larger_than_the_file(path):
    rewritten(path, zipfile.ZIP_DEFLATED, **{"bomb.npy": bytes(10**6)})
    with pytest.raises(InputError, match="compressed or overlap"):
        ironbark.load(path)


def npy(descr, shape, content=b"", fortran_order=False):
    header = {"descr": descr, "fortran_order": fortran_order, "shape": shape}
    text = repr(header).encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


@pytest.mark.parametrize(
    "member",
    [
        b"",
        b"\x93NUMPY",
        npy("|O", (1,), bytes(8)),
        npy("<f8", (10**15,), bytes(8)),
        npy("<f8", (-1, -1), bytes(8)),
        npy("<f8", (2,), bytes(16), fortran_order=True),
        npy([("a", "<i4"), ("b", "<i4")], (1,), bytes(8)),
        npy("<U1000000000", (1,), bytes(8)),
        npy("<U0", (10**15,)),
        b"\x93NUMPY\x01\x00\x76\x00" + b"(" * 117 + b"\n",
        b"\x93NUMPY\x03\x00\xff\xff\xff\xff",
    ],
    ids=range(11),
)
@pytest.mark.parametrize("name", ["seeds_.npy", "classes_.npy"])
def test_hostile_arrays(path, member, name):
    rewritten(path, **{name: member})
    assert loaded(path) is None


@pytest.mark.parametrize("text", ["[" * 10**5, "[]", "{}", b"\xff\xfe\xd8", '{"format": "ironbark-model"}', "1" * 9999])
def test_hostile_texts(path, text):
    rewritten(path, **{HEADER: text})
    with pytest.raises(InputError, match="is damaged or no model of ironbark"):
        ironbark.load(path)


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        ironbark.load(tmp_path)
    (tmp_path / "a.txt").write_text("a model")
    np.savez(tmp_path / "b.npz", a=np.arange(3))
    for name, words in {"a.txt": "a.txt is damaged or no model of ironbark", "b.npz": "needs one model.json"}.items():
        with pytest.raises(InputError, match=words):
            ironbark.load(tmp_path / name)


def test_a_later_version_is_named(path):
    header, arrays = persistence.read(path)
    persistence.write(path, header | {"version": 2}, arrays)
    with pytest.raises(InputError, match="has version 2 of the format, but this ironbark reads up to 1; install"):
        ironbark.load(path)


def refused(path, header, arrays, X):
    """Whether a changed record is refused; if not, all that walks the trees, which checks no bounds, must work."""
    persistence.write(path, header, arrays)
    model = loaded(path)
    if model is not None:
        proba = model.predict_proba(X)
        assert np.isfinite(proba).all() and np.allclose(proba.sum(axis=1), 1)
        assert set(model.predict(X)) <= set(model.classes_)
        model.decision_path(X)
        assert np.isfinite(model.feature_importances_).all() and model.get_depth() >= 0
        model.predict(np.where(X > 1, np.nan, X))
    return model is None


@pytest.fixture(params=["tree", "forest"])
def record(request):
    """Header and arrays of a model."""
    return persistence.to_record(request.getfixturevalue(request.param))


def changed_array(rng, header, arrays):
    """One array with other bytes, values, order, length or extremes."""
    name = rng.choice([name for name, array in arrays.items() if array.size])
    array = arrays[name].copy()
    kind, flat = rng.integers(5), array.reshape(-1)
    places = rng.integers(0, len(flat), rng.integers(1, 4))
    if kind == 0:
        flat.view(np.uint8)[rng.integers(0, flat.nbytes, 2)] ^= np.uint8(rng.integers(1, 256))
    elif kind == 1 and flat.dtype.kind == "f":
        flat[places] = rng.choice([np.nan, np.inf, -np.inf, -1.0, 1e308, 0.0])
    elif kind == 2:
        flat[places] = flat[rng.permutation(len(flat))[: len(places)][0]]
    elif kind == 3:
        array = array[: -rng.integers(1, 3)]
    else:
        with np.errstate(all="ignore"):
            flat[places] = np.array(rng.choice(EXTREMES)).astype(flat.dtype)
    return header, arrays | {name: array}


def places_of(value, path=()):
    """Paths of all entries of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield (*path, key)
        yield from places_of(entry, (*path, key))


def changed_text(rng, header, arrays):
    """One entry of the header less, or with another value."""
    values = [None, True, -1, 0, 1, 2**31, 10**30, 0.5, np.nan, "", "os.system", "gini", [], [1], {}, {"dict": []}]
    places, part = list(places_of(header)), (changed := copy.deepcopy(header))
    *way, last = places[rng.integers(len(places))]
    for key in way:
        part = part[key]
    if rng.random() < 0.3:
        del part[last]
    else:
        part[last] = values[rng.integers(len(values))]
    return changed, arrays


@pytest.mark.parametrize("change", [changed_array, changed_text])
def test_changed_records(record, change, problem, tmp_path):
    rng = np.random.default_rng(0)
    count = sum(refused(tmp_path / "model", *change(rng, *record), problem[0]) for _ in range(CASES))
    assert count > 0.4 * CASES


#: Column, row, value of a tree, and what is wrong with it.
WRONG = [
    ("children_left.int32", 0, 0, "children before their parents"),
    ("children_left.int32", 0, 2**31 - 1, "children out of its bounds"),
    ("children_right.int32", 0, 1, "children out of its bounds"),
    ("feature.int32", 0, 4, "splits on unknown features"),
    ("feature.int32", 0, -1, "splits on unknown features"),
    ("threshold.float64", 0, np.nan, "splits on unknown features or thresholds"),
    ("threshold.float64", -1, 0.0, "leaves that are split"),
    ("prediction.uint8", 0, 3, "another number of classes"),
    ("gain.float64", 0, -1.0, "gains that are negative"),
    ("counts.int32", 0, -1, "class weights that are negative"),
    ("counts.int32", 0, 0, "nodes without weight"),
    ("counts.int32", 0, 1, "counts that do not add up"),
    ("twice", 0, 0, "nodes without a parent, or with two"),
]


@pytest.mark.parametrize(("column", "row", "value", "message"), WRONG)
@pytest.mark.parametrize("record", ["tree"], indirect=True)
def test_what_is_wrong_is_named(record, column, row, value, message, tmp_path):
    header, arrays = record
    if column == "twice":  # two inner nodes with the same children leave others without a parent
        left, right = arrays["tree_.children_left.int32"], arrays["tree_.children_right.int32"]
        first, last = np.flatnonzero(left != -1)[[0, -1]]
        left[first], right[first] = left[last], right[last]
    else:
        arrays[f"tree_.{column}"][row] = value
    persistence.write(tmp_path / "model", header, arrays)
    with pytest.raises(InputError, match=message):
        ironbark.load(tmp_path / "model")
