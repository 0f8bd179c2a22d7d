# What is refused before any job: names that do not exist, and a cluster without its commands.
from ironbark.pipeline.jobs import slurm

# Snakemake would look for wildcards in the paths of scripts.
if {"{", "}"} & set(HERE := str(workflow.basedir)):
    sys.exit(f"ironbark: the path {HERE!r} holds a brace; move this folder elsewhere")


def refuse(target):
    """End the run: no study or rule has this name."""
    named = {rule.name for rule in workflow.rules if not rule.has_wildcards()}
    or_exit(specs.refuse_target, target, named | PLAN.config["studies"].keys())


def check_machine():
    """Before the first job; dry runs and the jobs themselves send nothing. Snakemake puts no quotes around Python."""
    if " " in sys.executable:
        remedy = "move this folder, or make .venv, to a path without blanks"
        sys.exit(f"ironbark: the path {sys.executable!r} holds a blank; {remedy}")
    try:
        slurm.check(workflow.executor_plugin.name)
    except InputError as error:
        sys.exit(f"ironbark: {error}")
