import pytest
from pipeline.plan.small import small

from ironbark.errors import InputError
from ironbark.pipeline.plan import artefact_specs, checks, dataset_specs, fit_specs
from ironbark.pipeline.plan.specs import Plan

STUDIES = ["arena", "rmb", "rmb-curves", "quickstart"]
RULES = ["all", "site", "plan", "arena"]  # each study is a rule, too


@pytest.mark.parametrize(
    ("target", "near"),
    [("arnea", "'arena'\\?"), ("sit", "'site'"), ("rmb-curve", "'rmb-curves'")],
)
def test_unknown_targets_get_the_nearest_studies_and_rules(target, near):
    with pytest.raises(InputError, match=f"no study or rule '{target}'; .*{near}"):
        checks.check_target([target], RULES, STUDIES)
    checks.check_target(["rmb", "site", "results/rmb/full/report.html", "report.zip"], RULES, STUDIES)


SMALL = "study 'small' at scale 'full'"
MISSING = [
    (lambda plan: fit_specs.shard_inputs(small(plan), "binary/x"), f"{SMALL} has no batch of fits 'binary/x'"),
    (
        lambda plan: fit_specs.corrupt(plan, small(plan), "two", "multiclass"),
        f"{SMALL} has no labels two/multiclass",
    ),
    (
        lambda plan: artefact_specs.published(small(plan)),
        f"{SMALL} is not compared with",
    ),
    (lambda plan: dataset_specs.fetch_inputs(plan, "tow"), "unknown data set 'tow'; did you mean 'two'"),
    (
        lambda plan: dataset_specs.dataset_table_inputs(plan, "pgg"),
        "unknown published table of .*mean 'pg'",
    ),
]


@pytest.mark.parametrize(("ask", "sentence"), MISSING)
def test_files_of_what_a_study_does_not_have(config, ask, sentence):
    with pytest.raises(InputError, match=sentence):
        ask(Plan(config))
