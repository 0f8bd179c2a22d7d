"""Categorical features: splits against all partitions of the levels, by hand, and what must not change them."""

import itertools
import pickle
from dataclasses import replace

import naive_criteria
import numpy as np
import pandas as pd
import pytest
from tree.shared import Forest, Tree, trees_of

import ironbark
from ironbark import InputError, RobustRandomForestClassifier, encode
from ironbark.levels import MOST_LEVELS, TOLD_APART
from ironbark.tree.growth import mean_weight

#: Criteria of concave impurities, of whose best partitions one is a threshold in the order of the class shares.
OPTIMAL = {"gini", "entropy", "misclassification", "sqrt_gini", "negative_exponential", "generalized_cross_entropy"}
OPTIMAL |= {"twoing", "pairwise_gain"}
QUICK = {"gini", "misclassification", "credal", "twoing"}
#: Criterion -> a value of its parameter; the search of "twoing_rdts" ends at the first gain that is large enough.
SETTINGS = {name: value for name, value in naive_criteria.SETTINGS if name != "twoing_rdts"}
SETTINGS |= {"negative_exponential": 0.5, "generalized_cross_entropy": 0.7, "credal": 1.0}


def table(n_levels=6, n_classes=2, n=120, seed=0):
    """Levels of at least five samples each, as numbers, and labels whose shares differ by level."""
    rng = np.random.default_rng(seed)
    levels = np.concatenate([np.repeat(np.arange(n_levels), 5), rng.integers(0, n_levels, n - 5 * n_levels)])
    chances = rng.dirichlet(np.ones(n_classes), n_levels).cumsum(axis=1)
    y = (rng.random(n)[:, None] > chances[levels]).sum(axis=1).clip(0, n_classes - 1)
    return levels[:, None].astype(float), y


def best_of_all(name, X, y, value, n_classes):
    """Largest gain of all partitions of the levels in two."""
    counts = np.array([np.bincount(y[X[:, 0] == level], minlength=n_classes) for level in np.unique(X)])
    sides = [np.array(side, bool) for side in itertools.product([0, 1], repeat=len(counts) - 1)]
    lefts = [np.append(side, False) for side in sides if side.any()]
    parts = [(counts[left].sum(axis=0), counts[~left].sum(axis=0)) for left in lefts]
    return max(float(naive_criteria.gain(name, *pair, len(y), value)) for pair in parts)


@pytest.mark.parametrize(
    ("name", "value"),  # each takes seconds to compile
    [pytest.param(*pair, marks=[pytest.mark.slow] * (pair[0] not in QUICK)) for pair in sorted(SETTINGS.items())],
)
def test_the_best_partition_of_two_classes_is_found(name, value):
    found = []
    for seed in range(12):
        X, y = table(seed=seed)
        parameters = {} if value is None else {ironbark.criteria.CRITERIA[name].parameter: value}
        tree = Tree(name, max_depth=1, categorical_features=[0], **parameters).fit(X, y).tree_
        found.append((tree.gain[0], max(best_of_all(name, X, y, value, 2), 0.0)))
    ours, best = np.array(found).T
    assert (ours <= best * (1 + 1e-9) + 1e-12).all()
    if name in OPTIMAL:
        np.testing.assert_allclose(ours, best, rtol=1e-7, atol=1e-10)
    assert ours.sum() >= 0.98 * best.sum()


@pytest.mark.parametrize("name", ["gini", "entropy"])
def test_partitions_of_more_classes_are_nearly_the_best_and_the_best_of_few_levels(name):
    found, few = [], []
    for seed in range(30):
        for n_levels, into in ((7, found), (2 + seed % 3, few)):
            X, y = table(n_levels, 4, 200, seed)
            tree = Tree(name, max_depth=1, categorical_features=[0]).fit(X, y).tree_
            into.append((tree.gain[0], best_of_all(name, X, y, None, 4)))
    ours, best = np.array(found).T
    assert (ours <= best + 1e-12).all() and ours.mean() >= 0.97 * best.mean()
    assert np.isclose(ours, best).mean() > 0.4
    np.testing.assert_allclose(*np.array(few).T, rtol=1e-9)


