"""What scikit-learn expects of the detector and of the classifier that cleans with it."""

from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import CleanedClassifier, LabelErrorDetector

WEIGHTS = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@parametrize_with_checks(
    [
        LabelErrorDetector(random_state=0),
        LabelErrorDetector(GaussianNB(), random_state=0),
        CleanedClassifier(GaussianNB(), LabelErrorDetector(GaussianNB(), random_state=0)),
    ],
    expected_failed_checks=lambda _: dict.fromkeys(WEIGHTS, "draws and folds of rows and of copies of rows differ"),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
