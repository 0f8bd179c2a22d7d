"""Class probabilities by models that were not fitted on a sample, and which samples they can judge."""

import warnings

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin, clone, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from ironbark.errors import InputError
from ironbark.levels import is_missing
from ironbark.noise_matrix import check_probabilities
from ironbark.tree.forest import RobustRandomForestClassifier
from ironbark.tree.growing.bootstrap import fitted_bags
from ironbark.tree.held_out_votes import packed, path_losses
from ironbark.tree.pruning import node_alphas
from ironbark.tree.size_selection import best_alpha, candidates, ccp_path


class OnClassifier(MetaEstimatorMixin):
    """A mixin for estimators on top of a classifier of the labels, `estimator`, by default a forest."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base()).input_tags
        return tags

    def _base_of(self, classes):
        """Unfitted classifier, or a frozen one of these classes."""
        base = self._base()
        if not np.array_equal(known := getattr(base, "classes_", classes), classes):
            known, found = (", ".join(map(str, names[:10])) for names in (known, classes))
            raise InputError(f"the frozen classifier knows the classes {known}, but y has {found}; use its labels.")
        return base

    def _base(self):
        """Unfitted classifier."""
        if self.estimator is None:
            return RobustRandomForestClassifier(random_state=self.random_state)
        return clone(self.estimator)

    def _take_names(self):
        """Set the number and the names of the features to those of the fitted classifier."""
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)  # of an earlier fit
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))


def has_out_of_bag(estimator):
    """Whether the estimator is a forest that can predict samples by the trees that did not draw them."""
    params = estimator.get_params()
    return "oob_score" in params and bool(params.get("bootstrap"))


def fit_params(estimator, sample_weight):
    """Keyword arguments of the estimator's `fit`."""
    if sample_weight is None:
        return {}
    routes = get_config()["enable_metadata_routing"] and get_routing_for_object(estimator)
    if not has_fit_parameter(estimator, "sample_weight") and not (routes and routes.consumes("fit", ["sample_weight"])):
        name = type(estimator).__name__
        raise InputError(f"{name} does not take sample_weight; leave it out or choose another estimator.")
    return {"sample_weight": sample_weight}


def trusted_mask(trusted, n_samples: int) -> np.ndarray:
    """`trusted` as a checked bool array."""
    mask = np.asarray(trusted)
    if mask.dtype != bool or mask.shape != (n_samples,):
        raise InputError(
            f"trusted must hold one bool for each of the {n_samples} samples, but has shape {mask.shape} and type "
            f"{mask.dtype}."
        )
    if mask.all():
        raise InputError("trusted marks all samples, which leaves none with noise; mark fewer samples as trusted.")
    return mask


