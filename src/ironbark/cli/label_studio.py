"""Rows to check as tasks for Label Studio, whose CSV export `--reviewed` reads, and the interface that shows them."""

import json
from pathlib import Path
from xml.sax.saxutils import quoteattr

from ironbark.files import write_text

ITEM = "item"  # name of what a task shows


def write(sheet: Path, table, texts, rows, suggested, quality, names, verdicts) -> list[str]:
    """Write both files beside the sheet and list them; `names` are its columns of verdict, row and given label.

    The prediction of a task is that its label is the suggested one, its score how likely the given one is wrong.
    """
    verdict, row, given = names
    shown = texts[[column for column in texts.columns if column in set(table.features)]].iloc[table.positions[rows]]
    tasks = []
    for i, other, score, values in zip(rows, suggested.tolist(), quality, shown.to_dict("records"), strict=True):
        answer = {"from_name": verdict, "to_name": ITEM, "type": "choices", "value": {"choices": [other]}}
        data = {row: str(table.rows[i]), given: str(table.y[i]), ITEM: {**values, given: str(table.y[i])}}
        predictions = [{"model_version": "ironbark", "score": round(1 - float(score), 3), "result": [answer]}]
        tasks.append({"data": data, "predictions": predictions})
    choices = "".join(f"\n    <Choice value={quoteattr(choice)}/>" for choice in [*verdicts, *table.classes])
    interface = f"""<View>
  <Table name="{ITEM}" value="${ITEM}"/>
  <Choices name={quoteattr(verdict)} toName="{ITEM}" choice="single" required="true">{choices}
  </Choices>
</View>
"""
    listed, shape = (sheet.with_name(f"{sheet.stem}-label-studio.{kind}") for kind in ("json", "xml"))
    write_text(listed, json.dumps(tasks, indent=1, ensure_ascii=False) + "\n")
    write_text(shape, interface)
    return [f"{listed} (tasks)", f"{shape} (interface)"]
