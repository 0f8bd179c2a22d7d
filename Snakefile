# ironbark: what is built, in the order of the data. The rules are in workflow/rules, their work in src/ironbark/jobs.
import os
import sys

from snakemake.utils import min_version

min_version("9.19")

if not os.path.samefile(".", workflow.basedir):
    sys.exit(
        f"ironbark: snakemake runs in {os.getcwd()}; run it in {workflow.basedir}, to which all paths are relative"
    )


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/storage.smk"
include: "workflow/rules/common.smk"
include: "workflow/rules/checks.smk"
include: "workflow/rules/patches.smk"
include: "workflow/rules/connections.smk"


rule all:
    input:
        lambda wc: [
            path for study in PLAN.settings["studies"] for path in targets_of(study)
        ],


include: "workflow/rules/data.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/packs.smk"
include: "workflow/rules/published_cell.smk"
include: "workflow/rules/fits.smk"
include: "workflow/rules/artefacts.smk"
include: "workflow/rules/site.smk"
include: "workflow/rules/plan.smk"
include: "workflow/rules/reference.smk"
include: "workflow/rules/studies.smk"
include: "workflow/rules/ending.smk"


onstart:
    check_machine()


onsuccess:
    for line in where_to_look():
        print(line)
    end_with_verdict()


onerror:
    end_with_verdict(since=STARTED)
