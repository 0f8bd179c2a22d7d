"""Our means compared with the published ones."""

from pathlib import Path

import pandas as pd

from ironbark.pipeline.published import PAPERS, comparison, comparison_page
from ironbark.pipeline.results import records
from ironbark.pipeline.tables.kinds import imported


def run(spec: dict, rows: Path, printed: Path, stem: Path):
    """Write ``stem.csv`` and the summary ``stem.md``."""
    entry = spec["compare"]
    result = comparison.compare(
        without_twins(records.read(rows), spec["added_noises"]),
        imported(PAPERS[entry["published"]].values["cells"].reader)(printed),
        entry["methods"],
        datasets=spec["datasets"],
        tables=entry.get("tables"),
        metrics=entry.get("metrics"),
        unlike=unlike(spec["datasets"], spec["capped_fits"], spec["deviations"], entry.get("despite", ())),
    )
    comparison_page.write(result, stem, " ".join([spec["note"], *entry.get("despite", {}).values()]).strip())


def without_twins(rows, added):
    """Rows without those of added noises that have the model and rate of a noise of the study, whose rows count."""
    pairs = pd.Series(list(zip(rows["noise"], rows["rate"], strict=True)), rows.index)
    is_added = rows["noise_id"].isin(added)
    return rows[~(is_added & pairs.isin(set(pairs[~is_added])))]


def unlike(datasets, capped_fits, deviations, despite=()):
    """Data set -> why its numbers are not comparable with published ones, for those of which there is a reason."""
    found = {}
    for name in datasets:
        parts = [f"capped: {capped_fits}"] if capped_fits else []
        if deviations[name] and name not in despite:
            parts.append(f"other data: {' '.join(deviations[name])}")
        if parts:
            found[name] = "; ".join(parts)
    return found
