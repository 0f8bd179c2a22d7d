"""The last lines of a run: where to look, and what failed."""

from pathlib import Path

from ironbark import records


def lines(results, studies, scale):
    """Text for each study of this scale that has a report.

    Parameters
    ----------
    results : path
    studies : iterable of str
    scale : str

    Returns
    -------
    list of str
    """
    text = []
    for study in studies:
        folder = Path(results, study, scale)
        if not Path(folder, "report.html").exists():
            continue
        rows = records.read(folder / "rows.parquet")
        failed = int((rows["status"] == records.FAILED).sum())
        text += [
            "",
            f"{study} ({scale}): {len(rows)} fits" + (f", {failed} FAILED, marked in the tables" if failed else ""),
        ]
        text += [f"  look at {folder / 'report.html'}, then at {folder / 'tables'} and {folder / 'figures'}"]
        if Path(folder, "comparison.md").exists():
            text += [f"  beside the printed numbers: {folder / 'comparison.md'}"]
        causes = rows[rows["status"] == records.FAILED].drop_duplicates(["method", "message"])
        text += [
            f"  failed: {row.method}, e.g. {row.dataset} {row.noise_id}: {row.message}"
            for row in causes.head(5).itertuples()
        ]
    site = Path(results, "site/index.html")
    return [*text, "", f"to look through all of it: {site}"] if text and site.exists() else text
