"""One published cell next to ours."""

import json
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline import tables
from ironbark.pipeline.data import bundle
from ironbark.pipeline.jobs.artefacts import unlike
from ironbark.pipeline.published import Cell, is_ranked, read, single_cell
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.tables import dataset_tables


def run(spec: dict, rows: Path, printed: Path, sizes: list[Path], prepared: Path, stem: Path):
    """Write the result as ``stem.json`` and in words as ``stem.md``."""
    found, cell = parquet.read(rows), Cell(**spec["cell"])
    own = found[found["method"] == spec["method"]]
    failed = own[own["status"] == records.FAILED]
    if len(failed) == len(own):
        raise InputError(
            f"{cell}: all {len(own)} fits of {spec['method']} failed, the first with {failed['message'].iloc[0]!r}; "
            "correct its entry or its code, or run again with --config retry_failed=True"
        )
    published = read(cell.paper, printed)
    dataset = spec["dataset"]
    despite = [dataset] if spec["despite"] else []
    reason = unlike([dataset], spec["capped_fits"], {dataset: spec["deviations"]}, despite)
    judge = single_cell.ranks if is_ranked(cell.paper) else single_cell.means
    result = {
        **{key: spec[key] for key in ("title", "cell", "study", "scale", "protocol", "differs", "dataset", "method")},
        "fits": len(found),
        "failed": int((found["status"] == records.FAILED).sum()),
        "metric": spec["metric"],
        **judge(found, published, cell, spec, reason.get(dataset, "")),
        "data": _data(spec, sizes, prepared),
        "versions": json.loads(own["versions"].iloc[0]),
    }
    write_text(f"{stem}.json", json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    write_text(f"{stem}.md", single_cell.page(result))


def _data(spec, sizes, prepared):
    """Published facts of the data set with ours, and how its rows differ from those of the paper."""
    meta = bundle.meta(prepared)
    facts = []
    for (table, name), path in zip(spec["sizes"].items(), sizes, strict=True):
        frame = dataset_tables.read(path, table)
        about = (frame, {spec["dataset"]: meta}), {"kind": "datasets", "printed": table}
        lines = tables.build(*about, members=[[spec["dataset"], name]]).values
        shown = lines.loc[lines["ours"].notna(), ["fact", "printed", "ours", "agrees"]]
        facts += shown.astype({"ours": "float64", "agrees": "bool"}).to_dict("records")
    about = {key: spec[key] for key in ("deviations", "despite")}
    return {"rows": meta["n"], "features": meta["d"], "published": facts, **about}
