"""What tests ask of the study `small` at full scale."""

from ironbark.pipeline.plan import artefact_specs, specs
from ironbark.pipeline.plan.specs import Plan


def small(plan):
    return plan.study("small", "full")


def check(config, **options):
    """Check the study before a run."""
    plan = Plan(config, **options)
    specs.check(plan, small(plan))


def try_tables(config):
    plan = Plan(config)
    return specs.try_tables(plan, small(plan))


def caption(plan, scale="full", study_id="small"):
    """Caption of its table `binary`."""
    return artefact_specs.captions(plan, plan.study(study_id, scale), "table")["binary"]


def files(plan, name):
    """Files that one of its figures is made from."""
    return artefact_specs.files(plan, small(plan), "figure", name)


def put(config, place, value):
    """Set what is at a place such as studies/small/grids/0/noises, or append to that list with a + at the end."""
    *keys, last = place.split("/")
    for key in keys:
        config = config[int(key)] if isinstance(config, list) else config[key]
    if last == "+":
        config.append(value)
    else:
        config[last] = value
