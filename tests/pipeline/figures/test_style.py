import itertools
import subprocess
import sys

import matplotlib
import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import style


@style.styled
def toy(caption="A toy."):
    figure = style.new_figure(3, 2)
    axis = figure.add_subplot()
    axis.plot([0, 1], [0, 1], marker="o")
    axis.set_title("x")
    return style.finish(figure, {"caption": caption}, "", "Scale lite")


def test_saving_twice_gives_the_same_bytes(tmp_path):
    figure = toy()
    first = [path.read_bytes() for path in style.save(figure, tmp_path / "a.1")]
    again = [path.read_bytes() for path in style.save(figure, tmp_path / "a.1")]
    other = [path.read_bytes() for path in style.save(toy(), tmp_path / "b")]
    assert first == again == other
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{stem}.{end}" for stem in ("a.1", "b") for end in ("pdf", "png", "svg")
    ]


def test_last_digits_of_the_layout_change_no_byte(tmp_path, monkeypatch):
    """The solver of layouts gives other last digits in another process."""

    def lay_out(figure, real=style._lay_out):
        real(figure)
        for axis in figure.axes:
            axis._set_position([value * (1 + 1e-15) for value in axis.get_position().bounds])

    first = [path.read_bytes() for path in style.save(toy(), tmp_path / "a")]
    monkeypatch.setattr(style, "_lay_out", lay_out)
    assert [path.read_bytes() for path in style.save(toy(), tmp_path / "b")] == first


def test_saving_does_not_move_the_panels(tmp_path):
    matrices = [("Two\nlines", np.eye(3), ["a long name", "b", "c"])] * 2
    figure = figures.draw(matrices, {"kind": "transition-matrix"}, caption_note="Scale lite")
    before = [axis.get_position().bounds for axis in figure.axes]
    style.save(figure, tmp_path / "a")
    assert [axis.get_position().bounds for axis in figure.axes] == before


def test_files_hold_the_caption_and_no_date(tmp_path):
    png, svg, pdf = style.save(toy(), tmp_path / "a")
    assert png.read_bytes().startswith(b"\x89PNG") and b"A toy. Scale lite." in png.read_bytes()
    text = svg.read_text(encoding="utf-8")
    assert (
        "A toy. Scale lite." in text
        and "<dc:date>" not in text
        and "matplotlib.org" not in text.split("</metadata>")[0]
    )


def test_pdf_embeds_its_fonts_as_truetype(tmp_path):
    pdf = style.save(toy(), tmp_path / "a")[2].read_bytes()
    assert pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Type3" not in pdf
    assert b"/CreationDate" not in pdf


def test_png_has_200_dots_per_inch(tmp_path):
    png, _, _ = style.save(toy(), tmp_path / "a")
    header = png.read_bytes()[16:24]
    assert (int.from_bytes(header[:4]), int.from_bytes(header[4:])) == (600, 400)


def test_caption_ends_in_the_note_and_the_note_stands_below():
    figure = toy()
    assert figure.get_label() == "A toy. Scale lite."
    assert figure.get_supxlabel() == "Scale lite."


def test_settings_of_the_caller_neither_matter_nor_change(tmp_path):
    plain = style.save(toy(), tmp_path / "a")[0].read_bytes()
    with matplotlib.rc_context({"font.size": 20, "axes.grid": False, "savefig.dpi": 50}):
        assert style.save(toy(), tmp_path / "b")[0].read_bytes() == plain
        assert matplotlib.rcParams["font.size"] == 20


@pytest.mark.parametrize("count", [11, 14, 30])
def test_methods_look_different(count):
    found = style.looks(range(count))
    assert len(set(found.values())) == count
    assert len({look.color for look in found.values()}) == min(count, 14)
    assert len({look.marker for look in list(found.values())[:14]}) == min(count, 14)


def test_colours_are_told_apart():
    colors = [np.array(matplotlib.colors.to_rgb(look.color)) for look in style.LOOKS]
    assert min(np.linalg.norm(one - two) for one, two in itertools.combinations(colors, 2)) > 0.15


def test_importing_the_package_does_not_import_matplotlib():
    code = "import sys, ironbark.pipeline.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_unknown_kind_is_named():
    with pytest.raises(InputError, match="unknown kind 'pie'; choose one of noise-curves, "):
        figures.draw([], {"kind": "pie"})


def test_no_figure_is_wider_than_the_text_of_a_page():
    assert style.new_figure(12.7, 3.0).get_size_inches().tolist() == [style.TEXT_WIDTH, 3.0]
    assert style.new_figure(14.0, 6.0, "compressed").get_size_inches().tolist() == [style.TEXT_WIDTH, 3.0]
    assert style.new_figure(3.4, 3.0).get_size_inches().tolist() == [3.4, 3.0]
