"""Files of tables, and what tables, statistics and readers refuse, with words of the culprit and the remedy."""

import re
import shutil
import subprocess

import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.published import comparison, readers
from ironbark.pipeline.tables import collect, dataset_tables, layout
from ironbark.pipeline.tables.result_table import Table

INDEX = pd.MultiIndex.from_tuples([("A_1", "x & y"), ("A_1", "z"), ("B", "z")], names=["Data set", "Method"])


@pytest.fixture
def table():
    text = [["94.00 ± 0.48", "–"], ["90.00 †2", "1.00"], ["1.00", "2.00"]]
    bold = [[True, False], [False, False], [False, True]]
    values = pd.DataFrame({"dataset": ["a"], "mean": [1 / 3], "sd": [float("nan")], "n": [5]})
    columns = ["10 %", "{.1,.3}"]
    frames = pd.DataFrame(text, INDEX, columns), values, pd.DataFrame(bold, INDEX, columns)
    return Table(*frames, "50 % of #1 | all.", ["†k: k failed."])


def test_files_of_a_table(table, tmp_path):
    layout.write(table, tmp_path / "t2.binary")
    csv, html, md, tex = sorted(tmp_path.iterdir())
    assert [path.name for path in (csv, md, tex, html)] == [f"t2.binary.{end}" for end in ("csv", "md", "tex", "html")]
    assert csv.read_text("utf-8").split() == ["dataset,mean,sd,n", "a,0.3333333333,,5"]
    lines = md.read_text("utf-8").splitlines()
    assert lines[0] == r"50 % of #1 \| all." and lines[4] == r"| A\_1 | x & y | **94.00 ± 0.48** | – |"
    text = html.read_text("utf-8")
    assert text.count("<b>") == 2 and "x &amp; y" in text and not re.search(r"(src|href)=|url\(", text)
    body = layout.body_of(text)
    assert body.startswith("<p>50 % of #1 | all.</p>") and body.count("<table>") == 1 and "<html" not in body
    assert tex.read_text("utf-8") == layout.to_latex(table)
    with pytest.raises(InputError, match="holds no table of ironbark"):
        layout.body_of("<p>something else</p>")


def test_latex_rows_have_one_cell_per_column_and_braces_balance(table):
    text = layout.to_latex(table)
    assert set(re.findall(r"\\begin\{(\w+)\}", text)) == {"table", "tabular"}
    assert r"A\_1 & x \& y & \textbf{94.00 $\pm$ 0.48} & -- \\" in text
    assert "\n & z & 90.00 \\dag{}2 & 1.00 \\\\\n" in text  # the data set is named once
    for line in re.findall(r"^(.*) \\\\$", text, re.MULTILINE):
        assert len(re.findall(r"(?<!\\)&", line)) == 3
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}") and text.isascii()


def test_groups_stand_above_the_columns_that_they_span(table):
    frame = pd.concat([table.frame, table.frame.set_axis(["c", "d"], axis=1)], axis=1)
    grouped = Table(frame, table.values, frame.eq(""), "Three groups.", groups=["A & B", "A & B", "C", "D_1"])
    heads = layout.to_html(grouped).partition("<thead>")[2].partition("</tr>")[0]
    spans = re.findall(r'colspan="(\d)"[^>]*>([^<]*)<', heads)
    assert spans == [("2", ""), ("2", "A &amp; B"), ("1", "C"), ("1", "D_1")]
    text = layout.to_latex(grouped)
    assert r" &  & \multicolumn{2}{c}{A \& B} & \multicolumn{1}{c}{C} & \multicolumn{1}{c}{D\_1} \\" in text
    assert r"\cmidrule(lr){3-4} \cmidrule(lr){5-5} \cmidrule(lr){6-6}" in text
    assert "colspan" not in layout.to_html(table).partition("<body>")[2] and "cmidrule" not in layout.to_latex(table)


@pytest.mark.parametrize("character", "&%$#_{}~^<>|\\")
def test_no_active_character_survives(character):
    escaped = layout.escape_latex(f"a{character}b")
    assert re.sub(r"\\[&%$#_{}]|\\text\w+\{\}", "", escaped) == "ab"


def wide(n_columns, length=12):
    text = ("words and" * length)[:length] if length > 60 else "9" * length
    frame = pd.DataFrame([[text] * n_columns], pd.Index(["a"], name="Method"), map(str, range(n_columns)))
    return Table(frame, frame, frame.eq(""), "Wide.")


