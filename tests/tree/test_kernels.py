"""The kernels give the same trees as plain Python, and stay within their arrays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tree.shared import COLUMNS, Forest, Tree, assert_path_ends_at

import ironbark
from ironbark.criteria import CRITERIA
from ironbark.tree.growing import binary, sparse
from ironbark.tree.growing.attribute_lists import attribute_lists
from ironbark.tree.growing.thresholds.node_threshold import BY_ROW

LARGE = BY_ROW + 300
FOLDERS = os.pathsep.join([str(Path(ironbark.__file__).parents[1]), str(Path(__file__).parents[1])])


@pytest.mark.parametrize("n_levels", [1, 2, 9, 70_000])
def test_attribute_lists_hold_the_samples_off_the_most_frequent_code(n_levels):
    features = ironbark.encode(np.random.default_rng(n_levels).integers(0, n_levels, (70_001, 2)))
    lists = attribute_lists(features)
    for j, codes in enumerate(features.codes):
        mode, order = np.bincount(codes).argmax(), np.argsort(codes, kind="stable")
        own = lists.entries[lists.offsets[j] : lists.offsets[j + 1]]
        assert lists.mode[j] == mode and np.array_equal(own & (2**lists.shift - 1), order[codes[order] != mode])
        assert np.array_equal(own >> lists.shift, np.sort(codes[codes != mode]))


def fits(criteria, class_counts, n):
    """Trees by criterion, number of classes and way of growing; weights, ties, zeros and gaps included."""
    trees = {}
    for name in criteria:
        for n_classes in class_counts if "multiclass" in CRITERIA[name].tasks else (2,):
            X, y, weights = problem(n_classes, n)
            limits = {"random_state": 1, "max_depth": None if n == 40 else 3}  # large trees take long in plain Python
            plain = Tree(name, **limits).fit(X, y)
            weighted = Tree(name, **limits).fit(X, y, weights)
            forest = Forest(2, criterion=name, **limits).fit(X, y)
            walked(plain, X)
            found = [plain.tree_, weighted.tree_, *forest.trees_]
            if n > 40:  # labels and keys of more bits: further kernels to compile
                heavy = Forest(1, criterion=name, constant_features="count", bootstrap=False, **limits)
                found += heavy.fit(X, y, 300 * weights).trees_
            else:
                rng = np.random.default_rng(n_classes)
                gaps, shares = np.where(rng.random(X.shape) < 0.2, np.nan, X), rng.random(n)
                found += [Tree(name, **limits).fit(gaps, y, shares).tree_]
                quirky = Forest(2, criterion=name, compat="rdts", **limits)
                found += quirky.fit(gaps, y).trees_
            columns = (*COLUMNS, "missing_go_to_left")
            trees[f"{name} {n_classes}"] = [{c: getattr(tree, c).tolist() for c in columns} for tree in found]
            assert np.array_equal(plain.predict(X), y) or plain.get_n_leaves() < n
    return trees


def problem(n_classes, n):
    """Few levels and many, features of many zeros, a constant one."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, levels, n) * (rng.random(n) < 0.7) for levels in (2, 3, 9, n)])
    X = np.column_stack([X, np.floor(9 * n * rng.random(n)) * (rng.random(n) < 0.4), np.ones(n)]) if n > 40 else X
    y = np.where(rng.random(n) < 0.5, X[:, 2] % n_classes, rng.integers(0, n_classes, n)).astype(int)
    return X, y, rng.integers(0, 3, n)


def walked(fitted, X):
    """Everything that walks or cuts a grown tree, for its bounds."""
    assert_path_ends_at(fitted.apply(X), fitted.decision_path(X))
    for values in ({"max_depth": [2]}, {"ccp_alpha": [0.01]}):
        [pruned] = fitted.prune_path(**values)
        assert pruned.get_n_leaves() <= fitted.get_n_leaves()


def run(code):
    """Standard output of a fresh process of plain Python."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code],
        env={**os.environ, "PYTHONPATH": FOLDERS, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "arguments", [(list(CRITERIA), (2, 3), 40), (["gini"], (2,), LARGE), (["gini"], (3,), LARGE)], ids=["all", "2", "3"]
)
def test_plain_python_grows_the_same_trees(arguments):
    """Large nodes have more samples than codes by row and few keys are for: columns, radix sort, zeros left out."""
    here = fits(*arguments)
    code = f"import json; from tree.test_kernels import fits; print(json.dumps(fits{arguments}))"
    there = json.loads(run(code))
    assert here.keys() == there.keys()
    assert sum(len(tree["feature"]) > 1 for trees in here.values() for tree in trees) > len(here)
    for name, trees in here.items():
        for one, other in zip(trees, there[name], strict=True):
            gains = one.pop("gain"), other.pop("gain")
            assert one == other, name
            np.testing.assert_allclose(*gains, rtol=1e-12, atol=1e-15)


DOUBLING = """
import numpy as np
from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier

def balanced(left, right, parameters):
    return float(min(left.sum(), right.sum()))

X, y, weights = np.arange(34.0)[:, None], np.tile([0, 1], 17), 2 ** np.repeat(np.arange(17), 2)
tree = RobustDecisionTreeClassifier(balanced, ccp_alpha=0.0).fit(X, y, weights)
options = {"criterion": balanced, "max_features": 1, "bootstrap": False, "ccp_alpha": 0.0}
forest = RobustRandomForestClassifier(1, **options).fit(np.hstack([X, X]), y, weights)
print(tree.get_n_leaves(), forest.get_n_leaves())
"""


def test_the_stack_holds_siblings_of_doubling_weights():
    """Each split leaves a heavy pair to wait: the stack grows with the weights, not with the number of samples."""
    assert run(DOUBLING).split() == ["34", "34.0"]


@pytest.mark.parametrize(("module", "name"), [(binary, "Binary"), (sparse, "Sparse")])
@pytest.mark.parametrize(
    ("criterion", "n_classes", "options"),
    [("gini", 2, {}), ("entropy", 3, {"min_samples_leaf": 4}), ("pairwise_gain", 2, {"constant_features": "count"})],
)
def test_counting_what_is_above_zero_grows_the_same_trees(module, name, criterion, n_classes, options, monkeypatch):
    rng, n = np.random.default_rng(3), LARGE + 400
    X = (rng.random((n, 40)) < rng.random(40) ** 3).astype(float)
    X[:, 5], X[:, 22], X[::9, 30] = rng.integers(0, 6, n), rng.normal(size=n), np.nan  # not binary, like the next
    X[:, 7] *= rng.normal(size=n)
    y = (X[:, :9].sum(axis=1) + X[:, 22] + rng.random(n)).astype(int) % n_classes
    forests, counted, task = [], [], getattr(module, name)
    monkeypatch.setattr(binary, "LEAST_CODES", 2**62)
    monkeypatch.setattr(sparse, "MOST_SHARE", 1.0)
    monkeypatch.setattr(module, name, lambda *parts: counted.append(1) or task(*parts))
    for least in (0, 2**62):
        monkeypatch.setattr(module, "LEAST_CODES", least)
        forests.append(Forest(4, criterion=criterion, random_state=0, **options).fit(X, y))
        assert len(counted) == 4
    for one, other in zip(*(forest.trees_ for forest in forests), strict=True):
        assert one.node_count > 300 and all(np.array_equal(getattr(one, c), getattr(other, c)) for c in COLUMNS)
