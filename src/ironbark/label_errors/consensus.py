"""One label of each sample from those of several annotators: (n_samples, n_annotators) codes, int, -1 for a gap."""

import warnings
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing, check_consistent_length, indexable
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ironbark.errors import InputError
from ironbark.inputs import _array, encoded, encoded_like, missing, undone, vector
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.suspects import _pandas

N_MODELS = 2  # models that "features" fits
FLOOR = 0.02  # least weight of the shares of all labels in the prior that a model gives
MAX_ITER, TOL = 200, 1e-6  # rounds of expectation maximisation, and the gain of a sample at which it ends
TINY = np.finfo(float).tiny
CONSTANT, DIFFERING = 20, 0.1  # labels of one class, and the share of others' labels there that are of another
LEAST = 1e-6  # of an annotator, or the model, that agrees with the others less than the commonest class does


def vote_counts(codes: np.ndarray, n_classes: int, weights=1.0) -> np.ndarray:
    """Sum of the weights of the annotators that gave each class, (n_samples, K)."""
    return np.stack([((codes == k) * weights).sum(axis=1) for k in range(n_classes)], axis=1)


def vote_shares(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Share of each class among the labels of a sample; those of all labels for a sample without any."""
    counts = vote_counts(codes, n_classes)
    n_votes = counts.sum(axis=1, keepdims=True)
    return np.where(n_votes, counts / np.maximum(n_votes, 1.0), counts.sum(axis=0) / counts.sum())


def likelihood(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """P on the diagonal, the mean share of the majority, which is kept below 1, and (1 - P) / (K - 1) elsewhere."""
    several = (codes >= 0).sum(axis=1) > 1
    shares = vote_shares(codes[several], n_classes).max(axis=1)
    agreement = (shares.sum() + 1) / (len(shares) + 2)
    return np.where(np.eye(n_classes, dtype=bool), agreement, (1 - agreement) / (n_classes - 1))


def constant(codes: np.ndarray) -> np.ndarray:
    """Annotators, (n_annotators,) bool, who gave one class only, to many samples to which others gave other classes."""
    given = [column[column >= 0] for column in codes.T]
    found = np.array([len(own) >= CONSTANT and (own == own[0]).all() for own in given])
    for j in np.flatnonzero(found):
        others = np.delete(codes, j, axis=1)[codes[:, j] >= 0]
        found[j] = (others[others >= 0] != given[j][0]).sum() > DIFFERING * max((others >= 0).sum(), 1)
    return found if (~found).sum() > 1 else np.zeros_like(found)


def _of_the_varied(names, codes):
    """The codes without those of `constant` annotators, and a warning that names them."""
    is_constant = constant(codes)
    if is_constant.any():
        who = ", ".join(repr(name) for name, is_one in zip(names, is_constant, strict=True) if is_one)
        warnings.warn(
            f"all labels of annotator {who} are of one class where others often differ, so the consensus is found "
            "without them; see annotators_.",
            stacklevel=4,
        )
    return np.where(is_constant, -1, codes)


def dawid_skene(codes, n_classes, smoothing, dependence, prior=None):
    """Posterior (n_samples, K), confusion matrices (n_annotators, K, K), and log posterior density of each round."""
    # `prior` holds class probabilities of each sample in place of the shares of the classes.
    n, m = codes.shape
    rows, columns = np.nonzero(codes >= 0)
    weights = 1 / (1 + dependence * np.maximum(np.bincount(rows, minlength=n) - 1, 0))
    given = csr_matrix((weights[rows], (rows, columns * n_classes + codes[rows, columns])), (n, m * n_classes))
    pseudo = smoothing * likelihood(codes, n_classes)
    posterior, path = vote_shares(codes, n_classes), []
    while len(path) < MAX_ITER and (len(path) < 2 or path[-1] - path[-2] > TOL * n):
        counts = (given.T @ posterior).reshape(m, n_classes, n_classes) + pseudo  # annotator, given, true
        confusion = counts / counts.sum(axis=1, keepdims=True)  # 2.3
        logs, shares = np.log(TINY + confusion), np.log(TINY + posterior.mean(axis=0))  # 2.4
        joint = (shares if prior is None else np.log(TINY + prior)) + given @ logs.reshape(m * n_classes, n_classes)
        evidence = logsumexp(joint, axis=1, keepdims=True)
        posterior = np.exp(joint - evidence)  # 2.5
        path.append(evidence.sum() + (pseudo * logs).sum())
    return posterior, confusion.transpose(0, 2, 1), path


def mixed(model: np.ndarray, consensus: np.ndarray) -> np.ndarray:
    """Class probabilities of a model, mixed with the shares of the classes so that they meet the consensus best."""
    met, shares = (model * consensus).sum(axis=1), consensus.mean(axis=0)
    weight = minimize_scalar(lambda w: -np.log(w * met + (1 - w) * consensus @ shares).sum(), bounds=(0, 1 - FLOOR)).x
    return weight * model + (1 - weight) * shares


def crowdlab(codes, n_classes, model):
    """Weighted mean of the model's probabilities and those of the annotators' labels (Goh et al. 2022)."""
    counts, is_given = vote_counts(codes, n_classes), codes >= 0
    n_votes = counts.sum(axis=1)
    several = n_votes > 1
    majority = break_ties(vote_shares(codes, n_classes), codes)[several]
    commonest = (majority == counts.sum(axis=0).argmax()).mean()  # A_MLC
    accuracy = (model[several].argmax(axis=1) == majority).mean()  # A_M
    others = (is_given * (n_votes[:, None] - 1)).sum(axis=0)
    same = (is_given * (np.take_along_axis(counts, np.maximum(codes, 0), axis=1) - 1)).sum(axis=0)
    agreement = np.where(others, same / np.maximum(others, 1), same.sum() / others.sum())  # s_j
    scale = max(1 - commonest, LEAST)
    weights = np.maximum(1 - (1 - agreement) / scale, LEAST)  # w_j
    weight = max(1 - (1 - accuracy) / scale, LEAST) * np.sqrt(n_votes.mean())  # w_M
    total = weight * model + vote_counts(codes, n_classes, weights) @ likelihood(codes, n_classes)
    return total / total.sum(axis=1, keepdims=True)


def break_ties(probabilities: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Most probable class of each sample; of equal ones the one given more often, then the first."""
    frequency = np.bincount(codes[codes >= 0], minlength=probabilities.shape[1])
    return np.argmax(np.round(probabilities, 9) + 1e-10 * frequency / frequency.sum(), axis=1)


@dataclass(eq=False, repr=False)
class ConsensusLabels(BaseEstimator):
    """Find one label of each sample from those of several annotators, and how good each annotator is; needs pandas.

    Parameters
    ----------
    method : {"features", "dawid_skene", "crowdlab", "majority"}, default="features"
        "dawid_skene" estimates the confusion matrix of each annotator by expectation maximisation [1]_. "features" does
        so with a model of the features, as in [2]_: the prior of each sample's class is what a classifier of the
        consensus that was not fitted on the sample predicts. Both leave out annotators whose 20 or more labels are all
        of one class, if over a tenth of the others' labels of these samples differ. "crowdlab" is the weighted mean of
        the annotators' labels and the predictions of a classifier of the majority vote [3]_. "majority" counts votes.
    detector : LabelErrorDetector, default=None
        Whose classifier "features" and "crowdlab" use; None for ``LabelErrorDetector(random_state=0)``.
    classes : array-like of shape (n_classes,), default=None
        Labels that may be given; None for those that are.
    smoothing : float, default=5.0
        Labels of an average annotator that are added to those of each annotator and class.
    dependence : float, default=0.05
        Assumed correlation r of annotators' errors: n labels of a sample count as n / (1 + (n - 1) r); 0 as in [1]_.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    labels_ : ndarray of shape (n_samples,)
        The consensus; of equally probable classes, the one given more often. Samples without a label have one, too.
    quality_ : ndarray of shape (n_samples,), float64
        Estimated probability that the consensus is right.
    probabilities_ : ndarray of shape (n_samples, n_classes), float64
    n_labels_ : ndarray of shape (n_samples,), int
    annotators_ : pandas.DataFrame
        name, n_labels, quality (mean probability that the labels are right), and agreement (share of the labels that
        are the consensus) of each annotator; NaN without labels.
    confusion_ : ndarray of shape (n_annotators, n_classes, n_classes), float64
        Of "features" and "dawid_skene". Entry [j, k, l] estimates how likely annotator j gives class k the label l.

    References
    ----------
    .. [1] A. P. Dawid, A. M. Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm",
       Applied Statistics 28, 1979, equations 2.3 to 2.5; here with a Dirichlet prior of the confusion matrices.
    .. [2] V. C. Raykar et al., "Learning from crowds", JMLR 11, 2010.
    .. [3] H. W. Goh, U. Tkachenko, J. Mueller, "CROWDLAB: Supervised learning to infer consensus labels and quality
       scores for data with multiple annotators", 2022, equations of P, p_j, s_j, A_M, A_MLC, w_j and w_M.

    Examples
    --------
    >>> from ironbark.label_errors import ConsensusLabels
    >>> votes = [["cat", "cat", None], ["dog", "cat", "dog"], [None, "dog", "dog"]]
    >>> ConsensusLabels("dawid_skene").fit(None, votes).labels_.tolist()
    ['cat', 'dog', 'dog']
    """

    _parameter_constraints = {
        "method": [StrOptions({"features", "dawid_skene", "crowdlab", "majority"})],
        "detector": [LabelErrorDetector, None],
        "classes": ["array-like", None],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
        "dependence": [Interval(Real, 0, 1, closed="both")],
    }

    method: str = "features"
    _: KW_ONLY
    detector: LabelErrorDetector | None = None
    classes: ArrayLike | None = None
    smoothing: float = 5.0
    dependence: float = 0.05

    @undone
    def fit(self, X: ArrayLike | None, Y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Find the consensus.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            None for "dawid_skene" and "majority".
        Y : array-like of shape (n_samples, n_annotators)
            Labels; NaN, None or pandas' NA where there is none.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group are predicted by models fitted without the whole group.
        """
        self._validate_params()
        pd = _pandas()
        vars(self).pop("confusion_", None)  # of an earlier fit
        names, codes = self._codes(Y)
        check_consistent_length(X, codes, groups)
        n_classes, is_given = len(self.classes_), codes >= 0
        self.n_labels_ = is_given.sum(axis=1)
        self.probabilities_ = vote_shares(codes, n_classes)
        if self.method == "crowdlab":
            self.probabilities_ = crowdlab(codes, n_classes, self._model(X, codes, groups))
        elif self.method != "majority":
            used = _of_the_varied(names, codes)
            self.probabilities_ = vote_shares(used, n_classes)
            for i in range(1 + N_MODELS if self.method == "features" else 1):
                prior = mixed(self._model(X, used, groups), self.probabilities_) if i else None
                options = (self.smoothing, self.dependence, prior)
                self.probabilities_, self.confusion_, _ = dawid_skene(used, n_classes, *options)
        found = break_ties(self.probabilities_, codes)
        self.labels_, self.quality_ = self.classes_[found], self.probabilities_[np.arange(len(found)), found]
        right = np.take_along_axis(self.probabilities_, np.maximum(codes, 0), axis=1)
        columns = {"name": names, "n_labels": is_given.sum(axis=0)}
        for name, values in (("quality", right), ("agreement", codes == found[:, None])):
            columns[name] = pd.DataFrame(values, dtype=float).where(is_given).mean().to_numpy()
        self.annotators_ = pd.DataFrame(columns)
        return self

    def _codes(self, Y):
        """Names of the annotators and codes of their labels; sets `classes_`."""
        given = _array(Y)
        is_given = ~missing(given)
        if given.ndim != 2 or not (is_given.sum(axis=1) > 1).any():
            raise InputError(
                f"Y, of shape {given.shape}, has no sample with labels of two annotators, so they cannot be compared; "
                "give more labels, or use LabelErrorDetector, which judges one label of each sample."
            )
        names = [str(name) for name in getattr(Y, "columns", range(given.shape[1]))]
        self.classes_, _ = encoded(given[is_given] if self.classes is None else self.classes, "ConsensusLabels")
        codes = np.full(given.shape, -1)
        for j, known in enumerate(is_given.T):
            codes[known, j] = encoded_like(given[known, j], self.classes_, f"annotator {names[j]!r}")
        return names, codes

    def _model(self, X, codes, groups):
        """Class probabilities of each sample by a model of the consensus of others."""
        if X is None:
            raise InputError(f"the method {self.method!r} needs features; give X, or choose 'dawid_skene'.")
        X, _, groups = indexable(X, codes, groups)
        labels = break_ties(self.probabilities_, codes)
        is_labelled = (codes >= 0).any(axis=1)
        labelled, others = np.flatnonzero(is_labelled), np.flatnonzero(~is_labelled)
        counts = np.bincount(labels[labelled], minlength=len(self.classes_))
        known, found = np.flatnonzero(counts), np.tile(counts / len(labelled), (len(codes), 1))
        if len(known) < 2:
            return found
        detector = LabelErrorDetector(random_state=0) if self.detector is None else clone(self.detector)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of labels that are not judged: the shares of the classes
            groups = None if groups is None else vector(groups, "groups")
            parts = None if groups is None else groups[labelled]
            detector.fit(_safe_indexing(X, labelled), labels[labelled], groups=parts)
        is_judged = detector.is_judged_
        found[np.ix_(labelled[is_judged], known)] = detector.probabilities_[is_judged]
        if groups is not None:  # the model was fitted on samples of their groups
            others = others[~np.isin(groups[others], groups[labelled])]
        if len(others):
            found[np.ix_(others, known)] = detector.estimator_.predict_proba(_safe_indexing(X, others))
        return found

    def next_rows(self, n: int = 10) -> "NDArray[np.intp]":
        """Samples that deserve another opinion most: of lowest quality, and of equal ones, of fewest labels.

        Parameters
        ----------
        n : int, default=10

        Returns
        -------
        ndarray of shape (n,), int
        """
        check_is_fitted(self)
        return np.lexsort((self.n_labels_, self.quality_))[: max(n, 0)]
