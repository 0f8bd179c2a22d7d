"""Log losses that are corrected for label noise: each is a log loss of soft labels under softmax.

With soft labels t of a sample, which may be negative, the loss is -sum_k t_k ln p_k. Its gradient with respect to the
scores is (sum_k t_k) p - t, and the diagonal of its Hessian (sum_k t_k) p (1 - p) is not negative, so that trees can
always grow. For "forward_correction" the soft labels depend on p; held fixed, they give the gradient of the loss itself
and an upper bound of its Hessian. "bootstrap" adds the entropy of p, with its Hessian where that is positive.
"""

from numbers import Real

import numpy as np
from scipy.special import log_softmax

from ironbark.errors import InputError
from ironbark.noise_matrix import check_matrix

CORRECTIONS = ("forward_correction", "backward_correction", "label_smoothing", "bootstrap", "peer")

#: Losses that take a noise matrix.
NEED_MATRIX = ("forward_correction", "backward_correction")


class CorrectedLoss:
    """A corrected log loss of labels and raw scores; the interface is that of `BoostingLoss`.

    - "forward_correction": -ln (p T)_y [1]_.
    - "backward_correction": soft labels are the row of T^-1 of the label [1]_.
    - "label_smoothing": soft labels (1 - strength) e_y + strength / K [2]_.
    - "bootstrap": (1 - strength) times the log loss + strength times the entropy of p: soft labels
      (1 - strength) e_y + strength p, which the gradient goes through [3]_.
    - "peer": soft labels e_y - strength q, where q are the shares of the labels [4]_.

    T = `matrix`: T[i, j] is the probability that class i carries the label j.

    References
    ----------
    .. [1] G. Patrini, A. Rozza, A. K. Menon, R. Nock, L. Qu, "Making Deep Neural Networks Robust to Label Noise: A Loss
       Correction Approach", CVPR 2017, theorems 1 and 2.
    .. [2] C. Szegedy, V. Vanhoucke, S. Ioffe, J. Shlens, Z. Wojna, "Rethinking the Inception Architecture for Computer
       Vision", CVPR 2016, section 7.
    .. [3] S. Reed, H. Lee, D. Anguelov, C. Szegedy, D. Erhan, A. Rabinovich, "Training Deep Neural Networks on Noisy
       Labels with Bootstrapping", ICLR workshop 2015, equation 6.
    .. [4] Y. Liu, H. Guo, "Peer Loss Functions: Learning from Noisy Labels without Knowing Noise Rates", ICML 2020,
       equation 5, in expectation over the peers.
    """

    multi = "softmax"
    shares = None  # of the classes in what is trained on, with weights; an `Objective` sets them

    def __init__(self, name, n_classes, matrix=None, strength=0.1):
        self.name = name
        self.n_classes = n_classes
        self.strength = strength
        if not isinstance(strength, Real) or isinstance(strength, bool) or not 0 <= strength < 1:
            raise InputError(f"strength={strength!r} is out of range for loss {name!r}; it must be a number in [0, 1).")
        if name in NEED_MATRIX:
            if matrix is None:
                raise InputError(
                    f"loss {name!r} needs the transition matrix of the noise; give noise_matrix, for example the one "
                    "that NoiseCorrectedClassifier estimates."
                )
            self.matrix = check_matrix(matrix, n_classes)

    def derivatives(self, y, scores, dtype=np.float64):
        """Gradient, and diagonal of the Hessian, of the shape of `scores`; see `BoostingLoss.derivatives`."""
        log_p, codes = self._log_probabilities(scores), np.asarray(y, np.intp)
        p = np.exp(log_p)
        soft = self._soft_labels(codes, p)
        total = soft.sum(axis=1, keepdims=True)
        gradient, hessian = total * p - soft, total * p * (1.0 - p)
        if self.name == "bootstrap":  # whose entropy has a Hessian that may be negative: then 0
            above = log_p - (p * log_p).sum(axis=1, keepdims=True)
            gradient -= self.strength * p * above
            hessian -= self.strength * p * np.minimum((1.0 - 2.0 * p) * above + 1.0 - p, 0.0)
        if scores.ndim == 1:
            gradient, hessian = gradient[:, 1], hessian[:, 1]
        return np.asarray(gradient, dtype), np.asarray(hessian, dtype)

    def values(self, y, scores):
        """The loss of each sample; ndarray of shape (n_samples,), float64."""
        log_p, codes = self._log_probabilities(scores), np.asarray(y, np.intp)
        p = np.exp(log_p)
        if self.name == "forward_correction":
            return -np.log(np.maximum((p * self.matrix.T[codes]).sum(axis=1), np.finfo(float).tiny))
        entropy = self.strength * p if self.name == "bootstrap" else 0.0
        return -((self._soft_labels(codes, p) + entropy) * log_p).sum(axis=1)

    def _log_probabilities(self, scores):
        """Of shape (n_samples, n_classes); one column of scores is that of class 1, and class 0 has score 0."""
        scores = np.asarray(scores, np.float64)
        return log_softmax(np.column_stack([np.zeros_like(scores), scores]) if scores.ndim == 1 else scores, axis=1)

    def _soft_labels(self, codes, p):
        one_hot = np.eye(self.n_classes)
        if self.name == "forward_correction":  # probabilities of the true class, given the label
            joint = p * self.matrix.T[codes]
            return joint / np.maximum(joint.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        if self.name == "backward_correction":
            return np.linalg.inv(self.matrix)[codes]
        if self.name == "label_smoothing":
            return ((1.0 - self.strength) * one_hot + self.strength / self.n_classes)[codes]
        if self.name == "bootstrap":
            return (1.0 - self.strength) * one_hot[codes]
        shares = np.bincount(codes, minlength=self.n_classes) / len(codes) if self.shares is None else self.shares
        return one_hot[codes] - self.strength * shares
