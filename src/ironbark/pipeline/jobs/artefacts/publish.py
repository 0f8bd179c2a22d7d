"""A finished study in the results site, and as a Workflow Run RO-Crate."""

import json
from pathlib import Path

import yaml

from ironbark.files import write_text
from ironbark.pipeline.jobs.artefacts import site
from ironbark.pipeline.site import run_crate

ROOT = site.SOURCE.parents[2]  # the checkout, from which pipelines run


def run(spec, out, sheet_path, outputs, settings, **folders):
    """Build the site, and write the sheet and the crate of a study.

    Parameters
    ----------
    spec, out
        As for `ironbark.pipeline.jobs.artefacts.site.run`.
    sheet_path : path
        ``provenance.json`` in the folder of the study, where ``ro-crate-metadata.json`` and the Snakefile go too.
    outputs : list of path
        Files of the study, in that folder.
    settings : dict
        Setting of the run -> value.
    **folders
        Keywords of `ironbark.pipeline.jobs.artefacts.site.run`.
    """
    sheet, folder = site.run(spec, out, **folders), Path(sheet_path).parent
    write_text(sheet_path, json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
    write_text(folder / run_crate.WORKFLOW, (ROOT / run_crate.WORKFLOW).read_text(encoding="utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    names = [Path(path).relative_to(folder).as_posix() for path in outputs]
    run_crate.write(folder, sheet, citation, names, settings)
