"""`ironbark labels` with several columns of labels: their consensus, and how good each annotator is."""

import pandas as pd

from ironbark.cli import tables
from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.label_errors import ConsensusLabels, LabelErrorDetector

#: Options that need one column of labels -> their defaults.
ALONE = {"review": False, "reviewed": None, "picture": None, "all": False, "cut": "count", "classes_separate": False}


def run(arguments, output, annotators, read, table, targets) -> str:
    """Find and write the consensus, in the order of the file, and the annotators; a summary."""
    for name, default in ALONE.items():
        if getattr(arguments, name) != default:
            remedy = f"leave it out, then give it with {output}, --target consensus and --drop for the other columns"
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} needs one column of labels, but --target names {len(targets)}; {remedy}")
    opinions = pd.DataFrame(table.y, columns=targets)
    options = {"random_state": arguments.seed, "n_jobs": arguments.jobs, "categorical_features": table.categorical}
    detector = LabelErrorDetector(**options)
    consensus = ConsensusLabels(detector=detector).fit(table.X, opinions, table.groups)
    quality, n_labels = consensus.quality_, consensus.n_labels_
    found = pd.DataFrame({"consensus": consensus.labels_, "quality": quality, "labels": n_labels})
    worst = found.set_axis(table.rows).iloc[consensus.next_rows()].rename_axis("row").reset_index()
    found["next"] = found.index.isin(consensus.next_rows(arguments.rows))
    tables.write(output, read, table, found)
    with replacing(annotators) as side:
        consensus.annotators_.to_csv(side, index=False)
    style = {"index": False, "float_format": "{:.3f}".format}
    lines = (
        f"{read.path}: {len(found):,} rows, {len(table.features):,} features, {len(consensus.classes_)} classes, "
        f"{len(targets)} annotators, {n_labels.mean():.1f} labels in a row",
        f"rows whose annotators disagree: {(opinions.nunique(axis=1) > 1).sum():,}",
        f"consensus labels that are expected to be wrong: {(1 - quality).sum():.0f} ({(1 - quality).mean():.1%})",
        "\nannotators (quality: estimated share of right labels; agreement: with the consensus)",
        consensus.annotators_.to_string(**style),
        "\nrows that deserve another opinion (the header is row 1)",
        worst.to_string(**style),
        f"\nwritten: {output} ({len(found):,} rows), {annotators}",
    )
    return "\n".join(lines)
