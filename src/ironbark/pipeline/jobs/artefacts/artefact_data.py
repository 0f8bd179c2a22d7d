"""Data of tables and figures, read from the files of their jobs."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from ironbark.pipeline.published import PAPERS
from ironbark.pipeline.results import rows
from ironbark.pipeline.results.rows import shown
from ironbark.pipeline.tables.kinds import imported


def read(kind, spec: dict, inputs: dict):
    """The data of a kind, and the keywords of its builder."""
    return READERS[kind.data](kind, spec, inputs), published(kind, spec, inputs)


def published(kind, spec, inputs):
    """The published values that a kind shows, by the keywords of its builder; parameters as for `read`."""
    readers = {key: PAPERS[paper].values[name].reader for key, (paper, name) in kind.values(spec).items()}
    return {key: imported(reader)(inputs[key]) for key, reader in readers.items()}


def _labels(kind, spec, inputs):
    """Title, matrix of the first split and class names, for each noise of the figure."""
    from ironbark.pipeline.data import bundle  # late, here and below: other kinds do without
    from ironbark.pipeline.figures.transition_matrix import title
    from ironbark.pipeline.results import noisy_labels
    from ironbark.pipeline.results.parquet import undamaged

    classes = bundle.load(inputs["prepared"]).classes(spec["task"])
    with undamaged(inputs["labels"]):
        found = {noise_id: noisy_labels.matrix(inputs["labels"], noise_id) for noise_id in spec["noises"]}
    return [(title(noise_id, about["flipped"]), about["matrix"], classes) for noise_id, about in found.items()]


def _datasets(kind, spec, inputs):
    """The published table, and id -> meta.json of each prepared data set."""
    from ironbark.pipeline.data import bundle

    metas = map(bundle.meta, inputs.get("prepared", ()))
    read_table = imported(f"{kind.module}.read")
    return read_table(inputs["printed"], spec["printed"]), {meta["id"]: meta for meta in metas}


#: `ironbark.pipeline.tables.kinds.Kind.data` -> reader(kind, entry of the study, inputs).
READERS = {
    "rows": lambda kind, spec, inputs: shown(inputs["rows"]),
    "comparison": lambda kind, spec, inputs: pd.read_csv(inputs["comparison"], dtype={"rate": "str", "table": "str"}),
    "labels": _labels,
    "datasets": _datasets,
    "nothing": lambda kind, spec, inputs: None,
}


def lines(results, studies, scale):
    """Text for each study of this scale that has a report and its rows."""
    text, site = [], Path(results, "site")
    for study in studies:
        folder = Path(results, study, scale)
        if not all(Path(folder, name).exists() for name in ("report.html", "rows.parquet")):
            continue
        fits, failed = rows.failed(folder / "rows.parquet")
        marked = f", {len(failed)} FAILED, marked in the tables" if len(failed) else ""
        text += ["", f"{study} ({scale}): {fits} fits{marked}"]
        page = site / "study" / f"{study}-{scale}.html"
        text += [f"  open {page}"] if page.exists() else []
        text += [f"  files: {folder / 'tables'} and {folder / 'figures'}"]
        if Path(folder, "comparison.md").exists():
            text += [f"  compared with the published values: {folder / 'comparison.md'}"]
        causes = failed.drop_duplicates(["method", "message"])
        text += [
            f"  failed: {row.method}, e.g. {row.dataset} {row.noise_id}: {row.message}"
            for row in causes.head(5).itertuples()
        ]
    index = site / "index.html"
    return [*text, "", f"all results: {index}"] if text and index.exists() else text


def verdict(results: Path, studies: Iterable[str], scale: str) -> str:
    """Reason to end a complete run with an error; empty for none."""
    paths = {study: Path(results, study, scale, "rows.parquet") for study in studies}
    found = [(study, *about) for study, path in paths.items() if path.exists() for about in rows.without_result(path)]
    return "\n".join(
        f"study {study!r}: method {name!r} failed in each of its {n} fits, the first with {message!r}; "
        "correct its entry or its code, or run again with --config retry_failed=True"
        for study, name, n, message in found
    )
