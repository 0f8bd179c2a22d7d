"""Self-tuned trees and forests: against twins that try each alpha by itself."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification
from tree.shared import assert_same_trees, votes_of, with_gaps

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier, encode
from ironbark.noise import corrupt
from ironbark.tree import cross_validation, size_selection

Tree = partial(RobustDecisionTreeClassifier, random_state=0)
Forest = partial(RobustRandomForestClassifier, random_state=0)


def problem(seed=0, n=240, n_classes=3, rate=0.4):
    X, y = make_classification(n, 6, n_informative=4, n_redundant=0, n_classes=n_classes, random_state=seed)
    return X.round(1), corrupt("uniform", None, y, rate=rate, random_state=np.random.default_rng(seed))


def brier(votes, y, classes, weights):
    """Loss, class by class, and weight of each sample with votes."""
    means = [(np.mean(vote, axis=0), *rest) for vote, *rest in zip(votes, y, weights, strict=True) if vote]
    return [(sum((p[k] - (y == name)) ** 2 for k, name in enumerate(classes)), w) for p, y, w in means if w > 0]


def assert_path(model, losses, has_splits=None):
    """Mean losses of each alpha, standard errors of their distance from the lowest, and the alpha that follows."""
    shares = [w / sum(w for _, w in losses[0]) for _, w in losses[0]]
    means = [sum(w * loss for w, (loss, _) in zip(shares, of_alpha, strict=True)) for of_alpha in losses]
    best = losses[int(np.argmin(np.round(means, 13)))]
    errors = []
    for of_alpha, mean in zip(losses, means, strict=True):
        gaps = [one - other - (mean - min(means)) for (one, _), (other, _) in zip(of_alpha, best, strict=True)]
        errors.append(sum((w * gap) ** 2 for w, gap in zip(shares, gaps, strict=True)) ** 0.5)
    path = model.ccp_path_
    np.testing.assert_allclose([path["brier_score"], path["standard_error"]], [means, errors], atol=1e-12, rtol=0)
    near = [mean - min(means) <= error + 1e-13 for mean, error in zip(means, errors, strict=True)]
    lowest = int(np.argmin(np.round(means, 13)))
    assert model.ccp_alpha_ == path["ccp_alpha"][lowest if has_splits and has_splits[lowest] else near.index(True)]


def slow_losses(forest, X, y, weights=None):
    """Out-of-bag losses of each alpha, and whether it leaves splits: prune with it, predict by the trees without."""
    weights = np.ones(len(y)) if weights is None else weights
    whole = clone(forest).set_params(ccp_alpha=0.0).fit(X, y, weights)
    losses, has_splits = [], []
    for pruned in whole.prune_path(ccp_alpha=forest.ccp_path_["ccp_alpha"].tolist()):
        losses.append(brier(votes_of(pruned, X), y, forest.classes_, weights))
        has_splits.append(any(tree.node_count > 1 for tree in pruned.trees_))
    return losses, has_splits


def weights_of(kind, n):
    rng = np.random.default_rng(0)
    return {None: None, "real": rng.random(n), "counts": rng.integers(0, 4, n)}[kind]


#: Numbers of classes, kinds of weights, and parameters.
CASES = {
    "plain": (3, None, {}),
    "missing values": (3, None, {}),
    "real weights": (3, "real", {}),
    "counts": (3, "counts", {}),
    "credal": (3, None, {"criterion": "credal"}),
    "rdts": (3, None, {"criterion": "twoing", "compat": "rdts"}),
    "many draws of weights": (3, "real", {"max_samples": 90}),
    "few trees": (3, None, {"n_estimators": 3}),
    "shallow": (3, None, {"max_depth": 4, "min_samples_leaf": 3}),
    "own alphas": (3, None, {"ccp_alpha": [0.03, 0, 0.004]}),
}


@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_forests_pruned_with_each_alpha(name):
    n_classes, kind, options = CASES[name]
    X, y = problem(n=70, n_classes=n_classes)
    X = with_gaps(X, 0.1) if name == "missing values" else X
    weights = weights_of(kind, len(y))
    forest = Forest(**{"n_estimators": 12, "random_state": 1, **options}).fit(X, y, weights)
    assert_path(forest, *slow_losses(forest, X, y, weights))
    alphas = forest.ccp_path_["ccp_alpha"]
    assert list(alphas) == sorted(set(options.get("ccp_alpha", alphas)))


TUNED = [Forest(8, criterion="misclassification", bootstrap=False), Forest(8, max_leaf_nodes=9)]


@pytest.mark.parametrize("tuned", [*TUNED, Tree(min_samples_leaf=4)], ids=str)
def test_the_model_is_the_one_of_the_chosen_alpha(tuned):
    X, y = problem()
    tuned = clone(tuned).fit(X, y)
    assert tuned.ccp_alpha_ > 0  # of 40 % wrong labels
    fixed = clone(tuned).set_params(ccp_alpha=tuned.ccp_alpha_).fit(X, y)
    assert_same_trees(tuned, fixed)
    assert not hasattr(fixed, "ccp_path_") and fixed.ccp_alpha_ == tuned.ccp_alpha_


@pytest.mark.parametrize("kind", [None, "counts", "real"])
def test_trees_are_scored_by_cross_validation(kind):
    X, y = problem(n=90)
    given = weights_of(kind, len(y))
    weights = np.ones(len(y), int) if given is None else given
    tree = Tree("entropy", random_state=4).fit(X, y, given)
    seed = np.random.RandomState(4).randint(np.iinfo(np.int32).max)
    folds = cross_validation.fold_numbers(y, weights, np.random.default_rng(seed))
    used = weights > 0
    spread = [np.bincount(folds[(y == label) & used], minlength=5) for label in np.unique(y)]
    assert np.ptp(spread, axis=1).max() <= 1  # evenly
    expected, accuracies = [], []
    for alpha in tree.ccp_path_["ccp_alpha"].tolist():
        votes = [[] for _ in y]
        for fold in range(5):
            kept = (folds != fold) & used
            twin = Tree("entropy", ccp_alpha=alpha, random_state=4).fit(X[kept], y[kept], weights[kept])
            for i, p in zip(np.flatnonzero(folds == fold), twin.predict_proba(X[folds == fold]), strict=True):
                votes[i].append(p)
        expected.append(brier(votes, y, tree.classes_, weights))
        shares = np.array([vote[0] if vote else np.full(len(tree.classes_), np.nan) for vote in votes])
        most = shares.max(axis=1, keepdims=True)
        chance = (shares == most) / (shares == most).sum(axis=1, keepdims=True)
        accuracies.append(np.average(chance[used, np.searchsorted(tree.classes_, y[used])], weights=weights[used]))
    np.testing.assert_allclose(tree.ccp_path_["accuracy"], accuracies, rtol=1e-12)
    assert_path(tree, expected)


def test_trees_of_many_classes_are_not_pruned_far_below_their_accuracy():
    """The digits by 250 samples with 40 % noise: the lowest Brier score is that of few leaves."""
    X, y = load_digits(return_X_y=True)
    z = corrupt("uniform", None, y[:250], rate=0.4, random_state=np.random.default_rng(0))
    tree = Tree(random_state=0).fit(X[:250], z)
    path, lowest = tree.ccp_path_, tree.ccp_path_["brier_score"].argmin()
    near = path["accuracy"].max() - path["accuracy"] <= 2 * path["accuracy_error"]
    assert not near[lowest] and near[path["ccp_alpha"] == tree.ccp_alpha_].all()
    others = [Tree(ccp_alpha=alpha, random_state=0).fit(X[:250], z) for alpha in (0.0, path["ccp_alpha"][lowest])]
    assert tree.score(X[250:], y[250:]) > max(other.score(X[250:], y[250:]) for other in others)


def test_threads_encodings_and_blocks_do_not_change_a_bit(monkeypatch):
    X, y = problem(n=500)
    forests = [Forest(10, n_jobs=jobs).fit(encode(X), y) for jobs in (1, 3)]
    forests.append(Forest(10).fit(X, y))
    monkeypatch.setattr("ironbark.tree.held_out_votes.BLOCK", 2**12)
    forests.append(Forest(10, n_jobs=2).fit(X, y))
    for other in forests[1:]:
        assert np.array_equal(forests[0].ccp_path_["brier_score"], other.ccp_path_["brier_score"])
        assert_same_trees(forests[0], other)


@pytest.mark.parametrize(
    ("first", "alpha"), [("auto", "auto"), ("auto", 0.0), (0.0, "auto"), (0.02, "auto"), (0.02, 0)]
)
@pytest.mark.parametrize("bootstrap", [True, False])
def test_a_warm_start_ends_in_the_forest_chosen_at_once(bootstrap, first, alpha):
    X, y = problem()
    options = {"bootstrap": bootstrap, "random_state": 5}
    forest = Forest(6, ccp_alpha=first, warm_start=True, **options).fit(X, y)
    forest.set_params(n_estimators=20, ccp_alpha=alpha).fit(X, y)
    at_once = Forest(20, ccp_alpha=alpha, **options).fit(X, y)
    if alpha == "auto":
        assert np.array_equal(forest.ccp_path_["brier_score"], at_once.ccp_path_["brier_score"])
    assert_same_trees(forest, at_once)


def test_copies_and_other_libraries_get_the_chosen_alpha():
    X, y = problem()
    for estimator in (Forest(10), Tree()):
        model = clone(estimator).fit(X, y)
        assert model.get_params()["ccp_alpha"] == "auto" and model.to_sklearn().ccp_alpha == model.ccp_alpha_
        larger = model.ccp_alpha_ + 0.01
        [pruned] = model.prune_path(ccp_alpha=[larger])
        assert (pruned.ccp_alpha_, hasattr(pruned, "ccp_path_")) == (larger, False)
        assert_same_trees(pruned, clone(model).set_params(ccp_alpha=larger).fit(X, y))
        with pytest.raises(ValueError, match="ccp_alpha=0 to prune"):
            list(model.prune_path(max_depth=[2]))


@pytest.mark.parametrize("kind", [Tree, Forest])
@pytest.mark.filterwarnings("ignore:no sample was left out")
def test_odd_training_sets(kind):
    X, y = problem(n=60)
    one_class = kind().fit(X, np.full(60, "a"))
    assert set(one_class.predict(X)) == {"a"} and one_class.ccp_alpha_ == 0
    constant = kind().fit(np.ones((60, 2)), y)
    assert constant.predict_proba(X[:1, :2]).shape == (1, 3)
    rare = kind().fit(X[:9], np.arange(9))  # classes that bags and folds lack
    assert rare.predict_proba(X).shape == (60, 9) and np.isfinite(rare.predict_proba(X)).all()
    with pytest.raises(ValueError, match="zero for all samples"):
        kind().fit(X, y, np.zeros(60))
    assert kind().fit(X, y, (np.arange(60) == 7) * 1.0).ccp_alpha_ == 0
    weights = (np.arange(60) < 50).astype(int)  # samples of weight zero are not scored
    one, two = (kind().fit(X, np.where(weights, y, other), weights) for other in (y, (y + 1) % 3))
    assert np.array_equal(one.ccp_path_["brier_score"], two.ccp_path_["brier_score"])


def test_alphas_to_choose_from_by_default():
    assert size_selection.candidates("auto", 100).tolist() == [0, *(2.0**i / 100 for i in range(-2, 8))]
    X, y = problem(n=80)
    counts = np.full(80, 3)
    for weights, n in ((counts, 240), (counts * 1000, 640), (counts / 2, 80)):  # many copies are a scale
        assert Tree().fit(X, y, weights).ccp_path_["ccp_alpha"][3] == pytest.approx(1 / n)
    forest = Forest(5, max_samples=40).fit(X, y, counts)
    assert forest.ccp_path_["ccp_alpha"][3] == pytest.approx(1 / 40)
    real = np.append(counts / 2, np.zeros(720))  # nor do samples that do not count
    for model in (Tree(), Forest(5, bootstrap=False)):
        assert model.fit(np.tile(X, (10, 1)), np.tile(y, 10), real).ccp_path_["ccp_alpha"][3] == pytest.approx(1 / 80)