@pytest.mark.parametrize(("n_rare", "first", "goes"), [(10, 14, 1), (10, 6, 0), (3, 14, 0)])
def test_a_level_that_a_node_lacks_goes_with_rare_ones_or_to_the_side_of_more_samples(n_rare, first, goes):
    levels = np.repeat(np.arange(20), [10] * 18 + [n_rare, 5])
    weights = np.where(levels == 19, 0, 1)  # the node lacks it
    tree = Tree(max_depth=1, categorical_features=[0]).fit(levels[:, None], levels < first, weights)
    assert tree.predict([[18.0], [19.0]]).tolist() == [0, goes]


def test_sets_by_hand():
    words = np.repeat(["ash", "elm", "fir", "oak"], 10)
    y = np.repeat([1, 0, 1, 0], 10)
    X = pd.DataFrame({"tree": words})
    tree = Tree().fit(X, y)
    assert tree.tree_.node_count == 3 and np.isnan(tree.tree_.threshold[0])
    assert tree.tree_.levels[0].tolist() == [0b1010] and tree.is_categorical_.tolist() == [True]
    assert np.array_equal(tree.predict(X), y) and tree.feature_importances_.tolist() == [1.0]
    assert Tree(categorical_features=None).fit(X, y).tree_.node_count == 7
    gaps = pd.DataFrame({"tree": [None, "yew", "elm"]})
    assert Tree().fit(pd.concat([X, gaps[:1]]), [*y, 0]).predict(gaps).tolist() == [0, 0, 0]
    assert Tree().fit(pd.concat([X, gaps[:1]]), [*y, 1]).predict(gaps).tolist() == [1, 1, 0]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", [Tree(), Tree(max_features=2), Forest(5)], ids=str)
def test_the_names_of_levels_do_not_matter(model, n_classes):
    X, y = table(9, n_classes, 400, 1)
    rng = np.random.default_rng(0)
    X = np.column_stack([X, rng.integers(0, 3, 400), rng.normal(size=400)])
    other = X.copy()
    other[:, 0] = rng.permutation(9)[X[:, 0].astype(int)]
    model.set_params(categorical_features=[0, 1])
    one, two = (model.fit(values, y).predict_proba(values) for values in (X, other))
    assert np.mean(np.abs(one - two).max(axis=1) < 1e-9) > 0.97  # ties between features and levels may fall elsewhere


@pytest.mark.parametrize(("n_classes", "seed"), [(2, 0), *((5, seed) for seed in range(6))])  # orders of all kinds win
def test_weights_that_are_no_integers_grow_the_same_tree(n_classes, seed):
    n = 2000  # so many that no two splits tie
    X, y = table(20, n_classes, n, seed)
    X = np.column_stack([np.where(np.arange(n) % 9 == 0, np.nan, X[:, 0]), np.random.default_rng(0).normal(size=n)])
    for options in ({}, {"max_features": 1}):
        model = Tree(max_depth=3, categorical_features=[0], **options)
        one, other = (model.fit(X, y, weights).tree_ for weights in (None, np.full(n, 1.0 + 1e-9)))
        assert np.array_equal(one.feature, other.feature) and np.array_equal(one.levels, other.levels)


@pytest.mark.parametrize("scale", [1 / 2000, 0.2, 3.0, 1e6])
@pytest.mark.parametrize("even", [True, False])
def test_the_scale_of_weights_does_not_matter(scale, even):
    rng = np.random.default_rng(3)
    X, y = table(60, 2, 300 if even else 500)  # even: 5 samples of each level, so that sums of weights are on the edge
    weights, X = rng.uniform(0.5, 1.5, len(y)), np.column_stack([X, rng.normal(size=len(y))])
    weights = np.full(len(y), 0.999999) if even else weights / weights.mean()
    for kind in (Tree(), Forest(3, bootstrap=False)):
        model = kind.set_params(ccp_alpha="auto", categorical_features=[0], random_state=0)
        one, other = (trees_of(model.fit(X, y, own)) for own in (weights, weights * scale * 1.07))
        assert min(len(tree.feature) for tree in one) >= 3
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a.feature, b.feature) and np.array_equal(a.levels, b.levels)
    assert mean_weight(np.array([2.0, 0, 1.0])) == 1.5  # and of two samples with three rows:
    assert mean_weight(np.array([0.5, 0.5, 1.0]), np.array([0, 0, 1])) == 1.0 == mean_weight(np.array([7, 7]))


