"""Where rows are checked: the page of `ironbark labels --review`, one file that needs no network, or Label Studio.

A card of the page, or a task, is a row; `--reviewed` reads the answers of both.
"""

import hashlib
import json
import re
from html import escape
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from ironbark.files import write_text
from ironbark.label_errors.suspects import nearest

STATIC = Path(__file__).parent / "static"
ITEM = "item"  # name of what a task shows
MANY = 20  # columns, beyond which unusual values come first
SHOWN = 200  # columns of a card
RARE = 0.05  # a value is unusual if fewer of a class have texts that are as rare, or numbers as far out
FEW = 40  # a column of at most so many different numbers is judged as one of texts


def write(path: Path, name: str, table, texts, detector, rows: list, suggested: np.ndarray, names: list) -> None:
    """Write the page of rows, whole or not at all; `names` are the columns of the file that it offers to download."""
    columns, values = list(texts.columns), texts.to_numpy()
    pairs = list(zip(table.y[rows].tolist(), suggested.tolist(), strict=True))
    unusual = zip(*(_unusual(table, column, rows, pairs) for column in columns), strict=True)
    near = _neighbours(detector, table.X, rows)

    cards = []
    for number, (row, pair, of_columns, others) in enumerate(zip(rows, pairs, unusual, near, strict=True), 1):
        same = [row, *(i for i, _ in others)]
        heads = [f"Similar row {table.rows[i]}: label {table.y[i]}" for i in same[1:]]
        lines = list(zip(columns, *(values[table.positions[i]] for i in same), of_columns, strict=True))
        if len(lines) > MANY:
            lines.sort(key=lambda line: not line[-1])
        title = f"Row {table.rows[row]} (card {number} of {len(rows)})"
        if len(lines) > SHOWN:
            lines[SHOWN:] = [(f"Columns not shown: {len(lines) - SHOWN:,}", *[""] * (len(heads) + 2))]
        cards.append(_card(str(table.rows[row]), title, pair, table.classes, heads, lines))
    data = {"file": f"{path.stem}-answers.csv", "names": names}
    # of all pages of a review, whatever their rows
    same = [name, data, columns, table.classes, table.y.tolist(), table.rows.tolist()]
    data["id"] = hashlib.sha256(json.dumps(same).encode()).hexdigest()[:32]
    page, script = ((STATIC / file).read_text(encoding="utf-8") for file in ("review.html", "review.js"))
    parts = {"page": escape(json.dumps(data)), "name": escape(name), "count": str(len(rows))}
    parts |= {"cards": "\n".join(cards), "script": script}
    write_text(path, re.sub("<!--([a-z]+)-->", lambda match: parts[match[1]], page))


def _card(row, title, pair, classes, heads, lines):
    """A row as HTML: its labels, a button for each verdict, its values and those of neighbours."""
    given, suggested = pair
    changes = [label for label in dict.fromkeys([suggested, *classes]) if label != given]
    keys = "abcefghij" if any(label[:1].isdigit() for label in classes) else "123456789"  # no digit means another
    choices = [(key, label, f"Change to {label}") for key, label in zip(keys, changes, strict=False)]
    buttons = "".join(
        f'<button data-key="{key}" value="{escape(verdict)}">{escape(text)} <kbd>{key.upper()}</kbd></button>'
        for key, verdict, text in (("k", "keep", f"Keep {given}"), *choices, ("u", "unsure", "Unsure"))
    )
    if len(classes) > 10:
        listed = "".join(f'<option value="{escape(label)}">{escape(label)}</option>' for label in changes)
        buttons += f'<select aria-label="Another label"><option value="">Change to …</option>{listed}</select>'
    head = "".join(
        f'<th scope="col">{escape(text)}</th>' for text in ("Column", "This row", "Unusual for label", *heads)
    )
    body = []
    for column, own, *others, rare in lines:
        marked = '<td class="unusual">' if rare else "<td>"
        cells = f"{marked}{escape(own)}</td><td>{escape(rare)}</td>" + "".join(f"<td>{escape(x)}</td>" for x in others)
        body.append(f'<tr><th scope="row">{escape(column)}</th>{cells}</tr>')
    known = f'data-row="{escape(row)}" data-given="{escape(given)}" data-suggested="{escape(suggested)}"'
    return f"""<section {known} hidden>
<h2 tabindex="-1">{escape(title)}</h2>
<p>Given label: {escape(given)}. Suggested: {escape(suggested)}.</p>
<div class="choices" role="group" aria-label="Verdict">{buttons}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Values of the row and of its neighbours">
<table><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div></section>"""


def _neighbours(detector, X, rows):
    """Rows in the same leaves of most trees, for each row; none if the detector has no trees."""
    if not hasattr(detector.estimator_, "apply") or not rows:
        return [[] for _ in rows]
    leaves = np.asarray(detector.estimator_.apply(X)).astype(np.intp, copy=False).reshape(len(X), -1)
    return nearest(leaves, np.array(rows), np.arange(len(X)))


def _unusual(table, column, rows, pairs):
    """For each row, those of its labels, given and suggested, in whose class its value of a feature is rare."""
    if column not in table.features:
        return [""] * len(rows)
    place = table.features.index(column)
    values = table.X[:, place]
    levels = place in table.categorical or len(np.unique(values)) <= FEW
    members = {label: values[table.y == label] for label in {label for pair in pairs for label in pair}}
    counts = {label: np.unique(own, return_counts=True)[1] if levels else None for label, own in members.items()}
    return [
        ", ".join(x for x in dict.fromkeys(pair) if _share(values[row], members[x], counts[x]) < RARE)
        for row, pair in zip(rows, pairs, strict=True)
    ]


def _share(value, members, counts):
    """Share of a class as far out as a number or, given the counts of its texts, with texts that are as rare."""
    if np.isnan(value):
        return np.isnan(members).mean()
    if counts is None:
        return min((members <= value).mean(), (members >= value).mean())
    return counts[counts <= (members == value).sum()].sum() / len(members)


def task_files(sheet: Path) -> list[Path]:
    """Places of the tasks and the interface of Label Studio."""
    return [sheet.with_name(f"{sheet.stem}-label-studio.{kind}") for kind in ("json", "xml")]


def write_tasks(sheet: Path, table, texts, rows, suggested, detector, names, verdicts) -> list[str]:
    """Write tasks for Label Studio, with suggestions for called errors, and its interface; returns both names."""
    verdict, row, given = names  # of columns
    shown = texts.iloc[table.positions[rows]]
    tasks = []
    for i, other, values in zip(rows, suggested.tolist(), shown.to_dict("records"), strict=True):
        answer = {"from_name": verdict, "to_name": ITEM, "type": "choices", "value": {"choices": [other]}}
        data = {row: str(table.rows[i]), given: str(table.y[i]), ITEM: {**values, given: str(table.y[i])}}
        score = round(1 - float(detector.label_quality_[i]), 3)
        predictions = [{"model_version": "ironbark", "score": score, "result": [answer]}]
        tasks.append({"data": data, "predictions": predictions if detector.is_error_[i] else []})
    choices = "".join(f"\n    <Choice value={quoteattr(choice)}/>" for choice in [*verdicts, *table.classes])
    interface = f"""<View>
  <Table name="{ITEM}" value="${ITEM}"/>
  <Choices name={quoteattr(verdict)} toName="{ITEM}" choice="single" required="true">{choices}
  </Choices>
</View>
"""
    listed, shape = task_files(sheet)
    write_text(listed, json.dumps(tasks, indent=1, ensure_ascii=False) + "\n")
    write_text(shape, interface)
    return [f"{listed} (tasks)", f"{shape} (interface)"]
