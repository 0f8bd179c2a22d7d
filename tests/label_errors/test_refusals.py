"""Bad input of detectors, filters and cleaning: one sentence that names the culprit and what to do."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from ironbark import CleanedClassifier, LabelErrorDetector, RobustRandomForestClassifier, find_label_errors
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter
from ironbark.label_errors.filters.base import LabelFilter

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


#: Detector or cleaned classifier, changed arguments of `fit`, and words of the sentence.
CASES = [
    (LabelErrorDetector(), {"y": np.zeros(60, int)}, "only one class"),
    (LabelErrorDetector(), {"y": np.linspace(0, 1, 60)}, "continuous"),
    (LabelErrorDetector(), {"X": np.ones((60, 3))}, "all samples have the same features"),
    (LabelErrorDetector(), {"sample_weight": np.zeros(60)}, "zero for all samples"),
    (LabelErrorDetector(), {"groups": np.arange(59)}, "groups has 59 entries"),
    (LabelErrorDetector(), {"groups": np.zeros(60)}, "groups holds one group only"),
    (LabelErrorDetector(), {"groups": np.where(Y == 1, np.nan, 1.0)}, "groups holds .* missing groups"),
    (LabelErrorDetector(), {"groups": np.array([None, "a", "b"] * 20)}, "groups holds .* missing groups"),
    (LabelErrorDetector(), {"groups": np.full(60, np.datetime64("nat"))}, "groups holds .* missing groups"),
    (LabelErrorDetector(), {"groups": np.array([1, "a", "b"] * 20, object)}, "groups mixes number and text"),
    (LabelErrorDetector(), {"groups": Y}, "no label can be judged: class 0 occurs in one group only"),
    (LabelErrorDetector(), {"X": X[:3], "y": Y[:3]}, "no label can be judged: class 0 has one sample"),
    (LabelErrorDetector(RobustRandomForestClassifier(1, max_samples=60)), {"y": np.arange(60)}, "no label can be judg"),
    (LabelErrorDetector(NotFinite()), {}, "not finite"),
    (LabelErrorDetector(SVC()), {}, "predict_proba"),
    (LabelErrorDetector(KNeighborsClassifier()), {"sample_weight": np.ones(60)}, "does not take sample_weight"),
    (LabelErrorDetector(GaussianNB()), {"y": np.arange(60) % 20}, "cv=5 needs 5 samples of some class"),
    (LabelErrorDetector(cut=1.5), {}, "'cut' parameter"),
    (LabelErrorDetector(quality="guess"), {}, "quality"),
    *((kind(), {"groups": Y}, "does not take groups; leave them out")
      for kind in (PartitionFilter, HighAgreementFilter, BoostingFilter)),
    (cleaned(LabelErrorDetector("nothing"), KNeighborsClassifier()), {}, "Classifier does not take sample_weight"),
    (cleaned(Doubtful()), {"y": Y > 0}, "no label has a quality above zero"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "change", "words"), CASES)
@pytest.mark.filterwarnings("ignore:.*")
def test_fits(model, change, words):
    with pytest.raises(ValueError, match=words):
        model.fit(**{"X": X, "y": Y, **change})


def test_filters_have_no_cut():
    with pytest.raises(ValueError, match="PartitionFilter has no cut; leave it out, or use LabelErrorDetector"):
        find_label_errors(X, Y, detector=PartitionFilter(), cut=0.1)
