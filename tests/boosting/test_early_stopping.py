"""The number of rounds that boosters choose on held-out labels, against fits of every number of rounds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from ironbark import LogitBoostClassifier, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.fitting import held_out

ROUNDS = 12
MATRIX = 0.5 * np.eye(3) + 0.5 / 3
MODELS = [
    LogitBoostClassifier(ROUNDS, learning_rate=0.5, min_samples_split=20, random_state=3),
    RobustLGBMClassifier(n_estimators=ROUNDS, learning_rate=0.5, random_state=3),
    RobustXGBClassifier(n_estimators=ROUNDS, learning_rate=1.0, random_state=3),
]
CORRECTED = [clone(model).set_params(loss="forward_correction", noise_matrix=MATRIX) for model in MODELS[1:]]
libraries = pytest.mark.parametrize("model", MODELS[1:], ids=lambda model: type(model).__name__)


def problem(n_classes=2, n=300):
    """Features, labels of which a third are wrong, weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [0.0, 1.0][: n_classes - 1])
    wrong = rng.random(n) < 1 / 3
    y[wrong] = rng.integers(0, n_classes, wrong.sum())
    return X, np.array(["a", "b", "c"])[y], rng.integers(0, 4, n).astype(float)


def loss(model, p, codes):
    """Of each label, by the probabilities of the classes, as the documentation of the losses has it."""
    if getattr(model, "loss", "") == "forward_correction":
        p = p @ MATRIX  # probabilities of the noisy labels
    own = p[np.arange(len(codes)), codes]
    if getattr(model, "loss", "") == "robust_focal":
        return (1 - own) ** model.r * (1 - own**model.q) / model.q
    return -np.log(own)


@pytest.mark.parametrize(
    ("model", "n_classes", "weighted"),
    [*((model, 2, weighted) for model in MODELS for weighted in (False, True)), (MODELS[0], 3, False)]
    + [(model, 3, False) for model in CORRECTED],
)
def test_chosen_rounds_against_fits_of_every_number(model, n_classes, weighted):
    X, y, weight = problem(n_classes)
    weight = weight if weighted else np.ones(len(y))
    codes = np.unique(y, return_inverse=True)[1]
    fitted, scored = held_out(codes, 0.25, weight, model.random_state)
    chosen = clone(model).set_params(validation_fraction=0.25).fit(X, y, sample_weight=weight)
    losses = []
    for rounds in range(1, len(chosen.validation_loss_) + 1):
        part = clone(model).set_params(n_estimators=rounds).fit(X[fitted], y[fitted], sample_weight=weight[fitted])
        own = loss(part, part.predict_proba(X[scored]), codes[scored])
        losses.append(np.average(own, weights=weight[scored]))
    assert len(losses) == ROUNDS == chosen.n_estimators
    assert chosen.validation_loss_ == pytest.approx(losses, rel=1e-5)
    assert chosen.n_estimators_ == 1 + np.argmin(losses)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_model_is_that_of_as_many_rounds_on_all_samples(model, n_classes):
    X, y, weight = problem(n_classes)
    chosen = clone(model).set_params(validation_fraction=0.2).fit(X, y, sample_weight=weight)
    plain = clone(model).set_params(n_estimators=chosen.n_estimators_).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(chosen.predict_proba(X), plain.predict_proba(X))
    again = clone(chosen).set_params(**{"n_jobs": 2} if "n_jobs" in chosen.get_params() else {})
    np.testing.assert_array_equal(again.fit(X, y, sample_weight=weight).validation_loss_, chosen.validation_loss_)
    np.testing.assert_array_equal(again.predict_proba(X), chosen.predict_proba(X))


@libraries
def test_the_search_ends_after_fifty_rounds_without_a_lower_loss(model):
    X, y, _ = problem()
    chosen = clone(model).set_params(n_estimators=500, validation_fraction=0.25).fit(X, y)
    assert len(chosen.validation_loss_) == chosen.n_estimators_ + 50


@libraries
def test_weights_of_classes_count_for_held_out_samples(model):
    X, y, _ = problem()
    model = clone(model).set_params(validation_fraction=0.25)
    expected = clone(model).fit(X, y, sample_weight=np.where(y == "b", 5.0, 1.0)).validation_loss_
    ways = [{"scale_pos_weight": 5.0}]
    ways += [{"class_weight": {"a": 1, "b": 5}}] if isinstance(model, RobustLGBMClassifier) else []
    for way in ways:
        assert clone(model).set_params(**way).fit(X, y).validation_loss_ == pytest.approx(expected, rel=1e-5)


def test_held_out_samples_are_a_share_of_each_class():
    codes = np.repeat([0, 1, 2], [100, 10, 2])
    weight = np.ones(112)
    weight[:50] = 0
    fitted, scored = held_out(codes, 0.2, weight, 0)
    assert np.bincount(codes[scored]).tolist() == [10, 2, 1]
    rounded = np.repeat([0, 1], [15, 13])  # 3.75 and 3.25
    assert np.bincount(rounded[held_out(rounded, 0.25, None, 0)[1]]).tolist() == [4, 3]
    assert sorted([*fitted, *scored]) == list(range(50, 112))
    np.testing.assert_array_equal(scored, held_out(codes, 0.2, weight, 0)[1])
    assert not np.array_equal(scored, held_out(codes, 0.2, weight, 1)[1])


def test_held_out_labels_do_not_order_texts():
    text, rng = pd.DataFrame({"t": np.resize(list("abcdefghijklmnopqrst"), 400)}), np.random.default_rng(0)
    model = LogitBoostClassifier(30, validation_fraction=0.25, random_state=0).fit(text, rng.integers(0, 2, 400))
    assert model.validation_loss_.min() == pytest.approx(np.log(2), abs=0.02)  # 0.655 if they did
