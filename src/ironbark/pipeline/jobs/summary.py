"""The last lines of a run: where to look, and what failed."""

from collections.abc import Iterable
from pathlib import Path

from ironbark.pipeline.results import records


def lines(results, studies, scale):
    """Text for each study of this scale that has a report and its rows."""
    text, site = [], Path(results, "site")
    for study in studies:
        folder = Path(results, study, scale)
        if not all(Path(folder, name).exists() for name in ("report.html", "rows.parquet")):
            continue
        fits, failed = records.failed(folder / "rows.parquet")
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
    found = [
        (study, *about) for study, path in paths.items() if path.exists() for about in records.without_result(path)
    ]
    return "\n".join(
        f"study {study!r}: method {name!r} failed in each of its {n} fits, the first with {message!r}; "
        "correct its entry or its code, or run again with --config retry_failed=True"
        for study, name, n, message in found
    )
