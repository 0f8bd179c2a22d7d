"""LightGBM's classifier with robust losses."""

import warnings

from sklearn.utils.class_weight import compute_class_weight

from ironbark import annotations as t
from ironbark.boosting.docstrings import documented
from ironbark.boosting.gbdt.base import OWN, ROBUST_METRIC, Objective, RobustGBDT, probabilities, required
from ironbark.boosting.gbdt.fitting import PATIENCE, refuse_together, replaced, weights_of_two
from ironbark.boosting.gbdt.metrics import METRIC_PARAMETERS, for_lightgbm
from ironbark.errors import InputError
from ironbark.inputs import encoded_like, refuse_negative, undone

NAME = "RobustLGBMClassifier"
lightgbm = required("lightgbm", NAME)
LGBMClassifier = lightgbm.LGBMClassifier

#: Names under which LightGBM is asked to weigh the rarer class more.
BALANCE_PARAMETERS = ("is_unbalance", "unbalance", "unbalanced_sets")

#: Names under which LightGBM is asked to stop early.
STOPPING_PARAMETERS = ("early_stopping_round", "early_stopping_rounds", "early_stopping", "n_iter_no_change")
#: Names under which it takes the number of rounds, besides `n_estimators`, which they outdo.
ROUNDS = ("num_iterations", "num_iteration", "n_iter", "num_tree", "num_trees", "num_round", "num_rounds", "nrounds",
          "num_boost_round", "max_iter")  # fmt: skip


@documented
class RobustLGBMClassifier(RobustGBDT, LGBMClassifier):
    """`lightgbm.LGBMClassifier` with the robust focal loss, or another robust loss.

    Parameters
    ----------
    $robust_loss
    **kwargs
        Parameters of `lightgbm.LGBMClassifier`, all but `objective` and ``boosting_type="rf"``. `min_child_weight` is
        held against the sum of Hessians, less than 0 for badly classified samples. `class_weight`, and for two classes
        `is_unbalance` and `scale_pos_weight`, weigh them as in LightGBM. `verbose` prints more than fatal errors.

    Attributes
    ----------
    $robust_gbdt_attributes

    See Also
    --------
    ironbark.RobustXGBClassifier : the same for XGBoost.

    Notes
    -----
    Boosting starts from score 0; LightGBM with its own log loss starts from the log-odds of the classes. It ends with
    the first round in which no split gains: where a class is rare and `reg_lambda` above some tenths, that is the first
    one, and `fit` warns of a constant. `booster_`, saved as a file, gives raw scores.

    $robust_gbdt_softmax

    Examples
    --------
    >>> import numpy as np
    >>> from ironbark import RobustLGBMClassifier
    >>> X = np.arange(40.0)[:, None]
    >>> model = RobustLGBMClassifier(r=0.5, q=0.3, min_child_samples=5)
    >>> model.fit(X, np.where(X[:, 0] > 17, "yes", "no")).predict([[3.0], [30.0]]).tolist()
    ['no', 'yes']
    """

    _unnameable, _constant = r'["\[\]{},:\0-\x1f]|^=*$', "all classes are equally probable, whatever their shares"
    _rounds_integers = True  # LightGBM makes float32 of them, but keeps float64
    own_objectives = ("binary", "multiclass")
    search = dict.fromkeys(METRIC_PARAMETERS)

    @documented
    @undone
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
        $robust_gbdt_samples
        eval_metric : str, callable or list of these, default=None
            As in LightGBM, or "robust_loss", the mean of the loss that is trained on. LightGBM's log losses and error
            rates, and functions, get probabilities here. None stands for `metric`, and that for the log loss.
        sample_weight, init_score, eval_set, eval_X, eval_y, **options
            As in `lightgbm.LGBMClassifier.fit`; labels of evaluation sets as in y.

        $robust_gbdt_results
        """
        params = self.get_params()
        balanced = {name: params.get(name) or None for name in BALANCE_PARAMETERS}  # which would count rows
        balanced["class_weight"] = "balanced" if self.class_weight == "balanced" else None
        X, y, sample_weight = self._rows(X, y, sample_weight, init_score=init_score, **balanced)
        labels, codes, sample_weight, loss = self._checked(X, y, sample_weight, self._other_params)
        if isinstance(self.class_weight, dict):
            refuse_negative("class_weight", compute_class_weight(self.class_weight, classes=labels, y=labels[codes]))
        X = self._named(X, reset=True, keep=True)
        self._refuse_other(options.get("init_model"), labels)
        sets = self._sets(eval_set, eval_X, eval_y, labels)
        balance = any(params.get(name) for name in BALANCE_PARAMETERS)
        weights = weights_of_two(codes, len(labels), params.get("scale_pos_weight"), balance)
        chosen = {}
        if self.validation_fraction is not None:
            given = {"init_score": init_score, "init_model": options.get("init_model"), "evaluation sets": sets}
            refuse_together(NAME, **given, **{name: params.get(name) for name in (*STOPPING_PARAMETERS, *ROUNDS)})
            chosen["n_estimators"] = self._chosen_rounds(X, labels[codes], codes, sample_weight, weights, options)
        given = init_score is not None or options.get("init_model") is not None
        self._pending = Objective(loss, len(labels), None if given else "zero", weights)
        metrics = [eval_metric, *(params.get(name) for name in METRIC_PARAMETERS)]
        try:
            with replaced(self, **chosen), warnings.catch_warnings():
                # LightGBM 4.7 forgets to encode `eval_y`, but not what it calls deprecated, `eval_set`.
                warnings.filterwarnings("ignore" if eval_set is None else "default", "The argument 'eval_set'")
                options |= {"init_score": init_score, "eval_set": sets}
                options["eval_metric"] = for_lightgbm(metrics, loss, len(labels), self._link)
                self._train(X, labels[codes], sample_weight=sample_weight, **options)
        finally:
            del self._pending
        if not self.booster_.feature_importance("split").any():
            least = f"min_child_samples={self.min_child_samples}"
            self._warn_of_a_constant(len(codes), least, "reg_lambda", "reg_alpha")
        self._warn_of_divergence(self._objective)
        return self

    def _train(self, X, y, **options):
        try:
            super().fit(X, y, **options)
        except lightgbm.basic.LightGBMError as error:
            if "num_features()" in str(error):
                raise InputError("all features of X are zero, or as near as 1e-35; give others.") from error
            raise

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

    def _held_out_losses(self, fitted, held, options):
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        changes = {"callbacks": [*(options.get("callbacks") or ()), stop], "eval_metric": ROBUST_METRIC}
        sets = {"eval_X": held[0], "eval_y": held[1], "eval_sample_weight": [held[2]]}
        self.fit(*fitted, **{**options, **changes, **sets, "eval_class_weight": [self.class_weight]})
        return self.evals_result_["valid_0"][ROBUST_METRIC]

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
        if "verbosity" not in params:
            params.setdefault("verbose", -1)
        # With a custom objective LightGBM trains no constant, so it keeps features that too few samples make useless.
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
        return probabilities(super().predict_proba(X, raw_score=True, **options), self._link)

    def decision_function(self, X: t.Any, **options: t.Any) -> t.Floats:
        """Raw scores; of two classes, a positive one speaks for the second.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self.predict_proba(X, raw_score=True, **options)


def _is_special(options):
    return bool(options.get("pred_leaf") or options.get("pred_contrib"))
