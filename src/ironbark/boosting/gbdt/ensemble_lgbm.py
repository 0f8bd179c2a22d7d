"""A self-tuning forest together with a few small boosters whose number of rounds is chosen out of bag."""

import re
from dataclasses import KW_ONLY, dataclass
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t
from ironbark import inputs
from ironbark.boosting.gbdt.base import required
from ironbark.tree.forest import RobustRandomForestClassifier
from ironbark.tree.held_out_votes import in_threads

lightgbm = required("lightgbm", "RobustEnsembleClassifier")

#: Rounds that are compared, each with all smaller ones.
ROUNDS = (3, 5, 8, 12, 20, 30, 45, 65, 100)
#: Entries of `ROUNDS` in a row without a lower score after which boosting stops.
PATIENCE = 2
#: Trees of one booster at most: with many classes, each of which takes a tree a round, the rounds are fewer.
MAX_TREES = 600
BEHIND = 0.1  # by which the Brier score of boosters may be above the forest's
SMALL = {"num_leaves": 7, "learning_rate": 0.2, "min_data_in_leaf": 20}
NAN = 8  # decisions of LightGBM from it on have a side for missing values
QUIET = {"verbose": -1, "num_threads": 1, "deterministic": True, "force_col_wise": True}


@dataclass(eq=False, repr=False)
class RobustEnsembleClassifier(ClassifierMixin, BaseEstimator):
    """Mean of a self-tuning forest and of small bagged boosters, both tuned on the noisy labels.

    Often some tenths of a point more accurate than the forest on clean labels, but not under uniform noise, at three
    times its cost (docs/self-tuning.md). Where classes are mislabelled at different rates, it depends on the data set.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees of the forest.
    n_boosters : int, default=5
        LightGBM models of trees with 7 leaves, each on the samples of a bootstrap draw, some 63 %, once each.
    n_jobs : int, default=None
        Threads; None for one, -1 for all cores. The model does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Of the forest and of the draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only if X is a data frame with names of text.
    forest_ : RobustRandomForestClassifier
    boosters_ : list of lightgbm.Booster
        Those with a split: none for a single class, or below some 60 samples, or if their Brier score is 0.1 above the
        forest's, as with sixty classes.
    n_rounds_ : int
        Rounds of each booster.
    rounds_path_ : dict
        Arrays "rounds" and "brier_score", of the boosters' mean on samples not drawn (low is good). Only with boosters.

    See Also
    --------
    ironbark.RobustRandomForestClassifier : the forest alone, which needs no further package.

    Notes
    -----
    Needs the package lightgbm. X as in `RobustRandomForestClassifier`: numbers, missing values, text, sparse matrices.
    A sample's class probabilities are the mean of those of the forest and those of the boosters, which are a mean
    themselves; a tie goes to the first class. Those of the forest alone count where a value is missing that was never
    missing in `fit`. Boosters do not use samples of weight 0.

    The number of rounds is that of the lowest Brier score on the given labels, each sample being predicted by the
    boosters that did not draw it. Under uniform noise this score ranks models as true labels would. Where all boosters
    drew all samples, they stay at three rounds.

    Examples
    --------
    >>> from ironbark import RobustEnsembleClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RobustEnsembleClassifier(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_boosters": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    n_estimators: int = 100
    _: KW_ONLY
    n_boosters: int = 5
    n_jobs: int | None = None
    random_state: t.RandomState = None

    @inputs.undone
    def fit(self, X: t.Features, y: t.ArrayLike, sample_weight: t.ArrayLike | None = None) -> t.Self:
        """Fit the forest and the boosters.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features), or EncodedFeatures
        y : array-like of shape (n_samples,)
            At most 255 classes of any label type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative numbers: for the forest the chances to be drawn, for the boosters factors of the loss.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For input that scikit-learn's classifiers refuse.
        """
        self._validate_params()
        y = inputs.labels(y)
        random = check_random_state(self.random_state)
        seeds = random.randint(np.iinfo(np.int32).max, size=1 + self.n_boosters)
        forest = RobustRandomForestClassifier(self.n_estimators, n_jobs=self.n_jobs, random_state=int(seeds[0]))
        forest.fit(X, y, sample_weight)
        codes = np.searchsorted(forest.classes_, y)
        self._adopt(forest)
        if self.n_classes_ > 1:
            self._boost(forest._check_samples(X)[0], codes, sample_weight, seeds[1:])
        return self

    @property
    def feature_importances_(self) -> t.Floats:
        """Importances of the forest, ndarray of shape (n_features,), float64, with the sum 1, or 0 without splits."""
        check_is_fitted(self)
        return self.forest_.feature_importances_

    def _adopt(self, forest):
        """Start from a fitted forest; nothing of an earlier fit is left."""
        self.forest_, self.boosters_, self.n_rounds_ = forest, [], 0
        self.classes_, self.n_classes_, self.n_features_in_ = forest.classes_, forest.n_classes_, forest.n_features_in_
        for name in ("feature_names_in_", "rounds_path_"):
            vars(self).pop(name, None)
        if hasattr(forest, "feature_names_in_"):
            self.feature_names_in_ = forest.feature_names_in_

    def _boost(self, X, codes, sample_weight, seeds):
        """Grow all boosters side by side until the score of their mean no longer falls."""
        weights = inputs.weights(1.0 if sample_weight is None else sample_weight, len(codes))
        used = np.flatnonzero(weights)
        X = X if len(used) == len(X) else X[used]
        codes, weights = codes[used], weights[used] / weights[used].mean()
        whole = lightgbm.Dataset(X, codes, params=_parameters(self.n_classes_, 0), free_raw_data=False).construct()
        bags = [Bag(whole, weights, self.n_classes_, int(seed)) for seed in seeds]
        path = {}
        for rounds in (entry for entry in ROUNDS if entry * self.n_classes_ <= MAX_TREES or entry == ROUNDS[0]):
            in_threads(partial(Bag.grow, rounds=rounds), bags, self.n_jobs)
            path[rounds] = held_out_score(bags, X, codes, weights, self.n_classes_)
            best = min(path, key=path.get)
            if list(path).index(best) + PATIENCE < len(path):
                break
        self.n_rounds_ = best
        self.rounds_path_ = {"rounds": np.array(list(path)), "brier_score": np.array(list(path.values()))}
        if path[best] > self.forest_.ccp_path_["brier_score"].min() + BEHIND:
            return
        boosters = [bag.booster for bag in bags if bag.booster.feature_importance("split").any()]
        texts = [booster.model_to_string(num_iteration=best) for booster in boosters]
        self._take([lightgbm.Booster(model_str=text) for text in texts])

    def _take(self, boosters):
        """Set the boosters, and the features whose missing values they do not know."""
        self.boosters_, self._unknown = boosters, list(set().union(*map(never_missing, boosters)))

    def predict_proba(self, X: t.Features) -> t.Floats:
        """Mean of the class probabilities of forest and boosters; of shape (n_samples, n_classes)."""
        check_is_fitted(self)
        found = self.forest_.predict_proba(X)
        if not self.boosters_:
            return found
        X = self.forest_._check_samples(X)[0]
        boosted = np.mean(in_threads(partial(_probabilities, X), self.boosters_, self.n_jobs), axis=0)
        missing = np.isnan(X)
        if missing.any():
            new = missing[:, self._unknown].any(axis=1)
            boosted[new] = found[new]
        return (found + boosted) / 2

    def predict(self, X: t.Features) -> t.Labels:
        """The class of the largest probability; the first one among several."""
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def __sklearn_tags__(self) -> t.Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        return tags


class Bag:
    """A booster on the samples of a bootstrap draw, each once."""

    def __init__(self, whole, weights, n_classes, seed):
        drawn = np.unique(
            np.random.default_rng(seed).integers(0, len(weights), len(weights))
        )  # once each: as accurate as copies
        self.outside = np.setdiff1d(np.arange(len(weights)), drawn)
        params = _parameters(n_classes, seed)
        part = whole.subset(drawn, params=params).construct()  # before that, LightGBM ignores weights
        part.set_weight(weights[drawn])
        self.booster = lightgbm.Booster(params, part)

    def grow(self, rounds):
        """Boost up to this number of rounds."""
        lightgbm.Dataset(np.zeros((1, 1)), params=QUIET).construct()  # each thread has its own level of messages
        while self.booster.current_iteration() < rounds and not self.booster.update():
            pass


def held_out_score(bags, X, codes, weights, n_classes):
    """Mean Brier score of the boosters that did not draw a sample; infinity if all drew all samples."""
    votes, voters = np.zeros((len(codes), n_classes)), np.zeros(len(codes))
    for bag in bags:
        if len(bag.outside):
            votes[bag.outside] += _probabilities(X[bag.outside], bag.booster)
            voters[bag.outside] += 1
    some = voters > 0
    if not some.any():
        return np.inf
    p = votes[some] / voters[some, None]
    p[np.arange(len(p)), codes[some]] -= 1
    return float(np.average((p**2).sum(axis=1), weights=weights[some]))


def never_missing(booster):
    """Features of the splits that take a missing value for 0, since none was missing in training."""
    found = {}
    for name, numbers in re.findall("^(split_feature|decision_type)=(.*)$", booster.model_to_string(), re.MULTILINE):
        found.setdefault(name, []).extend(map(int, numbers.split()))
    return {feature for feature, kind in zip(*found.values(), strict=True) if kind < NAN}


def _parameters(n_classes, seed):
    objective = {"objective": "binary"} if n_classes == 2 else {"objective": "multiclass", "num_class": n_classes}
    return {**objective, **SMALL, **QUIET, "seed": seed}


def _probabilities(X, booster):
    """Class probabilities of a booster, ndarray of shape (n_samples, n_classes)."""
    found = booster.predict(X, num_threads=1)
    return found if found.ndim == 2 else np.column_stack([1 - found, found])
