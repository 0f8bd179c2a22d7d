"""Labels that are class probabilities, against hard labels, copies of samples, and closed forms."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from ironbark import (
    RobustDecisionTreeClassifier,
    RobustLGBMClassifier,
    RobustRandomForestClassifier,
    RobustXGBClassifier,
    encode,
)
from ironbark.errors import InputError
from ironbark.tree import size_selection
from ironbark.tree.cross_validation import cross_validated_path
from ironbark.tree.growing.bootstrap import Bags

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
QUARTERS = RNG.multinomial(4, [0.5, 0.3, 0.2], size=90) / 4
MODELS = (RobustDecisionTreeClassifier, RobustRandomForestClassifier, RobustLGBMClassifier, RobustXGBClassifier)


def model(kind, **params):
    few = {} if kind is RobustDecisionTreeClassifier else {"n_estimators": 8}
    return kind(random_state=0, **few, **params)


@pytest.mark.parametrize("kind", MODELS)
def test_probabilities_of_one_are_labels(kind):
    codes = QUARTERS.argmax(axis=1)
    soft = pd.DataFrame(np.eye(3)[codes], columns=["a", "b", "c"])
    one, other = model(kind).fit(X, soft), model(kind).fit(X, np.array(["a", "b", "c"])[codes])
    assert list(one.classes_) == ["a", "b", "c"]
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize("kind", [RobustDecisionTreeClassifier, RobustXGBClassifier])
def test_a_sample_is_so_many_copies(kind):
    free = {"ccp_alpha": 0.0} if kind is RobustDecisionTreeClassifier else {"max_depth": 3}
    copies = np.repeat(np.arange(90), 4)
    codes = np.concatenate([np.repeat(np.arange(3), counts) for counts in (4 * QUARTERS).astype(int)])
    one = model(kind, **free).fit(X, QUARTERS, sample_weight=np.full(90, 4.0))
    other = model(kind, **free).fit(X[copies], codes)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-4)


def test_lightgbm_gets_rows_of_samples_and_classes():
    rows, codes = np.nonzero(QUARTERS)
    one = model(RobustLGBMClassifier).fit(X, QUARTERS)
    other = model(RobustLGBMClassifier).fit(X[rows], codes, sample_weight=QUARTERS[rows, codes])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_leaves_hold_mean_probabilities():
    whole = RobustDecisionTreeClassifier(ccp_alpha=0.0).fit(X, QUARTERS)
    np.testing.assert_allclose(whole.predict_proba(X), QUARTERS, atol=1e-12)
    weights = RNG.random(90)
    for balance, means in ((None, np.average(QUARTERS, axis=0, weights=weights)), ("balanced", np.full(3, 1 / 3))):
        root = RobustDecisionTreeClassifier(class_weight=balance).fit(np.zeros((90, 1)), QUARTERS, weights)
        np.testing.assert_allclose(root.predict_proba([[0.0]])[0], means)


def test_forests_draw_samples_and_classes_by_their_probabilities():
    grown = RobustRandomForestClassifier(400, max_depth=1, max_features=1, ccp_alpha=0.0, random_state=0)
    roots = [tree.counts[0] for tree in grown.fit(np.zeros((90, 1)), QUARTERS).trees_]
    assert {int(root.sum()) for root in roots} == {90}
    error = np.sqrt(QUARTERS.mean(axis=0) * (1 - QUARTERS.mean(axis=0)) / (90 * 400))
    assert (np.abs(np.mean(roots, axis=0) / 90 - QUARTERS.mean(axis=0)) < 4 * error).all()


def test_no_row_of_a_drawn_sample_is_out_of_the_bag():
    samples = np.array([0, 0, 1, 2, 2, 2, 3])
    bags = Bags(7, 4, np.array([0.5, 0.5, 1, 0.2, 0.3, 0.5, 1]), samples)
    for seed in range(20):
        drawn = set(samples[bags.counts(seed) > 0])
        assert bags.outside(seed).tolist() == [sample not in drawn for sample in samples]


def test_a_class_without_weight_leaves_samples_to_choose_by():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.dirichlet([1, 1, 1], 200)
    for free in range(3):  # also the first, whose row is that of the sample
        model = RobustDecisionTreeClassifier(random_state=0, class_weight={k: float(k != free) for k in range(3)})
        assert np.isfinite(model.fit(X, y).ccp_path_["brier_score"]).all()


def test_rows_of_a_sample_are_one_in_standard_errors(monkeypatch):
    losses = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 3.0], [0.0, 3.0]])
    monkeypatch.setattr(size_selection, "path_losses", lambda *_, **__: losses)
    rows = encode(np.zeros((4, 1))), np.zeros(4, int), np.array([0.0, 1.0])
    path = size_selection.ccp_path([], [], lambda _: np.ones(4, bool), [0], *rows, samples=np.array([0, 0, 1, 1]))
    assert path["standard_error"] == pytest.approx([0, 0.5**0.5])  # each sample is 1/2 from the mean


def test_no_sample_is_in_two_folds():
    samples, seen = np.repeat(np.arange(30), 2), []

    def grow(features, codes, weights, seed):
        seen.append(set(features.decode()[:, 0]))
        return grown(features, codes, weights, seed)

    tree = RobustDecisionTreeClassifier(ccp_alpha=0.0)
    features, codes, weights, samples = tree._check_training(np.arange(30.0)[:, None], np.full((30, 2), 0.5))
    grown = tree._grow_tree
    cross_validated_path(grow, [0] * 5, features, codes, np.zeros(1), weights, samples, dtype=np.float64)
    assert [len(values) for values in seen] == [24] * 5  # all rows of six samples are left out
    assert not set.intersection(*seen)


@pytest.mark.parametrize(
    ("kind", "params", "y", "words"),
    [
        (RobustDecisionTreeClassifier, {}, QUARTERS * 2, "row 0 sums to 2"),
        (RobustRandomForestClassifier, {}, np.full((90, 2), [1.5, -0.5]), "row 0 holds -0.5"),
        (RobustDecisionTreeClassifier, {}, np.full((90, 2), np.nan), "row 0 holds nan"),
        (RobustDecisionTreeClassifier, {}, np.full((90, 2), "a"), "it holds text"),
        (RobustDecisionTreeClassifier, {}, csr_array(np.eye(90)), "it is sparse"),
        (RobustDecisionTreeClassifier, {}, np.ma.masked_equal(np.full((90, 2), [0, 1]), 0), "row 0 is masked"),
        (RobustDecisionTreeClassifier, {}, pd.DataFrame(QUARTERS, columns=list("aab")), "name each class once"),
        (RobustDecisionTreeClassifier, {}, QUARTERS[:80], "inconsistent numbers of samples"),
        (RobustRandomForestClassifier, {"oob_score": True}, QUARTERS, "oob_score needs one label"),
        (RobustLGBMClassifier, {"validation_fraction": 0.2}, QUARTERS, "validation_fraction together"),
        (RobustXGBClassifier, {"validation_fraction": 0.2}, QUARTERS, "validation_fraction together"),
        (RobustLGBMClassifier, {"class_weight": "balanced"}, QUARTERS, "class_weight together"),
    ],
)
def test_refusals(kind, params, y, words):
    with pytest.raises((InputError, ValueError), match=words):
        model(kind, **params).fit(X, y)
