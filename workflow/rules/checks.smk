# What is refused before any job: names that do not exist, and a cluster without its commands.
from ironbark.pipeline.jobs import slurm


def refuse(target):
    """End the run: no study or rule has this name."""
    named = [rule.name for rule in workflow.rules if not rule.has_wildcards()]
    try:
        specs.check_target([target], named, PLAN.config["studies"])
    except InputError as error:
        sys.exit(f"ironbark: {error}")


def check_cluster():
    """Before the first job; dry runs and the jobs themselves send nothing."""
    try:
        slurm.check(workflow.executor_plugin.name)
    except InputError as error:
        sys.exit(f"ironbark: {error}")
