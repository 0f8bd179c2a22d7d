"""Every criterion against its definition: values, ceilings and what counts as no gain."""

import math

import naive_criteria as naive
import numpy as np
import pytest
from criteria.splits import built, gain, operations, values

from ironbark.criteria.base import Impurity

#: Those of all tests, and values near the ends of a range, beyond it, or whose bounds are only near.
SETTINGS = [*naive.SETTINGS, ("negative_exponential", 1.5), *(("credal", s) for s in (0, 1.5, 40))]
SETTINGS += [("generalized_cross_entropy", q) for q in (0.05, 0.95, 0.99, 2)]


def cases(*numbers):
    """(name, parameter, number of classes) of all settings; early exits change no gain."""
    found = [(*setting, k) for setting in SETTINGS for k in numbers if k == 2 or setting[0] != "pairwise_gain"]
    return [case for case in found if case[0] != "twoing_rdts"]


def splits(n_classes, seed=0, count=30):
    """Pairs of class counts of two children; some classes are missing from one or both."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        pair = rng.integers(0, rng.choice([2, 4, 30]), (2, n_classes)) * (rng.random((2, n_classes)) < 0.8)
        pair[np.arange(2), rng.integers(n_classes, size=2)] += 1
        yield pair[0], pair[1]


@pytest.mark.parametrize(("name", "parameter", "n_classes"), cases(2, 3, 7))
def test_gains_follow_the_definition(name, parameter, n_classes):
    in_fixed_point = name in ("entropy", "credal") or (name, parameter) == ("generalized_cross_entropy", 0)
    fixed_point = 2e-11 if in_fixed_point else 1e-13
    for left, right in splits(n_classes):
        n_root = 3 * int(left.sum() + right.sum())
        expected = naive.gain(name, left, right, n_root, parameter)
        for general in (False, True):
            found = gain(name, left, right, parameter, n_root, general)
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=fixed_point)


@pytest.mark.parametrize(("name", "parameter", "n_classes"), cases(2, 5))
def test_the_ceiling_is_reached_by_two_pure_children_and_never_passed(name, parameter, n_classes):
    pure = [np.eye(n_classes, dtype=np.int64)[k] * (5 + k) for k in range(n_classes)]
    for left, right in [*splits(n_classes), (pure[0], pure[1]), (pure[1], pure[0])]:
        total, n = left + right, int(left.sum() + right.sum())
        criterion = built(name, n, n_classes, parameter)
        ceiling = operations.ceiling(criterion, total, n)
        for general in (False, True):
            v, v0 = values(criterion, left, right, general)
            assert name == "credal" or v - v0 >= -operations.tolerance(criterion, ceiling, n, n)
            perfect = np.count_nonzero(left) == np.count_nonzero(right) == 1
            if not np.isfinite(ceiling):
                assert name in ("credal", "twoing")
            elif perfect and np.count_nonzero(total) == 2:
                assert v - v0 == pytest.approx(ceiling, rel=1e-11)
            elif not perfect and np.count_nonzero(total) > 1 and parameter not in (0.95, 0.99):
                assert v - v0 < ceiling * (1 - 1e-9)  # else a search would stop at an imperfect split
            else:
                assert v - v0 <= ceiling * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize(("name", "parameter", "n_classes"), [c for c in cases(2, 3, 7) if c[0] in naive.IMPURITIES])
def test_the_ceiling_of_an_impurity_is_the_gain_of_separating_all_classes(name, parameter, n_classes):
    for total, _ in splits(n_classes, seed=4):
        n = int(total.sum())
        criterion = built(name, 3 * n, n_classes, parameter)
        assert isinstance(criterion, Impurity)
        found = operations.ceiling(criterion, total, n) / operations.unit(criterion, n, 3 * n)
        expected = naive.IMPURITIES[name](total / n, parameter) / 3
        assert found == pytest.approx(expected, rel=1e-9, abs=2e-11)
        assert operations.impurity(criterion, total.astype(float), n) == pytest.approx(3 * n * expected, abs=1e-9)


@pytest.mark.parametrize(("name", "parameter", "n_classes"), cases(2, 3, 7))
def test_gains_of_class_weights_follow_the_definition_up_to_the_bound_of_two_pure_children(name, parameter, n_classes):
    criterion, rng = built(name, 1, n_classes, parameter), np.random.default_rng(0)
    pure = np.diag([3.25, 0.7, *np.zeros(n_classes - 2)])[:2]
    some = rng.exponential(size=(60, 2, n_classes)) * (rng.random((60, 2, n_classes)) < 0.7) + 1e-9
    for left, right in [*some, pure]:
        total = left + right
        whole = operations.impurity(criterion, total, total.sum())
        found = operations.gain(criterion, whole, left, right, left.sum(), right.sum())
        np.testing.assert_allclose(found, naive.gain(name, left, right, 1, parameter), rtol=1e-6, atol=1e-10)
        bound = operations.bound(criterion, whole, total, total.sum())
        assert found <= bound * (1 + 1e-9)
    unbounded = name == "credal" or (name == "twoing" and n_classes > 2)
    assert bound == (np.inf if unbounded else pytest.approx(found, rel=1e-12))


BOUNDED = ("credal", "generalized_cross_entropy", "misclassification", "negative_exponential", "twoing")


@pytest.mark.parametrize(("name", "parameter", "n_classes"), [case for case in cases(3, 7) if case[0] in BOUNDED])
def test_a_scan_skips_only_splits_that_are_no_better_than_the_best(name, parameter, n_classes):
    rng, skipped = np.random.default_rng(0), 0
    for noise, share in ((0.0, 1), (0.5, 1), (2.0, 1), (2.0, 0.2), (9.0, 0.2)):
        order = np.argsort(np.arange(50) / 9 + noise * rng.normal(size=50))
        labels = np.sort(rng.integers(0, n_classes, 50) * (rng.random(50) < share))[order]
        total = np.bincount(labels, minlength=n_classes)
        criterion, best = built(name, 60, n_classes, parameter), -np.inf
        for column in (rng.permutation(labels), labels, np.sort(labels)[::-1]):  # the best one last
            state, moved = operations.start(criterion, total, 50), np.zeros(n_classes, np.int64)
            for n_moved, k in enumerate(column[:-1], 1):
                state = operations.move(criterion, state, moved[k], total[k], 1)
                moved[k] += 1
                v, state = operations.score(criterion, state, moved, total, n_moved, 50, best)
                exact, _ = values(criterion, moved, total - moved, general=True)
                skipped += v == -np.inf
                assert (exact <= best + 1e-9 * abs(best)) if v == -np.inf else v == pytest.approx(exact, rel=1e-12)
                best = max(best, v)
    assert skipped > 25 or parameter in (0, 40)  # bounds that are absent, or far


@pytest.mark.parametrize(("name", "parameter"), [("sqrt_gini", None), ("negative_exponential", 1e-6)])
def test_values_of_large_nodes_are_rounded_once(name, parameter):
    """Sums of squares have more digits here than a float."""
    total = np.array([94_906_267, 94_906_265, 3])
    counts = total.tolist()
    exact = sum(counts) ** 2 - sum(c * c for c in counts)
    assert exact != int(float(exact))
    criterion = built(name, 1, 3, parameter)
    assert operations.origin(criterion, total, sum(counts)) == -criterion.a * math.sqrt(exact)
