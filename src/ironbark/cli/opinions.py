"""`ironbark labels` with several columns of labels: their consensus, and how good each annotator is."""

import warnings

import pandas as pd

from ironbark.cli import tables
from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.label_errors.consensus import ConsensusLabels

SHOWN = 10  # rows that are listed
#: Options that need one column of labels -> their defaults.
ALONE = {"review": False, "reviewed": None, "picture": None, "all": False, "cut": "count", "classes_separate": False}


def agree(arguments, written, table, targets) -> tuple[ConsensusLabels, list[str]]:
    """The consensus, and sentences on what is doubtful."""
    for name, default in ALONE.items():
        if getattr(arguments, name) != default:
            raise InputError(
                f"--{name.replace('_', '-')} needs one column of labels, but --target names {len(targets)}; leave it "
                f"out, then run the command on {written} with --target consensus, and --drop for what is no feature"
            )
    opinions = pd.DataFrame(table.y, columns=targets)
    consensus = ConsensusLabels(random_state=arguments.seed, n_jobs=arguments.jobs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        consensus.fit(table.X, opinions, groups=table.groups)
    return consensus, [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]


def write(output, annotators, read, table, consensus, n_next):
    """Write all rows with their consensus in the order of the file, and the table of annotators."""
    found = _rows(consensus)
    found["next"] = found.index.isin(consensus.next_rows(n_next))
    tables.write(output, read, table, found)
    with replacing(annotators) as side:
        consensus.annotators_.to_csv(side, index=False)


def _rows(consensus):
    columns = {"consensus": consensus.labels_, "quality": consensus.quality_, "labels": consensus.n_labels_}
    return pd.DataFrame(columns)


def summary(data, table, consensus) -> str:
    """Size of the data, disagreement, annotators, and the rows that deserve another opinion most."""
    annotators, quality, n_labels = consensus.annotators_, consensus.quality_, consensus.n_labels_
    shown = _rows(consensus).set_axis(table.rows).loc[table.rows[consensus.next_rows(SHOWN)]]
    lines = [
        f"{data}: {len(quality):,} rows, {len(table.features):,} features, {len(consensus.classes_)} classes, "
        f"{len(annotators)} annotators, {n_labels.mean():.1f} labels in each row",
        f"rows whose annotators disagree: {int(consensus.is_disputed_.sum()):,}",
        f"expected wrong labels in the consensus: {(1 - quality).sum():.0f} ({(1 - quality).mean():.1%})",
        "",
        "annotators (quality: estimated share of right labels; agreement: with the consensus)",
        annotators.to_string(index=False, float_format="{:.3f}".format),
        "",
        "rows that deserve another opinion most (the header is row 1)",
        shown.rename_axis("row").reset_index().to_string(index=False, float_format="{:.3f}".format),
        "",
    ]
    return "\n".join(lines)
