"""RobustXGBClassifier and RobustLGBMClassifier: what they learn."""

import numpy as np
import pytest
from gbdt_cases import FLAT, PARENT, QUIET, both, make, margins, problem
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.losses import LOSSES
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss


@both
@pytest.mark.parametrize("n_classes", [2, 4])
def test_without_focus_and_robustness_it_is_the_library_s_own_log_loss(kind, n_classes):
    """With missing values and weights. For several classes both libraries multiply the Hessian by a factor
    of their own, so the parents get the textbook's gradient and Hessian there.
    """
    X, y = problem(n_classes)
    weight = np.random.default_rng(1).uniform(0.2, 3, len(y))

    def textbook(y_true, scores, sample_weight):
        p = shares(scores.astype(float), axis=1)
        label = np.arange(n_classes) == y_true[:, None]
        return (p - label) * sample_weight[:, None], p * (1 - p) * sample_weight[:, None]

    own = {} if n_classes == 2 else {"objective": textbook}
    parent = PARENT[kind](n_estimators=15, **QUIET[kind], **own).fit(X, y, sample_weight=weight)
    ours = make(kind, r=0, q=0, multi="softmax").fit(X, y, sample_weight=weight)
    expected = parent.predict_proba(X)
    if n_classes > 2 and kind is RobustLGBMClassifier:
        expected = shares(expected, axis=1)
    np.testing.assert_allclose(ours.predict_proba(X), expected, atol=2e-5)


@pytest.mark.parametrize("rare", [0, 1])
@pytest.mark.parametrize(
    ("kind", "params"),
    [
        (RobustXGBClassifier, {"scale_pos_weight": 4.5}),
        (RobustLGBMClassifier, {"scale_pos_weight": 4.5}),
        (RobustLGBMClassifier, {"is_unbalance": True}),
        (RobustLGBMClassifier, {"unbalanced_sets": True}),
    ],
)
def test_classes_are_weighed_as_by_the_library_s_own_log_loss(kind, params, rare):
    X, y = problem(n=600)
    kept = (y != rare) | (np.arange(len(y)) % 4 == 0)
    X, y = X[kept], y[kept]
    weight = np.random.default_rng(1).uniform(0.2, 3, len(y))
    ours = make(kind, r=0, q=0, **params).fit(X, y, sample_weight=weight)
    plain = make(kind, r=0, q=0).fit(X, y, sample_weight=weight)
    parent = PARENT[kind](n_estimators=15, **QUIET[kind], **params).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.predict_proba(X), parent.predict_proba(X), atol=2e-5)
    assert np.abs(ours.predict_proba(X) - plain.predict_proba(X)).max() > 0.1


@pytest.mark.parametrize(("kind", "factor"), [(RobustXGBClassifier, 2), (RobustLGBMClassifier, 4 / 3)])
def test_steps_for_four_classes_are_longer_than_the_library_s_by_the_documented_factor(kind, factor):
    X, y = problem(4)
    options = {**QUIET[kind], "n_estimators": 1, "reg_lambda": 0, "min_child_weight": 0, "max_depth": 2}
    start = 0.5 if kind is RobustXGBClassifier else 0
    option = {"output_margin" if kind is RobustXGBClassifier else "raw_score": True}
    ours, theirs = (
        model.fit(X, y).predict(X, **option)
        for model in (kind(0, 0, multi="softmax", **options), PARENT[kind](**options))
    )
    np.testing.assert_allclose(ours - start, factor * (theirs - start), rtol=1e-4)


@both
@pytest.mark.parametrize(("n_classes", "multi"), [(2, "softmax"), (2, "ovr"), (3, "softmax"), (3, "ovr")])
@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in FLAT])
def test_every_loss_learns_and_predicts_probabilities(kind, loss, n_classes, multi):
    X, y = problem(n_classes)
    steps = {"learning_rate": 0.3, "min_child_weight": 0.001}
    model = make(kind, loss=loss, multi=multi, **steps).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(y), n_classes) and (p >= 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(model.predict(X), p.argmax(axis=1))
    assert model.score(X, y) > 0.75
    start = make(kind, loss=loss, multi=multi, n_estimators=1, **steps).fit(X, y)
    own = BoostingLoss(loss, multi)
    assert own.values(y, margins(model, X)).mean() < own.values(y, margins(start, X)).mean()


@both
def test_one_against_the_rest_are_models_of_two_classes(kind):
    X, y = problem(3)
    model = make(kind, multi="ovr", r=0.7).fit(X, y)
    each = np.column_stack([margins(make(kind, r=0.7).fit(X, y == k), X) for k in range(3)])
    np.testing.assert_allclose(margins(model, X), each, atol=1e-5)
    p = expit(each)
    np.testing.assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True), atol=1e-5)


#: XGBoost rounds weighted gradients to float32, so probabilities of weights and of copies differ in the eighth digit.
ROUNDED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "probabilities differ by 3e-8" for kind in ("dense", "sparse")
}


@pytest.mark.filterwarnings("ignore:Unknown data type", "ignore:Converting data to scipy sparse")
@parametrize_with_checks(
    [make(RobustXGBClassifier, n_estimators=5), RobustLGBMClassifier(n_estimators=5)],
    expected_failed_checks=lambda model: ROUNDED if isinstance(model, RobustXGBClassifier) else {},
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_weights_are_copies_up_to_rounding():
    rng = np.random.default_rng(0)
    X, y, weights = rng.random((15, 30)), np.arange(15) % 3, rng.integers(0, 5, 15)
    model = make(RobustXGBClassifier, n_estimators=5, tree_method="hist")
    weighted = model.fit(X, y, sample_weight=weights).predict_proba(X)
    copied = model.fit(X.repeat(weights, axis=0), y.repeat(weights)).predict_proba(X)
    np.testing.assert_allclose(weighted, copied, rtol=1e-5)
