"""`ironbark labels`: find wrong labels in a table."""

import contextlib
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from ironbark.cli import picture, review, source, tables
from ironbark.errors import InputError
from ironbark.files import explained, is_special, owning, replacing
from ironbark.label_errors import ConsensusLabels
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.suspects import suspects
from ironbark.pipeline.data.formats import COMPRESSED
from ironbark.tree.forest import RobustRandomForestClassifier

DELAY = 2.0  # seconds until the bar of the trees that have grown appears on a terminal
WORST = 10  # rows that are listed
WIDEST = 10  # classes of a matrix that is printed

#: Options that need one column of labels -> their defaults.
ALONE = {"review": False, "reviewed": None, "picture": None, "all": False, "cut": "count", "classes_separate": False}


def run(arguments):
    """Read, judge, write and print."""
    data = Path(arguments.data)
    output, drawn = _outputs(arguments, data)
    _check_options(arguments)
    read = source.find(data, arguments.target, arguments.sep)
    targets = tables.targets(read, arguments.target)
    columns = (arguments.drop, arguments.groups, arguments.categories)
    table = tables.read(read, targets, *columns, arguments.skip_unlabelled)
    _warn(table.warnings)
    if len(targets) > 1:
        return _agree(arguments, read, table, targets)
    with contextlib.ExitStack() as stack:
        if arguments.review or arguments.reviewed is not None:  # another run may add answers to the same record
            lock = Path(f".{_stem(data)}-review.lock")
            with explained(lock):
                stack.enter_context(owning(lock, lambda: _warn([f"waiting for another run that owns {lock}"])))
        _judge(arguments, data, read, table, output, drawn)


def _judge(arguments, data, read, table, output, drawn):
    """Find, write and print what is suspicious, and what a review says."""
    texts = tables.texts(read) if arguments.review or arguments.reviewed is not None else None
    round_ = None if texts is None else review.begin(arguments, _stem(data), texts, table)
    options = {"seed": arguments.seed, "jobs": arguments.jobs}
    detector, sentences = detect(table, arguments.cut, not arguments.classes_separate, **options)
    _warn(sentences)
    found = suspects(detector, table.X, table.y, neighbours=False)
    answers = {} if round_ is None else round_.answers
    is_checked = found.index.isin([row for row, label in answers.items() if label is not None])
    found["is_error"] &= ~is_checked
    kept = found if arguments.all else found[found["is_error"]]
    figure = picture.draw(detector, table.classes, data.name, found.index[is_checked])
    written = tables.write(output, read, table, kept[["given", "suggested", "quality", "is_error"]])
    picture.write(drawn, figure)
    words = [_summary(data, table, detector, found[~is_checked], not answers), f"written: {written}, {drawn}"]
    if texts is not None:
        words += ["", review.run(arguments, _stem(data), read, texts, table, detector, round_)]
    print("\n".join(words))  # once all is written: its reader may have ended


def _outputs(arguments, data):
    """Places of the table of errors and the picture, which are no files that are read."""
    output = Path(f"{_stem(data)}-errors.csv" if arguments.output is None else arguments.output)
    answers = Path(arguments.reviewed or data)
    for path in filter(is_special, (data, answers)):
        raise InputError(f"{path} is a pipe or a device, which cannot be read twice; save its content as a file")
    _check_place(data, "--output", output)
    if output.exists() and answers.exists() and output.samefile(answers):
        raise InputError(f"{output} holds the answers that are read; give another --output, or rename the answers")
    shown = Path(f"{_stem(data)}-errors.csv") if is_special(output) else output
    drawn = shown.with_name(f"{_stem(shown)}.png") if arguments.picture is None else Path(arguments.picture)
    _check_place(data, "--picture", drawn)
    if drawn.suffix.lower() != ".png":
        raise InputError(f"the picture {drawn} must end in .png; give another --picture")
    if output.resolve() == drawn.resolve() and not is_special(output):
        raise InputError(f"{output} cannot be both --output and --picture; give two files")
    return output, drawn


#: Option of reviews -> its default.
REVIEWS = {"cost": 1.0, "export": None}


def _check_options(arguments):
    """Refuse options before work is wasted."""
    if not 0 <= arguments.seed < 2**32:
        raise InputError(f"--seed {arguments.seed} must be between 0 and {2**32 - 1}")
    if arguments.rows < 1:
        raise InputError(f"--rows {arguments.rows} must be at least 1")
    asked = {name: value for name, value in REVIEWS.items() if getattr(arguments, name) != value}
    if asked and not (arguments.review or arguments.reviewed is not None):
        raise InputError(f"--{next(iter(asked))} is for the rows to check; add --review")
    if not arguments.cost > 0:
        raise InputError(f"--cost {arguments.cost:g} must be above 0; it is a number of errors")
    if arguments.jobs == 0:
        raise InputError("--jobs 0 leaves no thread; give a number of threads, or -1 for all cores")


