import csv
import re
import shutil
import subprocess

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.tables import layout
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


def test_csv_holds_the_tidy_numbers(table, tmp_path):
    paths = layout.write(table, tmp_path / "t2.binary")
    assert [path.name for path in paths] == ["t2.binary.csv", "t2.binary.md", "t2.binary.tex", "t2.binary.html"]
    with open(paths[0], encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream))
    assert lines == [["dataset", "mean", "sd", "n"], ["a", "0.3333333333", "", "5"]]


def test_markdown_pipes_and_bold(table):
    lines = layout.to_markdown(table).splitlines()
    assert lines[0] == r"50 % of #1 \| all."
    assert lines[2] == "| Data set | Method | 10 % | {.1,.3} |"
    assert lines[3] == "| --- | --- | ---: | ---: |"
    assert lines[4] == r"| A\_1 | x & y | **94.00 ± 0.48** | – |"
    assert lines[6] == "| B | z | 1.00 | **2.00** |"
    assert lines[-1] == "†k: k failed."


def test_html_marks_bold_escapes_and_loads_nothing(table):
    text = layout.to_html(table)
    assert text.count("<b>") == 2 and "<td><b>94.00 ± 0.48</b></td>" in text
    assert "x &amp; y" in text and "50 % of #1 | all." in text and "†k: k failed." in text
    assert text.count("<tr") == 4 and text.count('class="first"') == 2
    assert not re.search(r"(src|href)=|url\(", text)


def test_latex_body_needs_booktabs_only(table):
    text = layout.to_latex(table)
    assert set(re.findall(r"\\begin\{(\w+)\}", text)) == {"table", "tabular"}
    assert not re.search(r"\\(multirow|cmidrule|multicolumn|hline)", text)
    assert r"\caption{50 \% of \#1 \textbar{} all.}" in text
    assert r"\begin{tabular}{llrr}" in text
    assert r"A\_1 & x \& y & \textbf{94.00 $\pm$ 0.48} & -- \\" in text
    assert "\n & z & 90.00 \\dag{}2 & 1.00 \\\\\n" in text  # the data set is named once
    assert r"Data set & Method & 10 \% & \{.1,.3\} \\" in text


def test_latex_rows_have_one_cell_per_column_and_braces_balance(table):
    text = layout.to_latex(table)
    for line in re.findall(r"^(.*) \\\\$", text, re.MULTILINE):
        assert len(re.findall(r"(?<!\\)&", line)) == 3
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\midrule") == 2  # below the head, between the two data sets
    assert text.isascii()


@pytest.mark.parametrize("character", "&%$#_{}~^<>|\\")
def test_no_active_character_survives(character):
    escaped = layout.escape_latex(f"a{character}b")
    assert re.sub(r"\\[&%$#_{}]|\\text\w+\{\}", "", escaped) == "ab"


def test_the_body_of_a_page_comes_back(table):
    body = layout.body_of(layout.to_html(table))
    assert body.startswith("<p>50 % of #1 | all.</p>") and body.count("<table>") == body.count("</table>") == 1
    assert "†k: k failed." in body and "<html" not in body
    with pytest.raises(InputError, match="holds no table of ironbark"):
        layout.body_of("<p>something else</p>")


def wide(n_columns, length=12):
    frame = pd.DataFrame(
        [[("words and" * length)[:length] if length > 60 else "9" * length] * n_columns],
        [["a"]],
        [str(i) for i in range(n_columns)],
    )
    frame.index = pd.Index(["a"], name="Method")
    return Table(frame, frame, frame.eq(""), "Wide.")


def test_latex_scales_what_is_too_wide_for_a_page():
    assert "resizebox" not in layout.to_latex(wide(7))
    text = layout.to_latex(wide(9))
    assert r"\resizebox{\linewidth}{!}{%" + "\n" + r"\begin{tabular}" in text
    assert r"\end{tabular}}" in text


def long(n):
    frame = wide(2).frame.loc[["a"] * n].set_axis(pd.MultiIndex.from_product([["block"], map(str, range(n))]))
    return Table(frame.rename_axis(["Data set", "Method"]), frame, frame.eq(""), "Long.", ["A note."])


def test_latex_of_a_long_table_is_a_float_a_page():
    text = layout.to_latex(long(layout.PAGE))
    assert text.count(r"\begin{table}") == 1 and "continued" not in text
    text = layout.to_latex(long(2 * layout.PAGE + 1))
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == text.count(r"\bottomrule") == 3
    assert text.count(r"\caption") == 1 and text.count("(continued)") == 2 and text.count("A note.") == 1
    assert text.index("A note.") > text.rindex(r"\end{tabular}")
    assert text.count("block & ") == 3 and all(f"& {line} &" in text for line in range(2 * layout.PAGE + 1))


TABLE = r"""\documentclass{{article}}\usepackage[a4paper,margin=2cm]{{geometry}}\usepackage{{booktabs,graphicx}}
\begin{{document}}
{}
\end{{document}}"""


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("columns", [1, 7, 9, 30])
@pytest.mark.parametrize("length", [4, 12, 61])
def test_latex_compiles_and_fits(table, tmp_path, columns, length):
    pages = layout.to_latex(table) + layout.to_latex(wide(columns, length)) + layout.to_latex(long(120))
    (tmp_path / "t.tex").write_text(TABLE.format(pages), encoding="ascii")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout and "Float too large" not in done.stdout
