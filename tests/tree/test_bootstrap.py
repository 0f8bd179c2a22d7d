"""Bootstrap samples: scores out of the bag, forests that grow on, and weights as chances to be drawn."""

from bisect import bisect_right

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from tree.shared import Forest, assert_same_trees, labelled, votes_of

from ironbark import EncodedFeatures, RobustRandomForestClassifier, encode
from ironbark.tree import held_out_votes
from ironbark.tree.growing.bootstrap import Bags, bags_of


@pytest.mark.parametrize(("n_estimators", "share"), [(3, None), (30, None), (30, 0.25)])
@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_samples_are_scored_by_the_trees_that_did_not_draw_them(n_estimators, share):
    X, y = labelled()
    options = {"oob_score": True, "max_samples": share, "min_samples_leaf": 3, "random_state": 1}
    forest = Forest(n_estimators, **options).fit(X, y)
    for seed, samples in zip(forest.seeds_, forest.estimators_samples_, strict=True):
        drawn = np.random.default_rng(seed).integers(0, len(X), int(len(X) * (share or 1)))
        assert np.sort(samples).tolist() == np.sort(drawn).tolist()
    right = []
    for found, votes, label in zip(forest.oob_decision_function_, votes_of(forest, X), y, strict=True):
        if not votes:
            assert np.isnan(found).all()
        else:
            np.testing.assert_allclose(found, np.mean(votes, axis=0), atol=1e-12)
            right.append(forest.classes_[found.argmax()] == label)
    assert (len(right) < len(y)) == (n_estimators == 3)
    assert forest.oob_score_ == pytest.approx(np.mean(right))


@pytest.mark.parametrize(("bootstrap", "weighted", "n_jobs"), [(True, False, 1), (True, True, 2), (False, False, 1)])
@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_a_warm_start_ends_in_the_forest_grown_at_once(bootstrap, weighted, n_jobs):
    X, y = labelled()
    data = X, y, np.random.default_rng(0).exponential(size=len(y)) if weighted else None
    options = {"bootstrap": bootstrap, "oob_score": bootstrap, "random_state": 5, "n_jobs": n_jobs}
    forest = Forest(4, warm_start=True, **options).fit(*data)
    first = list(forest.trees_)
    forest.set_params(n_estimators=25).fit(*data)
    at_once = Forest(25, **options).fit(*data)
    assert_same_trees(forest, at_once)
    assert all(a is b for a, b in zip(first, forest.trees_, strict=False))
    if bootstrap:
        assert np.array_equal(forest.oob_decision_function_, at_once.oob_decision_function_, equal_nan=True)
        assert forest.oob_score_ == at_once.oob_score_


def test_a_warm_start_without_more_trees():
    X, y = labelled()
    forest = Forest(3, warm_start=True).fit(X, y)
    before = forest.predict_proba(X)
    with pytest.warns(UserWarning, match="grows no trees"):
        forest.fit(X, y)
    assert len(forest.trees_) == 3 and np.array_equal(forest.predict_proba(X), before)
    forest.set_params(warm_start=False, n_estimators=2).fit(X[:, :4], y)
    assert len(forest.trees_) == len(forest.seeds_) == 2


@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_other_samples_are_not_scored_by_trees_that_a_warm_start_keeps():
    X, y = labelled()
    forest = Forest(4, warm_start=True).fit(X, y)
    before = forest.predict_proba(X)
    for other in ((X[:-1], y[:-1]), (X[::-1], y[::-1]), (X + 1, y), (X, y, 1.0 + np.arange(len(y)) % 2)):
        with pytest.raises(ValueError, match="of other samples than X and y, or of other weights"):
            forest.set_params(n_estimators=6, oob_score=True).fit(*other)
        assert np.array_equal(forest.predict_proba(X), before)
    forest.fit(encode(X).take(np.arange(len(y))), y)  # the same ones
    assert forest.oob_score_ > 0
    forest.set_params(n_estimators=8, oob_score=False).fit(*other)
    with pytest.raises(ValueError, match="of other samples"):  # half of the trees are of each
        forest.set_params(n_estimators=9, oob_score=True).fit(*other)


@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_a_sparse_matrix_is_scored_in_blocks_out_of_the_bag(monkeypatch):
    X = scipy.sparse.random_array((9000, 80), density=0.05, format="csr", rng=0)
    y = X.sum(axis=1) > 2
    blocks, decode = [], EncodedFeatures.decode
    monkeypatch.setattr(EncodedFeatures, "decode", lambda *args: blocks.append(decode(*args)) or blocks[-1])
    options = {"oob_score": True, "max_depth": 5, "ccp_alpha": 0.0, "random_state": 0}
    sparse, dense = (RobustRandomForestClassifier(3, **options).fit(X, y) for X in (X, X.toarray()))
    assert max(block.nbytes for block in blocks) <= held_out_votes.BLOCK < 8 * X.shape[0] * X.shape[1]
    np.testing.assert_array_equal(sparse.oob_decision_function_, dense.oob_decision_function_)


def weighted(n=200):
    """Three classes, and weights of which every fifth is zero."""
    X, y = make_classification(n, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)
    return X, y, np.random.default_rng(0).exponential(size=n) * (np.arange(n) % 5 > 0)


def test_each_draw_takes_the_sample_whose_share_holds_a_random_number():
    weights = np.array([0, 3, 1, 0, 0, 4, 8, 0])  # the sum is a power of two, so shares are exact
    ends = np.cumsum(weights).tolist()
    for seed in range(5):
        points = np.random.default_rng(seed).random(1000)
        naive = np.bincount([bisect_right(ends, 16 * point) for point in points.tolist()], minlength=8)
        assert naive.tolist() == bags_of(1000, 8, weights).counts(seed).tolist()


def test_the_last_random_number_does_not_leave_the_samples(monkeypatch):
    class Last:
        def random(self, n):
            return np.full(n, np.nextafter(1, 0))

    monkeypatch.setattr("numpy.random.default_rng", lambda seed: Last())
    for total in (0.1, 1 / 3, 1e40, 1e-40):
        weights = np.array([total, total / 7, 0.0])
        assert Bags(3, 2, weights).counts(0).tolist() == [0, 2, 0]


@pytest.mark.parametrize("weight", [1, 2, 0.3])
def test_equal_weights_change_nothing(weight):
    X, y, _ = weighted()
    plain, equal = Forest(5).fit(X, y), Forest(5).fit(X, y, np.full(len(y), weight))
    assert_same_trees(plain, equal)
    assert not hasattr(equal, "sample_weight_")
    assert np.array_equal(bags_of(None, 9, np.full(9, weight)).counts(1), bags_of(None, 9).counts(1))


@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_a_sample_of_weight_zero_is_out_of_all_bags():
    X, y, weights = weighted()
    model = Forest(30, oob_score=True, max_samples=1000)
    model.fit(X, y, weights)
    zero = weights == 0
    np.testing.assert_allclose(model.oob_decision_function_[zero], model.predict_proba(X)[zero])
    labels = np.where(zero, (y + 1) % 3, y)
    assert np.array_equal(model.predict_proba(X), clone(model).fit(X, labels, weights).predict_proba(X))
