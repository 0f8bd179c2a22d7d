"""What of a protocol differs from the paper's is said in titles, captions and pages."""

from pathlib import Path

from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.study import scale_caps

ROOT = Path(__file__).parents[3]

STUDIES = {
    "ane": {"protocol": {"kind": "fixed-split", "repeats": 5}, "compare": {"published": "ane"}},
    "pg": {"protocol": {"kind": "repeated-cv", "repeats": 10, "folds": 5}, "compare": {"published": "pg"}},
}


def entry(published, **protocol):
    return {"protocol": protocol, "compare": {"published": published}}


def test_what_differs_is_named_with_both_values():
    found = scale_caps.from_paper(STUDIES, "own", entry("ane", kind="fixed-split", repeats=2))
    assert found == "2 repeats in place of the paper's 5"
    found = scale_caps.from_paper(STUDIES, "own", entry("pg", kind="repeated-cv", repeats=3, folds=2))
    assert found == "3 repeats in place of the paper's 10, 2 folds in place of the paper's 5"
    found = scale_caps.from_paper(STUDIES, "own", entry("pg", kind="random-partitions", repeats=10, test_size=0.2))
    assert found == (
        "kind random-partitions in place of the paper's repeated-cv, no folds in place of the paper's 5, "
        "test_size 0.2, which the paper does not have"
    )


def test_the_same_protocol_and_studies_without_a_paper_have_nothing_to_say():
    assert scale_caps.from_paper(STUDIES, "ane", STUDIES["ane"]) == ""
    assert scale_caps.from_paper(STUDIES, "own", {"protocol": {"kind": "fixed-split", "repeats": 1}}) == ""
    assert scale_caps.from_paper({}, "own", entry("ane", kind="fixed-split", repeats=1)) == ""


def test_a_part_of_a_paper_has_a_protocol_of_the_paper():
    studies = STUDIES | {"pg": STUDIES["pg"] | {"parts": ["pg-large"]}}
    part = entry("pg", kind="repeated-cv", repeats=1, folds=2)
    assert scale_caps.from_paper(studies, "pg-large", part) == ""
    assert scale_caps.from_paper(studies, "pg-small", part) != ""


def test_no_shipped_study_names_a_value_that_is_not_there():
    studies = read(ROOT / "config", ROOT / "workflow/schemas", {"studies": ["ane"], "scale": "full"})["studies"]
    found = {name: scale_caps.from_paper(studies, name, study) for name, study in studies.items()}
    assert found["ane-switches"] and not found["rmb-large"]
    assert not any("None" in words for words in found.values())
