"""Slow, obvious twin of tree growing, written from the definitions alone."""

import functools
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from naive_criteria import gain

TIE = 1e-9  # relative difference below which two gains are tied
ZERO = 1e-12  # gains up to here are rounding errors; on small data the smallest true gain is far above

BITS = 2**64 - 1


def mix(z):
    """splitmix64's finalizer on Python integers."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & BITS
    return z ^ z >> 31


def draw(key, index, bound):
    return (mix(key + (index + 1) * 0x9E3779B97F4A7C15 & BITS) >> 32) * bound >> 32


@dataclass
class AllFeatures:
    """Visit every feature that varies in the node, in an order shuffled from the parent's."""

    order: list

    def visit(self, X, key):
        self.order = order = [j for j in self.order if len(np.unique(X[:, j])) > 1]
        for i in range(len(order)):
            other = i + draw(key, i, len(order) - i)
            order[i], order[other] = order[other], order[i]
            yield order[i]


SMALL = 128


@dataclass
class DrawnFeatures:
    """Visit `limit` features drawn at random from those not known to be constant; constants met go to the front.

    A node of fewer than `SMALL` rows takes all that vary, in ascending order, first. With `count` known constants can
    be drawn as well, and each constant uses up one of the `limit` draws, but one varying feature is visited anyway.
    """

    order: list
    limit: int
    count: bool = False
    n_constant: int = 0

    def visit(self, X, key):
        order, varies = self.order, [len(np.unique(column)) > 1 for column in X.T]
        if len(X) < SMALL:
            kept = np.flatnonzero(varies).tolist()
            self.n_constant = len(order) - len(kept)
            order[self.n_constant :] = kept  # those in front are never asked for again
        i, found, drawn, hidden = self.n_constant, 0, 0, self.n_constant if self.count else 0
        while i < len(order) and (found == 0 or (drawn if self.count else found) < self.limit):
            number = draw(key, i - hidden, hidden + len(order) - i)
            drawn += 1
            if number < hidden:
                hidden -= 1
                continue
            other = i + number - hidden
            order[i], order[other] = order[other], order[i]
            feature = order[i]
            if varies[feature]:
                found += 1
                yield feature
            else:
                order[i], order[self.n_constant] = order[self.n_constant], order[i]
                self.n_constant += 1
            i += 1


@dataclass
class Node:
    counts: np.ndarray
    prediction: int
    feature: int = -1
    threshold: float = float("nan")
    gain: float = 0.0
    to_left: bool = False  # where missing values go
    left: "Node" = None
    right: "Node" = None


@dataclass
class Grower:
    """Grows a tree by trying every threshold; samples of weight w are w rows of X."""

    criterion: str
    n_classes: int
    n_root: int
    parameter: float = None
    max_depth: float = float("inf")
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0

    def grow(self, X, y, features, key, depth=0):
        counts = np.bincount(y, minlength=self.n_classes)
        tied = np.flatnonzero(counts == counts.max())
        node = Node(counts, tied[draw(key, 2**40, len(tied))] if len(tied) > 1 else tied[0])
        if counts.max() == len(y) or depth >= self.max_depth or len(y) < self.min_samples_split:
            return node
        features = replace(features, order=list(features.order))
        best = self.search(X, y, features, key)
        if best is None:
            return node
        node.gain, node.feature, node.threshold, node.to_left, goes_left = best
        for side, rows in enumerate((goes_left, ~goes_left)):
            child_key = mix(key ^ (side + 1) * 0xD1342543DE82EF95 & BITS)
            child = self.grow(X[rows], y[rows], features, child_key, depth + 1)
            setattr(node, ("left", "right")[side], child)
        return node

    def search(self, X, y, features, key):
        """(gain, feature, threshold, ...) of the best split; the first visited and lowest among tied ones."""
        best = None
        for feature in features.visit(X, key):
            for value, *split in self.splits(X[:, feature], y):
                if value > (ZERO if best is None else best[0] * (1 + TIE)):
                    best = value, feature, *split
                    if self.ends(value, y):
                        break
            if best is not None and (self.ends(best[0], y) or self.is_perfect(best[-1], y)):
                break
        if best is None or best[0] <= max(ZERO, self.min_impurity_decrease):
            return None
        return best

    def is_perfect(self, goes_left, y):
        """Whether two pure children are the best possible split, so that later features can at most tie."""
        known = self.criterion != "credal" and ("twoing" not in self.criterion or self.n_classes == 2)
        return known and len(np.unique(y[goes_left])) == len(np.unique(y[~goes_left])) == 1

    def ends(self, value, y):
        """Whether the search ends at this gain, as that of Wilton and Ye's code."""
        risk = (len(y) - np.bincount(y).max()) / self.n_root * self.n_classes / (self.n_classes - 1)
        return self.criterion == "twoing_rdts" and value + 2**-52 >= risk

    def splits(self, x, y):
        """(gain, threshold, whether missing values go left, what goes left) of the splits that leave enough samples."""
        found = list(self.candidates(x))
        masks = np.array([split[-1] for split in found]).reshape(-1, len(x))
        left = masks.sum(axis=1)
        allowed = np.minimum(left, len(x) - left) >= [split[0] for split in found]
        if not allowed.any():
            return
        one_hot = np.eye(self.n_classes, dtype=int)[y]
        counts = masks[allowed] @ one_hot, ~masks[allowed] @ one_hot
        gains = gain(self.criterion.removesuffix("_rdts"), *counts, self.n_root, self.parameter)
        for value, row in zip(gains, np.flatnonzero(allowed), strict=True):
            yield value, *found[row][1:]

    def candidates(self, x):
        """(smallest child, threshold, whether missing values go left, what goes left) in the order of trying."""
        missing = np.isnan(x)
        values = np.unique(x[~missing])
        for to_left in (False, True) if missing.any() else (False,):
            for i, low in enumerate(values.tolist()):
                goes_left = (x <= low) | (missing & to_left)
                if i + 1 < len(values):
                    larger = 2 * np.count_nonzero(goes_left) > len(x)
                    side = to_left if missing.any() else larger
                    yield self.min_samples_leaf, midpoint(low, float(values[i + 1])), side, goes_left
                elif missing.any() and not to_left:
                    yield self.min_samples_leaf, np.inf, False, goes_left


