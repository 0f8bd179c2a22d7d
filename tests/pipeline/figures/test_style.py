import subprocess
import sys

from ironbark.pipeline.figures import style


@style.styled
def toy(caption="A toy."):
    figure = style.new_figure(3, 2)
    axis = figure.add_subplot()
    axis.plot([0, 1], [0, 1], marker="o")
    axis.set_title("x")
    return style.finish(figure, {"caption": caption}, "", "Scale lite")


def test_saving_twice_gives_the_same_bytes(laid_out, tmp_path):
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


def test_files_hold_the_caption_their_fonts_and_no_date(tmp_path):
    png, svg, pdf = (path.read_bytes() for path in style.save(toy(), tmp_path / "a"))
    assert png.startswith(b"\x89PNG") and b"A toy. Scale lite." in png
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (600, 400), "200 dots per inch"
    assert b"A toy. Scale lite." in svg and b"<dc:date>" not in svg and b"matplotlib.org" not in svg.split(b"</meta")[0]
    assert pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Type3" not in pdf and b"/CreationDate" not in pdf


def test_importing_the_package_does_not_import_matplotlib():
    code = "import sys, ironbark.pipeline.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
