"""Find wrong labels, estimate how many there are, and clean them."""

from ironbark.label_errors.cleaning import CleanedClassifier as CleanedClassifier
from ironbark.label_errors.consensus import ConsensusLabels as ConsensusLabels
from ironbark.label_errors.detector import LabelErrorDetector as LabelErrorDetector
from ironbark.label_errors.filters.base import LabelFilter as LabelFilter
from ironbark.label_errors.filters.boosting import BoostingFilter as BoostingFilter
from ironbark.label_errors.filters.partition import HighAgreementFilter as HighAgreementFilter
from ironbark.label_errors.filters.partition import PartitionFilter as PartitionFilter
from ironbark.label_errors.review import LabelReview as LabelReview
from ironbark.label_errors.review_estimate import ReviewEstimate as ReviewEstimate
from ironbark.label_errors.scores import SCORES as SCORES
from ironbark.label_errors.suspects import find_label_errors as find_label_errors