def test_text_that_is_not_chosen_counts_by_its_rank():
    frame = pd.DataFrame({"city": list("abc") * 1000, "id": [f"k{i}" for i in range(3000)]})
    model = Tree(max_depth=1, categorical_features=["city"]).fit(frame, np.arange(3000) % 2)
    assert len(model.categories_[1]) == 3000 > TOLD_APART and model.is_categorical_.tolist() == [True, False]


@pytest.mark.parametrize("weights", [None, "real"])
def test_children_hold_the_samples_that_training_sent_there(weights):
    X, y = table(70, 3, 900)
    X = np.column_stack([np.where(np.arange(900) % 7 == 0, np.nan, X[:, 0]), X[::-1, 0] % 5])
    own = None if weights is None else np.random.default_rng(1).uniform(0.5, 2, 900)
    model = Tree(categorical_features=[0, 1], max_depth=6).fit(X, y, own)
    tree, leaves = model.tree_, model.apply(X)
    counts = np.zeros_like(tree.counts, dtype=float)
    np.add.at(counts, (leaves, y), 1.0 if own is None else own)
    is_leaf = tree.children_left == -1
    np.testing.assert_allclose(counts[is_leaf], tree.counts[is_leaf])
    assert tree.levels.shape[1] == 2 and (tree.levels[is_leaf] == 0).all()


def test_encoded_features_and_files_and_pruning(tmp_path):
    X, y = table(9, 3, 400)
    given = Forest(5, categorical_features=[0]).fit(X, y)
    encoded = replace(encode(X), flags=np.array([True]))
    same = Forest(5).fit(encoded, y)
    assert np.array_equal(given.predict_proba(X), same.predict_proba(X))
    assert np.array_equal(same.predict_proba(X), same.predict_proba(encoded))
    assert all(tree.levels is None for tree in trees_of(Forest(5, categorical_features=None).fit(encoded, y)))
    ironbark.save(given, tmp_path / "model.ib")
    for other in (ironbark.load(tmp_path / "model.ib"), pickle.loads(pickle.dumps(given))):
        assert np.array_equal(other.predict_proba(X), given.predict_proba(X))
        assert other.is_categorical_.tolist() == [True]
    [smaller] = given.prune_path(max_depth=[1])
    assert smaller.predict(X).shape == y.shape and given.estimators_[0].predict(X).shape == y.shape
    wild = np.array([[-3.0], [1e9], [np.nan], [2.5]])  # none of them is a level
    assert np.isfinite(given.trees_[0].apply(wild)).all() and given.predict(wild).shape == (4,)
    with pytest.raises(InputError, match="scikit-learn's trees cannot part .* categorical_features=None"):
        given.to_sklearn()
    [leaf] = Tree(categorical_features=[0]).fit(X, y).prune_path(ccp_alpha=[1.0])
    assert leaf.tree_.levels is None and leaf.to_sklearn().get_n_leaves() == 1  # no split by levels is left


