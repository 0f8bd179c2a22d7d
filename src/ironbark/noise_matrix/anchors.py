"""Transition matrix from noisy labels alone, where they show that the noise is not symmetric.

The label frequencies among the samples that most surely belong to a class are a row of the matrix. How many such
samples there are depends on the noise; they are counted as if the noise were symmetric. A matrix that could as well be
symmetric is replaced by the symmetric one, which changes no prediction.
"""

from dataclasses import dataclass

import numpy as np

from ironbark.noise_matrix.matrix import LARGEST_CONDITION, symmetric_matrix

LEAST_ANCHORS = 10
RAREST = 0.2  # share of a class, as a part of the share that it has if all are of one size
ROUNDS = 5


@dataclass(frozen=True)
class Rule:
    """When an estimate is trusted.

    Attributes
    ----------
    share : float
        Anchors of a class, as a share of its samples.
    gap : float
        An entry must differ from the symmetric matrix by more than this ...
    errors : float
        ... plus this many standard errors.
    """

    share: float
    gap: float
    errors: float


#: Chosen on fourteen binary and ten multiclass tables, see docs/noise-correction.md.
BINARY, MULTICLASS = Rule(0.7, 0.05, 0.5), Rule(0.4, 0.15, 2.0)


def matrix_from_anchors(noisy: np.ndarray, codes: np.ndarray):
    """Estimate the matrix, or the symmetric matrix where the labels do not show another one.

    The matrix is identified only if some samples of each class belong to it with certainty [1]_. Where they do not,
    classes that overlap and differ in size look like noise that prefers one of them.

    .. [1] T. Liu, D. Tao, "Classification with Noisy Labels by Importance Reweighting", IEEE TPAMI 38 (2016).
    """
    n_classes = noisy.shape[1]
    rule = BINARY if n_classes == 2 else MULTICLASS
    frequencies, sizes, true_shares = _anchor_frequencies(noisy, codes, rule.share)
    wrong = 1.0 - np.average(np.diag(frequencies), weights=sizes)
    symmetric = symmetric_matrix(min(wrong, _most_wrong(n_classes)), n_classes)
    error = np.sqrt((frequencies * (1.0 - frequencies) + 0.25 / sizes[:, None]) / sizes[:, None])
    excess = np.abs(frequencies - symmetric) - rule.errors * error
    asymmetric = (excess > rule.gap).any() and _is_plausible(frequencies, true_shares)
    return (frequencies if asymmetric else symmetric), bool(asymmetric)


def _is_plausible(frequencies, true_shares):
    """Whether no class is so rare that its anchors are others' samples, and each is mostly labelled as itself."""
    common = (true_shares >= RAREST / len(true_shares)).all()
    dominant = (np.diag(frequencies) >= frequencies.max(axis=0)).all() and np.linalg.cond(
        frequencies
    ) < LARGEST_CONDITION
    return common and dominant


def _anchor_frequencies(noisy, codes, share):
    """Label frequencies of the anchors of each class, their numbers, and class shares if the noise is symmetric."""
    n, n_classes = noisy.shape
    counts = np.bincount(codes, minlength=n_classes)
    order = np.argsort(-noisy, axis=0, kind="stable")
    sizes, true_shares = _at_least(0.4 * counts, n), counts / n
    for last in [False] * ROUNDS + [True]:
        frequencies = np.stack([_frequencies(codes[order[:size, k]], n_classes) for k, size in enumerate(sizes)])
        if last:
            return frequencies, sizes, true_shares
        wrong = np.clip(1.0 - np.diag(frequencies).max(), 0.0, _most_wrong(n_classes))
        each = wrong / (n_classes - 1)
        true_shares = np.clip((counts / n - each) / (1.0 - wrong - each), 0.0, 1.0)
        sizes = _at_least(share * n * true_shares, n)


def _at_least(sizes, n):
    return np.clip(sizes.astype(int), min(LEAST_ANCHORS, n), n)


def _frequencies(codes, n_classes):
    return np.bincount(codes, minlength=n_classes) / len(codes)


def _most_wrong(n_classes):
    """A little less than the share of wrong labels that leaves no information."""
    return 0.95 * (n_classes - 1) / n_classes
