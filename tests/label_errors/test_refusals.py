"""Bad input, answered by one sentence that names the culprit and what to do, and labels that cannot be judged.

The latter are those of a class that no model was fitted on without them: no errors, kept, and said.
"""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from ironbark import CleanedClassifier, LabelErrorDetector, NoiseCorrectedClassifier, RobustRandomForestClassifier
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter
from ironbark.label_errors.filters.base import LabelFilter
from ironbark.label_errors.out_of_sample import fold_indices
from ironbark.label_errors.suspects import suspects

X, Y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 3


class NotFinite(GaussianNB):
    def predict_proba(self, X):
        return np.full((len(X), 3), np.nan)


class Doubtful(LabelFilter):
    """Trusts no label."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def _judge(self, X, codes, weights):
        return np.zeros(len(codes)), np.ones(len(codes), bool), np.zeros((len(codes), 2))


def cleaned(detector, classifier=None):
    return CleanedClassifier(classifier, detector, "weight", random_state=0)


FROZEN = FrozenEstimator(GaussianNB().fit(X, Y))
OF_0_1_2 = CleanedClassifier(FROZEN), NoiseCorrectedClassifier(FROZEN, noise_matrix=np.eye(3))
corrected = partial(NoiseCorrectedClassifier, estimator=GaussianNB())
#: Detector, cleaned or corrected classifier, changed arguments of `fit`, and words of the sentence.
CASES = [
    (LabelErrorDetector(), {"y": np.zeros(60, int)}, "only one class"),
    (LabelErrorDetector(), {"y": np.linspace(0, 1, 60)}, "continuous"),
    (LabelErrorDetector(), {"X": np.ones((60, 3))}, "all samples have the same features"),
    (LabelErrorDetector(), {"groups": np.arange(59)}, "groups has 59 entries"),
    (LabelErrorDetector(), {"groups": np.zeros(60)}, "groups holds one group only"),
    (LabelErrorDetector(), {"groups": np.where(Y == 1, np.nan, 1.0)}, "groups holds .* missing groups"),
    (LabelErrorDetector(), {"groups": np.array([1, "a", "b"] * 20, object)}, "groups mixes number and text"),
    (LabelErrorDetector(), {"y": np.arange(60) % 20, "groups": np.arange(60)}, "cv=5 needs 5 samples of some class"),
    (LabelErrorDetector(), {"groups": Y}, "no label can be judged: class 0 occurs in one group only"),
    (LabelErrorDetector(), {"X": X[:3], "y": Y[:3]}, "no label can be judged: class 0 has one sample"),
    (LabelErrorDetector(RobustRandomForestClassifier(1, max_samples=60)), {"y": np.arange(60)}, "no label can be judg"),
    (LabelErrorDetector(NotFinite()), {}, "not finite"),
    (LabelErrorDetector(SVC()), {}, "predict_proba"),
    (LabelErrorDetector(KNeighborsClassifier()), {"sample_weight": np.ones(60)}, "does not take sample_weight"),
    (LabelErrorDetector(FROZEN), {}, "FrozenEstimator holds a frozen classifier"),
    (LabelErrorDetector(GaussianNB()), {"y": np.arange(60) % 20}, "cv=5 needs 5 samples of some class"),
    (LabelErrorDetector(), {"trusted": np.ones(60, bool)}, "marks all samples"),
    (LabelErrorDetector(cut=1.5), {}, "'cut' parameter"),
    (LabelErrorDetector(quality="guess"), {}, "quality"),
    *((kind(), {"groups": Y}, "does not take groups; leave them out")
      for kind in (PartitionFilter, HighAgreementFilter, BoostingFilter)),
    (PartitionFilter(), {"X": X[:8], "y": Y[:8]}, "n_partitions=9 needs as many samples, but there are 8; lower it"),
    (cleaned(LabelErrorDetector("nothing"), KNeighborsClassifier()), {}, "Classifier does not take sample_weight"),
    (cleaned(Doubtful()), {"y": Y > 0}, "no label has a quality above zero"),
    (corrected(noise_matrix=np.eye(2)), {}, "2, 2"),
    (corrected(noise_matrix=np.eye(3)), {"trusted": Y == 0}, "trusted is of use"),
    (corrected(noise_matrix="guess"), {}, "noise_matrix"),
    *((corrected(), {"trusted": some}, "marks no sample of class 0") for some in (Y == 1, Y == 9)),
    (corrected(), {"trusted": Y < 9}, "fewer samples as trusted"),
    (corrected(), {"trusted": np.arange(60)}, "one bool for each of the 60 samples"),
    (corrected(estimator=KNeighborsClassifier()), {"sample_weight": np.ones(60)}, "does not take sample_weight"),
    (corrected(estimator=SVC(), cv=1), {}, "cv"),
    (corrected(estimator=NotFinite()), {}, "not finite"),
    (corrected(estimator=SVC()), {}, "predict_proba"),
    (corrected(cv=5), {"y": np.arange(60) == 0}, "class True has one sample"),
    (corrected(), {"y": np.ones(60)}, "only one class"),
    *((model, {"y": Y + 1}, "classifier knows the classes 0, 1, 2, but y has 1, 2, 3") for model in OF_0_1_2),
]  # fmt: skip


@pytest.mark.parametrize(("model", "change", "words"), CASES)
@pytest.mark.filterwarnings("ignore:.*")
def test_fits(model, change, words):
    before = vars(model).copy()
    with pytest.raises(ValueError, match=words):
        model.fit(**{"X": X, "y": Y, **change})
    assert vars(model) == before


IRIS, LABELS = load_iris(return_X_y=True)
ALL, WEIGHTED = np.arange(150), {"sample_weight": (LABELS != 2) * 1.0}
SINGLE = np.where(ALL == 149, "rare", np.array(["a", "b", "b"])[LABELS])
GROUPED = {"groups": np.where(LABELS == 2, 9, np.random.default_rng(0).integers(0, 8, 150))}
NO_WEIGHT = "class 2 has no sample_weight above zero"

#: Detector, arguments of `fit`, labels that are not judged, and words of the warning.
UNJUDGED = {
    "one group": (LabelErrorDetector, GROUPED, LABELS == 2, "class 2 occurs in one group only, so its labels"),
    "weight 0, folds": (partial(LabelErrorDetector, DecisionTreeClassifier()), WEIGHTED, LABELS == 2, NO_WEIGHT),
    "weight 0, bags": (LabelErrorDetector, WEIGHTED, LABELS == 2, NO_WEIGHT),
    "weight 0 and partitions": (PartitionFilter, WEIGHTED, LABELS == 2, NO_WEIGHT),
    "weight 0 and votes": (partial(HighAgreementFilter, 10), WEIGHTED, LABELS == 2, NO_WEIGHT),
    "weight 0 and boosting": (BoostingFilter, WEIGHTED, LABELS == 2, NO_WEIGHT),
    "one weight": (
        LabelErrorDetector, {"sample_weight": np.where(LABELS == 2, ALL == 120, 1.0)}, ALL == 120,
        "class 2 is missing among the samples, or those with weight, .* so 1 of its 50 labels cannot be judged",
    ),
    "one sample": (LabelErrorDetector, {"y": SINGLE}, ALL == 149, "class 'rare' has one sample, so its labels cannot"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNJUDGED)
def test_labels_that_cannot_be_judged_are_left(name):
    kind, arguments, unjudged, sentence = UNJUDGED[name]
    arguments = {"y": LABELS} | arguments
    cleaned = CleanedClassifier(DecisionTreeClassifier(random_state=0), kind(random_state=0))
    with pytest.warns(UserWarning, match=sentence):
        detector = cleaned.fit(IRIS, **arguments).detector_
    assert np.array_equal(detector.is_judged_, ~unjudged)
    assert not detector.is_error_[unjudged].any() and (detector.label_quality_[unjudged] == 1).all()
    assert np.array_equal(detector.suggested_labels_[unjudged], arguments["y"][unjudged])
    assert detector.noise_rate_ < (0.4 if isinstance(detector, BoostingFilter) else 0.1)
    assert set(arguments["y"][unjudged]) <= set(cleaned.predict(IRIS[unjudged])) or "sample_weight" in arguments
    table = suspects(detector, IRIS, arguments["y"])
    assert np.array_equal(np.flatnonzero(unjudged), np.sort(table.index[~table.is_judged]))


@pytest.mark.parametrize("sizes", [[50, 50], [90, 5, 5], [60, 60, 1], [100, 1, 1, 1], [4, 4, 1, 1]])
def test_as_many_folds_as_groups_and_none_is_empty(sizes):
    codes, groups = np.arange(sum(sizes)) % 2, np.repeat(np.arange(len(sizes)), sizes)
    for seed in range(50):
        folds = fold_indices(codes, groups, 5, seed)
        assert all(len(test) for _, test in folds) and len(folds) <= len(sizes)
    assert len(fold_indices(LABELS, ALL % len(sizes), 5, 0)) == len(sizes)
