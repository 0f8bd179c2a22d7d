"""The last lines of a run: where to look, and what failed."""

import json
from collections.abc import Iterable
from pathlib import Path

from ironbark.pipeline.results import parquet
from ironbark.pipeline.results.records import FAILED

COLUMNS = ["dataset", "noise_id", "method", "status", "message"]


def lines(results, studies, scale):
    """Text for each study of this scale that has a report and its rows."""
    text, site, shown = [], Path(results, "site"), False
    for study in studies:
        folder = Path(results, study, scale)
        if not all(Path(folder, name).exists() for name in ("report.html", "rows.parquet")):
            continue
        fits = parquet.read(folder / "rows.parquet", columns=COLUMNS)
        failed = fits[fits["status"] == FAILED]
        marked = f", {len(failed)} FAILED, marked in the tables" if len(failed) else ""
        text += ["", f"{study} ({scale}): {len(fits)} fits{marked}"]
        page = site / "study" / f"{study}-{scale}.html"
        shown |= page.exists()
        text += [f"  open {page}"] if page.exists() else []
        text += [f"  files: {folder}"]
        for path in sorted(folder.glob("packs/*.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            text.append(f"  a pack had {found['in_pack']} of {found['asked']} fits")
        if Path(folder, "comparison.md").exists():
            text += [f"  compared with the published values: {folder / 'comparison.md'}"]
        for row in failed.drop_duplicates(["method", "message"]).head(5).itertuples():
            text.append(f"  failed: {row.method}, e.g. {row.dataset} {row.noise_id}: {row.message}")
    index = site / "index.html"
    return [*text, "", f"all results: {index}"] if shown and index.exists() else text


def verdict(results: Path, studies: Iterable[str], scale: str, since: float = 0.0) -> str:
    """Reason to end a run with an error, that a method has no result at all in rows written since; empty for none."""
    reasons = []
    for study in studies:
        path = Path(results, study, scale, "rows.parquet")
        if not path.exists() or path.stat().st_mtime < since:
            continue
        for name, fits in parquet.read(path, columns=COLUMNS).groupby("method", sort=False):
            if (fits["status"] == FAILED).all():
                reasons.append(
                    f"study {study!r}: method {name!r} failed in each of its {len(fits)} fits, the first with "
                    f"{fits['message'].iloc[0]!r}; correct its entry or its code, or run again with "
                    "--config retry_failed=True, or after a timeout with a larger fit_minutes"
                )
    return "\n".join(reasons)
