"""Outcomes of `ironbark.pipeline.theory.checks` as a table."""

import pandas as pd

from ironbark.pipeline.analysis.tables.result_table import Table

COLUMNS = ["Statement", "What was compared", "Cases", "Largest deviation", "Allowed", "Verdict"]


def build(outcomes, spec, labels, noise_labels, dataset_labels, *, caption_note=""):
    """One row per statement.

    Parameters
    ----------
    outcomes : list of ironbark.pipeline.theory.statement.Outcome
    spec : dict
        ``caption``.
    labels, noise_labels, dataset_labels, caption_note : ignored

    Returns
    -------
    Table
        Statements that fail are bold.
    """
    lines = [
        [
            o.statement.text,
            o.statement.how,
            o.cases,
            o.deviation,
            o.statement.tolerance,
            "holds" if o.holds else "FAILS",
        ]
        for o in outcomes
    ]
    index = pd.Index([o.statement.id for o in outcomes], name="No.")
    values = pd.DataFrame(lines, index, COLUMNS)
    frame = values.astype({"Cases": "str"})
    for column in ("Largest deviation", "Allowed"):
        frame[column] = [f"{value:.1e}" if value else "0" for value in values[column]]
    bold = frame.eq("") | (values["Verdict"] == "FAILS").to_numpy()[:, None]
    failed = int((values["Verdict"] == "FAILS").sum())
    counted = f"{len(values) - failed} of {len(values)} statements hold in {values['Cases'].sum():,} cases."
    notes = ["Where nothing is allowed, contradictions are counted. Deviations from 0 come from rounding."]
    caption = " ".join(filter(None, [spec.get("caption", "").strip(), counted]))
    return Table(frame, values.reset_index(), bold, caption, notes)
