# Reads and checks the configuration, and plans the studies that were asked for.
import os
import sys

from snakemake.settings.types import DeploymentMethod

# Jobs and conda environments find the package in this checkout, and a user's own methods next to the Snakefile.
SOURCE = os.path.join(workflow.basedir, "src")
sys.path.insert(0, SOURCE)
sys.path.append(workflow.basedir)
os.environ.update(
    PYTHONPATH=os.pathsep.join(
        filter(None, [SOURCE, os.getenv("PYTHONPATH"), workflow.basedir])
    )
)

from ironbark.errors import InputError
from ironbark.pipeline.jobs import cpu_dispatch
from ironbark.pipeline.plan.cost import forecast, resources
from ironbark.pipeline.plan import artefact_specs, dataset_specs, fit_specs
from ironbark.pipeline.plan import pages, published_cell, specs, stale
from ironbark.pipeline.plan.study import parts
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.specs import Plan

os.environ.update(cpu_dispatch.environment())

deployed = getattr(workflow.deployment_settings, "deployment_method", ())
shares_packages = DeploymentMethod.CONDA not in deployed


def or_exit(function, *arguments):
    """What `function` returns; an InputError ends planning with its sentence."""
    try:
        return function(*arguments)
    except InputError as error:
        sys.exit(f"ironbark: {error}")


FOLDERS = f"{workflow.basedir}/config", f"{workflow.basedir}/workflow/schemas"
PLAN = or_exit(Plan, or_exit(read, *FOLDERS, config), shares_packages)
SCALE = PLAN.settings["scale"]
ASKED_FOR = []  # studies that this run builds
REMARKS = {}  # said while planning, and again at the end of the run
RESULTS = "results/{study}/{scale}"
ENVIRONMENT = f"{workflow.basedir}/envs/ironbark.yaml"


wildcard_constraints:
    study="(check/|only/[a-z0-9.+-]+/)?[a-z0-9.-]+",
    scale="smoke|lite|full",
    dataset="[a-z0-9.-]+",
    task="binary|multiclass",
    batch="[a-z0-9./-]+",
    printed="[a-z-]+",
    cell="[a-z0-9.-]+",


def remember(lines):
    """Print what is worth knowing before the run; `where_to_look` prints it again after it."""
    for line in filter(lambda line: line not in REMARKS, lines):
        print(f"ironbark: {line}", file=sys.stderr)
    REMARKS.update(dict.fromkeys(lines))


def targets_of(study):
    study = PLAN.part(study)
    paths = [path for name in with_parts(study) for path in artefacts_of(name)]
    return keep_local([*paths, f"results/{study}/{SCALE}/provenance.json"])


def with_parts(study):
    made, absent = or_exit(parts.built, PLAN, [study])
    for other in absent:
        REMARKS[f"{other}: none of its data sets can be had"] = None
    return made


def artefacts_of(study):
    ASKED_FOR.append(study)
    planned = or_exit(PLAN.study, study, SCALE)
    or_exit(specs.check, PLAN, planned)
    remember(or_exit(specs.try_tables, PLAN, planned))
    if workflow.is_main_process and workflow.execution_settings and not workflow.dryrun:
        stale.remove(PLAN, planned)
    return [f"{planned.folder}/report.html", *artefact_specs.paths(planned)]


def checked_target():
    path, remarks = or_exit(specs.checked_cell, PLAN)
    remember(remarks)
    return path


def study_of(wc):
    return or_exit(PLAN.study, wc.study, wc.scale)


def cores_of(study, scale):
    """Timings are taken alone: on all cores that the run has, while each fit uses one."""
    return (workflow.cores or 1) if PLAN.study(study, scale).alone else 1


def asked_by_labels(wc, attempt):
    return resources.labels(PLAN, wc.study, wc.scale, wc.dataset, attempt)


def asked_by_shard(wc, attempt):
    return resources.shard(PLAN, wc.study, wc.scale, wc.batch, attempt)


def asked_by_import(wc, attempt):
    return resources.import_pack(PLAN, wc.study, wc.scale, attempt)


def packed_studies():
    asked = PLAN.settings["studies"]
    list(map(targets_of, asked))
    return or_exit(parts.built, PLAN, list(map(PLAN.part, asked)))[0]
