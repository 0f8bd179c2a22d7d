"""Labels of a class that no model was fitted on without them are not judged: no errors, kept, and said."""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ironbark import CleanedClassifier, LabelErrorDetector, find_label_errors
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter
from ironbark.label_errors.out_of_sample import fold_indices, judged

X, Y = load_iris(return_X_y=True)
GROUPS = np.where(Y == 2, 9, np.random.default_rng(0).integers(0, 8, 150))
UNWEIGHTED = (Y != 2) * 1.0
SINGLE = np.where(np.arange(150) == 149, "rare", np.array(["a", "b", "b"])[Y])
ALL = np.arange(150)
NO_WEIGHT = "class 2 has no sample_weight above zero"


def detector(*arguments):
    return partial(LabelErrorDetector, *arguments)


GROUPED, WEIGHTED = {"groups": GROUPS}, {"sample_weight": UNWEIGHTED}

#: Detector, arguments of `fit`, labels that are not judged, and words of the warning.
CASES = {
    "one group": (detector(), GROUPED, Y == 2, "class 2 occurs in one group only, so its labels"),
    "one group, other classifier": (detector(GaussianNB()), GROUPED, Y == 2, "class 2 occurs in one group only"),
    "weight 0, folds": (detector(LogisticRegression(max_iter=500)), WEIGHTED, Y == 2, NO_WEIGHT),
    "weight 0, bags": (detector(), WEIGHTED, Y == 2, NO_WEIGHT),
    "weight 0, other forest": (detector(RandomForestClassifier(random_state=0)), WEIGHTED, Y == 2, NO_WEIGHT),
    "weight 0 and partitions": (PartitionFilter, WEIGHTED, Y == 2, NO_WEIGHT),
    "weight 0 and votes": (HighAgreementFilter, WEIGHTED, Y == 2, NO_WEIGHT),
    "weight 0 and boosting": (BoostingFilter, WEIGHTED, Y == 2, NO_WEIGHT),
    "one weight": (
        detector(), {"sample_weight": np.where(Y == 2, ALL == 120, 1.0)}, ALL == 120,
        "class 2 is missing among the samples, or those with weight, .* so 1 of its 50 labels cannot be judged",
    ),
    "one sample": (detector(), {"y": SINGLE}, ALL == 149, "class 'rare' has one sample, so its labels cannot"),
    "one sample and votes": (HighAgreementFilter, {"y": SINGLE}, ALL == 149, "class 'rare' has one sample"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_labels_that_cannot_be_judged_are_left(name):
    kind, arguments, unjudged, sentence = CASES[name]
    arguments = {"y": Y} | arguments
    with pytest.warns(UserWarning, match=sentence):
        detector = kind(random_state=0).fit(X, **arguments)
    assert np.array_equal(detector.is_judged_, ~unjudged)
    assert not detector.is_error_[unjudged].any() and (detector.label_quality_[unjudged] == 1).all()
    assert np.array_equal(detector.suggested_labels_[unjudged], arguments["y"][unjudged])
    assert detector.noise_rate_ < (0.4 if isinstance(detector, BoostingFilter) else 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cleaned = CleanedClassifier(DecisionTreeClassifier(random_state=0), kind(random_state=0))
        cleaned.fit(X, **arguments)
        table = find_label_errors(X, detector=kind(random_state=0), **arguments)
    assert set(arguments["y"][unjudged]) <= set(cleaned.predict(X[unjudged])) or "sample_weight" in arguments
    assert np.array_equal(np.flatnonzero(unjudged), np.sort(table.index[~table.is_judged]))


def test_judged_against_a_slow_twin():
    rng = np.random.default_rng(0)
    for _ in range(50):
        codes, weights = rng.integers(0, 4, 20), rng.integers(0, 2, 20) * 1.0
        parts = np.array_split(rng.permutation(20), 4)
        folds = [(np.setdiff1d(np.arange(20), part), part) for part in parts]
        for given in (None, weights):
            counted = np.ones(20) if given is None else given
            for train, test in folds:
                known = {codes[i] for i in train if counted[i] > 0}
                expected = [codes[i] in known and len(known) > 1 for i in test]
                assert judged(codes, given, folds)[test].tolist() == expected
            alone = [any(codes[j] == codes[i] and counted[j] > 0 for j in range(20) if j != i) for i in range(20)]
            assert judged(codes, given).tolist() == alone


@pytest.mark.parametrize("n_groups", [2, 3, 4])
def test_as_many_folds_as_groups(n_groups):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert LabelErrorDetector(random_state=0).fit(X, Y, groups=ALL % n_groups).is_judged_.all()
    assert len(fold_indices(Y, ALL % n_groups, 5, 0)) == n_groups


@pytest.mark.parametrize("sizes", [[90, 5, 5], [60, 60, 1], [100, 1, 1, 1], [4, 4, 1, 1]])
def test_empty_folds_are_left_out(sizes):
    codes, groups = np.arange(sum(sizes)) % 2, np.repeat(np.arange(len(sizes)), sizes)
    assert all(len(test) for seed in range(50) for _, test in fold_indices(codes, groups, 5, seed))
