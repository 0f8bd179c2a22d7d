"""What tests ask of the study `small` at full scale."""

from ironbark.pipeline.plan import artefact_specs, checks
from ironbark.pipeline.plan.specs import Plan


def small(plan):
    return plan.study("small", "full")


def check(config, **options):
    """Check the study before a run."""
    plan = Plan(config, **options)
    checks.check(plan, small(plan))


def try_tables(config):
    plan = Plan(config)
    return checks.try_tables(plan, small(plan))


def caption(plan, scale="full", study_id="small"):
    """Caption of its table `binary`."""
    return artefact_specs.captions(plan, plan.study(study_id, scale), "table")["binary"]


def files(plan, name):
    """Files that one of its figures is made from."""
    return artefact_specs.files(plan, small(plan), "figure", name)
