"""Base of the classifiers on top of XGBoost and LightGBM: packages, objective, metrics, probabilities."""

import functools
import importlib
import re
import warnings
from collections.abc import Callable

import numpy as np
from scipy.special import expit, log_expit, logit, softmax
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t
from ironbark.boosting.gbdt.fitting import check_single_precision, parts, refuse_misspelt, refuse_together, rows_of
from ironbark.boosting.gbdt.losses.corrections import CORRECTIONS, NEED_MATRIX, CorrectedLoss
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.errors import InputError, MissingPackage
from ironbark.frames import is_frame, of_arrow
from ironbark.inputs import Features, training
from ironbark.noise_matrix import check_names
from ironbark.soft_labels import expanded, is_soft

OBJECTIVES = ("application", "app", "objective_type")  # what LightGBM calls `objective`, too
#: Parameters of the estimators that the libraries don't know.
OWN = ("r", "q", "loss", "multi", "a", "b", "noise_matrix", "strength", "validation_fraction")

#: Name of the metric that is the mean of the loss that is trained on.
ROBUST_METRIC = "robust_loss"

#: Package -> how to get it.
INSTALL = {"xgboost": "`pip install xgboost`, or xgboost-cpu,", "lightgbm": "`pip install lightgbm`"}


def required(package, user):
    """Import a package that only some estimators need."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackage(f"{user} needs the package {package}; run {INSTALL[package]} and try again.") from error
    except OSError as error:
        if "libgomp" not in str(error):
            raise
        raise InputError(
            f"{user} needs the system library libgomp.so.1; install it, on Debian and Ubuntu with "
            "`apt-get install libgomp1`."
        ) from error


def loss_of(estimator, n_classes):
    """The checked loss of an estimator's parameters."""
    if estimator.noise_matrix is not None and estimator.loss not in NEED_MATRIX:
        raise InputError(
            f"loss={estimator.loss!r} makes no use of noise_matrix; set loss='forward_correction', or leave it out."
        )
    if estimator.loss in CORRECTIONS:
        return CorrectedLoss(estimator.loss, n_classes, estimator.noise_matrix, estimator.strength)
    return BoostingLoss(estimator.loss, estimator.multi, **{name: getattr(estimator, name) for name in "rqab"})


