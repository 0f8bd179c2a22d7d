"""What of a protocol differs from the paper's is said in titles, captions and pages."""

from ironbark.pipeline.plan.study import deviations

STUDIES = {
    "ane": {"protocol": {"kind": "fixed-split", "repeats": 5}, "compare": {"published": "ane"}},
    "pg": {"protocol": {"kind": "repeated-cv", "repeats": 10, "folds": 5}, "compare": {"published": "pg"}},
}


def entry(published, **protocol):
    return {"protocol": protocol, "compare": {"published": published}}


def test_what_differs_is_named_with_both_values():
    found = deviations.from_paper(STUDIES, entry("ane", kind="fixed-split", repeats=2))
    assert found == "2 repeats in place of the paper's 5"
    found = deviations.from_paper(STUDIES, entry("pg", kind="repeated-cv", repeats=3, folds=2))
    assert found == "3 repeats in place of the paper's 10, 2 folds in place of the paper's 5"
    found = deviations.from_paper(STUDIES, entry("pg", kind="random-partitions", repeats=10, test_size=0.2))
    assert "kind random-partitions in place of the paper's repeated-cv" in found and "test_size 0.2" in found


def test_the_same_protocol_and_studies_without_a_paper_have_nothing_to_say():
    assert deviations.from_paper(STUDIES, STUDIES["ane"]) == ""
    assert deviations.from_paper(STUDIES, {"protocol": {"kind": "fixed-split", "repeats": 1}}) == ""
    assert deviations.from_paper({}, entry("ane", kind="fixed-split", repeats=1)) == ""