def _agree(arguments, read, table, targets):
    """Find, write and print the consensus of several columns of labels, and how good each annotator is."""
    plain = Path(f"{_stem(read.path)}-consensus.csv")
    output = plain if arguments.output is None else Path(arguments.output)
    shown = plain if is_special(output) else output
    annotators = shown.with_name(f"{_stem(shown)}-annotators.csv")
    for path in (output, annotators):
        _check_place(read.path, "--output", path)
    for name, default in ALONE.items():
        if getattr(arguments, name) != default:
            remedy = f"leave it out, then give it with {output}, --target consensus and --drop for the other columns"
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} needs one column of labels, but --target names {len(targets)}; {remedy}")
    opinions = pd.DataFrame(table.y, columns=targets)
    options = {"random_state": arguments.seed, "n_jobs": arguments.jobs, "categorical_features": table.categorical}
    method = ConsensusLabels(detector=LabelErrorDetector(**options))
    consensus, sentences = _heard(method.fit, table.X, opinions, table.groups)
    _warn(sentences)
    quality, n_labels = consensus.quality_, consensus.n_labels_
    found = pd.DataFrame({"consensus": consensus.labels_, "quality": quality, "labels": n_labels})
    worst = found.set_axis(table.rows).iloc[consensus.next_rows()].rename_axis("row").reset_index()
    found["next"] = found.index.isin(consensus.next_rows(arguments.rows))
    written = tables.write(output, read, table, found)
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
        f"\nwritten: {written}, {annotators}",
    )
    print("\n".join(lines))


def _stem(path):
    """Name without .csv, .png and the suffix of a compression; other names stay whole, so that none collide."""
    name = path.name
    for suffix in (*COMPRESSED, ".csv", ".png"):
        name = name[: -len(suffix)] if name.lower().endswith(suffix) and len(name) > len(suffix) else name
    return name


def _check_place(data, option, path):
    """Refuse a place before work is wasted."""
    if not data.is_file():
        raise InputError(f"there is no file {data}; give the path of a CSV, Parquet or Excel file")
    if path.name.startswith((f"{_stem(data)}-review.", f"{_stem(data)}-cleaned.")):
        raise InputError(f"{path} has a name that files of a review have; give another {option}")
    with explained(path):
        is_special(path)  # raises for links in a circle
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file as {option}")
    if file := next((parent for parent in path.parents if parent.is_file()), None):
        raise InputError(f"{file} is a file, so {path} cannot be written in it; give another {option}")
    place = path if path.exists() else next(parent for parent in path.resolve().parents if parent.exists())
    if not os.access(place, os.W_OK):
        raise InputError(f"{place} may not be written to; give another {option}")
    if path.exists() and path.samefile(data):
        raise InputError(f"{path} is the file that is read; give another {option}")


def detect(table, cut: str | float = "count", classes_overlap=True, *, seed: int = 0, jobs=None):
    """Judge the labels of a table."""
    folds = 5 if table.groups is None else min(5, len(np.unique(table.groups)))
    options = {"cut": cut, "classes_overlap": classes_overlap, "cv": folds, "random_state": seed, "n_jobs": jobs}
    options["categorical_features"] = table.categorical
    total = LabelErrorDetector().n_estimators
    with tqdm(total=total, desc="trees", delay=DELAY, leave=False, disable=None) as bar:
        return _heard(_counting(bar, table.groups is None)(**options).fit, table.X, table.y, groups=table.groups)


def _heard(fit, *data, **groups):
    """What a fit returns, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = fit(*data, **groups)
    return fitted, [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]


def _counting(bar, one_forest):
    """Class of detectors whose forest, if it is a single one, counts its trees."""

    class CountedForest(RobustRandomForestClassifier):
        def _grow(self, *arguments):
            tree = super()._grow(*arguments)
            bar.update()
            return tree

    class CountingDetector(LabelErrorDetector):
        def _base(self):
            forest = super()._base()
            return CountedForest(**forest.get_params()) if one_forest else forest

    return CountingDetector


def _warn(sentences):
    for sentence in sentences:
        print(f"warning: {sentence}", file=sys.stderr)


def _summary(data: Path, table, detector, found: pd.DataFrame, none_checked: bool) -> str:
    """Summary of what was found: size of the data, estimated noise, matrix, most suspicious rows."""
    (low, high), rate = detector.noise_rate_interval_, f"{detector.noise_rate_:.1%}"
    if detector._is_unknown:
        rate = "unknown, as the features do not predict the labels: use --review"
    elif detector.classes_overlap:
        rate += f" (at most {high:.1%}; classes may overlap, so unchecked labels cannot tell more: use --review)"
    else:
        rate += f" (nominal 90 % interval: {low:.1%} to {high:.1%})"
    called = "rows that are called errors" if none_checked else "unchecked rows called errors, without the answers"
    lines = [
        f"{data}: {len(table.y):,} rows, {len(table.features):,} features, {len(detector.classes_)} classes",
        *[f"estimated share of wrong labels: {rate}"] * none_checked,
        f"{called}: {int(found['is_error'].sum()):,}",
    ]
    if detector.conflicts_:
        rows = sum(map(len, detector.conflicts_))
        lines.append(f"rows that are identical to others but for the label: {rows:,}")
    if none_checked and not detector._is_unknown and len(table.classes) <= WIDEST:
        matrix = pd.DataFrame(detector.noise_matrix_, detector.classes_, detector.classes_)
        matrix = matrix.loc[table.classes, table.classes]
        lines += ["", "estimated shares of given labels (columns) in each true class (rows)"]
        lines.append(matrix.to_string(float_format="{:.2f}".format))
    if found.empty:
        return "\n".join([*lines, ""])
    worst = found.head(WORST)
    worst = worst[["given", "suggested", "quality"]].set_axis(table.rows[worst.index])
    lines += ["", "most suspicious rows (the header is row 1; a quality of 0 is worst)"]
    lines += [worst.rename_axis("row").reset_index().to_string(index=False, float_format="{:.3f}".format), ""]
    return "\n".join(lines)
