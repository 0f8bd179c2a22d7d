"""LightGBM's classifier with robust losses."""

import warnings

import numpy as np

from ironbark import annotations as t
from ironbark.boosting.gbdt.base import (
    OWN,
    ROBUST_METRIC,
    Objective,
    loss_of,
    multi_of,
    probabilities,
    refuse_objective,
    required,
    warn_of_a_constant,
    warn_of_divergence,
)
from ironbark.boosting.gbdt.fitting import (
    PATIENCE,
    check_single_precision,
    parts,
    refuse_misspelt,
    refuse_together,
    replaced,
    weights_of_two,
)
from ironbark.boosting.gbdt.metrics import METRIC_PARAMETERS, for_lightgbm
from ironbark.errors import InputError
from ironbark.inputs import Features, encoded_like, training

NAME = "RobustLGBMClassifier"
lightgbm = required("lightgbm", NAME)
LGBMClassifier = lightgbm.LGBMClassifier

#: Names under which LightGBM is asked to weigh the rarer class more.
BALANCE_PARAMETERS = ("is_unbalance", "unbalance", "unbalanced_sets")

#: Names under which LightGBM is asked to stop early.
STOPPING_PARAMETERS = ("early_stopping_round", "early_stopping_rounds", "early_stopping", "n_iter_no_change")