class RobustGBDT(Features):
    """What the classifiers on top of both libraries share; a mixin, whose next base is the library's class."""

    own_objectives: tuple[str, ...]  # names that the library gives its objectives for classification
    search: dict[str, t.Any]  # changes of parameters for a fit that chooses the number of rounds

    def __init__(
        self,
        r: float = 0.5,
        q: float = 0.3,
        *,
        loss: str = "robust_focal",
        multi: t.Multi = "ovr",
        a: float = 1.0,
        b: float = 1.0,
        noise_matrix: t.ArrayLike | None = None,
        strength: float = 0.1,
        validation_fraction: float | None = None,
        n_jobs: int | None = 1,
        **kwargs: t.Any,
    ) -> None:
        self.r = r
        self.q = q
        self.loss = loss
        self.multi = multi
        self.a = a
        self.b = b
        self.noise_matrix = noise_matrix
        self.strength = strength
        self.validation_fraction = validation_fraction
        super().__init__(n_jobs=n_jobs, **kwargs)

    @property
    def feature_names_in_(self) -> t.Labels:
        """Names of the columns of the data frame in `fit`; the library has others of those that it cannot name."""
        if getattr(self, "_names", None) is None:
            raise AttributeError(f"{type(self).__name__} has no names of features: no data frame in `fit` had them.")
        return np.array(self._names, object)

    @feature_names_in_.deleter
    def feature_names_in_(self) -> None:  # as LightGBM does where there are no names
        pass

    def _named(self, X, *, reset, keep):
        """Features as numbers, in columns that both libraries can name."""
        X = of_arrow(X)
        names = list(X.columns) if is_frame(X) else []
        if reset:
            self._names = names if names and all(isinstance(name, str) for name in names) else None
        check_is_fitted(self, "_names")  # is there for evaluation sets, too
        X = self._numbers(X, reset=reset, keep=keep)
        if self._rounds_integers and not is_frame(X) and getattr(X, "dtype", np.dtype(float)).kind in "iub":
            X = X.astype(np.float64)
        texts = [re.sub(self._unnameable, "_", str(name)) for name in names]
        unique = [f"{text}_{place}" for place, text in enumerate(texts)]
        kept = [text == str(name) and texts.count(text) == 1 for name, text in zip(names, texts, strict=True)]
        mixed = [text if keep else other for text, other, keep in zip(texts, unique, kept, strict=True)]
        if all(kept):
            return X
        others = mixed if len(set(mixed)) == len(mixed) else unique
        return X.set_axis(others, axis=1) if hasattr(X, "iloc") else X.rename(dict(zip(names, others, strict=True)))

    def _rows(self, X, y, sample_weight, **others):
        """Samples, labels and weights; of soft labels a row for each class that a sample may have."""
        if not is_soft(y):
            return X, y, sample_weight
        others["validation_fraction"] = self.validation_fraction
        refuse_together(type(self).__name__, "a matrix of probabilities as y", **others)
        check_consistent_length(X, y)
        samples, labels, weights = expanded(y, sample_weight)
        return rows_of(X, samples), labels, weights

    def _checked(self, X, y, sample_weight, further):
        """Classes, codes, weights and the loss, after checks of all that does not depend on the library."""
        name = type(self).__name__
        vars(self).pop("validation_loss_", None)  # of an earlier fit
        refuse_misspelt(name, further, self.get_params().keys() - further.keys())
        own = {"objective": None if self.objective in self.own_objectives else self.objective}
        for alias, value in (own | {alias: further.get(alias) for alias in OBJECTIVES}).items():
            if value is not None:
                raise InputError(
                    f"{alias}={value!r} can't be combined with the losses of {name}; leave `{alias}` out and choose a "
                    "`loss`, or use the library's own class."
                )
        labels, codes, sample_weight = training(X, y, sample_weight, name)
        check_names(self.noise_matrix, labels)
        loss = loss_of(self, len(labels))
        check_single_precision(sample_weight)
        return labels, codes, sample_weight, loss

    def _refuse_other(self, model, labels):
        """Raise InputError if the model that a fit goes on with has other classes, or other texts in its columns."""
        mine = labels.tolist(), getattr(self, "categories_", {})
        if isinstance(model, RobustGBDT) and mine != (model.classes_.tolist(), getattr(model, "categories_", {})):
            raise InputError("y has other classes, or X other texts, than the model to go on with; fit without it.")

    def _chosen_rounds(self, X, y, codes, sample_weight, class_weights, options):
        """Number of rounds by the samples left out; sets `validation_loss_`."""
        part = type(self)(**{**self.get_params(), **self.search, "validation_fraction": None})
        fitted, held = parts(self, X, y, codes, sample_weight, class_weights)
        self.validation_loss_ = np.array(part._held_out_losses(fitted, held, options))
        return int(self.validation_loss_.argmin()) + 1

    @property
    def _link(self):
        """Link from scores to probabilities, a value of `multi`; corrected log losses use softmax."""
        return CorrectedLoss.multi if self.loss in CORRECTIONS else self.multi

    def _warn_of_a_constant(self, n, least, *penalties):
        """Warn that no tree has split."""
        lower = [least, *(f"{name}={value:g}" for name in penalties if (value := getattr(self, name)))]
        warnings.warn(
            f"no tree splits the {n} samples, so {self._constant}; give more samples, a lower "
            f"{' or '.join(lower)}, or features that vary.",
            stacklevel=4,  # above that of `undone`
        )

    def _warn_of_divergence(self, objective):
        """Warn that training made the model worse than a constant, by the scores of the last round."""
        # Both its log loss and the loss that is trained on must say so: slow learning does not raise the first one, and
        # wrong labels, of which a robust loss leaves some far off, do not raise the second one.
        if objective.last is None:
            return
        y, scores, weight = objective.last
        objective.last, codes, loss = None, np.asarray(y, np.intp), objective.loss
        p = np.maximum(probabilities(scores, loss.multi)[np.arange(len(codes)), codes], 1e-15)
        shares = np.bincount(codes, weight, minlength=objective.n_classes)
        shares = np.maximum(shares / shares.sum(), 1e-15)
        found, most = np.average(-np.log(p), weights=weight), 1.1 * np.log(objective.n_classes)
        if found <= most or np.average(loss.values(y, scores), weights=weight) <= _of_shares(loss, shares):
            return
        remedy = "multi='ovr', " if loss.multi == "softmax" and objective.n_classes > 2 else ""
        warnings.warn(
            f"training diverged: its log loss is {found:.3g}, that of the class shares {-(shares @ np.log(shares)):.3g}"
            f"; use {remedy}a smaller learning_rate, a larger reg_lambda, or smaller r and q.",
            stacklevel=4,  # above that of `undone`
        )


