"""Names of methods and noises on the pages."""

from site_cases import spec, study

from ironbark.pipeline.site.data import names

NOISES = {
    "clean": {"label": "0", "model": "clean"},
    "uniform-0.4": {"label": "0.4", "model": "uniform", "rate": 0.4},
    "cc": {"label": "CC 0.1/0.3", "model": "class_conditional", "rate": [0.1, 0.3]},
    "far": {"label": "Mahalanobis", "model": "mahalanobis"},
    "margin-2": {"label": "Margin II 0.2", "model": "margin", "rate": 0.2, "params": {"type": 2}},
}


def test_labels_tell_trees_from_forests():
    estimators = {"dt": "ironbark.RobustDecisionTreeClassifier", "rf": "ironbark.RobustRandomForestClassifier"}
    assert names.label("ANE", estimators["dt"]) == "ANE tree"
    assert names.label("ANE", estimators["rf"]) == "ANE forest"
    assert names.label("Self-tuned tree", estimators["dt"]) == "Self-tuned tree"
    assert names.label("XGBoost", "xgboost.XGBClassifier") == "XGBoost"


def test_labels_are_unique_within_a_study():
    told = spec(study())
    told["studies"][0]["methods"] = {"dt-a": "Same", "dt-b": "Same", "rf-c": "Other"}
    found = names.relabelled(told)["studies"][0]["methods"]
    assert found == {"dt-a": "Same (dt-a)", "dt-b": "Same (dt-b)", "rf-c": "Other"}


def test_noises_have_kind_and_rate_in_words():
    found = names.describe(NOISES)
    assert [about["name"] for about in found.values()] == [
        "clean",
        "uniform 40 %",
        "class conditional 10 % / 30 %",
        "Mahalanobis",
        "Margin II 0.2",
    ]
    assert [about["x"] for about in found.values()] == [0, 0.4, None, None, 0.2]
    assert found["far"]["rate"] == "" and found["cc"]["kind"] == "class conditional"


def test_equal_names_get_their_ids():
    found = names.describe({name: NOISES["uniform-0.4"] for name in ("a", "b")})
    assert [about["name"] for about in found.values()] == ["uniform 40 % (a)", "uniform 40 % (b)"]


def test_selections_by_kind_and_rate():
    found = names.selections(names.describe(NOISES))
    assert found["*|*"] == list(NOISES) and found["uniform|*"] == found["*|40 %"] == ["uniform-0.4"]
    assert found["mahalanobis|"] == ["far"] and "uniform|20 %" not in found