def test_text_of_a_tree_names_features_levels_and_classes():
    words, size = np.repeat(list("abcd"), 10), np.tile(np.arange(10.0), 4)
    X = pd.DataFrame({"word": words, "size": size, "width": pd.Categorical(["s", "m"] * 20, ["s", "m"], ordered=True)})
    y = np.where(np.isin(words, ["a", "c"]), "no", np.where(size > 6, "yes", "no"))
    tree = Tree(ccp_alpha=0.0).fit(X, y)
    assert tree.to_text().splitlines() == [
        "all samples: no (85% of 40)",
        "    size <= 6.5: no (100% of 28)",
        f"    size > 6.5: {tree.classes_[tree.tree_.prediction[2]]} (50% of 12)",
        "        word in {a, c}: no (100% of 6)",
        "        word not in {a, c}: yes (100% of 6)",
    ]
    assert tree.to_text(1).endswith("(50% of 12, splits further)") and tree.to_text(1).count("\n") == 2
    gaps = X.assign(size=np.where(size > 6, np.nan, 0.0))
    assert "size is missing: " in Tree(ccp_alpha=0.0).fit(gaps[["size"]], y).to_text()
    large = Tree(ccp_alpha=0.0).fit(X[["size"]] + 1579520000, size > 6).to_text()
    assert "size <= 1579520006.5: " in large
    text = Tree(ccp_alpha=0.0).fit(X[["width"]], np.array(["no", "yes"] * 20)).to_text()
    assert text.splitlines()[1:] == ["    width <= s: no (100% of 20)", "    width > s: yes (100% of 20)"]


def test_many_levels():
    n = 6000
    words = np.array([f"w{i}" for i in range(2000)])[np.random.default_rng(0).integers(0, 2000, n) ** 2 // 2000]
    X, y = pd.DataFrame({"word": words}), np.array([len(word) % 2 for word in words])
    model = RobustRandomForestClassifier(20, random_state=0).fit(X, y)
    levels = model.categories_[0]
    assert len(levels) == TOLD_APART and levels[-1] is None and levels[:-1] == sorted(levels[:-1])
    counts = pd.Series(words).value_counts()
    assert counts[levels[:-1]].min() >= counts.drop(levels[:-1]).max() and model.score(X, y) > 0.8
    rare = counts.index[-1]
    assert np.array_equal(model.predict(pd.DataFrame({"word": [rare]})), model.predict(pd.DataFrame({"word": ["new"]})))
    many = pd.DataFrame({"id": [f"w{i}" for i in range(MOST_LEVELS + 1)]})
    with pytest.raises(InputError, match="column 'id' of X has 65001 different levels, but .* may have 65000; leave"):
        RobustRandomForestClassifier(2).fit(many, np.arange(len(many)) % 2)


#: Values of `categorical_features`, and what is said of them.
REFUSED = [
    ([3], "holds 3, but X has columns x, word"),
    (["y"], "holds 'y', but X has columns x, word; give names or positions of those"),
    ([True], "has 1 truth values for 2 features; give one for each"),
    ([0.5], "holds 0.5, but"),
]


@pytest.mark.parametrize(("chosen", "sentence"), REFUSED, ids=str)
def test_other_features_are_refused(chosen, sentence):
    X = pd.DataFrame({"x": [1.5, 2.5, 3.5, 2.5], "word": list("abab")})
    with pytest.raises(InputError, match=sentence):
        Tree(categorical_features=chosen).fit(X, [0, 1, 0, 1])
    with pytest.raises(InputError, match="compat='rdts' knows no categorical features"):
        Tree(categorical_features=["word"], compat="rdts").fit(X, [0, 1, 0, 1])
    with pytest.raises(InputError, match="feature 0 of X has 3 values up to 3.5"):
        Tree(categorical_features=[0]).fit(encode(X[["x"]]), [0, 1, 0, 1])
    most = encode(np.arange(MOST_LEVELS + 1.0)[:, None])
    with pytest.raises(InputError, match="feature 0 of X has 65001 values up to 65000"):
        most.with_categories([0])
    assert encode(most.decode()[:-1]).with_categories([0]).categorical.tolist() == [True]
    with pytest.raises(InputError, match="column 'word' of X holds 1, but held text in fit"):
        Tree(categorical_features=["word"]).fit(X, [0, 1, 0, 1]).predict(X.assign(word=1))
    for same in ([False, True], ["word", np.int64(1)]):
        assert Tree(categorical_features=same).fit(X, [0, 1, 0, 1]).is_categorical_.tolist() == [False, True]
