"""Find wrong labels, estimate how many there are, and clean them."""

from ironbark.label_errors.cleaning import CleanedClassifier
from ironbark.label_errors.consensus import ConsensusLabels
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.filters.base import LabelFilter
from ironbark.label_errors.filters.boosting import BoostingFilter
from ironbark.label_errors.filters.partition import HighAgreementFilter, PartitionFilter
from ironbark.label_errors.review import LabelReview, ReviewEstimate
from ironbark.label_errors.scores import SCORES
from ironbark.label_errors.suspects import find_label_errors

__all__ = [
    "SCORES",
    "BoostingFilter",
    "CleanedClassifier",
    "ConsensusLabels",
    "HighAgreementFilter",
    "LabelErrorDetector",
    "LabelFilter",
    "LabelReview",
    "PartitionFilter",
    "ReviewEstimate",
    "find_label_errors",
]
