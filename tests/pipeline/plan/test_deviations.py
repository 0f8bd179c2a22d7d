"""What of a protocol differs from the paper's is said in titles, captions and pages."""

import pytest

from ironbark.pipeline.plan.study import scale_caps

STUDIES = {
    "ane": {"protocol": {"kind": "fixed-split", "repeats": 5}, "compare": {"published": "ane"}},
    "pg": {"protocol": {"kind": "repeated-cv", "repeats": 10, "folds": 5}, "compare": {"published": "pg"}},
}


def entry(published, **protocol):
    return {"protocol": protocol, "compare": {"published": published}}


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (entry("ane", kind="fixed-split", repeats=2), "2 repeats in place of the paper's 5"),
        (
            entry("pg", kind="repeated-cv", repeats=3, folds=2),
            "3 repeats in place of the paper's 10, 2 folds in place of the paper's 5",
        ),
        (
            entry("pg", kind="random-partitions", repeats=10, test_size=0.2),
            "kind random-partitions in place of the paper's repeated-cv, no folds in place of the paper's 5, "
            "test_size 0.2, which the paper does not have",
        ),
        (STUDIES["ane"], ""),
        ({"protocol": {"kind": "fixed-split", "repeats": 1}}, ""),
    ],
)
def test_what_differs_is_named_with_both_values(study, words):
    assert scale_caps.from_paper(STUDIES, "own", study) == words


def test_a_part_of_a_paper_has_a_protocol_of_the_paper():
    studies = STUDIES | {"pg": STUDIES["pg"] | {"parts": ["pg-part"]}}
    part = entry("pg", kind="repeated-cv", repeats=1, folds=2)
    assert scale_caps.from_paper(studies, "pg-part", part) == ""
    assert scale_caps.from_paper(studies, "pg-other", part) != ""


def test_no_shipped_study_names_a_value_that_is_not_there(shipped):
    studies = shipped.config["studies"]
    found = {name: scale_caps.from_paper(studies, name, study) for name, study in studies.items()}
    assert found["ane-switches"] and not found["rmb-large"]
    assert not any("None" in words for words in found.values())
