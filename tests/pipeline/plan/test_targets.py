import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan import targets
from ironbark.pipeline.plan.specs import Plan

STUDIES = ["arena", "rmb", "rmb-curves", "quickstart"]
RULES = ["all", "site", "plan", "arena"]  # each study is a rule, too


@pytest.mark.parametrize(
    ("target", "near"),
    [("arnea", "'arena'\\?"), ("sit", "'site'"), ("rmb-curve", "'rmb-curves'")],
)
def test_unknown_targets_get_the_nearest_studies_and_rules(target, near):
    with pytest.raises(InputError, match=f"no study or rule '{target}'; .*{near}"):
        targets.check([target], RULES, STUDIES)
    targets.check(["rmb", "site", "results/rmb/full/report.html", "report.zip"], RULES, STUDIES)


SMALL = "study 'small' at scale 'full'"
MISSING = [
    (lambda plan: plan.table_inputs("small", "full", "binry"), f"{SMALL} has no table 'binry'; did you mean 'binary'"),
    (lambda plan: plan.figure_inputs("small", "full", "zzz"), f"{SMALL} has no figure 'zzz'; there are curves"),
    (lambda plan: plan.shard_inputs("small", "full", "binary/x"), f"{SMALL} has no batch of fits 'binary/x'"),
    (lambda plan: plan.corrupt("small", "full", "two", "multiclass"), f"{SMALL} has no labels two/multiclass; there"),
    (lambda plan: plan.published("small", "full"), f"{SMALL} is not compared with published values; add the key 'com"),
    (lambda plan: plan.fetch_inputs("tow"), "unknown data set 'tow'; did you mean 'two'"),
    (lambda plan: plan.dataset_table_inputs("pgg"), "unknown published table of data sets 'pgg'; did you mean 'pg'"),
]


@pytest.mark.parametrize(("ask", "sentence"), MISSING)
def test_files_of_what_a_study_does_not_have(config, ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask(Plan(config))
