"""Boosting filter: how long gradient boosting disagrees with the label of a sample."""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.mixture import GaussianMixture
from sklearn.utils._param_validation import Interval, StrOptions

from ironbark.label_errors.filters.base import LabelFilter, warn_of_rare
from ironbark.label_errors.out_of_sample import fit_params
from ironbark.label_errors.scores import margins, self_confidence


@dataclass(eq=False, repr=False)
class BoostingFilter(LabelFilter):
    """Call the labels errors that gradient boosting fits last.

    scikit-learn's histogram gradient boosting is fitted to the given labels, and its predictions for the training
    samples are averaged over the rounds. Wrong labels are fitted later than right ones. A mixture of two normal
    distributions divides the averages into right and wrong labels, so no share of errors has to be given.

    Parameters
    ----------
    statistic : {"gradient", "margin"}, default="gradient"
        What is averaged. "gradient": the probability of all other classes, which is the absolute gradient of the log
        loss. "margin": how far the raw score of the label lies above the largest other one (area under the margin).
    n_estimators : int, default=100
        Rounds.
    learning_rate : float, default=0.1
    random_state : int or None, default=None
        Of the mixture.

    Notes
    -----
    A mixture has two parts even if all labels are right. In iris, it calls 27 % of the labels errors, and
    `LabelErrorDetector` none; prefer that where most labels may be right. Leaves have at least 20 samples: of a class
    with fewer, `fit` warns, and where no tree can split no label is called an error.

    ``label_quality_`` is 1 minus the averaged gradient, or the rank of the averaged margin, from 0 to 1, over all
    samples. If the mixture cannot be fitted because all averages are equal, no label is called an error. Further
    attributes: `ironbark.label_errors.filters.base.LabelFilter`.

    References
    ----------
    A. Eisenbürger, D. Otten, A. Hudde, F. Hopfgartner, "Training Gradient Boosted Decision Trees on Tabular Data
    Containing Label Noise for Classification Tasks", arXiv:2409.08647 (2024): detection by gradients and by the area
    under the margin in boosting, with mixtures in place of fixed thresholds.

    G. Pleiss, T. Zhang, E. Elenberg, K. Weinberger, "Identifying Mislabeled Data using the Area Under the Margin
    Ranking", NeurIPS 2020.
    """

    _parameter_constraints = LabelFilter._parameter_constraints | {
        "statistic": [StrOptions({"gradient", "margin"})],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
    }

    statistic: str = "gradient"
    _: KW_ONLY
    n_estimators: int = 100
    learning_rate: float = 0.1
    random_state: int | None = None

    def _judge(self, X, codes, weights):
        model = HistGradientBoostingClassifier(
            max_iter=self.n_estimators, learning_rate=self.learning_rate, early_stopping=False, random_state=0
        )
        warn_of_rare(codes, model.min_samples_leaf)
        if isinstance(X, np.ndarray) and X.dtype.kind == "f":  # scikit-learn fails on a feature without values
            X = np.where(np.isnan(X).all(axis=0), 0.0, X)
        model.fit(X, codes, **fit_params(model, weights))
        if self.statistic == "gradient":
            scores = sum(model.staged_predict_proba(X)) / self.n_estimators
            values = quality = self_confidence(scores, codes)
        else:
            stages = list(_raw_scores(model, X))
            scores = sum(stages) / self.n_estimators
            values = sum(margins(stage, codes) for stage in stages) / self.n_estimators
            quality = (rankdata(values) - 1) / max(len(codes) - 1, 1)
        return quality, self._wrong(values) & (np.ptp(scores, axis=0).max() > 0), scores

    def _wrong(self, values):
        """Which values belong to the lower of two normal distributions; none above the mean of the upper one does."""
        if np.ptp(values) == 0:
            return np.zeros(len(values), bool)
        mixture = GaussianMixture(2, means_init=np.quantile(values, [[0.05], [0.95]]), random_state=self.random_state)
        lower = mixture.fit(values[:, None]).means_.ravel().argmin()
        return (mixture.predict(values[:, None]) == lower) & (values < mixture.means_.max())


def _raw_scores(model, X):
    """Raw scores of all classes after each round; those of class 0 of two are minus those of class 1."""
    for scores in model.staged_decision_function(X):
        yield scores if scores.ndim == 2 and scores.shape[1] > 1 else np.stack([-scores.ravel(), scores.ravel()], 1) / 2
