"""Transition matrices of class-conditional label noise: checks, and clean probabilities from noisy ones.

A transition matrix T has shape (n_classes, n_classes); T[i, j] is the probability that a sample of class i carries the
label j. If p(x) are the probabilities of the noisy labels and r(x) those of the true classes, then p(x) = r(x) T.
"""

from typing import NamedTuple

import numpy as np

from ironbark.errors import InputError
from ironbark.jit import kernel

#: Above this condition number, noise in the probabilities is magnified so much that nothing is left of them.
LARGEST_CONDITION = 1e4
TOLERANCE = 1e-12  # of log-likelihoods
MOST_ROUNDS, MOST_STEPS = 10_000, 7_000_000  # for one sample; a round of K classes takes K**2 steps
FLOOR = 1e-6  # part of the uniform distribution in the first guess, so that no noisy label is impossible
LEAST_PART = 0.1  # what a step leaves of an entry


def check_names(matrix, classes, name="noise_matrix"):
    """Raise InputError if rows or columns of a frame have other names than the classes, or numbers from 0."""
    expected = list(map(str, classes))
    for axis in ("index", "columns") if hasattr(matrix, "columns") else ():
        names = list(map(str, getattr(matrix, axis, expected)))
        if names not in (expected, list(map(str, range(len(names))))):
            found = f"{name} has {axis} {names}, but the sorted labels of this fit are {expected}"
            raise InputError(f"{found}; give them in this order, or an array where a meta-estimator codes labels.")


def check_matrix(matrix, n_classes: int) -> np.ndarray:
    """Check a transition matrix."""
    try:
        found = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise_matrix must hold numbers, but {error}.") from error
    if found.shape != (n_classes, n_classes):
        raise InputError(
            f"noise_matrix has shape {found.shape}, but y has {n_classes} classes; give {n_classes} rows of "
            f"{n_classes} probabilities, in the sorted order of the labels."
        )
    bad = np.argwhere(~((found >= 0) & (found <= 1)))
    if len(bad):
        i, j = bad[0]
        raise InputError(f"noise_matrix[{i}, {j}] is {found[i, j]}; every entry must be a probability in [0, 1].")
    wrong = np.flatnonzero(np.abs(found.sum(axis=1) - 1) > 1e-6)
    if len(wrong):
        i = wrong[0]
        raise InputError(
            f"row {i} of noise_matrix sums to {found[i].sum():g}; entry [i, j] is the probability that class i carries "
            "the label j, so each row must sum to 1."
        )
    if np.linalg.cond(found) > LARGEST_CONDITION:
        raise InputError(
            "noise_matrix is singular or nearly so, which means that the labels do not tell some classes apart; give "
            "rows that differ."
        )
    return found / found.sum(axis=1, keepdims=True)


def symmetric_matrix(wrong, n_classes):
    """Each label is wrong with probability `wrong`, and then any of the other classes."""
    matrix = np.full((n_classes, n_classes), wrong / (n_classes - 1))
    np.fill_diagonal(matrix, 1.0 - wrong)
    return matrix


def check_probabilities(noisy):
    """The class probabilities of an estimator; InputError if one is not finite."""
    if not np.isfinite(noisy).all():
        raise InputError("the estimator gave class probabilities that are not finite; check its input and parameters.")
    return noisy


