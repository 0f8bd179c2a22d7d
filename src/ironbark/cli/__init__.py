"""The command `ironbark`."""

import argparse
import contextlib
import os
import signal
import sys
from importlib.util import find_spec

from ironbark import __version__
from ironbark.errors import InputError

#: What the extra "labels" of the distribution installs.
NEEDED = ("pandas", "pyarrow", "matplotlib", "tqdm")


def main(argv: list[str] | None = None) -> int:
    """Run a command, and print a mistake of the user as one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # terminals without the characters of labels
    arguments = _parser().parse_args(argv)
    with contextlib.suppress(ValueError):  # only the main thread may
        for number in (signal.SIGTERM, signal.SIGHUP):  # half-written files go
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        status = arguments.command(arguments)
        if sys.stdout is not None:  # it is if the shell closed it
            sys.stdout.flush()
        return status
    except InputError as error:
        print(f"ironbark: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("ironbark: stopped by Ctrl-C", file=sys.stderr)
        return 130
    except OSError as error:  # as where the disk of the output is full, or of `ironbark labels ... | head -3`
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        print(f"ironbark: {error}", file=sys.stderr)
        return 1


def _labels(arguments):
    if missing := ", ".join(name for name in NEEDED if find_spec(name) is None):
        raise InputError(f"not installed: {missing}; run `pip install 'ironbark-learn[labels]'`")
    from ironbark.cli import labels  # late, so that --help is quick

    labels.run(arguments)
    return 0


def _parser():
    parser = argparse.ArgumentParser("ironbark", description="Learning from labels that are partly wrong.")
    parser.add_argument("--version", action="version", version=f"ironbark {__version__}")
    labels = parser.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "labels",
        help="find wrong labels in a table",
        description="Find the rows of a CSV, Parquet or Excel file whose labels look wrong. Writes them as CSV, most "
        "suspicious first, and a picture, and prints a summary.",
    )
    add, repeated = labels.add_argument, {"action": "append", "default": [], "metavar": "COLUMN"}
    add("data", help="CSV file with a header, also packed as .gz, .bz2 or .xz; Parquet; Excel")
    add("--target", required=True, metavar="COLUMN", help="of the labels; a,b,c for those of annotators")
    add("--output", metavar="FILE", help="CSV file to write; default: <name of the data>-errors.csv")
    add("--picture", metavar="FILE", help="PNG file to write; default: the output with .png")
    add("--drop", **repeated, help="leave a column out; repeatable")
    add("--sep", metavar="CHARACTER", help="separator of a CSV file; default: found by its header")
    add("--categories", **repeated, help="column of numbers and some texts, which are no missing values; repeatable")
    add("--skip-unlabelled", action="store_true", help="leave out rows without a label")
    add("--groups", metavar="COLUMN", help="rows with the same value here do not judge each other")
    add("--classes-separate", action="store_true", help="classes lie apart: what contradicts predictions is wrong")
    add(
        "--cut",
        type=_cut,
        default="count",
        help='how many rows to call errors: "count" for the largest expected F1 score (default), "precision" for few '
        "false alarms (more of them where classes overlap), or a share such as 0.05",
    )
    add("--all", action="store_true", help="write all rows, not only those that are called errors")
    add("--review", action="store_true", help="write <name of the data>-review.csv, rows to check by hand")
    add("--reviewed", metavar="FILE", help="the checked rows: estimate the share of wrong labels, clean the table")
    add("--export", choices=["label-studio"], help="write the rows to check as tasks for Label Studio too")
    add("--rows", type=int, default=60, help="to check in a round; default: 60")
    add("--cost", type=float, default=1.0, help="errors among 20 rows for which a review goes on; default: 1")
    add("--seed", type=int, default=0, help="of the random forest; default: 0")
    add("--jobs", type=int, default=-1, help="threads; default: all cores. The result is the same")
    labels.set_defaults(command=_labels)
    return parser


def _cut(text):
    if text in ("count", "precision"):
        return text
    with contextlib.suppress(ValueError):
        if 0 < float(text) < 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not count, precision or a share of the rows such as 0.05")
