# What is refused before any job: names that do not exist, and a cluster without its commands.
from ironbark.entries import suggestion
from ironbark.pipeline.jobs import slurm

# Snakemake would look for wildcards in the paths of scripts.
if {"{", "}"} & set(HERE := str(workflow.basedir)):
    sys.exit(f"ironbark: the path {HERE!r} holds a brace; move this folder elsewhere")


def refuse(target):
    """End the run before Snakemake does, which cannot suggest another study or rule."""
    named = {rule.name for rule in workflow.rules if not rule.has_wildcards()}
    known = sorted(named | PLAN.config["studies"].keys())
    hint = suggestion(target, known, "there are {}")
    sys.exit(f"ironbark: there is no study or rule {target!r}; {hint}")


def check_machine():
    """Before the first job; dry runs and the jobs themselves send nothing. Snakemake puts no quotes around Python."""
    if " " in sys.executable:
        remedy = "move this folder, or make .venv, to a path without blanks"
        sys.exit(f"ironbark: the path {sys.executable!r} holds a blank; {remedy}")
    try:
        slurm.check(workflow.executor_plugin.name)
    except InputError as error:
        sys.exit(f"ironbark: {error}")
