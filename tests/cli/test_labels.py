"""`ironbark labels`, from a CSV file to a CSV file, a picture and a summary."""

import gzip
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from ironbark.cli import main

ROOT = Path(__file__).parents[2]
#: Imports of packages that a plain installation is without.
OPTIONAL = ["snakemake", "pooch", "openml", "jinja2", "baycomp", "pygments", "lightgbm", "xgboost", "optuna"]

#: Files with a fault.
SMALL = {
    "empty.csv": "",
    "header.csv": "a,kind\n",
    "only.csv": "kind\na\nb\n",
    "none.csv": "a,kind\n1,None\n2,b\n",
}


def run(*arguments):
    return main(["labels", "--jobs", "1", *map(str, arguments)])


def test_planted_errors_are_written_with_all_columns(data, frame, capsys):
    assert run(data, "--target", "kind", "--drop", "id", "--cut", "0.025") == 0
    found = pd.read_csv("animals-errors.csv", dtype=str, keep_default_na=False)
    assert {5, 42, 79} == set(found["row_"].astype(int))
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "120 rows, 4 features, 2 classes" in printed.out
    assert re.search(r"wrong labels: \d+\.\d% \(90 % interval: \d+\.\d% to \d+\.\d%\)", printed.out)
    assert "written: animals-errors.csv" in printed.out
    assert Path("animals-errors.png").read_bytes().startswith(b"\x89PNG")


def test_rows_keep_their_texts_and_names_stay_apart(data, frame):
    assert run(data, "--target", "kind", "--all", "--output", "all.csv") == 0
    found = pd.read_csv("all.csv", dtype=str, keep_default_na=False)
    assert list(found) == ["row_", "given", "suggested", "quality", "is_error", *frame]
    rows = found["row_"].astype(int) - 2
    assert sorted(rows) == list(range(120))
    pd.testing.assert_frame_equal(
        found[list(frame)].set_index(rows).sort_index(), frame.astype(str), check_names=False, check_dtype=False
    )
    assert (found["given"] == found["kind"]).all()
    assert found["quality"].astype(float).is_monotonic_increasing
    assert (found["is_error"] == "True").sum() < 12


def test_rows_are_numbered_as_in_a_spreadsheet(data, capsys):
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:50], "", " ", *lines[50:]]) + "\n")
    assert run(data, "--target", "kind", "--drop", "id", "--cut", "0.025") == 0
    found = pd.read_csv("animals-errors.csv")
    assert {5, 42, 81} == set(found["row_"])
    assert set(found["row_"].astype(str)) < set(capsys.readouterr().out.split())


def test_a_share_and_groups_and_compression(data, capsys):
    packed = Path("animals.csv.gz")
    packed.write_bytes(gzip.compress(data.read_bytes()))
    arguments = [packed, "--target", "kind", "--drop", "id", "--groups", "site", "--cut", "0.1"]
    assert run(*arguments, "--output", "out/errors.csv", "--picture", "out/p.png") == 0
    assert len(pd.read_csv("out/errors.csv")) == 12
    assert "3 features" in capsys.readouterr().out


def test_results_are_compressed_if_their_name_says_so(data):
    for name in ("plain.csv", "packed.csv.gz"):
        assert run(data, "--target", "kind", "--output", name, "--picture", "p.png") == 0
    assert gzip.decompress(Path("packed.csv.gz").read_bytes()) == Path("plain.csv").read_bytes()


def test_dollars_are_no_formulas(data):
    odd = Path("$a$^.csv")
    odd.write_text(data.read_text().replace("cat", "$10%-$20%"))
    assert run(odd, "--target", "kind") == 0
    assert Path("$a$^-errors.png").stat().st_size > 1000


def test_the_seed_fixes_the_files(data):
    for name in "ab":
        assert run(data, "--target", "kind", "--seed", 5, "--output", f"{name}.csv") == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert Path("a.png").stat().st_size > 1000


def test_identifiers_are_pointed_out(data, capsys):
    assert run(data, "--target", "kind") == 0
    error = capsys.readouterr().err
    assert error.startswith("warning: ") and "column 'id'" in error and "leave it out by --drop id, unless" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.csv", "--target", "kind"], "there is no file absent.csv"),
        (["animals.csv", "--target", "kinds"], "no column 'kinds'; did you mean 'kind'?"),
        (["animals.csv", "--target", "zzz"], "no column 'zzz'; set --target to one of id, length"),
        (["animals.csv", "--target", "kind", "--drop", "idd"], "no column 'idd'; did you mean 'id'?"),
        (["animals.csv", "--target", "kind", "--groups", "wher"], "no column 'wher'; set --groups to one of"),
        (["animals.csv", "--target", "kind", "--drop", "kind"], "--drop names 'kind', the column of the labels"),
        (["animals.csv", "--target", "row"], "column 'row' has a single class"),
        (["animals.csv", "--target", "colour"], r"\d+ of 120 labels in column 'colour' are missing"),
        (["animals.csv", "--target", "kind", "--groups", "length"], "12 of 120 rows have no group in 'length'"),
        (["animals.csv", "--target", "kind", "--output", "animals.csv"], "is the file that is read; give another --o"),
        (["animals.csv", "--target", "kind", "--output", "a.png"], "cannot be both"),
        (["animals.csv", "--target", "kind", "--picture", "a.svg"], "must end in .png"),
        (["animals.csv", "--target", "kind", "--output", "."], "is a folder; give a file as --output"),
        (["animals.csv", "--target", "kind", "--output", "animals.csv/x.csv"], "animals.csv is a file, so an"),
        (["animals.csv", "--target", "kind", "--seed", "-1"], "--seed -1 must be between"),
        (["animals.csv", "--target", "kind", "--jobs", "0"], "--jobs 0 leaves no thread; give a number of threads"),
        (["empty.csv", "--target", "kind"], "cannot be read as csv"),
        (["none.csv", "--target", "kind"], "none.csv: 1 of 2 labels in column 'kind' are 'None', which counts"),
        (["header.csv", "--target", "kind"], "has no rows"),
        (["only.csv", "--target", "kind"], "no feature column is left"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(data, arguments, message, capsys):
    for name, text in SMALL.items():
        Path(name).write_text(text)
    before = sorted(os.listdir())
    assert run(*arguments) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("ironbark: ") and printed.err.count("\n") == 1 and not printed.out
    assert re.search(message, printed.err)
    assert sorted(os.listdir()) == before


def test_wrong_arguments_end_by_the_usage(capsys):
    for arguments in ([], ["labels"], ["labels", "a.csv", "--target", "y", "--cut", "2"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert "usage: ironbark" in capsys.readouterr().err


def test_it_runs_from_a_plain_installation(data):
    """Without the packages of the extras."""
    code = "import sys; sys.modules.update(dict.fromkeys(sys.argv[1].split(','))); from ironbark.cli import main; "
    code += "sys.exit(main(sys.argv[2:]))"
    arguments = ["labels", "animals.csv", "--target", "kind", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-c", code, ",".join(OPTIONAL), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, Path("animals-errors.csv").is_file()) == (0, True), done.stderr
    assert "trees" not in done.stderr  # no bar where there is no terminal


def test_the_command_is_installed_by_its_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["scripts"]["ironbark"].partition(":")
    assert (module, function) == (main.__module__, main.__name__)