def out_of_bag(estimator, X, y, params):
    """Fit a forest, and predict each sample by the trees that did not draw it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*out-of-bag|.*OOB")  # callers report it in their own terms
        fitted = estimator.set_params(oob_score=True).fit(X, y, **params)
    found = np.array(fitted.oob_decision_function_, np.float64)
    seen = np.isclose(found.sum(axis=1), 1.0)
    if not seen.any():
        raise InputError("no sample is out of the bag of any tree; give more trees.")
    found[~seen] = np.nan
    return fitted, found


def cross_validated(estimator, X, y: np.ndarray, params: dict, folds, n_jobs: int | None = None) -> np.ndarray:
    """Predict each fold by the estimator fitted on the others."""
    for part in (estimator, *estimator.get_params().values()):
        if isinstance(part, FrozenEstimator) and is_classifier(part):
            raise InputError(
                f"{type(estimator).__name__} holds a frozen classifier, which may have seen the samples it judges; "
                "give the classifier as it is, to be fitted without them."
            )
    classes = np.unique(y)
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_predicted)(estimator, X, y, params, classes, train, test) for train, test in folds
    )
    probabilities = np.empty((len(y), len(classes)))
    probabilities[np.concatenate([test for _, test in folds])] = np.concatenate(parts)
    return check_probabilities(probabilities)


def _predicted(estimator, X, y, params, classes, train, test):
    """Probabilities of a fold by a model of the others; at module level, so that processes of any kind can load it."""
    found, weights = np.zeros((len(test), len(classes))), params.get("sample_weight")
    known = np.unique(y[train] if weights is None else y[train][weights[train] > 0])
    if len(known) < 2:  # which most classifiers refuse; such folds are not judged
        return found
    model = clone(estimator)
    model.fit(_safe_indexing(X, train), y[train], **_check_method_params(X, params, indices=train))
    found[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(_safe_indexing(X, test))
    return found


def judged(codes: np.ndarray, weights: np.ndarray | None, folds=None) -> np.ndarray:
    """Whether the models that predict a sample were fitted on others of its class with positive weight, and on more."""
    counts = np.ones(len(codes)) if weights is None else (weights > 0).astype(float)
    if folds is None:
        return np.bincount(codes, counts)[codes] > counts
    found, n_classes = np.zeros(len(codes), bool), codes.max() + 1
    for train, test in folds:
        known = np.bincount(codes[train], counts[train], minlength=n_classes) > 0
        found[test] = known[codes[test]] & (known.sum() > 1)
    return found


def fold_indices(codes, groups, n_folds, seed):
    """Training and test indices of folds in which the classes are spread evenly and no group is divided."""
    # There are as many folds as groups, if these are fewer, and none is empty.
    if groups is not None:
        n_folds = min(n_folds, len(np.unique(groups)))
        if n_folds < 2:
            raise InputError("groups holds one group only, so no label can be judged by others; leave the groups out.")
    most = np.bincount(codes).max()
    if most < n_folds:
        raise InputError(f"cv={n_folds} needs {n_folds} samples of some class, but none has over {most}; lower cv.")
    splitter = (StratifiedKFold if groups is None else StratifiedGroupKFold)(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # such labels are reported by callers
        folds = splitter.split(np.zeros(len(codes)), codes, groups)
        return [(train, test) for train, test in folds if len(test)]


MOST = 5  # classes that are named


def warn_of_unjudged(classes, codes, is_judged, weights=None, groups=None):
    """Warn of each class with labels that cannot be judged, or refuse if all are of that kind."""
    found, sentences = np.unique(codes[~is_judged]), []
    for code in found[:MOST]:
        is_one = codes == code
        n, n_unjudged = is_one.sum(), (is_one & ~is_judged).sum()
        if n == 1:
            reason = "has one sample"
        elif weights is not None and not weights[is_one].any():
            reason = "has no sample_weight above zero"
        elif groups is not None and len(np.unique(groups[is_one])) == 1:
            reason = "occurs in one group only"
        else:
            reason = "is missing among the samples, or those with weight, that some models were fitted on"
        which = "its labels" if n == n_unjudged else f"{n_unjudged} of its {n} labels"
        sentences.append(f"class {classes.tolist()[code]!r} {reason}, so {which} cannot be judged")
    if not is_judged.any():
        raise InputError(f"no label can be judged: {sentences[0]}; give other groups, more samples or other weights.")
    if len(found) > MOST:
        sentences.append(f"{len(found) - MOST} more classes have labels that cannot be judged")
    for sentence in sentences:
        warnings.warn(f"{sentence}; they count as right.", stacklevel=5)


def identical_rows(X) -> np.ndarray:
    """Number of each sample's distinct row; equal numbers for equal rows, missing values being equal."""
    if issparse(X):
        rows = X.tocsr().copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        ends = zip(rows.indptr, rows.indptr[1:], strict=False)
        keys = [(rows.indices[i:j].tobytes(), rows.data[i:j].tobytes()) for i, j in ends]
    elif (rows := np.asarray(X)).dtype.kind in "biuf":
        if rows.dtype.kind == "f":
            rows = rows + 0.0  # -0.0 is 0.0
            rows[np.isnan(rows)] = np.nan
        keys = [row.tobytes() for row in np.ascontiguousarray(rows)]
    else:
        if rows.ndim == 2:  # a missing entry is as any other, and -0.0 is 0.0
            rows = [[None if is_missing(x) else x + 0.0 if isinstance(x, float) else x for x in row] for row in rows]
        keys = [repr(row.tolist() if isinstance(row, np.ndarray) else row) for row in rows]
    numbers = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def conflicts(rows: np.ndarray, codes: np.ndarray) -> list[np.ndarray]:
    """Samples of identical rows that have different labels."""
    members = np.argsort(rows, kind="stable")
    groups = np.split(members, np.flatnonzero(np.diff(rows[members])) + 1)
    return [group for group in groups if (codes[group] != codes[group[0]]).any()]


#: A price whose Brier score is larger by this part of the lowest one weighs 1 / e of the best price.
TOLERANCE = 0.02


def averaged_out_of_bag(forest, X, y: np.ndarray, codes: np.ndarray, sample_weight=None):
    """Fit a forest, and predict each sample by the trees that did not draw it."""
    features, *_ = forest._check_training(X, y)
    names = ("categorical_features", "feature_names_in_", "categories_", "is_categorical_")
    columns = {name: vars(forest)[name] for name in names if name in vars(forest)}
    forest.set_params(categorical_features="from_dtype")  # the features know which they are
    vars(forest.fit(features, y, sample_weight=sample_weight)).update(columns)
    alphas = candidates("auto", len(codes))
    prices = [node_alphas(tree) for tree in forest.trees_]
    outside, n_jobs = fitted_bags(forest).outside, forest.n_jobs
    for weights in (sample_weight, None):  # the few samples with weight may be in all bags
        path = ccp_path(forest.trees_, prices, outside, forest.seeds_, features, codes, alphas, weights, n_jobs=n_jobs)
        if not np.isnan(path["brier_score"]).all():
            break
    else:
        raise InputError("no sample is out of the bag of any tree; give more samples.")
    scores = path["brier_score"]
    shares = np.exp(-(scores - scores.min()) / max(TOLERANCE * scores.min(), np.finfo(float).tiny))
    shares /= shares.sum()

    def average(votes, _):
        return np.einsum("ijk,j->ik", votes, shares)

    bits = packed(outside, forest.seeds_)
    found = path_losses(forest.trees_, prices, bits, features, codes, alphas, average, n_jobs=n_jobs)
    forest.set_params(ccp_alpha=best_alpha(path, prices))
    forest._prune(forest.trees_, prices, forest.ccp_alpha, path)
    return forest, found
