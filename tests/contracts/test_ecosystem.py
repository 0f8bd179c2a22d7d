"""What else in the ecosystem takes our trees and forests: pipelines with routing, data frames, ONNX."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier

MODELS = [
    RobustDecisionTreeClassifier(max_depth=3, ccp_alpha=0.0, random_state=0),
    RobustRandomForestClassifier(4, max_depth=3, ccp_alpha=0.0, random_state=0),
]
each = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)).astype(np.float32)
    return X, np.where(rng.random(90) < 0.2, "b", np.where(X[:, 0] > 0, "a", "b")), rng.integers(0, 3, 90)


@each
def test_weights_are_routed_through_a_pipeline_and_a_search(model, problem):
    X, y, weight = problem
    with sklearn.config_context(enable_metadata_routing=True):
        inner = clone(model).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), inner)
        search = GridSearchCV(pipeline, {f"{pipeline.steps[-1][0]}__max_depth": [2, 3]}, cv=3)
        found = search.fit(X, y, sample_weight=weight).best_estimator_
    expected = clone(model).set_params(max_depth=found[-1].max_depth).fit(found[:-1].transform(X), y, weight)
    assert np.array_equal(found.predict_proba(X), expected.predict_proba(found[:-1].transform(X)))
    unweighted = clone(expected).fit(found[:-1].transform(X), y)
    assert not np.array_equal(found.predict_proba(X), unweighted.predict_proba(found[:-1].transform(X)))


@each
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(model, library, problem):
    X, y, weight = problem
    frames = pytest.importorskip(library, reason=f"{library} is not installed")
    X = np.where(X > 1.5, np.nan, X)
    frame = frames.DataFrame({name: X[:, j] for j, name in enumerate("abc")})
    labels, weights = frames.Series(y.tolist()), frames.Series(weight.tolist())
    named, plain = clone(model).fit(frame, labels, weights), clone(model).fit(X, y, weight)
    assert named.feature_names_in_.tolist() == ["a", "b", "c"]
    assert np.array_equal(named.predict_proba(frame), plain.predict_proba(X))
    assert np.array_equal(named.feature_importances_, plain.feature_importances_)


@each
def test_missing_values_of_pandas(model, problem):
    """NA of nullable columns is a missing value."""
    X, y, _ = problem
    X = np.round(4 * X)
    gaps = np.where(X > 4, np.nan, X)
    frame = pd.DataFrame(gaps, columns=list("abc")).astype("Int64")
    expected = clone(model).fit(gaps, y).predict_proba(gaps)
    assert np.array_equal(clone(model).fit(frame, y).predict_proba(frame), expected)


@each
def test_onnx(model, problem):
    convert = pytest.importorskip("skl2onnx", reason="skl2onnx, which the project does without, is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    X, y, _ = problem
    fitted = clone(model).fit(X, y)
    options = {"zipmap": False}
    graph = convert.to_onnx(fitted.to_sklearn(), X[:1], options=options)
    session = runtime.InferenceSession(graph.SerializeToString())
    labels, proba = session.run(None, {session.get_inputs()[0].name: X})
    np.testing.assert_allclose(proba, fitted.predict_proba(X), atol=1e-6)
    untied = np.abs(np.diff(fitted.predict_proba(X)))[:, 0] > 1e-6
    assert np.array_equal(labels[untied], fitted.predict(X)[untied])