class RobustLGBMClassifier(Features, LGBMClassifier):
    """`lightgbm.LGBMClassifier` with the robust focal loss, or another robust loss.

    Parameters
    ----------
    r : float, default=0.5
        Focus >= 0: the larger, the less well classified samples count.
    q : float, default=0.3
        Robustness in [0, 1): the larger, the less badly classified samples count. r = q = 0 is the log loss.
    loss : str, default="robust_focal"
        A name of `ironbark.boosting.gbdt.losses.LOSSES`: also "generalized_cross_entropy" (takes q), "focal" (r),
        "symmetric_cross_entropy" (a, b), "normalized_cross_entropy", "mean_absolute_error" and "cross_entropy". Or a
        log loss corrected for noise, always under softmax: "forward_correction" and "backward_correction" (take
        noise_matrix), "label_smoothing", "bootstrap" and "peer" (strength); see
        `ironbark.boosting.gbdt.losses.corrections`.
    multi : {"ovr", "softmax"}, default="ovr"
        Three and more classes: each class against the rest, or scores that compete in a softmax. "softmax" is what the
        authors' code does; it diverges easily, see Notes.
    a, b : float, default=1.0
        Weights of the two parts of symmetric cross entropy.
    noise_matrix : array-like of shape (n_classes, n_classes), default=None
        Entry [i, j] is the probability that class i carries the label j: for "forward_correction" and
        "backward_correction".
    strength : float, default=0.1
        Of "label_smoothing", "bootstrap" and "peer", in [0, 1).
    validation_fraction : float, default=None
        Share of the samples of each class that a first fit leaves out. The number of rounds with the lowest mean loss
        on them is that of a second fit, to all samples; 50 rounds without a lower loss end the first. None runs
        `n_estimators`.
    n_jobs : int, default=1
        Threads.
    verbose : int, default=-1
        What LightGBM prints: -1 fatal errors only, 0 warnings too, 1 information too.
    **kwargs
        Parameters of `lightgbm.LGBMClassifier`, all but `objective`. `min_child_weight` is held against the sum of
        Hessians, which are less than 0 for badly classified samples. `class_weight`, and for two classes `is_unbalance`
        and `scale_pos_weight`, weigh them as in LightGBM.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels, of any type.
    n_estimators_ : int
        Number of rounds of the model.
    validation_loss_ : ndarray
        With `validation_fraction`, the mean loss of the samples left out after each round.

    See Also
    --------
    ironbark.RobustXGBClassifier : the same for XGBoost.

    Notes
    -----
    Boosting starts from score 0; LightGBM with its own log loss starts from the log-odds of the classes. It ends with
    the first round in which no split gains: where a class is rare and `reg_lambda` above some tenths, that is the first
    one, and `fit` warns of a constant. `booster_`, saved as a file, gives raw scores.

    Under softmax boosting starts at p = 1 / K, where for K >= 5 and the default `r` and `q` the Hessian of the label's
    score is negative. Leaves of one class are then refused, and others get enormous values: use it with `r` and `q`
    near 0, or tuned. `fit` warns of a model that is worse than a constant.

    References
    ----------
    "Robust-GBDT: GBDT with Nonconvex Loss for Tabular Classification in the Presence of Label Noise and Class
    Imbalance", arXiv:2310.05067v2.

    Examples
    --------
    >>> import numpy as np
    >>> from ironbark import RobustLGBMClassifier
    >>> X = np.arange(40.0)[:, None]
    >>> model = RobustLGBMClassifier(r=0.5, q=0.3, min_child_samples=5)
    >>> model.fit(X, np.where(X[:, 0] > 17, "yes", "no")).predict([[3.0], [30.0]]).tolist()
    ['no', 'yes']
    """

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
        verbose: int = -1,
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
        super().__init__(n_jobs=n_jobs, verbose=verbose, **kwargs)

    def fit(
        self,
        X: t.Any,
        y: t.ArrayLike,
        sample_weight: t.ArrayLike | None = None,
        init_score: t.ArrayLike | None = None,
        eval_set: t.Sequence[tuple[t.Any, t.Any]] | None = None,
        *,
        eval_X: t.Any = None,
        eval_y: t.Any = None,
        eval_metric: t.Any = None,
        **options: t.Any,
    ) -> t.Self:
        """Fit the booster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            All that LightGBM takes, missing values included. Text in columns of a data frame is replaced by ranks in
            the order of code points, and a text that `fit` did not see counts as missing.
        y : array-like of shape (n_samples,)
            Labels of at least two classes, of any type.
        eval_metric : str, callable or list of these, default=None
            As in LightGBM, or "robust_loss", the mean of the loss that is trained on. LightGBM's log losses and error
            rates are computed of probabilities here, and functions get probabilities. None stands for `metric`, and
            that for the log loss.
        sample_weight, init_score, eval_set, eval_X, eval_y, **options
            As in `lightgbm.LGBMClassifier.fit`; labels of evaluation sets as in y.

        Returns
        -------
        RobustLGBMClassifier

        Raises
        ------
        ValueError
            If a parameter is out of range, y is no classification target or holds one class only, y or the weights are
            not as long as X, a weight is negative, an evaluation set has other labels, or a metric is
            unknown or can't be computed of raw scores.

        Warns
        -----
        UserWarning
            If no tree splits, or the model is worse than a constant.
        """
        params = self.get_params()
        refuse_misspelt(NAME, self._other_params, params.keys() - self._other_params.keys())
        refuse_objective(self.objective, ("binary", "multiclass"), NAME)
        labels, codes, sample_weight = training(X, y, sample_weight, NAME)
        loss = loss_of(self, len(labels))
        check_single_precision(sample_weight)
        X = self._named(X, reset=True, keep=True)
        sets = self._sets(eval_set, eval_X, eval_y, labels)
        chosen = {}
        if self.validation_fraction is not None:
            given = {"init_score": init_score, "init_model": options.get("init_model"), "evaluation sets": sets}
            refuse_together(NAME, **given)
            chosen["n_estimators"] = self._chosen_rounds(X, labels[codes], codes, sample_weight, options)
        given = init_score is not None or options.get("init_model") is not None
        weights = self._class_weights(codes, len(labels))
        self._pending = Objective(loss, len(labels), None if given else "zero", weights)
        metrics = [eval_metric, *(params.get(name) for name in METRIC_PARAMETERS)]
        try:
            with replaced(self, **chosen), warnings.catch_warnings():
                # LightGBM 4.7 forgets to encode `eval_y`, but not what it calls deprecated, `eval_set`.
                warnings.filterwarnings("ignore" if eval_set is None else "default", "The argument 'eval_set'")
                super().fit(
                    X,
                    labels[codes],
                    sample_weight=sample_weight,
                    init_score=init_score,
                    eval_set=sets,
                    eval_metric=for_lightgbm(metrics, loss, len(labels), multi_of(self)),
                    **options,
                )
        finally:
            del self._pending
        if not self.booster_.feature_importance("split").any():
            penalties = {name: getattr(self, name) for name in ("reg_lambda", "reg_alpha")}
            warn_of_a_constant(len(codes), f"min_child_samples={self.min_child_samples}", penalties)
        warn_of_divergence(self._objective)
        return self

    def _sets(self, eval_set, eval_X, eval_y, labels):
        """Evaluation sets as a list of pairs, or None."""
        if (eval_X is None) != (eval_y is None) or (eval_set is not None and eval_X is not None):
            raise InputError("give evaluation sets as `eval_X` and `eval_y`, or as `eval_set`.")
        if eval_X is not None:
            sets = list(zip(eval_X, eval_y, strict=True)) if isinstance(eval_X, tuple) else [(eval_X, eval_y)]
        else:
            sets = [eval_set] if isinstance(eval_set, tuple) else eval_set
        return sets and [
            (self._named(X, reset=False, keep=True), labels[encoded_like(y, labels, f"evaluation set {i}")])
            for i, (X, y) in enumerate(sets)
        ]

    def _chosen_rounds(self, X, y, codes, sample_weight, options):
        """Number of rounds by the samples left out; sets `validation_loss_`."""
        params = {name: value for name, value in self.get_params().items() if name not in METRIC_PARAMETERS}
        refuse_together(NAME, **{name: params.get(name) for name in STOPPING_PARAMETERS})
        part = type(self)(**{**params, "validation_fraction": None})
        class_weights = self._class_weights(codes, codes.max() + 1)
        fitted, (X_held, y_held, held_weight) = parts(self, X, y, codes, sample_weight, class_weights)
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        changes = {"callbacks": [*(options.get("callbacks") or ()), stop], "eval_metric": ROBUST_METRIC}
        held = {"eval_X": X_held, "eval_y": y_held, "eval_sample_weight": [held_weight]}
        part.fit(*fitted, **{**options, **changes, **held, "eval_class_weight": [self.class_weight]})
        self.validation_loss_ = np.array(part.evals_result_["valid_0"][ROBUST_METRIC])
        return int(self.validation_loss_.argmin()) + 1

    def _class_weights(self, codes, n_classes):
        """Weights of two classes, which LightGBM leaves to its own objectives."""
        params = self.get_params()
        balance = any(params.get(name) for name in BALANCE_PARAMETERS)
        return weights_of_two(codes, n_classes, params.get("scale_pos_weight"), balance)

    def _process_params(self, stage):
        """Parameters for LightGBM's core, without those that it lacks or misreads."""
        plain = LGBMClassifier()
        vars(plain).update({name: value for name, value in vars(self).items() if name not in OWN})
        plain._other_params = {name: value for name, value in self._other_params.items() if name not in OWN}
        if stage == "fit":
            plain._objective = self._pending
        params = plain._process_params(stage)
        self._objective = plain._objective
        for name in METRIC_PARAMETERS:
            params.pop(name, None)
        params["metric"] = None  # they are among those that `fit` passes on
        # Without any feature LightGBM trains a constant, but not with a custom objective; so it keeps those that
        # are of no use because the samples are few.
        params.setdefault("feature_pre_filter", False)
        return params

    def predict(self, X: t.Any, raw_score: bool = False, **options: t.Any) -> t.Labels:
        """Labels, or what `lightgbm.LGBMClassifier.predict` gives with `raw_score`, `pred_leaf` or `pred_contrib`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        found = self.predict_proba(X, raw_score, **options)
        return found if raw_score or _is_special(options) else self.classes_[found.argmax(axis=1)]

    def predict_proba(self, X: t.Any, raw_score: bool = False, **options: t.Any) -> t.Floats:
        """Class probabilities, or what LightGBM gives with `raw_score`, `pred_leaf` or `pred_contrib`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        X = self._named(X, reset=False, keep=True)
        if raw_score or _is_special(options):
            return super().predict_proba(X, raw_score, **options)
        return probabilities(super().predict_proba(X, raw_score=True, **options), multi_of(self))


def _is_special(options):
    return bool(options.get("pred_leaf") or options.get("pred_contrib"))
