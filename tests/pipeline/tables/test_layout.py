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


def test_files_of_a_table(table, tmp_path):
    csv, md, tex, html = layout.write(table, tmp_path / "t2.binary")
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
    assert re.findall(r'colspan="(\d)"[^>]*>([^<]*)<', heads) == [
        ("2", ""),
        ("2", "A &amp; B"),
        ("1", "C"),
        ("1", "D_1"),
    ]
    text = layout.to_latex(grouped)
    assert r" &  & \multicolumn{2}{c}{A \& B} & \multicolumn{1}{c}{C} & \multicolumn{1}{c}{D\_1} \\" in text
    assert r"\cmidrule(lr){3-4} \cmidrule(lr){5-5} \cmidrule(lr){6-6}" in text
    assert "colspan" not in layout.to_html(table).partition("<body>")[2] and "cmidrule" not in layout.to_latex(table)


@pytest.mark.parametrize("character", "&%$#_{}~^<>|\\")
def test_no_active_character_survives(character):
    escaped = layout.escape_latex(f"a{character}b")
    assert re.sub(r"\\[&%$#_{}]|\\text\w+\{\}", "", escaped) == "ab"


def wide(n_columns, length=12):
    frame = pd.DataFrame(
        [[("words and" * length)[:length] if length > 60 else "9" * length] * n_columns],
        [["a"]],
        [str(i) for i in range(n_columns)],
    )
    frame.index = pd.Index(["a"], name="Method")
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
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout and "Float too large" not in done.stdout
