"""Descriptions of the studies on disk, as their runs have recorded them."""

import json
from pathlib import Path

FILE = "study.json"
RESULTS = ("rows.parquet", "fits")
THINGS = ("methods", "datasets", "noises")


def read(results="results"):
    """Studies with results on disk, and the methods, data sets and noises that they use.

    Pages depend on the files below `results` alone: neither the configuration nor the settings of the current run
    change what they show of an earlier run.

    Returns
    -------
    dict
        Keys studies (list, by name, larger scales first), methods, datasets, noises (id -> entry; where two studies
        differ, that of the later run) and problems (sentences about studies that are left out).
    """
    found, problems = {}, []
    for folder in _folders(Path(results)):
        path = folder / FILE
        try:
            found[path] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            problems.append(_left_out(folder, "is missing"))
        except ValueError:
            problems.append(_left_out(folder, "is damaged"))
    by_age = sorted(found, key=lambda path: path.stat().st_mtime)
    entries = {thing: [item for path in by_age for item in found[path][thing].items()] for thing in THINGS}
    things = {thing: dict(sorted(dict(items).items())) for thing, items in entries.items()}
    return {"studies": [about["study"] for about in found.values()], "problems": problems, **things}


def _folders(results):
    """Folders of a study and scale with a description or results; full comes before lite and smoke."""
    return sorted({path.parent for name in (FILE, *RESULTS) for path in results.glob(f"*/*/{name}")})


def _left_out(folder, state):
    study, scale = folder.parts[-2:]
    command = f"`snakemake --cores 2 {study} --config scale={scale}`"
    return f"{study} ({scale}) is left out: {folder / FILE} {state}; run {command} again, with its other settings."
