"""Find wrong labels, estimate how many there are, and clean them."""

from ironbark.label_errors.cleaning import CleanedClassifier
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.scores import SCORES
from ironbark.label_errors.suspects import find_label_errors

__all__ = ["SCORES", "CleanedClassifier", "LabelErrorDetector", "find_label_errors"]
