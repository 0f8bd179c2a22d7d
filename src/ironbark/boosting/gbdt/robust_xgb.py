"""XGBoost's classifier with robust losses."""

import json

import numpy as np

from ironbark import annotations as t
from ironbark.boosting.docstrings import documented
from ironbark.boosting.gbdt.base import OWN, ROBUST_METRIC, Objective, RobustGBDT, probabilities, required
from ironbark.boosting.gbdt.fitting import PATIENCE, infinity_named, refuse_together, replaced, weights_of_two
from ironbark.boosting.gbdt.metrics import apart, for_xgboost
from ironbark.errors import InputError
from ironbark.frames import is_frame
from ironbark.inputs import encoded_like, undone

NAME = "RobustXGBClassifier"
XGBOOST = required("xgboost", NAME)
XGBClassifier = XGBOOST.XGBClassifier


@documented
class RobustXGBClassifier(RobustGBDT, XGBClassifier):
    """`xgboost.XGBClassifier` with the robust focal loss, or another robust loss.

    Parameters
    ----------
    $robust_loss
    **kwargs
        Parameters of `xgboost.XGBClassifier`, all but `objective`. `eval_metric` may also be or hold "robust_loss",
        the mean of the loss that is trained on; functions get probabilities, as from XGBoost. `min_child_weight` is
        held against the sum of Hessians, which are at most 0.39 for r up to 1, and less than 0 for badly classified
        samples. `scale_pos_weight` weighs two classes as in XGBoost.

    Attributes
    ----------
    $robust_gbdt_attributes

    See Also
    --------
    ironbark.RobustLGBMClassifier : the same for LightGBM.

    Notes
    -----
    Places of a sparse X without an entry are missing values, as in XGBoost, not zeros as in all other estimators here.

    Boosting starts from 0 (two classes) or `base_score`; XGBoost with its log loss starts from the log-odds.

    With each class against the rest, "mlogloss" of evaluation sets is that of `predict_proba`, and counts as a
    function, of which XGBoost takes one; multiclass "auc" and "aucpr" are those of the softmax of the scores.

    $robust_gbdt_softmax

    Examples
    --------
    >>> import numpy as np
    >>> from ironbark import RobustXGBClassifier
    >>> X = np.arange(40.0)[:, None]
    >>> model = RobustXGBClassifier(r=0.5, q=0.3, n_estimators=20).fit(X, np.where(X[:, 0] > 17, "yes", "no"))
    >>> model.predict([[3.0], [30.0]]).tolist()
    ['no', 'yes']
    """

    _unnameable, _constant = r"[\[\]<\0]", "all predictions are the same"
    _rounds_integers = False  # all numbers are float32
    own_objectives = ("binary:logistic", "multi:softprob")
    _labels = None
    search = {"eval_metric": ROBUST_METRIC, "early_stopping_rounds": PATIENCE}

    @documented
    @undone
    def fit(
        self,
        X: t.Any,
        y: t.ArrayLike,
        *,
        sample_weight: t.ArrayLike | None = None,
        base_margin: t.ArrayLike | None = None,
        eval_set: t.Sequence[tuple[t.Any, t.Any]] | None = None,
        xgb_model: t.Any = None,
        **options: t.Any,
    ) -> t.Self:
        """Fit the booster.

        Parameters
        ----------
        $robust_gbdt_samples
        sample_weight, base_margin, eval_set, xgb_model, **options
            As in `xgboost.XGBClassifier.fit`; labels in `eval_set` as in y.

        $robust_gbdt_results
        """
        X, y, sample_weight = self._rows(X, y, sample_weight, base_margin=base_margin)
        labels, codes, sample_weight, loss = self._checked(X, y, sample_weight, getattr(self, "kwargs", None) or {})
        X = self._read(X, reset=True)
        self._refuse_other(xgb_model, labels)
        sets = eval_set and [
            (self._read(X_held), encoded_like(y_held, labels, f"evaluation set {i}"))
            for i, (X_held, y_held) in enumerate(eval_set)
        ]
        at_zero = self.base_score is None and (len(labels) == 2 or self._link == "ovr")
        given = base_margin is not None or xgb_model is not None
        start = None if given else "zero" if at_zero else "constant"
        weights = weights_of_two(codes, len(labels), self.scale_pos_weight)
        changes = {"objective": Objective(loss, len(labels), start, weights)}
        changes["eval_metric"] = for_xgboost(self.eval_metric, loss, len(labels))
        if self.validation_fraction is not None:
            stop = self.early_stopping_rounds
            refuse_together(
                NAME, eval_set=eval_set, base_margin=base_margin, xgb_model=xgb_model, early_stopping_rounds=stop
            )
            changes["n_estimators"] = self._chosen_rounds(X, labels[codes], codes, sample_weight, weights, options)
        changes["_labels"] = None  # the parent's fit compares `classes_` with the codes
        with infinity_named(), replaced(self, **changes):
            options |= {"base_margin": base_margin, "eval_set": sets, "xgb_model": xgb_model}
            super().fit(X, codes, sample_weight=sample_weight, **options)
        self._labels = labels
        if self.booster != "gblinear" and not self.get_booster().get_score(importance_type="weight"):
            least = 1 if self.min_child_weight is None else self.min_child_weight
            self._warn_of_a_constant(len(codes), f"min_child_weight={least}", "reg_lambda", "reg_alpha", "gamma")
        self._warn_of_divergence(changes["objective"])
        return self

    def _read(self, X, *, reset=False):
        """Features for XGBoost, which takes categories itself with `enable_categorical`."""
        X = self._named(X, reset=reset, keep=bool(self.enable_categorical))
        polars = is_frame(X) and not hasattr(X, "iloc")  # of which XGBoost takes no codes of categories
        return X.to_numpy() if polars and not reset and hasattr(self, "categories_") else X

    def _held_out_losses(self, fitted, held, options):
        sets = {"eval_set": [held[:2]], "sample_weight_eval_set": [held[2]]}
        self.fit(*fitted[:2], sample_weight=fitted[2], **{**options, "verbose": False}, **sets)
        return self.evals_result()["validation_0"][ROBUST_METRIC]

    @property
    def n_estimators_(self) -> int:
        """Number of rounds of the model, up to the best one if it stopped early."""
        best = self.get_booster().attr("best_iteration")
        return self.get_booster().num_boosted_rounds() if best is None else int(best) + 1

    def get_xgb_params(self) -> dict[str, t.Any]:
        """Parameters for the library's core, without ours."""
        params = super().get_xgb_params()
        for name in (*OWN, "objective"):
            params.pop(name, None)
        if apart(self._link, getattr(self, "n_classes_", 2)):
            if params.get("base_score") is None:
                params["base_score"] = 0.0  # the default is 0.5, which softmax doesn't notice
            params["disable_default_eval_metric"] = True  # the log loss, see `xgb_metrics`
        return params

    def predict(self, X: t.Any, *, output_margin: bool = False, **options: t.Any) -> t.Labels:
        """Labels, or raw scores with ``output_margin=True``; see `xgboost.XGBClassifier.predict`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        found = super().predict(self._read(X), output_margin=output_margin, **options)
        return found if output_margin else self.classes_[found]

    def predict_proba(self, X: t.Any, **options: t.Any) -> t.Floats:
        """Class probabilities; see `xgboost.XGBClassifier.predict_proba`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        if not apart(self._link, getattr(self, "n_classes_", 2)):
            return super().predict_proba(self._read(X), **options)
        return probabilities(self.predict(X, output_margin=True, **options), self._link)

    def apply(self, X: t.Any, **options: t.Any) -> t.Integers:
        """Leaf of each sample in each tree; see `xgboost.XGBClassifier.apply`."""
        return super().apply(self._read(X), **options)

    @property
    def classes_(self) -> t.Labels:
        """Sorted labels."""
        labels = self._labels
        return super().classes_ if labels is None else labels

    def save_model(self, fname: t.Any) -> None:
        """Save the model as `xgboost.XGBClassifier.save_model` does, with the labels and the loss as an attribute.

        XGBoost's own classes read the file. For three and more classes with ``multi="ovr"`` they predict the same
        classes, but other probabilities, since they know no other way than softmax.

        Raises
        ------
        InputError
            If the labels are not numbers, truth values or strings.
        """
        values = {"labels": self.classes_.tolist(), "dtype": self.classes_.dtype.str}
        own = {name: getattr(self, name) for name in OWN}
        values |= {name: value.item() if isinstance(value, np.generic) else value for name, value in own.items()}
        values["names"] = getattr(self, "_names", None)
        values["categories"] = list(getattr(self, "categories_", {}).items())
        values["noise_matrix"] = None if self.noise_matrix is None else np.asarray(self.noise_matrix).tolist()
        try:
            text = json.dumps(values)
        except TypeError as error:
            raise InputError(
                f"labels such as {self.classes_[0]!r} can't be saved with the model; train on numbers or strings, or "
                "pickle the estimator."
            ) from error
        self.get_booster().set_attr(ironbark=text)
        super().save_model(fname)

    def load_model(self, fname: t.Any) -> None:
        """Load what `save_model` saved, or a model of XGBoost, whose labels are 0..K-1 and whose `multi` is softmax."""
        super().load_model(fname)
        values = json.loads(self.get_booster().attr("ironbark") or '{"multi": "softmax"}')
        self._labels = np.array(values.pop("labels"), values.pop("dtype")) if "labels" in values else None
        self._names, categories = values.pop("names", None), dict(values.pop("categories", ()))
        vars(self).update(values | {"categories_": categories})

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags
