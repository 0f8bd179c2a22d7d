"""Golden fits of detectors and filters of label errors, and of cleaning; estimates of transition matrices."""

from functools import partial

import numpy as np
import pandas as pd
from golden.cases import Case, outputs
from golden.tables import counts, normal, shares, sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ironbark import CleanedClassifier, LabelErrorDetector, RobustRandomForestClassifier
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter, find_label_errors
from ironbark.label_errors.noise_estimate import estimate_noise
from ironbark.label_errors.scores import SCORES
from ironbark.noise_matrix import clean_probabilities, matrix_from_anchors, matrix_from_trusted

FITTED = ("probabilities_", "label_quality_", "ranking_", "is_error_", "suggested_labels_")
FITTED += ("noise_rate_", "noise_rate_interval_", "noise_matrix_")


def table(weights=None, text=False, groups=False, twins=0, as_=None, **options):
    """Noisy labels; the first `twins` samples twice, the second time with another label."""
    n_classes = options.get("n_classes", 2)
    X, y = normal(**{"n": 90, **options})
    X, y = np.concatenate([X, X[:twins]]), np.concatenate([y, (y[:twins] + 1) % n_classes])
    more = {} if weights is None else {"sample_weight": weights(len(y))}
    more |= {"groups": np.arange(len(y)) // 4} if groups else {}
    return X if as_ is None else as_(X), np.array(["a", "b", "c", "d"])[y] if text else y, more


def rare():
    """A class of one sample."""
    X, y = normal(60)
    y[7] = 2
    return X, y, {}


def few():
    return *normal(7), {}


def lopsided(n=300):
    """Labels of class 0 that are wrong often, of classes that are apart."""
    X, y = normal(n, noise=0.0)
    rng = np.random.default_rng(3)
    return X, np.where((y == 0) & (rng.random(n) < 0.35), 1, y), {}


def unrelated():
    """Labels of which the features say nothing, most of one class."""
    return normal(90)[0], (np.arange(90) % 5 == 0).astype(int), {}


def equal_scores():
    """Samples that a model of boosting cannot tell apart."""
    return np.zeros((20, 1)), np.tile([0, 1], 10), {}


def found_by(model, X):
    vectors = {name: [np.asarray(getattr(model, name))] for name in FITTED if hasattr(model, name)}
    if hasattr(model, "conflicts_"):
        vectors["conflicts_"] = [np.asarray(one) for one in model.conflicts_]
    return {"predictions": vectors.pop("is_error_"), "found": [one for rows in vectors.values() for one in rows]}


def detectors():
    small = partial(LabelErrorDetector, n_estimators=12, random_state=0)
    for n_classes in (2, 3):
        rows = partial(table, n_classes=n_classes)
        for quality in SCORES:
            for cut in ("count", "precision", 0.15):
                model = partial(small, quality=quality, cut=cut)
                yield f"{quality}, {cut}, {n_classes} classes", Case(rows, model, found_by)
        yield f"precision 1, {n_classes} classes", Case(rows, partial(small, cut="precision", precision=1.0), found_by)
        low = partial(small, cut="precision", precision=0.1)
        yield f"precision 0.1, {n_classes} classes", Case(rows, low, found_by)
        for name, estimator in {
            "whole forest": RobustRandomForestClassifier(10, ccp_alpha=0.0),
            "scikit-learn's forest": RandomForestClassifier(10, bootstrap=True),
            "forest without bags": RandomForestClassifier(10, bootstrap=False),
            "linear": LogisticRegression(),
            "tree": DecisionTreeClassifier(),
        }.items():
            model = partial(small, estimator, cv=3)
            yield f"{name}, {n_classes} classes", Case(rows, model, found_by)
    data = {
        "weights": partial(table, weights=shares),
        "counts": partial(table, weights=counts),
        "texts": partial(table, text=True, n_classes=4),
        "twins": partial(table, twins=9, n_classes=3),
        "sparse": partial(table, as_=sparse),
        "frame": partial(table, as_=pd.DataFrame),
        "three samples with weight": partial(table, weights=lambda n: (np.arange(n) < 3).astype(int), n=40),
        "one of a class": rare,
        "few": few,
        "lopsided": lopsided,
        "unrelated": unrelated,
        "clean": partial(table, noise=0.0),
        "noise": partial(table, noise=1.0),
    }
    for name, rows in data.items():
        yield f"detector, {name}", Case(rows, small, found_by)
        yield f"detector, linear, {name}", Case(rows, partial(small, LogisticRegression(), cv=4), found_by)
    yield "detector, two trees", Case(table, partial(LabelErrorDetector, n_estimators=2, random_state=0), found_by)
    bags = partial(LabelErrorDetector, RobustRandomForestClassifier(2, ccp_alpha=0.0), random_state=0)
    yield "detector, two whole trees", Case(table, bags, found_by)


def filters():
    models = {
        "agreement": partial(HighAgreementFilter, 10, cv=4, random_state=0),
        "agreement 0.9": partial(HighAgreementFilter, 10, cv=4, agreement=0.9, random_state=0),
        "partition": partial(PartitionFilter, n_partitions=5, random_state=0),
        "partition, linear": partial(PartitionFilter, GaussianNB(), n_partitions=3, random_state=0),
        "partition, patient": partial(PartitionFilter, n_partitions=3, stop=0.5, patience=2, random_state=0),
        "partition, never idle": partial(PartitionFilter, n_partitions=12, stop=0.0, patience=4, random_state=0),
        "boosting": partial(BoostingFilter, n_estimators=6, random_state=0),
        "boosting, margin": partial(BoostingFilter, "margin", n_estimators=6, random_state=0),
    }
    for name, model in models.items():
        for n_classes in (2, 3):
            rows = partial(table, n_classes=n_classes)
            yield f"filter, {name}, {n_classes} classes", Case(rows, model, found_by)
        yield f"filter, {name}, weights", Case(partial(table, weights=lambda n: counts(n) + 1), model, found_by)
    yield "filter, agreement, sparse", Case(partial(table, as_=sparse), models["agreement"], found_by)
    yield "filter, boosting, equal scores", Case(equal_scores, models["boosting"], found_by)


def cleaned():
    quick, forest = LabelErrorDetector(n_estimators=8), RobustRandomForestClassifier(5, ccp_alpha=0.0)
    estimators = {"tree": DecisionTreeClassifier(random_state=0), "whole forest": forest}
    for action in ("drop", "relabel", "weight"):
        for name, estimator in estimators.items():
            model = partial(CleanedClassifier, estimator, quick, action, random_state=1)
            yield f"cleaned, {action}, {name}", Case(partial(table, n_classes=3), model, outputs)
            yield f"cleaned, {action}, {name}, weights", Case(partial(table, weights=shares), model, outputs)
        linear = partial(CleanedClassifier, LogisticRegression(), quick, action, random_state=1)
        yield f"cleaned, {action}, linear", Case(rare, linear, outputs)
    filtered = partial(CleanedClassifier, GaussianNB(), PartitionFilter(n_partitions=3, random_state=0))
    yield "cleaned, filter", Case(table, filtered, outputs)


def matrices():
    """Estimates of the transition matrix, and corrected probabilities, of tables of probabilities of all kinds."""
    found = {}
    for n_classes in (2, 3, 5):
        rng = np.random.default_rng(n_classes)
        for sharpness in (0.05, 0.5, 5.0):
            p = rng.dirichlet(np.full(n_classes, sharpness), 200)
            codes = np.array([rng.choice(n_classes, p=row) for row in p])
            name = f"{n_classes} classes, sharpness {sharpness}"
            anchors, asymmetric = matrix_from_anchors(p, codes)
            found[f"{name}, anchors"] = [anchors, np.array([asymmetric])]
            found[f"{name}, trusted"] = [matrix_from_trusted(p[:m], codes[:m]) for m in (1, 10, 200)]
            noise = 0.6 * np.eye(n_classes) + 0.4 * rng.dirichlet(np.ones(n_classes), n_classes)
            found[f"{name}, clean"] = [clean_probabilities(p, noise), clean_probabilities(p[:5], np.eye(n_classes))]
        wrong = np.roll(np.eye(n_classes)[np.arange(60) % n_classes], 1, axis=1)
        estimate = estimate_noise(0.9 * wrong + 0.1 / n_classes, np.arange(60) % n_classes)
        found[f"{n_classes} classes, all wrong"] = [np.array([estimate.rate, *estimate.interval]), estimate.matrix]
        found[f"{n_classes} classes, wrong though trusted"] = [matrix_from_trusted(wrong, np.arange(60) % n_classes)]
        even = np.full((20, n_classes), 1.0 / n_classes)
        found[f"{n_classes} classes, even"] = [matrix_from_trusted(even, np.arange(20) % n_classes)]
    return found


def tables_of_suspects():
    """The table of suspicious samples, with neighbours and conflicts."""
    found = {}
    for name, options in {"plain": {}, "twins": {"twins": 8, "n_classes": 3}, "clean": {"noise": 0.0}}.items():
        X, y, _ = table(**options)
        for kind, detector in {
            "detector": LabelErrorDetector(n_estimators=10, random_state=0),
            "filter": PartitionFilter(n_partitions=3, random_state=0),
            "no leaves": LabelErrorDetector(LogisticRegression(), random_state=0),
        }.items():
            suspects = find_label_errors(X, y, detector=detector)
            rows = [suspects.index.to_numpy(), *(suspects[column].to_numpy() for column in list(suspects)[:5])]
            if "neighbours" in suspects:
                for column in ("neighbours", "shares"):
                    rows.append(np.array([value for row in suspects[column] for value in row], float))
            found[f"{name}, {kind}"] = rows
    return found


CASES = {**dict(filters()), "matrices": matrices}
