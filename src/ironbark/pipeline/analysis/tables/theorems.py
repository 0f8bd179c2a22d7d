"""Outcomes of `ironbark.pipeline.theory.checks` as a table."""

import pandas as pd

from ironbark.pipeline.analysis.tables.result_table import Table

COLUMNS = ["Statement", "What was compared", "Cases", "Largest deviation", "Allowed", "Tightest case", "Verdict"]


def build(outcomes, spec, context):
    """One row per statement.

    Parameters
    ----------
    outcomes : list of ironbark.pipeline.theory.statements.statement.Outcome
    spec : dict
        ``paper``, that of the outcomes.

    Returns
    -------
    Table
        Statements that fail are bold. The column of the tightest case is left out if it is empty.
    """
    lines = [
        [o.statement.text, o.statement.how, o.cases, o.deviation, o.statement.tolerance, o.tightest, o.verdict]
        for o in outcomes
    ]
    index = pd.Index([o.statement.id for o in outcomes], name="No.")
    values = pd.DataFrame(lines, index, COLUMNS)
    if not any(o.tightest for o in outcomes):
        values = values.drop(columns="Tightest case")
    frame = values.astype({"Cases": "str"})
    for column in ("Largest deviation", "Allowed"):
        frame[column] = [f"{value:.1e}" if value else "0" for value in values[column]]
    bold = frame.apply(lambda column: values["Verdict"] == "FAILS")
    notes = ["Where nothing is allowed, contradictions are counted. Deviations from 0 come from rounding."]
    if (values["Largest deviation"] < 0).any():
        notes.append("A deviation below 0 is the distance from a bound that no case reaches.")
    caption = " ".join(filter(None, [spec.get("caption", "").strip(), counted(values["Verdict"], values["Cases"])]))
    return Table(frame, values.reset_index(), bold, caption, notes)


def counted(verdicts, cases):
    """A sentence that counts the verdicts."""
    conditional, refuted = int(verdicts.str.startswith("holds if").sum()), int((verdicts == "does not hold").sum())
    parts = [f"{(verdicts == 'holds').sum()} of {len(verdicts)} statements hold"]
    parts += [f"{conditional} under a further condition"] * bool(conditional)
    parts += [f"{refuted} refuted"] * bool(refuted)
    return f"{', '.join(parts)} in {cases.sum():,} cases."
