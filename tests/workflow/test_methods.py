"""Methods by YAML alone in a study of bundled data: nested estimators, sweeps, groups, matrices, further metrics."""

import pandas as pd
import pytest

METHODS = """
scaled:
  estimator: sklearn.pipeline.Pipeline
  params:
    steps: [[scale, {estimator: sklearn.preprocessing.StandardScaler}], [svc, {estimator: sklearn.svm.LinearSVC}]]
by-column:
  estimator: sklearn.pipeline.Pipeline
  params:
    steps:
      - - columns
        - estimator: sklearn.compose.ColumnTransformer
          params:
            transformers:
              - [a, {estimator: sklearn.preprocessing.StandardScaler}, [0, 1]]
              - [b, {estimator: sklearn.preprocessing.KBinsDiscretizer, params: {n_bins: 3, encode: ordinal}}, [2, 3]]
      - [tree, {estimator: ironbark.RobustDecisionTreeClassifier, params: {criterion: entropy}}]
  tune: {test_size: 0.2, refit: true, grid: {tree__max_depth: [1, 3]}}
vote:
  estimator: sklearn.ensemble.VotingClassifier
  params:
    voting: soft
    estimators: &pair
      - [forest, {estimator: sklearn.ensemble.RandomForestClassifier, params: {n_estimators: 3}}]
      - [neighbours, {estimator: sklearn.neighbors.KNeighborsClassifier}]
stack:
  estimator: sklearn.ensemble.StackingClassifier
  params: {estimators: *pair, cv: 3, final_estimator: {estimator: sklearn.naive_bayes.GaussianNB}}
calibrated:
  estimator: sklearn.calibration.CalibratedClassifierCV
  params: {cv: 3, estimator: {estimator: sklearn.svm.LinearSVC}}
depth:
  label: Depth {max_depth}
  estimator: ironbark.RobustDecisionTreeClassifier
  params: {max_depth: {sweep: [1, 2]}}
nested: {group: [scaled, by-column, vote, stack, calibrated]}

"""
NOISES = "\nflips: {model: uniform, rate: {sweep: [0.05, 0.15]}}\nlevels: {group: [clean, flips]}\n"
STUDY = """
title: Own
protocol: {kind: repeated-cv, repeats: 1, folds: 2}
grids:
  - {datasets: [iris], tasks: [multiclass], noises: [levels], methods: [nested, depth]}

tables:
  loss: {kind: accuracy, metric: log_loss, task: multiclass, caption: Log loss.}

  curves: {kind: ranks, metric: roc_auc, task: multiclass, methods: [depth], caption: Ranks.}
"""


@pytest.mark.slow
def test_methods_by_yaml_alone(compiled):
    (compiled / "config/methods/own.yaml").write_text(METHODS, encoding="utf-8")
    compiled.append("config/noise.yaml", NOISES)
    (compiled / "config/studies/own.yaml").write_text(STUDY, encoding="utf-8")
    compiled.run("own")
    rows = pd.read_parquet(compiled / "results/own/full/rows.parquet")
    assert set(rows["status"]) == {"ok"}, set(rows["message"])

    assert len(rows) == 7 * 3 * 2 and set(rows["noise_id"]) == {"clean", "flips-0.05", "flips-0.15"}
    clean = rows[rows["noise_id"] == "clean"].groupby("method")["accuracy"].mean()
    assert clean.drop("depth-1").min() > 0.8 and set(clean.index) >= {"depth-1", "depth-2", "stack", "calibrated"}
    gap = rows["method"] == "scaled"
    assert rows.loc[gap, ["log_loss", "roc_auc"]].isna().all(axis=None)
    assert set(rows.loc[gap, "message"]) == {
        "no log_loss: Pipeline has no predict_proba; no roc_auc: Pipeline has no predict_proba"
    }
    assert rows.loc[~gap, ["log_loss", "roc_auc"]].notna().all(axis=None) and "f1" not in rows
    table = (compiled / "results/own/full/tables/loss.md").read_text("utf-8")
    assert "Depth 1" in table and "without a value of this metric" in table
    assert compiled.planned("own") == {}