def _of_shares(loss, shares):
    """Mean of a loss if the model is the class shares."""
    classes = np.arange(len(shares))
    constant = np.log(shares) if loss.multi == "softmax" and len(shares) > 2 else logit(np.minimum(shares, 1 - 1e-15))
    scores = np.full(2, constant[1]) if len(shares) == 2 else np.tile(constant, (len(shares), 1))
    return shares @ loss.values(classes, scores)


def probabilities(scores: np.ndarray, multi: str) -> np.ndarray:
    """Class probabilities of raw scores."""
    if scores.ndim == 1:
        return np.column_stack([expit(-scores), expit(scores)])
    return softmax(scores if multi == "softmax" else log_expit(scores), axis=1)


def of_probabilities(metric, multi) -> Callable:
    """A user's metric, as the libraries call it when the objective is not their own: with raw scores."""

    @functools.wraps(metric)
    def called(y_true, scores, *args, **options):
        p = probabilities(scores, multi)
        return metric(y_true, p[:, 1] if scores.ndim == 1 else p, *args, **options)

    return called


class Objective:
    """Gradient and Hessian as both libraries call for them."""

    def __init__(self, loss, n_classes, start, class_weights=None):
        self.loss, self.n_classes, self.class_weights = loss, n_classes, class_weights
        self.start = start  # what the scores of the first call must be: "zero" or "constant"; None if they were given
        self.last = None  # labels, scores and weights of the last call, not copied

    def __deepcopy__(self, memo):
        """This object: LightGBM copies its parameters, but `last` is read afterwards."""
        return self

    def __call__(self, y_true, y_pred, sample_weight=None):
        """Derivatives of the weighted loss, float32, of the shape of `y_pred`."""
        self._check(y_true, y_pred)
        of_class = None if self.class_weights is None else self.class_weights[np.asarray(y_true, np.intp)]
        weights = [np.asarray(one, np.float32) for one in (sample_weight, of_class) if one is not None]
        if self.last is None:
            every = np.prod(weights, axis=0) if weights else None
            counts = np.bincount(np.asarray(y_true, np.intp), every, minlength=self.n_classes)
            self.loss.shares = counts / counts.sum()
        gradient, hessian = self.loss.derivatives(y_true, y_pred, np.float32)
        self.last = y_true, y_pred, sample_weight
        if self.start:
            self._check_start(gradient, hessian)
            self.start = None
        for weight in weights:
            column = weight.reshape(-1, *[1] * (y_pred.ndim - 1))
            gradient *= column
            hessian *= column
        return gradient, hessian

    def _check_start(self, gradient, hessian):
        """Refuse what would silently become a constant model."""
        if hessian.sum(dtype=float) <= 1e-6 * (np.abs(gradient) + np.abs(hessian)).sum(dtype=float):
            raise InputError(
                f"loss {self.loss.name!r} has no curvature where boosting starts, so no tree can grow; choose another "
                "loss or other parameters, or give scores to start from."
            )

    def _check(self, y_true, y_pred):
        """Newer versions of the libraries may pass other things on: better an error than a wrong model."""
        expected = (len(y_true),) if self.n_classes == 2 else (len(y_true), self.n_classes)
        if y_pred.shape != expected:
            raise RuntimeError(
                f"the library passes scores of shape {y_pred.shape}, not {expected}; leave out `num_class` if it was "
                "given, else ironbark can't be used with this version of it."
            )
        if self.start and np.any(y_pred != (0 if self.start == "zero" else y_pred[0])):
            raise RuntimeError(
                "this version of the library does not start from constant scores; ironbark can't be used with it."
            )
