"""Build the results site from what is on disk."""

from pathlib import Path

from ironbark.jobs import reporting, site
from ironbark.plan import pages
from ironbark.plan.config import read
from ironbark.plan.specs import Plan

ROOT = Path(snakemake.scriptdir).resolve().parents[1]

with reporting(snakemake.log[0]):
    plan = Plan(read(ROOT / "config", ROOT / "workflow/schemas", dict(snakemake.config)))
    site.run(pages.spec(plan), snakemake.params.folder, sheets=snakemake.params.sheets)
