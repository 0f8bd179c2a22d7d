from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.study.artefacts import told_apart
from ironbark.pipeline.tables import TABLES

NAMES = {"labels": {"dt-gini": "MSE", "rf-gini": "MSE", "dt-ane": "ANE"}, "noise_labels": {}}


def test_shared_labels_get_their_ids():
    found = told_apart(NAMES, {"methods": ["dt-gini", "rf-gini", "dt-ane"]}, TABLES["accuracy"])
    assert found["labels"] == {"dt-gini": "MSE (dt-gini)", "rf-gini": "MSE (rf-gini)", "dt-ane": "ANE"}
    assert NAMES["labels"]["dt-gini"] == "MSE", "the argument stays as it was"


def test_methods_that_are_not_shown_do_not_count():
    assert told_apart(NAMES, {"methods": ["dt-gini", "dt-ane"]}, TABLES["accuracy"]) == NAMES
    assert told_apart(NAMES, {"methods": ["dt-gini", "rf-gini"], "panels": []}, FIGURES["noise-panels"]) == NAMES