def long(n):
    frame = wide(2).frame.loc[["a"] * n].set_axis(pd.MultiIndex.from_product([["block"], map(str, range(n))]))
    return Table(frame.rename_axis(["Data set", "Method"]), frame, frame.eq(""), "Long.", ["A note."])


TABLE = r"""\documentclass{{article}}\usepackage[a4paper,margin=2cm]{{geometry}}\usepackage{{booktabs,graphicx}}
\begin{{document}}
{}
\end{{document}}"""


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize(("columns", "length"), [(1, 61), (7, 12), (9, 12), (30, 4)])
def test_latex_compiles_and_fits(table, tmp_path, columns, length):
    pages = layout.to_latex(table) + layout.to_latex(wide(columns, length)) + layout.to_latex(long(120))
    (tmp_path / "t.tex").write_text(TABLE.format(pages), encoding="ascii")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout and "Float too large" not in done.stdout


def rows(values="abab", noises=("clean",), **changes):
    """A repeat of each method of `values` in turn, at each noise."""
    runs = {("d", noise, method): [0.5] * values.count(method) for noise in noises for method in values}
    return result_rows(runs, **{"noise": "uniform", "rate": "0.2"} | changes)


def built(kind, data=None, **spec):
    members = {"members": [("a", "z")]} if kind == "datasets" else {}
    return tables.build(rows() if data is None else data, {"kind": kind, "id": "t"} | spec, **members)


def compared(noises=("clean",), **options):
    names = {"table": 2, "dataset": "d", "task": "binary", "model": "DT", "method": "mse", "noise": "uniform"}
    names |= {"rate": "0.2", "mean": 0.9, "spread": 0.1, "n": 5, "rounding": 0.001}
    return comparison.compare(rows(noises=noises), pd.DataFrame([names]), {"DT": {"mse": "a"}}, **options)


FACTS = pd.DataFrame({"dataset": ["a"], "n_samples": ["8"], "n_features": ["4"]})
ONE, TWICE, MIXED = rows("aa"), rows(repeat=0), [rows(), rows(task="multiclass")]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: built("pie"), "unknown kind 'pie'; choose one of accuracy, ranks"),
        (lambda: built("accuracy", datasets=["none"]), "no result row is in table 't'; check its datasets"),
        (lambda: built("accuracy", metric="auc"), "'auc' is unknown; choose one of accuracy"),
        (lambda: built("ranks", ONE), "'t' needs two methods and a setting that both have finished; add runs"),
        (lambda: built("significance", ONE), "'t' needs results of two methods; check its methods and noises"),
        (lambda: built("measures", metrics=["flipped"]), "'t' has no method with a value of flipped; add runs"),
        (lambda: built("pairs", pairs=[["a", "z"]]), "no pair of table 't' has fits of both .*; check `pairs`"),
        (lambda: collect.cells(TWICE), "2 fits have two result rows, first .*; read each shard of one protocol once"),
        (lambda: collect.select(pd.concat(MIXED), {"id": "t9"}), "'t9' mixes the tasks binary and multiclass; set"),
        (lambda: dataset_tables._fact("n_rows", "8", {}), "unknown fact 'n_rows'; choose one of n_train"),
        (lambda: compared(datasets=["d9"]), "no published number is left .*; check data sets and tables"),
        (lambda: built("datasets", (FACTS, {}), printed="pg"), "no data set is in Table II .*check the field `papers`"),
        (lambda: compared(noises=["u", "v"]), "noises u, v have the same model and rate; compare with the rows of one"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("read", "columns", "words"),
    [
        (readers.ane_cells, "paper,table", r"x\.csv has no column dataset, mean, method"),
        (readers.pg_cells, "paper,tau_minus,tau_plus", r"x\.csv has no column dataset, mark, mean, method, std"),
        (readers.rmb_cells, "paper,table", r"x\.csv has no column dataset, mean, method"),
        (lambda path: dataset_tables.read(path, "pg"), "dataset,n_samples", "has no column n_features; use the"),
        (lambda path: dataset_tables.read(path, "pg"), "dataset,n_samples,n_features\na,,4", "of 'a' is no number"),
    ],
)
def test_wrong_files_of_published_values_are_named(read, columns, words, tmp_path):
    (tmp_path / "x.csv").write_text(columns + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read(tmp_path / "x.csv")
