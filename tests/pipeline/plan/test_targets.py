import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan import targets

STUDIES = ["arena", "rmb", "rmb-curves", "quickstart"]
RULES = ["all", "site", "plan", "arena"]  # each study is a rule, too


@pytest.mark.parametrize(
    ("target", "near"),
    [("chrun", "there are"), ("arnea", "'arena'\\?"), ("sit", "'site'"), ("rmb-curve", "'rmb-curves'")],
)
def test_unknown_targets_get_the_nearest_studies_and_rules(target, near):
    with pytest.raises(InputError, match=f"no study or rule '{target}'; .*{near}"):
        targets.check([target], RULES, STUDIES)


def test_known_targets_and_files_pass():
    targets.check(["rmb", "site", "results/rmb/full/report.html", "report.zip"], RULES, STUDIES)
