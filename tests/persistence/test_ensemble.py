"""Saved ensembles: the same predictions, and files whose boosters were changed by hand."""

import re

import numpy as np
import pytest
from lightgbm.basic import LightGBMError
from sklearn.datasets import load_iris

import ironbark
from ironbark import InputError
from ironbark.persistence import ensemble

EXTREMES = ["-2147483648", "-9", "-1", "0", "1", "3", "99", "2147483647", "nan", "x", "", "1 1"]


@pytest.fixture(scope="module", params=[2, 3])
def model(request):
    X, y = load_iris(return_X_y=True)
    X[::5, 2] = np.nan  # what parts them from numbers is the threshold inf
    names = np.array(["one", "two", "two" if request.param == 2 else "three"])[np.where(np.isnan(X[:, 2]), 1, y)]
    return ironbark.RobustEnsembleClassifier(5, n_boosters=2, random_state=0).fit(X, names)


@pytest.fixture(scope="module")
def X():
    X = load_iris().data
    X[::7, 3] = np.nan
    return X


def test_round_trip(model, X, tmp_path):
    ironbark.save(model, tmp_path / "model.npz")
    found = ironbark.load(tmp_path / "model.npz")
    assert np.array_equal(found.predict_proba(X), model.predict_proba(X)) and set(vars(found)) == set(vars(model))
    assert found.n_rounds_ == model.n_rounds_ and found.get_params() == model.get_params()
    ironbark.save(found, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()


@pytest.mark.parametrize("y", [np.arange(40) % 2, np.full(40, 7)], ids=["no booster serves", "one class"])
def test_without_any_booster(y, tmp_path):
    small = ironbark.RobustEnsembleClassifier(5, random_state=0).fit(X := np.eye(40), y)
    ironbark.save(small, tmp_path / "model.npz")
    found = ironbark.load(tmp_path / "model.npz")
    assert found.boosters_ == small.boosters_ == [] and np.array_equal(found.predict_proba(X), small.predict_proba(X))
    assert found.predict(X).tolist() == small.predict(X).tolist()


def test_changed_numbers_are_refused_or_harmless(model, X):
    """Any number of the text in place of which another stands; walks through what is accepted end in leaves."""
    text, K = ensemble.to_text(model.boosters_[0]).tobytes().decode(), model.n_classes_
    places, rng, refused = list(re.finditer(r"(?<=[= ])[-\w.+]+", text)), np.random.default_rng(0), 0
    for place in rng.choice(np.array(places, object), 400):
        changed = text[: place.start()] + rng.choice(EXTREMES) + text[place.end() :]
        try:
            found = ensemble.from_text(np.frombuffer(changed.encode(), np.uint8), 4, K)
        except (ValueError, KeyError, LightGBMError):
            refused += 1
        else:
            assert len(found.predict(X)) == len(X)
    assert 100 < refused < 400


@pytest.mark.parametrize(
    "old, new",
    [
        ("max_feature_idx=3", "max_feature_idx=4"),
        *((f"{name}=0", f"{name}=1") for name in ("num_cat", "is_linear")),
        ("num_leaves=", "num_leaves=9"),
        ("decision_type=", "decision_type=+"),
        ("num_cat=0", "num_cat=0\rnum_leaves=3"),
        ("\nTree=1\n", "\nTree=2\n"),
        ("split_feature=", "split_feature=4\nsplit_feature="),
        ("version=v4", "version=v4\ntree_sizes=1000000"),
        *(("end of trees", other) for other in ("", "end of trees\nparameters:")),
    ],
)
def test_other_texts_are_refused(model, old, new):
    text = ensemble.to_text(model.boosters_[0]).tobytes().decode()
    assert old in text
    with pytest.raises(ValueError):
        ensemble.from_text(np.frombuffer(text.replace(old, new, 1).encode(), np.uint8), 4, model.n_classes_)


@pytest.mark.parametrize(("number", "words"), [(1, "unknown arrays, such as 'booster.1'"), (10**15, "are missing")])
def test_other_numbers_of_boosters_are_refused(model, number, words, tmp_path):
    header, arrays = ironbark.persistence.to_record(model)
    header["boosters"] = number
    ironbark.persistence.write(tmp_path / "model.npz", header, arrays)
    with pytest.raises(InputError, match=words):
        ironbark.load(tmp_path / "model.npz")
