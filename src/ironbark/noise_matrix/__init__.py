"""Transition matrices of label noise: given, estimated from trusted samples, or from noisy labels alone."""

from ironbark.noise_matrix.anchors import matrix_from_anchors
from ironbark.noise_matrix.matrix import check_matrix, check_probabilities, clean_probabilities, symmetric_matrix
from ironbark.noise_matrix.trusted import matrix_from_trusted

__all__ = [
    "check_matrix",
    "check_probabilities",
    "clean_probabilities",
    "matrix_from_anchors",
    "matrix_from_trusted",
    "symmetric_matrix",
]
