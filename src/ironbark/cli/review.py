"""`ironbark labels --review` and `--reviewed`: rows for people to check, and what their answers say of the others."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ironbark.cli import picture, review_page, tables
from ironbark.cli.source import find
from ironbark.errors import InputError, located
from ironbark.files import replacing, write_text
from ironbark.label_errors.review import BATCH, LabelReview
from ironbark.label_errors.scores import likeliest_others
from ironbark.pipeline.data import frame
from ironbark.pipeline.data.labels import essence

FORMAT = 4  # of the record
KEEP, UNSURE = "keep", "unsure"
SHEET = ("verdict", "row", "given", "suggested", "quality")  # columns before those of the data
BY_DESIGN = 2 / 3  # of the rows of a sheet; the others are the most suspicious ones


@dataclass(frozen=True)
class Round:
    """What is known before the labels are judged."""

    state: dict  # what answers belong to
    answers: dict  # position -> label, or None for unsure
    design: dict | None  # of the first round


def answers(path, texts, table) -> dict:
    """Position in the table -> label, or None for unsure, from a sheet with verdicts."""
    names = [tables.free(name, texts) for name in ("row", "given", "verdict")]
    if not Path(path).exists():
        raise InputError(f"there is no file {path}; give the downloaded answers, or the sheet with verdicts")
    sheet = tables.texts(find(Path(path), names[2]))
    for name in names:
        if name not in sheet.columns:
            raise InputError(f"{path} has no column {name!r}; give the sheet that --review wrote, with verdicts in it")
    places, labels = {essence(row): i for row, i in table.places.items()}, {}
    known = [*table.classes, KEEP, UNSURE]
    alike = Counter(map(essence, known))
    near = {essence(name): name for name in known if alike[essence(name)] == 1}  # spreadsheets turn 1.0 into 1
    for row, given, verdict in sheet[names].itertuples(index=False):
        if not verdict.strip():
            continue
        where = f"{path}, row {row}"
        i = places.get(essence(row))
        if i is None:
            raise InputError(f"{where}: the data have no such row; are these the answers for another table?")
        if essence(table.y[i]) != essence(given):
            differs = f"the given label is {given!r}, but {str(table.y[i])!r} in the data"
            raise InputError(f"{where}: {differs}; are these the answers for another table?")
        name = next((text for text in (verdict, verdict.strip()) if text in known), near.get(essence(verdict)))
        if name is None:
            few = f"{KEEP}, {UNSURE} and the labels ({frame.listed(table.classes, 10)})"
            raise InputError(f"{where}: the verdict {verdict!r} is none of {few}; write {UNSURE} where none is right")
        label = {KEEP: str(table.y[i]), UNSURE: None}.get(name, name)
        if labels.setdefault(i, label) != label:
            raise InputError(f"{where}: the row has two different verdicts; keep one")
    return labels


def begin(arguments, stem: str, texts, table) -> Round:
    """Answers so far, after all checks; verdicts that were not read, and files of the user, are not written over."""
    if taken := [name for name in table.classes if essence(name) in (KEEP, UNSURE)]:
        raise InputError(f"a review uses the verdict {taken[0]!r}, which is a label of the data; rename the label")
    path = arguments.reviewed
    new = None if path is None else answers(path, texts, table)
    record, sheet, cleaned = (Path(f"{stem}-{name}") for name in ("review.json", "review.csv", "cleaned.csv"))
    if cleaned.exists() and not record.exists():
        raise InputError(f"{cleaned} is not of this review and would be written over; move it away")
    state = {"format": FORMAT, "target": arguments.target, "seed": arguments.seed}
    state["table"] = _digest(table.y, table.X, table.rows)
    recorded = _recorded(record, state, table.places)
    earlier = {table.places[row]: label for row, label in recorded.get("answers", {}).items()}
    unread = answers(sheet, texts, table).keys() - (new or {}).keys() if sheet.exists() else ()
    if any(i not in earlier for i in unread):
        raise InputError(f"{sheet} has verdicts; pass it as --reviewed {sheet}, or move it away to begin again")
    found = tables.texts(find(sheet, arguments.target)) if sheet.exists() else pd.DataFrame()
    written = {tables.free(name, texts) for name in SHEET} | set(texts)
    if own := [name for name in found if name not in written and (found[name] != "").any()]:
        raise InputError(f"{sheet} has the column {own[0]!r} and will be written over; save it under another name")
    return Round(state, earlier | (new or {}), recorded.get("design"))


def run(arguments, stem: str, source, texts, table, detector, round_: Round) -> str:
    """Record answers, write the next rows and the cleaned table; what the answers say, as text."""
    record, sheet = Path(f"{stem}-review.json"), Path(f"{stem}-review.csv")
    with located(record):  # which has the design
        review = LabelReview(detector, table.y, arguments.seed, round_.design)
        review.add(list(round_.answers), list(round_.answers.values()))
    named = {str(table.rows[i]): label for i, label in round_.answers.items()}
    write_text(record, json.dumps(round_.state | {"design": review.design_, "answers": named}) + "\n")
    planned = review.sample(int(np.ceil(BY_DESIGN * arguments.rows))).tolist()
    suspects = [row for row in review.suspects(arguments.rows).tolist() if row not in planned]
    rows = (planned + suspects)[: arguments.rows]
    codes = np.searchsorted(detector.classes_, table.y[rows])
    suggested = detector.classes_[likeliest_others(detector.probabilities_[rows], codes, detector.noise_matrix_)]
    names = _write_sheet(sheet, source, texts, table, detector, rows, suggested)
    files = [f"{sheet} ({len(rows)} rows to check)"]
    page, shown = sheet.with_suffix(".html"), texts.drop(columns=arguments.target)
    tasks = review_page.task_files(sheet)
    exports = arguments.export or any(path.exists() for path in tasks)  # or the round before did
    for old in (page, *tasks):
        old.unlink(missing_ok=True)
    if rows:
        review_page.write(page, source.path.name, table, shown, detector, rows, suggested, names)
        files.append(f"{page} (the same as cards)")
    if exports:
        files += review_page.write_tasks(sheet, table, shown, rows, suggested, detector, names, [KEEP, UNSURE])
    files.append(str(record))
    if round_.answers:
        cleaned = _write_cleaned(Path(f"{stem}-cleaned.csv"), source, arguments.target, texts, table, review.cleaned())
        drawn, estimate = sheet.with_suffix(".png"), review.estimate(arguments.cost)
        wrong = [label not in (None, table.y[row]) for row, label in review.answers_.items()]
        at_random = estimate.n_left / max(estimate.n_rows - estimate.n_answered, 1)
        picture.write(drawn, picture.draw_review(source.path.name, wrong, review.forecast(), at_random))
        lines, files = _summary(estimate, arguments.cost, table, review), [cleaned, str(drawn), *files]
    else:
        verdicts = f"{KEEP}, {UNSURE} or the right label ({frame.listed(table.classes, 10)})"
        lines = [f"open {page} and download your answers, or fill in the column verdict of {sheet} with {verdicts};"]
        lines.append("then run the same command with --reviewed and that file in place of --review")
    return "\n".join([*lines, f"written: {', '.join(files)}"])


def _digest(*arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def _recorded(path, state, places):
    """Record of earlier rounds, of the same table; empty if there is none."""
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        whole = record.keys() == {*state, "design", "answers"}
        whole = whole and all(label is None or isinstance(label, str) for label in record["answers"].values())
    except (ValueError, AttributeError):
        whole = False
    damaged = InputError(f"{path} is damaged; restore it, or move it away to begin again")
    if not whole:
        raise damaged
    for name in state:
        if record[name] != state[name]:
            remedy = "run with the same data and options, or move it away to begin again"
            raise InputError(f"{path} was begun with another {name}; {remedy}")
    if not record["design"] or not record["answers"].keys() <= places.keys():
        raise damaged
    return record


def _write_sheet(path, source, texts, table, detector, rows, suggested):
    """Rows to check, with an empty column for the verdict, whole or not at all; names of its first three columns."""
    columns = "", table.rows[rows], table.y[rows], suggested, detector.label_quality_[rows].round(3)
    found = pd.DataFrame({tables.free(name, texts): column for name, column in zip(SHEET, columns, strict=True)})
    with replacing(path) as side:
        tables.to_csv(
            pd.concat([found, texts.iloc[table.positions[rows]].reset_index(drop=True)], axis=1), side, source
        )
    return list(found)[:3]


def _write_cleaned(path, source, target, texts, table, labels):
    """All rows of the file with the confirmed labels, and a column with the labels that were replaced."""
    changed = np.flatnonzero(labels != table.y)
    replaced = pd.Series("", index=texts.index)
    replaced.iloc[table.positions[changed]] = table.y[changed]
    column = texts[target].copy()
    column.iloc[table.positions[changed]] = labels[changed]
    name = tables.free(tables.REPLACED, texts)
    with replacing(path) as side:
        tables.to_csv(frame.changed(texts, {target: column, name: replaced}), side, source)
    return f"{path} ({len(changed)} labels changed; {name!r} has the old ones, leave it out of training)"


def _summary(estimate, cost, table, review):
    """What the answers say."""
    judged, waiting = estimate.n_rows, []
    low, high = estimate.interval
    left = [max(share * judged - estimate.n_confirmed, 0) for share in estimate.interval]
    ahead = [f"{mean:.1f} of {size} ({a:.1f} to {b:.1f})" for size, (mean, a, b) in estimate.next_errors.items()]
    expected = f"{estimate.next_errors[BATCH][0]:.1f} errors are expected among the next {BATCH} suspects"
    expected += f" and {estimate.others:.1f} among {BATCH} of all unchecked rows"
    decision = f"go on (--rows for larger rounds): {expected}"
    if not estimate.goes_on:
        decision = f"stop: {expected}, fewer than {cost:g} (--cost)"
    if estimate.n_waiting:
        first = f"row {table.rows[review.sample(1)[0]]} was to be checked and has no answer"
        remedy = f"answer it, or write {UNSURE}"
        waiting = [f"{first}, so {estimate.n_waiting} later answers do not narrow the interval; {remedy}"]
    of = "" if judged == len(table.y) else f" of the {judged:,} rows that can be judged"
    interval = f"90 % interval, valid at every round: {low:.1%} to {high:.1%}"
    return [
        f"checked: {estimate.n_answered:,} rows, of which {estimate.n_confirmed:,} are wrong",
        f"share of wrong labels{of}: {estimate.rate:.1%} ({interval})",
        *waiting,
        f"wrong labels that are left: about {estimate.n_left:.0f} ({left[0]:.0f} to {left[1]:.0f})",
        f"errors expected among the next suspects (band of 90 %): {', '.join(ahead)}",
        decision,
    ]
