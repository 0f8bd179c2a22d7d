from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.study.artefacts import as_published, told_apart
from ironbark.pipeline.tables import TABLES

NAMES = {"labels": {"dt-gini": "MSE", "rf-gini": "MSE", "dt-ane": "ANE"}, "noise_labels": {}}


def test_shared_labels_get_their_ids():
    found = told_apart(NAMES, {"methods": ["dt-gini", "rf-gini", "dt-ane"]}, TABLES["accuracy"])
    assert found["labels"] == {"dt-gini": "MSE (dt-gini)", "rf-gini": "MSE (rf-gini)", "dt-ane": "ANE"}
    assert NAMES["labels"]["dt-gini"] == "MSE", "the argument stays as it was"


def test_methods_that_are_not_shown_do_not_count():
    assert told_apart(NAMES, {"methods": ["dt-gini", "dt-ane"]}, TABLES["accuracy"]) == NAMES
    assert told_apart(NAMES, {"methods": ["dt-gini", "rf-gini"], "panels": []}, FIGURES["noise-panels"]) == NAMES


def test_only_the_papers_own_tables_have_its_names():
    names = {"labels": {"dt-gini": "Gini", "dt-ane": "ANE"}}
    assert as_published(names, {"artefact": "ANE Table 2"})["labels"] == {"dt-gini": "MSE", "dt-ane": "ANE"}
    assert as_published(names, {"artefact": "PG Table III"}) == as_published(names, {}) == names
