"""The authors' derivatives and trees that vote, each against a slow twin."""

import numpy as np
import pytest
from gbdt_cases import problem
from sklearn.base import clone
from sklearn.datasets import make_classification

from ironbark import InputError, RobustXGBClassifier
from ironbark.pipeline.diagnostics.authors_gradient import AuthorsGradientXGBClassifier, AuthorsLoss
from ironbark.pipeline.diagnostics.voting import VotingForest

WRONG = [(r, q) for r in (0.5, 1.0) for q in (0.1, 0.3, 0.5)]  # all of the authors' trials with r > 0 and q > 0
RIGHT = [(0.0, 0.0), (0.0, 0.3), (0.5, 0.0), (1.0, 0.0)]
SMALL = {"n_estimators": 20, "max_depth": 3, "learning_rate": 0.3, "multi": "softmax"}


def naive(r, q, label, scores):
    """Of one sample: p l'(p) with its error, p^2 l''(p) without, and the chain rule of the softmax."""
    shares = [np.exp(score) / sum(np.exp(scores)) for score in scores]
    p = shares[label]
    first = r * (1 - p) ** (r - 1) * p**q / q - p**q * (1 - p) ** r
    parts = r * (r - 1) * (p**q - 1) * p**2, q * (q - 1) * p**q * (1 - p) ** 2, 2 * r * q * p ** (q + 1) * (p - 1)
    second = -((1 - p) ** (r - 2)) * sum(parts) / q
    far = [float(k == label) - share for k, share in enumerate(shares)]
    gradient = [first * d for d in far]
    return gradient, [second * d**2 + first * d * (1 - 2 * s) for d, s in zip(far, shares, strict=True)]


@pytest.mark.parametrize("n_classes", [3, 6])
@pytest.mark.parametrize(("r", "q"), [*WRONG, (0.2, 0.8)])
def test_derivatives_are_those_of_the_released_formula(r, q, n_classes):
    rng = np.random.default_rng(n_classes)
    y, scores = rng.integers(0, n_classes, 300), rng.normal(0, 2, (300, n_classes))
    gradient, hessian = AuthorsLoss(r, q).derivatives(y, scores)
    for i in range(len(y)):
        expected = naive(r, q, y[i], scores[i])
        np.testing.assert_allclose(gradient[i], expected[0], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(hessian[i], expected[1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("r", "q"), RIGHT)
def test_models_are_the_same_where_the_released_code_is_right(r, q):
    X, y = problem(4)
    ours = RobustXGBClassifier(r, q, **SMALL).fit(X, y).predict_proba(X)
    assert np.array_equal(AuthorsGradientXGBClassifier(r, q, **SMALL).fit(X, y).predict_proba(X), ours)


@pytest.mark.parametrize(("r", "q"), WRONG[::3])
def test_boosting_moves_away_from_the_labels(r, q):
    X, y = problem(4)
    names = np.array(["a", "b", "c", "d"])[y]
    model = clone(AuthorsGradientXGBClassifier(r, q, **SMALL)).fit(X, names)
    right = clone(RobustXGBClassifier(r, q, **SMALL)).fit(X, names)
    share = np.bincount(y).max() / len(y)
    assert model.score(X, names) < share < right.score(X, names)
    assert set(model.predict(X)) <= set("abcd")


@pytest.mark.parametrize(
    ("n_classes", "params"), [(3, {"multi": "ovr"}), (3, {"loss": "focal"}), (3, {"validation_fraction": 0.1}), (2, {})]
)
def test_what_the_released_code_has_right_is_refused(n_classes, params):
    with pytest.raises(InputError, match="needs three classes, .* use RobustXGBClassifier"):
        AuthorsGradientXGBClassifier(**params).fit(*problem(n_classes))


X, y = make_classification(300, 6, n_informative=3, n_classes=3, flip_y=0.4, random_state=0)
PARAMS = {"n_estimators": 15, "min_samples_split": 60, "ccp_alpha": 0.0, "random_state": 1}


@pytest.mark.parametrize("classes", [3, 2])
def test_a_sample_gets_the_class_that_most_trees_predict(classes):
    labels = np.array(["a", "b", "c"])[y % classes]
    forest = VotingForest(**PARAMS).fit(X, labels)
    by_tree = [list(member.predict(X)) for member in forest.estimators_]
    for i, shares in enumerate(forest.predict_proba(X)):
        votes = [member[i] for member in by_tree]
        assert shares.tolist() == [votes.count(name) / 15 for name in forest.classes_]
        assert forest.predict(X[i : i + 1])[0] == max(forest.classes_, key=votes.count)  # the first of several


def test_its_pruned_copies_vote_too():
    grown = VotingForest(**PARAMS | {"min_samples_split": 2}).fit(X, y)
    [pruned] = grown.prune_path(min_samples_split=[60])
    assert np.array_equal(pruned.predict_proba(X), VotingForest(**PARAMS).fit(X, y).predict_proba(X))
