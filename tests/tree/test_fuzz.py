"""Small data sets and parameters that hypothesis makes up: naive trees, and invariants of every fitted tree."""

import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tree.shared import Forest, Tree, assert_naive, assert_path_ends_at, assert_same

from ironbark import encode
from ironbark.criteria import CRITERIA
from ironbark.tree.growing.bootstrap import bags_of

pytestmark = [
    pytest.mark.filterwarnings("ignore:invalid value encountered in reduce"),  # of inf - inf in a check of X
    pytest.mark.filterwarnings("ignore:overflow encountered in reduce"),
    pytest.mark.filterwarnings("ignore:The number of unique classes"),
]
OPTIONS = {"derandomize": True, "deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}

#: dtype -> values beside small numbers: ends of the range, neighbours, signed zeros, denormals.
EXTREMES = {
    np.float64: [-1e300, -1.0, np.nextafter(-1, 0), -1e-300, -5e-324, -0.0, 5e-324, 1e-300, np.nextafter(1, 2), 1e300],
    np.float32: [-3e38, -1e-38, -1e-45, -0.0, 1e-45, 1.0, float(np.nextafter(np.float32(1), np.float32(2))), 3e38],
    np.uint8: [254, 255],
    np.int16: [-(2**15), -1, 2**15 - 1],
    np.int64: [-(2**53), 1 - 2**53, -1, 2**53 - 1, 2**53],
    np.uint64: [2**53 - 1, 2**53],
}
PARAMETERS = {"lam": st.integers(0, 22), "q": st.integers(0, 21), "s": st.integers(0, 60)}  # in twentieths


@dataclass
class Case:
    """A data set and the parameters of an estimator."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    seed: int
    max_features: int | None
    count: bool
    limits: dict = field(default_factory=dict)
    parameter: dict = field(default_factory=dict)

    @property
    def options(self):
        draws = {"max_features": self.max_features, "constant_features": "count" if self.count else "skip"}
        return {**draws, **self.limits, **self.parameter, "random_state": self.seed}


@st.composite
def cases(draw, criterion):
    """Ties, copies, constant features, missing values and classes; one sample at least."""
    n, d = draw(st.integers(1, 24)), draw(st.integers(1, 5))
    n_classes = draw(st.integers(2, 20 if "multiclass" in CRITERIA[criterion].tasks else 2))
    dtype = draw(st.sampled_from(list(EXTREMES)))
    levels = draw(st.lists(st.sampled_from(LEVELS), min_size=d, max_size=d))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))  # lists that hypothesis draws are mostly too simple
    name = CRITERIA[criterion].parameter
    X = np.column_stack([column(rng, n, dtype, number) for number in levels])
    if X.dtype.kind == "f" and draw(st.booleans()):
        X[rng.random(X.shape) < 0.2] = np.nan
    return Case(
        X,
        rng.integers(0, n_classes, n),
        rng.permutation([1, *rng.integers(0, 4, n - 1)]) if draw(st.booleans()) else None,
        draw(st.integers(0, 2**31 - 1)),
        draw(st.none() | st.integers(1, d)),
        draw(st.booleans()),
        draw(st.fixed_dictionaries({}, optional=LIMITS)),
        {} if name is None else {name: draw(PARAMETERS[name]) / 20},
    )


def column(rng, n, dtype, levels):
    """A feature of so many small numbers and extreme values, or of many numbers."""
    pool = np.array([*range(4), *EXTREMES[dtype]], dtype) if levels < 200 else np.arange(levels).astype(dtype)
    return rng.choice(rng.choice(pool, levels), n)


LEVELS = [1, 2, 3, 9, 200]  # of a feature
LIMITS = {
    "max_depth": st.integers(1, 4),
    "min_samples_split": st.integers(2, 6),
    "min_samples_leaf": st.integers(1, 4),
    "min_impurity_decrease": st.sampled_from([0.0, 0.0137, 0.0731]),
}


def check_leaves(model, tree, case, weights):
    """Each sample reaches the leaf that counted it, by thresholds alone, whatever the type of X."""
    leaves, y = tree.apply(case.X.astype(np.float64)), np.searchsorted(model.classes_, case.y)
    counts = np.zeros(tree.counts.shape)
    np.add.at(counts, (leaves, y), 1 if weights is None else weights)
    final = tree.children_left == -1
    assert np.array_equal(counts[final], tree.counts[final])
    children = tree.counts[tree.children_left[~final]] + tree.counts[tree.children_right[~final]]
    assert np.array_equal(children, tree.counts[~final])
    return leaves


def check_predictions(model, case, leaves):
    tree = model.tree_
    for data in (case.X, encode(case.X), case.X.astype(np.float64)):
        assert np.array_equal(model.apply(data), leaves)
        assert np.array_equal(model.predict(data), model.classes_[tree.prediction[leaves]])
    proba = model.predict_proba(case.X)
    np.testing.assert_allclose(proba, tree.counts[leaves] / tree.counts[leaves].sum(axis=1)[:, None])
    assert_path_ends_at(leaves, model.decision_path(case.X))
    loaded = pickle.loads(pickle.dumps(model))
    assert_same(loaded.tree_, tree)
    assert np.array_equal(loaded.predict(case.X), model.predict(case.X))


def check_pruned(model, case, criterion):
    """Pruned copies are the trees grown anew under stricter rules."""
    least, depth = model.min_samples_split, model.max_depth
    depths = [d for d in (1, 2, 3) if depth is None or d <= depth]
    paths = {"min_samples_split": [least, least + 2], "max_depth": depths}
    for name, values in paths.items():
        for value, pruned in zip(values, model.prune_path(**{name: values}), strict=True):
            anew = Tree(criterion, **{**case.options, name: value})
            assert_same(pruned.tree_, anew.fit(case.X, case.y, case.weights).tree_)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees(criterion):
    splits = []

    @settings(max_examples=60, **OPTIONS)
    @given(cases(criterion))
    def check(case):
        model = Tree(criterion, **case.options).fit(case.X, case.y, case.weights)
        splits.append(assert_naive(model, case.X, case.y, case.weights) // 2)
        check_predictions(model, case, check_leaves(model, model.tree_, case, case.weights))
        check_pruned(model, case, criterion)

    check()
    assert max(splits) > 3 and np.mean(np.array(splits) > 0) > 0.4


@pytest.mark.parametrize("criterion", CRITERIA)
def test_forests(criterion):
    splits = []

    @settings(max_examples=20, **OPTIONS)
    @given(cases(criterion), st.booleans())
    def check(case, bootstrap):
        options = {"criterion": criterion, "bootstrap": bootstrap, **case.options}
        alone, shared = (Forest(4, n_jobs=n_jobs, **options).fit(case.X, case.y, case.weights) for n_jobs in (1, 2))
        for tree, other, seed in zip(alone.trees_, shared.trees_, alone.seeds_, strict=True):
            assert_same(tree, other)
            weights = bags_of(None, len(case.y), case.weights).counts(seed) if bootstrap else case.weights
            splits.append(assert_naive(alone, case.X, case.y, weights, tree=tree, seed=seed) // 2)
            check_leaves(alone, tree, case, weights)
        assert np.array_equal(alone.predict_proba(case.X), pickle.loads(pickle.dumps(shared)).predict_proba(case.X))

    check()
    assert sum(splits) > 20
