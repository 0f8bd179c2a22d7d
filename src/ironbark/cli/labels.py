"""`ironbark labels`: find wrong labels in a CSV file."""

import sys
from pathlib import Path

from ironbark.cli import picture, summary, tables
from ironbark.cli.detection import detect
from ironbark.errors import InputError
from ironbark.label_errors.suspects import suspects


def run(arguments):
    """Read, judge, write and print.

    Parameters
    ----------
    arguments : argparse.Namespace
        `data`, `target`, `output`, `picture`, `drop`, `groups`, `cut`, `all`, `seed` and `jobs`.

    Raises
    ------
    InputError
        For data that cannot be judged, and places that cannot be written to.
    """
    data = Path(arguments.data)
    output = Path(arguments.output or f"{data.name.partition('.')[0]}-errors.csv")
    _check_place(data, "--output", output)
    drawn = Path(arguments.picture or output.with_suffix(".png"))
    _check_place(data, "--picture", drawn)
    if drawn.suffix.lower() != ".png":
        raise InputError(f"the picture {drawn} must end in .png; give another --picture")
    if output.resolve() == drawn.resolve():
        raise InputError(f"{output} cannot be both --output and --picture; give two files")
    if not 0 <= arguments.seed < 2**32:
        raise InputError(f"--seed {arguments.seed} must be between 0 and {2**32 - 1}")
    if arguments.jobs == 0:
        raise InputError("--jobs 0 leaves no thread; give a number of threads, or -1 for all cores")
    table = tables.read(data, arguments.target, arguments.drop, arguments.groups)
    _warn(table.warnings)
    detector, sentences = detect(table, cut=arguments.cut, seed=arguments.seed, jobs=arguments.jobs)
    _warn(sentences)
    found = suspects(detector, table.X, table.y)
    kept = found if arguments.all else found[found["is_error"]]
    tables.write(output, data, table, kept)
    picture.write(drawn, detector, data.name)
    print(summary.text(data, table, detector, found))
    print(f"written: {output} ({len(kept):,} rows), {drawn}")


def _check_place(data, option, path):
    """Refuse a place before work is wasted."""
    if not data.is_file():
        raise InputError(f"there is no file {data}; give the path of a CSV file")
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file as {option}")
    if file := next((parent for parent in path.parents if parent.is_file()), None):
        raise InputError(f"{file} is a file, so {path} cannot be written in it; give another {option}")
    if path.resolve() == data.resolve():
        raise InputError(f"{path} is the file that is read; give another {option}")


def _warn(sentences):
    for sentence in sentences:
        print(f"warning: {sentence}", file=sys.stderr)
