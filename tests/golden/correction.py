"""Golden fits of classifiers corrected for the transition matrix of the noise."""

from functools import partial

import numpy as np
import pandas as pd
from golden.cases import Case, outputs
from golden.label_errors import lopsided, table
from golden.tables import shares
from sklearn.linear_model import LogisticRegression

from ironbark import NoiseCorrectedClassifier, RobustRandomForestClassifier


def corrected(model, X):
    return outputs(model, X) | {"matrix": [model.noise_matrix_, np.array([model.source_])]}


def corrections():
    forest, linear = RobustRandomForestClassifier(10, ccp_alpha=0.0, random_state=0), LogisticRegression()
    for n_classes in (2, 3):
        rows = partial(table, n_classes=n_classes)
        matrix = 0.7 * np.eye(n_classes) + 0.3 * np.roll(np.eye(n_classes), 1, axis=1)
        for name, base in {"whole forest": forest, "linear": linear}.items():
            given = partial(NoiseCorrectedClassifier, base, noise_matrix=matrix)
            yield f"given, {name}, {n_classes} classes", Case(rows, given, corrected)
            estimated = partial(NoiseCorrectedClassifier, base, cv=3, random_state=0)
            yield f"estimated, {name}, {n_classes} classes", Case(rows, estimated, corrected)
            weighted = partial(table, n_classes=n_classes, weights=shares)
            yield f"estimated, {name}, weights, {n_classes} classes", Case(weighted, estimated, corrected)
            trusted = partial(_with_trusted, n_classes=n_classes)
            yield f"trusted, {name}, {n_classes} classes", Case(trusted, estimated, corrected)
    labels = partial(NoiseCorrectedClassifier, linear, random_state=0)
    yield "lopsided", Case(lopsided, labels, corrected)
    yield "default forest", Case(partial(table, n=40), partial(NoiseCorrectedClassifier, random_state=0), corrected)
    yield "frame", Case(partial(table, as_=pd.DataFrame), labels, corrected)


def _with_trusted(**options):
    X, y, more = table(**options)
    return X, y, {**more, "trusted": np.arange(len(y)) % 4 == 0}


CASES = dict(corrections())
