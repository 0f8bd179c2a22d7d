"""`ironbark labels --review` and `--reviewed`: rows for people to check, and what their answers say of the others."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.cli import review_page, tables
from ironbark.errors import InputError
from ironbark.files import replacing, write_text
from ironbark.label_errors.review import BATCH, LabelReview

FORMAT = 1
KEEP, UNSURE = "keep", "unsure"
BY_DESIGN = 2 / 3  # of the rows of a sheet; the others are the most suspicious ones


def answers(path, source, table) -> dict:
    """Position in the table -> label, or None for unsure, from a sheet with verdicts."""
    try:
        sheet = pd.read_csv(path, dtype=str, keep_default_na=False, sep=None, engine="python")
    except (OSError, UnicodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(
            f"the answers {path} cannot be read ({' '.join(str(error).split())}); give a CSV file"
        ) from None
    names = {name: tables.free(name, tables.texts(source)) for name in ("verdict", "row", "given")}
    for name in names.values():
        if name not in sheet.columns:
            raise InputError(f"{path} has no column {name!r}; give the sheet that --review wrote, with verdicts in it")
    position, known, found = {row: i for i, row in enumerate(table.rows.tolist())}, set(table.classes), {}
    for row, given, verdict in zip(*(sheet[names[name]] for name in ("row", "given", "verdict")), strict=True):
        said = verdict.strip()
        if not said:
            continue
        where = f"{path}, row {row}"
        if not row.isdigit() or int(row) not in position:
            raise InputError(f"{where}: {source.path} has no such row; are these the answers for another table?")
        i = position[int(row)]
        if table.y[i] != given:
            raise InputError(
                f"{where}: the given label is {given!r}, but {table.y[i]!r} in {source.path}; are these the answers "
                "for another table?"
            )
        if said not in known | {KEEP, UNSURE}:
            few = ", ".join(table.classes[:10])
            raise InputError(f"{where}: the verdict {said!r} is none of {KEEP}, {UNSURE} and the labels ({few})")
        found[i] = {KEEP: given, UNSURE: None}.get(said, said)
    return found


def run(arguments, stem: str, source, table, detector, new: dict | None) -> str:
    """Record answers, write the next sheet and the cleaned table; what the answers say, as text."""
    review = LabelReview(detector, table.y, random_state=arguments.seed)
    record, sheet = Path(f"{stem}-review.json"), Path(f"{stem}-review.csv")
    state = {"format": FORMAT, "target": arguments.target, "seed": arguments.seed, "table": _digest(table.y, table.X)}
    state["order"] = _digest(review.sample(len(table.y)))
    earlier = _recorded(record, state)
    if new is None and sheet.exists() and _has_verdicts(sheet):
        raise InputError(f"{sheet} has verdicts; pass it as --reviewed {sheet}, or move it away to begin again")
    together = earlier | {str(table.rows[i]): label for i, label in (new or {}).items()}
    position = {str(row): i for i, row in enumerate(table.rows.tolist())}
    review.add([position[row] for row in together], list(together.values()))
    write_text(record, json.dumps(state | {"answers": together}, indent=1) + "\n")
    rows = _next_rows(review, arguments.rows)
    suggested = _others(detector, table, rows)
    names = _write_sheet(sheet, source, table, detector, rows, suggested)
    page = sheet.with_suffix(".html")
    if rows:
        review_page.write(page, source.path.name, table, tables.texts(source), detector, rows, suggested, names)
    lines, files = [], [f"{sheet} ({len(rows)} rows to check)", f"{page} (the same as cards)", str(record)]
    if together:
        files.insert(0, _write_cleaned(Path(f"{stem}-cleaned.csv"), arguments.target, source, table, review.cleaned()))
        lines = _said(review.estimate(arguments.cost), arguments.cost)
    else:
        labels = ", ".join(table.classes[:10])
        lines = [
            f"open {page} and download your answers, or fill in the column verdict of {sheet} with {KEEP}, {UNSURE} or "
            f"the right label ({labels});",
            "then run the same command with --reviewed and that file in place of --review",
        ]
    return "\n".join([*lines, f"written: {', '.join(files)}"])


def _next_rows(review, n):
    """Rows of the next sheet, each once."""
    planned = review.sample(int(np.ceil(BY_DESIGN * n))).tolist()
    suspects = [row for row in review.suspects(n).tolist() if row not in planned]
    return (planned + suspects)[:n]


def _digest(*arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def _recorded(path, state):
    """Answers of earlier rounds, of the same table in the same order."""
    if not path.exists():
        return {}
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
        found = earlier["answers"]
        right = isinstance(found, dict) and all(label is None or isinstance(label, str) for label in found.values())
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise InputError(f"{path} is damaged; restore it, or move it away to begin again")
    for name in ("target", "table", "seed", "order"):
        if earlier.get(name) != state[name]:
            raise InputError(
                f"{path} was begun with another {name}; run with the same data and options, or move it away to begin "
                "again"
            )
    return found


def _has_verdicts(path):
    sheet = pd.read_csv(path, dtype=str, keep_default_na=False)
    return bool((sheet.iloc[:, 0].str.strip() != "").any())


def _others(detector, table, rows):
    """Most likely label of each row besides the given one."""
    others = detector.probabilities_[rows].copy()
    others[np.arange(len(rows)), np.searchsorted(detector.classes_, table.y[rows])] = -1.0
    return detector.classes_[others.argmax(axis=1)] if len(rows) else np.array([], str)


def _write_sheet(path, source, table, detector, rows, suggested):
    """Rows to check, with an empty column for the verdict, whole or not at all; names of its first three columns."""
    found = pd.DataFrame({"verdict": "", "row": table.rows[rows], "given": table.y[rows], "suggested": suggested})
    found["quality"] = detector.label_quality_[rows].round(3)
    texts = tables.texts(source)
    found.columns = [tables.free(name, texts) for name in found]
    with replacing(path) as side:
        pd.concat([found, texts.iloc[table.positions[rows]].reset_index(drop=True)], axis=1).to_csv(side, index=False)
    return list(found)[:3]


def _write_cleaned(path, target, source, table, labels):
    """All rows of the file with the confirmed labels, and a column with the labels that were replaced."""
    texts = tables.texts(source)
    changed = np.flatnonzero(labels != table.y)
    replaced = pd.Series("", index=texts.index)
    replaced.iloc[table.positions[changed]] = table.y[changed]
    column = texts[target].copy()
    column.iloc[table.positions[changed]] = labels[changed]
    with replacing(path) as side:
        texts.assign(**{target: column, tables.free("replaced", texts): replaced}).to_csv(side, index=False)
    return f"{path} ({len(changed)} labels changed)"


def _said(estimate, cost):
    """What the answers say."""
    low, high = estimate.interval
    ahead = [f"{size}: {mean:.1f} ({a:.1f} to {b:.1f})" for size, (mean, a, b) in estimate.next_errors.items()]
    expected = f"{estimate.next_errors_of_batch:.1f} errors are expected among the next {BATCH} suspects"
    decision = f"go on: {expected}" if estimate.goes_on else f"stop: {expected}, fewer than {cost:g} (--cost)"
    return [
        f"checked: {estimate.n_answered:,} rows, of which {estimate.n_confirmed:,} are wrong",
        f"share of wrong labels: {estimate.rate:.1%} (90 % interval, valid at every round: {low:.1%} to {high:.1%})",
        f"wrong labels that are left: about {estimate.n_left:.0f}",
        f"errors expected among the next suspects (band of 90 %): {', '.join(ahead)}",
        decision,
    ]