def clean_probabilities(noisy: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Most likely probabilities of the true classes, given those of the noisy labels.

    Where p T^-1 has no negative entry it is the solution, the backward correction of Patrini et al. [1]_. Elsewhere,
    for two classes the solution is the nearer corner; for more, Newton steps in one r_k after the other maximise sum_j
    p_j log (r T)_j - sum_k r_k over r >= 0, whose maximum is the same. Where no slope sum_j T_kj p_j / (r T)_j - 1 is
    above e, the likelihood is within e of its maximum, since it is concave; e is 1e-12, or what 10,000 rounds reach,
    fewer for more than 26 classes, if the matrix is nearly singular or tells little.

    .. [1] G. Patrini, A. Rozza, A. K. Menon, R. Nock, L. Qu, "Making Deep Neural Networks Robust to Label Noise: A Loss
    Correction Approach", CVPR 2017.
    """
    clean = np.linalg.solve(matrix.T, check_probabilities(noisy).T).T
    outside = np.flatnonzero((clean < 0).any(axis=1))
    clean = np.clip(clean, 0.0, None)
    clean /= clean.sum(axis=1, keepdims=True)
    if len(outside) and len(matrix) > 2:
        found = (1 - FLOOR) * clean[outside] + FLOOR / len(matrix)
        _climb(np.ascontiguousarray(noisy[outside], np.float64), np.ascontiguousarray(matrix, np.float64), found)
        clean[outside] = found / found.sum(axis=1, keepdims=True)
    return clean


@kernel
def _climb(noisy, matrix, clean):
    """Move each row of `clean` to the maximum, entry by entry."""
    n_classes = len(matrix)
    for i in range(len(noisy)):
        p, r = noisy[i], clean[i]
        for _ in range(min(MOST_ROUNDS, MOST_STEPS // n_classes**2)):
            expected = np.zeros(n_classes)
            for k in range(n_classes):
                for j in range(n_classes):
                    expected[j] += r[k] * matrix[k, j]
            apart = 0.0
            for k in range(n_classes):
                slope, curvature = -1.0, 0.0
                for j in range(n_classes):
                    if p[j] > 0:
                        ratio = matrix[k, j] / expected[j]
                        slope += p[j] * ratio
                        curvature += p[j] * ratio * ratio
                apart = max(apart, slope, -slope * r[k])
                moved = max(r[k] + slope / curvature, LEAST_PART * r[k]) if curvature > 0 else 0.0
                for j in range(n_classes):
                    expected[j] += (moved - r[k]) * matrix[k, j]
                r[k] = moved
            if apart <= TOLERANCE:
                break


LEAST_ANCHORS = 10
RAREST = 0.2  # share of a class, as a part of the share that it has if all are of one size
ROUNDS = 5


class Rule(NamedTuple):
    """When an estimate is trusted."""

    share: float  # anchors of a class, as a share of its samples
    gap: float  # by which an entry must differ from the symmetric matrix ...
    errors: float  # ... plus this many standard errors


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
    common = (true_shares >= RAREST / n_classes).all()  # else anchors of a rare class are samples of others
    dominant = (np.diag(frequencies) >= frequencies.max(axis=0)).all()
    plausible = common and dominant and np.linalg.cond(frequencies) < LARGEST_CONDITION
    asymmetric = (excess > rule.gap).any() and plausible
    return (frequencies if asymmetric else symmetric), bool(asymmetric)


def _anchor_frequencies(noisy, codes, share):
    """Label frequencies of the anchors of each class, their numbers, and class shares if the noise is symmetric."""
    n, n_classes = noisy.shape
    counts = np.bincount(codes, minlength=n_classes)
    sizes, true_shares = _at_least(0.4 * counts, n), counts / n
    for last in [False] * ROUNDS + [True]:
        found = [label_counts(codes, noisy[:, k], size, n_classes) / size for k, size in enumerate(sizes)]
        frequencies = np.stack(found)
        if last:
            return frequencies, sizes, true_shares
        wrong = np.clip(1.0 - np.diag(frequencies).max(), 0.0, _most_wrong(n_classes))
        each = wrong / (n_classes - 1)
        true_shares = np.clip((counts / n - each) / (1.0 - wrong - each), 0.0, 1.0)
        sizes = _at_least(share * n * true_shares, n)


def label_counts(codes, values, size, n_classes):
    """Numbers of labels among the samples of the largest values; of ties at the end, each counts in part."""
    cut = np.partition(values, -size)[-size]
    tied, surer = codes[values == cut], codes[values > cut]
    part = (size - len(surer)) / len(tied)
    return np.bincount(surer, minlength=n_classes) + part * np.bincount(tied, minlength=n_classes)


def _at_least(sizes, n):
    return np.clip(sizes.astype(int), min(LEAST_ANCHORS, n), n)


def _most_wrong(n_classes):
    """A little less than the share of wrong labels that leaves no information."""
    return 0.95 * (n_classes - 1) / n_classes


#: Weight of the symmetric matrix, in samples; 0.3, 1, 3 and 10 were compared.
RIDGE = 1.0


def matrix_from_trusted(noisy: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Estimate the matrix from predicted noisy labels and true classes.

    With p = r T, the expectation of the one-hot true class y given x is r = p T^-1: a linear regression of y on p
    without intercept has the coefficients W = T^-1, whether or not the classes overlap. W minimises ||Y - P W||^2 +
    RIDGE ||W - W_0||^2, where W_0 is the inverse of the symmetric matrix that fits best.
    """
    n_classes = noisy.shape[1]
    one_hot = np.eye(n_classes)[codes]
    spread = noisy - 1.0 / n_classes
    variance = (spread**2).sum()
    slope = max(1.0, (spread * one_hot).sum() / variance) if variance > 0 else 1.0
    symmetric = slope * np.eye(n_classes) + (1.0 - slope) / n_classes
    residual = noisy.T @ (one_hot - noisy @ symmetric)
    inverse = symmetric + np.linalg.solve(noisy.T @ noisy + RIDGE * np.eye(n_classes), residual)
    for candidate in (inverse, symmetric):
        matrix = np.clip(np.linalg.pinv(candidate), 0.0, None)
        matrix /= np.maximum(matrix.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        if np.linalg.cond(matrix) < LARGEST_CONDITION:
            break
    return matrix
