"""Archives that are intact, but whose content was changed: an error in one sentence, or a model that works."""

import copy
import warnings

import numpy as np
import pytest

import ironbark
from ironbark import InputError, persistence
from ironbark.persistence import archive

CASES = 200
EXTREMES = [-(2**31), -3, -2, -1, 0, 1, 2, 7, 255, 2**31 - 1]


@pytest.fixture(params=["tree", "forest"])
def model(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def path(model, tmp_path):
    ironbark.save(model, tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture(autouse=True)
def quiet():
    """Names of features may appear."""
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        yield


def check_usable(model, X):
    """Everything that walks the trees, with compiled code that checks no bounds."""
    proba = model.predict_proba(X)
    assert np.isfinite(proba).all() and np.allclose(proba.sum(axis=1), 1)
    assert set(model.predict(X)) <= set(model.classes_)
    model.decision_path(X)
    assert np.isfinite(model.feature_importances_).all()
    assert model.get_depth() >= 0
    model.predict(np.where(X > 1, np.nan, X))


def refused(path, header, arrays, X):
    archive.write(path, header, arrays)
    try:
        check_usable(ironbark.load(path), X)
    except InputError as error:
        assert "\n" not in str(error)
        return True
    return False


def test_changed_arrays(path, problem):
    header, arrays = archive.read(path)
    rng, count = np.random.default_rng(0), 0
    for _ in range(CASES):
        changed = {name: array.copy() for name, array in arrays.items()}
        name = rng.choice([name for name, array in arrays.items() if array.size])
        with np.errstate(all="ignore"):
            kind, flat = rng.integers(5), changed[name].reshape(-1)
            places = rng.integers(0, len(flat), rng.integers(1, 4))
            if kind == 0:
                flat.view(np.uint8)[rng.integers(0, flat.nbytes, 2)] ^= np.uint8(rng.integers(1, 256))
            elif kind == 1 and flat.dtype.kind == "f":
                flat[places] = rng.choice([np.nan, np.inf, -np.inf, -1.0, 1e308, 0.0])
            elif kind == 2:
                flat[places] = flat[rng.permutation(len(flat))[: len(places)][0]]
            elif kind == 3:
                changed[name] = changed[name][: -rng.integers(1, 3)]
            else:
                flat[places] = np.array(rng.choice(EXTREMES)).astype(flat.dtype)
        count += refused(path, header, changed, problem[0])
    assert count > 0.4 * CASES


def places_of(value, path=()):
    """Paths of all entries of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield (*path, key)
        yield from places_of(entry, (*path, key))


def test_changed_texts(path, problem):
    header, arrays = archive.read(path)
    rng, count = np.random.default_rng(1), 0
    places = list(places_of(header))
    values = [None, True, -1, 0, 1, 2**31, 10**30, 0.5, np.nan, "", "os.system", "gini", [], [1], {}, {"dict": []}]
    for _ in range(CASES):
        changed = copy.deepcopy(header)
        *way, last = places[rng.integers(len(places))]
        part = changed
        for key in way:
            part = part[key]
        if rng.random() < 0.3:
            del part[last]
        else:
            part[last] = values[rng.integers(len(values))]
        count += refused(path, changed, arrays, problem[0])
    assert count > 0.4 * CASES


@pytest.mark.parametrize(
    ("column", "row", "value", "message"),
    [
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
        (None, None, None, "nodes without a parent, or with two"),
    ],
)
def test_what_is_wrong_is_named(tree, column, row, value, message, tmp_path):
    header, arrays = persistence.to_record(tree)
    if column is None:  # two inner nodes with the same children leave others without a parent
        left, right = arrays["tree_.children_left.int32"], arrays["tree_.children_right.int32"]
        first, last = np.flatnonzero(left != -1)[[0, -1]]
        left[first], right[first] = left[last], right[last]
    else:
        arrays[f"tree_.{column}"][row] = value
    archive.write(tmp_path / "model", {"format": "ironbark-model", "version": 1, **header}, arrays)
    with pytest.raises(InputError, match=message):
        ironbark.load(tmp_path / "model")