class QuirkyGrower(Grower):
    """Grows as Wilton and Ye's code: larger children for later thresholds, float32 midpoints, a fixed last sample."""

    def candidates(self, x):
        order, values = np.argsort(x, kind="stable"), np.unique(x)
        for i, (low, high) in enumerate(zip(values, values[1:], strict=False)):
            threshold = float(np.float32(midpoint(low, high)))
            goes_left = np.zeros(len(x), bool)
            goes_left[order[: min(np.count_nonzero(x <= threshold), len(x) - 1)]] = True
            larger = goes_left.sum() > (~goes_left).sum()
            yield self.min_samples_leaf + (i > 0), threshold, larger, goes_left


@functools.cache
def midpoint(low, high):
    """The float nearest to the exact midpoint, or `low` where that is `high`."""
    middle = float((Fraction(float(low)) + Fraction(float(high))) / 2)
    return middle if middle < high else float(low)


def grow(
    X, y, criterion, parameter=None, *, seed, max_features=None, count=False, n_classes=None, cls=Grower, **limits
):
    """Root of the naive tree on the same draws as the library's tree of this seed."""
    n_classes = max(2, int(y.max()) + 1) if n_classes is None else n_classes
    order = list(range(X.shape[1]))
    all_features = max_features is None or max_features >= X.shape[1]
    features = AllFeatures(order) if all_features else DrawnFeatures(order, max_features, count)
    grower = cls(criterion, n_classes, len(y), parameter, **limits)
    return grower.grow(X, y, features, mix(int(seed)))


def assert_same_tree(tree, node, row=0):
    """The library's `tree` equals a naive tree in every split, count, prediction and gain."""
    assert tree.counts[row].tolist() == node.counts[: tree.max_n_classes].tolist()  # naive trees have two at least
    assert tree.prediction[row] == node.prediction
    assert tree.feature[row] == (-2 if node.feature == -1 else node.feature)
    if node.feature == -1:
        assert tree.children_left[row] == tree.children_right[row] == -1
        assert tree.gain[row] == 0 and tree.threshold[row] == -2
        return
    ours, expected = float(tree.threshold[row]), float(node.threshold)
    assert ours == expected or abs(ours - expected) <= 5e-324, (ours, expected)  # one ulp, of denormals only
    assert abs(tree.gain[row] - node.gain) <= 1e-13 + 1e-7 * abs(node.gain), (tree.gain[row], node.gain)
    assert tree.missing_go_to_left[row] == node.to_left
    assert_same_tree(tree, node.left, tree.children_left[row])
    assert_same_tree(tree, node.right, tree.children_right[row])


def node_count(node):
    return 1 if node.feature == -1 else 1 + node_count(node.left) + node_count(node.right)
